import type { FoundSources } from '../../content/source/find-sources.ts'
import { hashSources } from '../../content/source/hash-sources.ts'
import type { KnownContent } from './known-content.ts'

/** Digests of the bytes of all files that content is made of, by source; the empty text for what cannot be read. */
export type FileDigests = Map<string, string>

/** Digests of the taxonomy files, and of what stands where an article would and cannot be read. */
export function digestFound(contentRoot: string, { taxonomy, unread }: FoundSources): FileDigests {
  const sources = taxonomy.map(({ source }) => source)
  return new Map([...unread.map(({ source }) => [source, ''] as const), ...hashSources(contentRoot, sources)])
}

export function digestFiles(
  { content, compiled }: Pick<KnownContent, 'content' | 'compiled'>,
  found: FileDigests,
): FileDigests {
  const files = new Map(found)
  for (const { source, hash } of content.assets) files.set(source, hash)
  for (const snippets of content.includes.values())
    for (const [source, hash] of snippets) files.set(source, hash)
  for (const [source, { article }] of compiled) files.set(source, article.sourceHash)
  return files
}

/** Sources of files that are new, other or gone. */
export function changedFileSources(before: FileDigests, now: FileDigests): string[] {
  const other = [...now].filter(([source, digest]) => before.get(source) !== digest)
  const gone = [...before.keys()].filter((source) => !now.has(source))
  return [...other.map(([source]) => source), ...gone].toSorted()
}
