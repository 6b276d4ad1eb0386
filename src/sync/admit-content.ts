// Decides which articles errors in the content keep from being sent, in a watch and in a sync.
import { TAXONOMY_FILES } from '../content/source/find-sources.ts'
import type { SentVersion } from '../content/pipeline/build-corpus.ts'
import type { LoadedContent } from '../content/pipeline/load-content.ts'
import type { OnError } from '../core/config/schema.ts'
import { formatNumber } from '../core/format-number.ts'
import { type Diagnostic, isError } from '../core/model/diagnostic.ts'
import { pluralize } from '../core/pluralize.ts'

export interface HeldBack {
  /** Sources of articles that have an error themselves. */
  readonly sources: ReadonlySet<string>
  /** Taxonomy files with an error. Such an error concerns all articles, so nothing is sent. */
  readonly taxonomy: readonly string[]
  readonly isEverything: boolean
}

export const NOTHING_HELD: HeldBack = { sources: new Set(), taxonomy: [], isEverything: false }

/**
 * Returns what must not be sent. An error in an included file counts for every article that includes it.
 *
 * @param unsound sources that `content` shows in their last good version, or not at all, and those waiting for them
 * @param prefix the content folder as diagnostics name it, with a slash at its end
 */
export function heldBack(content: LoadedContent, unsound: ReadonlySet<string>, prefix: string): HeldBack {
  const wrong = new Set(
    content.diagnostics.flatMap(({ severity, file }) =>
      severity === 'error' ? [file.startsWith(prefix) ? file.slice(prefix.length) : file] : [],
    ),
  )
  const all = new Set([...TAXONOMY_FILES, ...folderFiles(content, prefix)])
  const taxonomy = [...wrong].filter((source) => all.has(source)).toSorted()
  const including =
    wrong.size === 0
      ? []
      : [...content.includes].flatMap(([source, files]) =>
          [...files.keys()].some((file) => wrong.has(file)) ? [source] : [],
        )
  return {
    sources: new Set([...unsound, ...[...wrong].filter((source) => !all.has(source)), ...including]),
    taxonomy,
    isEverything: taxonomy.length > 0,
  }
}

function folderFiles({ diagnostics }: LoadedContent, prefix: string): string[] {
  return diagnostics.flatMap(({ code, file }) =>
    code.startsWith('taxonomy-') && file.startsWith(prefix) ? [file.slice(prefix.length)] : [],
  )
}

/** The effect of errors on a sync. */
export type Admission = ReturnType<typeof admitContent>

/**
 * Decides the effect of errors on a sync. A run on some paths ignores errors that do not keep one of its articles from being
 * sent. With `hold`, only errors outside of articles stop a run, such as those in taxonomy files. Pure.
 */
export function admitContent(
  content: LoadedContent,
  onError: OnError,
  isSelected: ((source: string) => boolean) | undefined,
  prefix: string,
) {
  const { diagnostics, rejected, waiting, includes } = content
  if (!diagnostics.some(isError)) return { isStopped: false, held: new Set<string>(), diagnostics }
  const { sources, taxonomy, isEverything } = heldBack(
    content,
    new Set([...rejected, ...waiting.keys()]),
    prefix,
  )
  const articles = new Set([...content.articles.map(({ source }) => source), ...rejected])
  const included = new Set([...includes.values()].flatMap((files) => [...files.keys()]))
  const inRun = isSelected === undefined ? [...sources] : [...sources].filter(isSelected)
  const stops = (source: string) => onError === 'stop' || !(articles.has(source) || included.has(source))
  const held = new Set([...sources].filter((source) => articles.has(source)))
  // The slug of an article that cannot be read may be any slug.
  const awaited = inRun
    .flatMap((source) => waiting.get(source) ?? [])
    .flatMap((name) => (articles.has(name) ? [name] : [...rejected]))
  const blocking = [...inRun, ...awaited]
  const files = new Set([
    ...taxonomy,
    ...blocking.flatMap((source) => [source, ...(includes.get(source)?.keys() ?? [])]),
  ])
  const isOfRun = ({ file }: Diagnostic) => files.has(file.slice(prefix.length))
  return {
    /** True if nothing is sent at all. */
    isStopped: isEverything || inRun.some(stops),
    /** Sources of articles that are not sent. */
    held,
    /** The diagnostics of the content that concern the run. */
    diagnostics:
      isSelected === undefined ? diagnostics : diagnostics.filter((each) => !isError(each) || isOfRun(each)),
  }
}

/**
 * Slug and language, by source, of the sent version of each article that is held back, if its file now has others: the
 * target keeps that version, and links must lead there. Pure.
 */
export function listKeptAddresses(
  articles: LoadedContent['articles'],
  held: ReadonlySet<string>,
  sent: ReadonlyMap<string, SentVersion>,
): ReadonlyMap<string, SentVersion> {
  return new Map(
    articles.flatMap(({ source, slug, language }) => {
      const version = held.has(source) ? sent.get(source) : undefined
      const isKept = version === undefined || (version.slug === slug && version.language === language)
      return isKept ? [] : [[source, version] as const]
    }),
  )
}

/**
 * The reason why articles are held back, such as `5 files with errors; 55 more articles depend on them`. Pure.
 *
 * @param prefix the content folder as diagnostics name it, with a slash at its end
 */
export function describeHeldBack(
  held: Iterable<string>,
  diagnostics: readonly Diagnostic[],
  prefix: string,
): string {
  const wrong = new Set(diagnostics.filter(isError).map(({ file }) => file))
  const dependents = [...held].filter((source) => !wrong.has(`${prefix}${source}`)).length
  const depend = dependents === 1 ? 'article depends' : 'articles depend'
  const more =
    dependents === 0
      ? ''
      : `; ${formatNumber(dependents)} more ${depend} on ${wrong.size === 1 ? 'it' : 'them'}`
  return `${pluralize(wrong.size, 'file')} with errors${more}`
}
