import { hashFields } from '../../core/model/article-fields.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import { mergeFields } from './merge-fields.ts'
import { type ResolvedArticle, fieldsToSend, writtenReviewDate, lacksOriginal } from './payload.ts'
import type { SentHashes } from './detect-drift.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import type { Ownership, RemoteEntry } from './remote-entry.ts'

/** Whether an article of the target already says what the file says, a review date that is only a default aside. */
function matchesLocal(remote: RemoteArticle, wanted: ResolvedArticle): boolean {
  const { review, projectionHash } = wanted.article
  const reviewDate = review.kind === 'default' ? remote.fields.reviewDate : writtenReviewDate(review)
  return (
    remote.projectionHash === projectionHash &&
    remote.fieldsHash === hashFields(fieldsToSend(wanted, reviewDate))
  )
}

/** Whether the file says everything that was edited on the target since it was sent, whatever else it says. */
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
 * Takes as ours what a target that strips comments left without marker: an article with a wanted slug and language
 * whose fields (a defaulted review date aside) and projection are what we would send. One that differs stays foreign, and
 * so does one that is known to belong to another project.
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

/** What makes an article ours that we never sent; undefined where it is not to the letter what we would send. */
export function ownUnsent(remote: RemoteArticle, wanted: ResolvedArticle): Ownership | undefined {
  // While an original has no id, no article can name it.
  const { article, fingerprint, translationOf } = wanted
  const isRelated = !lacksOriginal(wanted) && remote.languageParent === translationOf?.id
  if (!isRelated || !matchesLocal(remote, wanted)) return undefined
  const { fieldsHash, projectionHash } = remote
  return { key: article.key, fingerprint, sourceHash: article.sourceHash, fieldsHash, projectionHash }
}

/** Whether an article was claimed that would carry our marker if it were ours, as has turned out since. */
export function isWronglyClaimed(ours: Ownership | undefined, keepsComments: boolean | undefined): boolean {
  return ours?.isClaimed === true && keepsComments === true
}

/** Whether the target keeps markers, as one that was read shows, whosever it is; undefined where none was. */
export function seesMarkers(entries: readonly RemoteEntry[]): true | undefined {
  return entries.some(({ remote }) => remote?.marker !== undefined) || undefined
}
