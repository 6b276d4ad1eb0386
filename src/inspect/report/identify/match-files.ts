import type { LocalArticle } from '../../../core/model/document.ts'
import { slugKey } from '../../../core/model/slug-key.ts'
import { matchArticles } from '../../../sync/plan/match-articles.ts'
import type { RemoteEntry } from '../../../sync/plan/remote-entry.ts'

/** The articles of files. */
export interface Identified {
  /** Source of the file that owns an article, by the article's id. */
  readonly sourceOf: ReadonlyMap<string, string>
  /** Articles that kb-sync created and that no longer have a file. */
  readonly orphans: readonly RemoteEntry[]
  /** Files without an article, as far as is known. */
  readonly missing: readonly LocalArticle[]
  /** True if possible articles of this project were not read, because there are too many. */
  readonly isCut: boolean
}

/**
 * Matches files and articles: by marker or state, as in a sync; otherwise by slug and language, if the article has no
 * marker. Pure.
 *
 * @param entries the entries of the state, and articles read in this run
 */
export function matchFiles(
  wanted: readonly LocalArticle[],
  entries: readonly RemoteEntry[],
): Omit<Identified, 'isCut'> {
  const { entryOf, orphans, duplicates } = matchArticles(wanted, entries)
  const sourceOf = new Map([...entryOf].map(([source, { id }]) => [id, source]))
  const unmarked = new Map(entries.filter(isUnmarked).map((entry) => [slugKey(entry), entry.id]))
  const missing = wanted.filter((article) => {
    if (entryOf.has(article.source)) return false
    const id = unmarked.get(slugKey(article))
    if (id === undefined || sourceOf.has(id)) return true
    sourceOf.set(id, article.source)
    return false
  })
  return { sourceOf, orphans: [...orphans, ...duplicates], missing }
}

/** True if the article was read and has no marker. A target may remove comments. */
function isUnmarked({ ours, project, remote }: RemoteEntry): boolean {
  return ours === undefined && project === undefined && remote !== undefined
}
