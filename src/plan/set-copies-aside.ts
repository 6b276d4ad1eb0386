import type { DesiredArticle } from '../model/document.ts'
import { slugKey } from '../model/slug-key.ts'
import { isAsSent, isAsSentTo } from './as-sent.ts'
import { hasDrifted } from './detect-drift.ts'
import type { RemoteEntry } from './remote-entry.ts'

/**
 * Whether an article differs from what its marker says although nobody has edited it: a target that writes articles
 * another way, or a copy made by hand, marker and all.
 */
export function isUnlikeItsMarker({ remote, ours }: RemoteEntry): boolean {
  return remote !== undefined && ours !== undefined && !isAsSent(remote, ours) && !hasDrifted(ours, remote)
}

/**
 * Parts copies made by hand from articles of ours: unlike their marker, unknown to the state, and not where their
 * document wants to be. They belong to whoever made them. An article that the target itself has given another slug,
 * since its own is taken, is none.
 */
export function setCopiesAside(
  articles: readonly DesiredArticle[],
  entries: readonly RemoteEntry[],
  all: readonly RemoteEntry[],
): { readonly kept: readonly RemoteEntry[]; readonly copies: readonly RemoteEntry[] } {
  const byKey = new Map(articles.map((article) => [article.key, article]))
  const taken = new Set(all.map(slugKey))
  const isCopy = (entry: RemoteEntry) => {
    const article = byKey.get(entry.ours?.key ?? '')
    if (article === undefined || entry.isKnown === true || entry.remote?.marker === undefined) return false
    if (slugKey(entry) === slugKey(article) || !isUnlikeItsMarker(entry)) return false
    const isDisplaced = entry.ours !== undefined && isAsSentTo(article.slug, entry.remote, entry.ours)
    return !(isDisplaced && taken.has(slugKey(article)))
  }
  const copies = entries.filter(isCopy)
  const aside = new Set(copies)
  return { kept: copies.length === 0 ? entries : entries.filter((entry) => !aside.has(entry)), copies }
}
