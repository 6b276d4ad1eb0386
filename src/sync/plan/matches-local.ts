import { hashFields } from '../../core/model/article-fields.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import { mergeFields } from './merge-fields.ts'
import { type ResolvedArticle, fieldsToSend, writtenReviewDate, lacksOriginal } from './payload.ts'
import type { SentHashes } from './detect-drift.ts'
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

/** True if the file contains every edit made on the target since the last sync, and perhaps more. */
export function includesEdit(remote: RemoteArticle, sent: SentHashes, wanted: ResolvedArticle): boolean {
  const { review, projectionHash } = wanted.article
  const isTextTaken =
    remote.projectionHash === projectionHash || remote.projectionHash === sent.projectionHash
  if (!isTextTaken) return false
  const reviewDate = review.kind === 'default' ? '' : writtenReviewDate(review)
  const merged = mergeFields(sent.fieldsHash, fieldsToSend(wanted, reviewDate), remote.fields)
  return merged.kind === 'merged' && merged.taken.length === 0
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

/** True if an article was claimed, but the target turned out to keep markers: ours would have one. */
export function isWronglyClaimed(ours: Ownership | undefined, keepsComments: boolean | undefined): boolean {
  return ours?.isClaimed === true && keepsComments === true
}

/** True if any article read has a marker, of any project, so the target keeps markers; otherwise undefined. */
export function seesMarkers(entries: readonly RemoteEntry[]): true | undefined {
  return entries.some(({ remote }) => remote?.marker !== undefined) || undefined
}
