import { hashFields } from '../../core/model/article-fields.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import { type ResolvedArticle, fieldsToSend, writtenReviewDate, lacksOriginal } from './resolved-article.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import type { Ownership, RemoteEntry } from './remote-entry.ts'

/** True if the article on the target equals the file, ignoring a default review date. */
export function matchesLocal(remote: RemoteArticle, wanted: ResolvedArticle): boolean {
  const { review, projectionHash } = wanted.article
  const reviewDate = review.kind === 'default' ? remote.fields.reviewDate : writtenReviewDate(review)
  return (
    remote.projectionHash === projectionHash &&
    remote.fieldsHash === hashFields(fieldsToSend(wanted, reviewDate))
  )
}

/**
 * Claims articles without a marker on a target that removes comments: those with the slug and language of a document,
 * and with the fields (ignoring a default review date) and projection that we would send. An article that differs, or
 * that is known to belong to another project, stays foreign.
 */
export function claimUnmarked(
  entries: readonly RemoteEntry[],
  wanted: readonly ResolvedArticle[],
): RemoteEntry[] {
  const bySlug = new Map(wanted.map((each) => [slugKey(each.article), each]))
  return entries.map((entry) => {
    if (entry.ours !== undefined || entry.project !== undefined || entry.remote === undefined) return entry
    const match = bySlug.get(slugKey(entry))
    const ours = match && ownUnsent(entry.remote, match)
    return ours === undefined ? entry : { ...entry, ours: { ...ours, isClaimed: true } }
  })
}

/** Ownership of an article that we never sent; undefined unless it equals exactly what we would send. */
export function ownUnsent(remote: RemoteArticle, wanted: ResolvedArticle): Ownership | undefined {
  // No article can name an original that has no id yet.
  const { article, fingerprint, translationOf } = wanted
  const isRelated = !lacksOriginal(wanted) && remote.languageParent === translationOf?.id
  if (!isRelated || !matchesLocal(remote, wanted)) return undefined
  const { fieldsHash, projectionHash, htmlHash } = remote
  const { key, sourceHash } = article
  return { key, fingerprint, sourceHash, fieldsHash, projectionHash, htmlHash }
}

/** True if any article read has a marker, of any project, so the target keeps markers; otherwise undefined. */
export function seesMarkers(entries: readonly RemoteEntry[]): true | undefined {
  return entries.some(({ remote }) => remote?.marker !== undefined) || undefined
}
