import { hashFields } from '../../core/model/article-fields.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import { mergeFields } from './merge-fields.ts'
import { type ResolvedArticle, fieldsToSend, writtenReviewDate } from './payload.ts'
import type { SentHashes } from './detect-drift.ts'

/** Whether an article of the target already says what the file says, a review date that is only a default aside. */
export function matchesLocal(remote: RemoteArticle, wanted: ResolvedArticle): boolean {
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
