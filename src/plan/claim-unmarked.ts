import { hashFields } from '../model/article-fields.ts'
import { slugKey } from '../model/slug-key.ts'
import { fieldsToSend, type WantedArticle, writtenReviewDate } from './payload.ts'
import type { RemoteEntry } from './remote-entry.ts'

/**
 * Takes as ours what a target that strips comments left without marker: an article with a wanted slug and language
 * whose fields (a defaulted review date aside) and projection are what we would send. One that differs stays foreign.
 */
export function claimUnmarked(
  entries: readonly RemoteEntry[],
  wanted: readonly WantedArticle[],
): RemoteEntry[] {
  const bySlug = new Map(wanted.map((each) => [slugKey(each.article), each]))
  return entries.map((entry) => {
    if (entry.ours !== undefined || entry.project !== undefined || entry.remote === undefined) return entry
    const match = bySlug.get(slugKey(entry))
    if (match === undefined || !isWhatWeWouldSend(entry, match)) return entry
    const { article, fingerprint } = match
    const { fieldsHash, projectionHash } = entry.remote
    const ours = { key: article.key, fingerprint, sourceHash: article.sourceHash, fieldsHash, projectionHash }
    return { ...entry, ours }
  })
}

function isWhatWeWouldSend({ remote }: RemoteEntry, wanted: WantedArticle): boolean {
  if (remote === undefined || remote.projectionHash !== wanted.article.projectionHash) return false
  // While an original has no id, no article can name it.
  if (wanted.originalId === '' || remote.languageParent !== wanted.originalId) return false
  const { review } = wanted.article
  const reviewDate = review.kind === 'default' ? remote.fields.reviewDate : writtenReviewDate(review)
  return remote.fieldsHash === hashFields(fieldsToSend(wanted, reviewDate))
}
