import { type FoundSources, TAXONOMY_FILES } from '../../content/source/find-sources.ts'
import type { FileDigests } from './digest-files.ts'
import type { KnownContent } from './known-content.ts'

/** What stands between two calls. */
export interface LiveState {
  readonly known: KnownContent
  readonly files: FileDigests
  readonly faulty: ReadonlySet<string>
  readonly waiting: ReadonlySet<string>
  /** Sources of files that are included in articles. */
  readonly included: ReadonlySet<string>
}

export function liveStateOf(known: KnownContent, files: FileDigests, { unread }: FoundSources): LiveState {
  const isAccepted = (source: string) => known.standings.get(source.normalize('NFC'))?.kind === 'accepted'
  const compiled = [...known.compiled.values()].map(({ article }) => article)
  const pages = new Set(compiled.flatMap(({ source, meta }) => (meta.isArticle === false ? [source] : [])))
  const articles = [...known.compiled.keys(), ...unread.map(({ source }) => source)].filter(
    (source) => !TAXONOMY_FILES.includes(source) && !pages.has(source),
  )
  const open = [...known.records].filter(([source, { isOpen }]) => isOpen && isAccepted(source))
  return {
    known,
    files,
    faulty: new Set(articles.filter((source) => !isAccepted(source))),
    waiting: new Set(open.map(([source]) => source)),
    included: new Set([...known.content.includes.values()].flatMap((snippets) => [...snippets.keys()])),
  }
}
