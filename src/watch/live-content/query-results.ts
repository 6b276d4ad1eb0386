// Links are resolved against the articles and the files of the content folder. The result of each query about the
// folder is a text: while it is the same, everything derived from it is valid.
import { join, posix } from 'node:path'
import type { AssetUse } from '../../content/assets/asset-types.ts'
import { formatStamp } from '../../content/source/find-sources.ts'
import { isSettled } from '../../content/source/hash-sources.ts'
import { realPathIfThere, statIfThere } from '../../core/paths.ts'
import { memoize } from '../../core/memoize.ts'
import type { LinkContext } from '../../content/links/link-context.ts'

export type Query =
  /** The list of articles. */
  | { readonly kind: 'sources' }
  /** The possible originals of translations, and their slugs. */
  | { readonly kind: 'originals' }
  /** The categories and tags, and the folders they are derived from. */
  | { readonly kind: 'taxonomy' }
  | { readonly kind: 'find' | 'file'; readonly source: string }
  | { readonly kind: 'asset'; readonly use: AssetUse; readonly source: string }

/** The query results of one load. Each is determined once, before the data that depends on it is read. */
export interface QueryResults {
  /** Returns the query as text, the key of its result. */
  readonly ask: (query: Query) => string
  /** True if the result is the same as before. */
  readonly isAsBefore: (key: string, before: QueryResults) => boolean
  readonly get: (key: string) => string
}

interface QuerySources {
  readonly contentRoot: string
  readonly context: Pick<LinkContext, 'findExactly' | 'isFile'>
  readonly sources: () => string
  readonly originals: () => string
  readonly taxonomy: () => string
  readonly now: () => number
}

export function createQueryResults(from: QuerySources): QueryResults {
  const realFolder = memoize((folder: string) => realPathIfThere(join(from.contentRoot, folder)) ?? '')
  const get = memoize((key: string) => resultOf(JSON.parse(key) as Query, from, realFolder))
  return {
    get,
    ask: (query) => {
      const key = JSON.stringify(query)
      get(key)
      return key
    },
    isAsBefore: (key, before) => {
      const result = get(key)
      return result !== UNSETTLED && result === before.get(key)
    },
  }
}

/** The file is too young to trust its stamp, so this result never equals another one. */
const UNSETTLED = 'unsettled'

function resultOf(query: Query, from: QuerySources, realFolder: (folder: string) => string): string {
  switch (query.kind) {
    case 'sources':
      return from.sources()
    case 'originals':
      return from.originals()
    case 'taxonomy':
      return from.taxonomy()
    case 'find':
      return JSON.stringify(from.context.findExactly(query.source))
    case 'file':
      return String(from.context.isFile(query.source))
    case 'asset':
      return stampAsset(query.source, from, realFolder)
  }
}

function stampAsset(wanted: string, from: QuerySources, realFolder: (folder: string) => string): string {
  const found = from.context.findExactly(wanted)
  if (found.kind === 'missing') return found.kind
  const { source } = found
  const stats = statIfThere(join(from.contentRoot, source))
  if (stats === undefined) return `${found.kind} ${source}`
  const { size, mtimeMs, ctimeMs, ino } = stats
  if (!isSettled({ newestMs: Math.max(mtimeMs, ctimeMs) }, from.now())) return UNSETTLED
  // The same path may since lead outside the content folder.
  const folder = realFolder(posix.dirname(source))
  return `${found.kind} ${folder} ${formatStamp({ source, size, mtimeMs, ctimeMs, ino })}`
}
