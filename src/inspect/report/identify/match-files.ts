import type { LocalArticle } from '../../../core/model/document.ts'
import { slugKey } from '../../../core/model/slug-key.ts'
import { matchArticles } from '../../../sync/plan/match-articles.ts'
import type { RemoteEntry } from '../../../sync/plan/remote-entry.ts'

/** Which article belongs to which file. */
export interface Identified {
  /** Source of the file that owns an article, by the article's id. */
  readonly sourceOf: ReadonlyMap<string, string>
  /** Articles that kb-sync created and no file wants any more. */
  readonly orphans: readonly RemoteEntry[]
  /** Files without an article, as far as is known. */
  readonly missing: readonly LocalArticle[]
  /** True if possible articles of this project were not read, because there are too many. */
  readonly isCut: boolean
}

/**
 * Gives each file its article: the one that carries its marker or that the state knows, as a sync would; else one
 * without marker that has its slug and language. Pure.
 *
 * @param entries what the state knows, and what was read in this run
 */
export function matchFiles(
  wanted: readonly LocalArticle[],
  entries: readonly RemoteEntry[],
): Omit<Identified, 'isCut'> {
  const { entryOf, orphans, doubles } = matchArticles(wanted, entries)
  const sourceOf = new Map([...entryOf].map(([source, { id }]) => [id, source]))
  const unmarked = new Map(entries.filter(isUnmarked).map((entry) => [slugKey(entry), entry.id]))
  const missing = wanted.filter((article) => {
    if (entryOf.has(article.source)) return false
    const id = unmarked.get(slugKey(article))
    if (id === undefined || sourceOf.has(id)) return true
    sourceOf.set(id, article.source)
    return false
  })
  return { sourceOf, orphans: [...orphans, ...doubles], missing }
}

/** Read, and no one's by its marker: a target may strip comments. */
function isUnmarked({ ours, project, remote }: RemoteEntry): boolean {
  return ours === undefined && project === undefined && remote !== undefined
}
