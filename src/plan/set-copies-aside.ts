import { changedFields } from '../model/article-fields.ts'
import type { DesiredArticle } from '../model/document.ts'
import type { RemoteArticle } from '../model/remote-article.ts'
import { slugKey } from '../model/slug-key.ts'
import { isAsSent, isAsSentButForSlug } from './as-sent.ts'
import { hasDrifted } from './detect-drift.ts'
import type { Ownership, RemoteEntry } from './remote-entry.ts'

/**
 * Whether an article differs from what its marker says although nobody has edited it: a target that writes articles
 * another way, or a copy made by hand, marker and all.
 */
export function isUnlikeItsMarker({ remote, ours }: RemoteEntry): boolean {
  return remote !== undefined && ours !== undefined && !isAsSent(remote, ours) && !hasDrifted(ours, remote)
}

/**
 * Parts copies made by hand from articles of ours: unlike their marker, unknown to the state, and not where their
 * document wants to be. They belong to whoever made them. An article that differs in nothing but its slug is none, as
 * far as the state knows no other one of the document: then the target has written the slug another way.
 */
export function setCopiesAside(
  articles: readonly DesiredArticle[],
  entries: readonly RemoteEntry[],
  all: readonly RemoteEntry[],
): { readonly kept: readonly RemoteEntry[]; readonly copies: readonly RemoteEntry[] } {
  const byKey = new Map(articles.map((article) => [article.key, article]))
  const known = new Map(all.flatMap((entry) => (entry.isKnown === true ? [[entry.ours?.key, entry]] : [])))
  const isCopy = (entry: RemoteEntry) => {
    const { ours, remote } = entry
    if (entry.isKnown === true || remote?.marker === undefined || ours === undefined) return false
    if (!isUnlikeItsMarker(entry)) return false
    const article = byKey.get(ours.key)
    if (article === undefined) return hasOtherAddress(remote, ours)
    if (slugKey(entry) === slugKey(article)) return false
    return known.has(ours.key) || !isAsSentButForSlug(remote, ours)
  }
  const copies = entries.filter(isCopy)
  const aside = new Set(copies)
  return { kept: copies.length === 0 ? entries : entries.filter((entry) => !aside.has(entry)), copies }
}

/** Of an article whose file is gone, the marker alone tells where it stood. */
function hasOtherAddress(remote: RemoteArticle, { fieldsHash }: Ownership): boolean {
  const changed = changedFields(fieldsHash, remote.fields)
  return changed.includes('slug') || changed.includes('title')
}
