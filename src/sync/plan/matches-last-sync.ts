import { type ArticleFields, changedFields, hashFields } from '../../core/model/article-fields.ts'
import type { Review } from '../../core/model/document.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'

/** What the marker and the state keep of an article that was sent. */
export interface SentHashes {
  readonly fieldsHash: string
  readonly projectionHash: string
}

/**
 * Digest of the fields sent. A review date that was only a default is left out: it may be moved in the web interface
 * without anybody having edited the article.
 */
export function hashSentFields(fields: ArticleFields, review: Review): string {
  return hashFields(review.kind === 'default' ? { ...fields, reviewDate: '' } : fields)
}

/** Whether an article is, as far as a reader would notice, still what was sent. */
export function matchesLastSync(remote: RemoteArticle, { fieldsHash, projectionHash }: SentHashes): boolean {
  const hasFields = remote.fieldsHash === fieldsHash || remote.undatedFieldsHash === fieldsHash
  return hasFields && remote.projectionHash === projectionHash
}

/** Whether it is that in all but its slug, which the target may have changed when it came. */
export function matchesLastSyncButSlug(
  remote: RemoteArticle,
  { fieldsHash, projectionHash }: SentHashes,
): boolean {
  const changed = [remote.fields, { ...remote.fields, reviewDate: '' }].map((fields) =>
    changedFields(fieldsHash, fields),
  )
  return (
    remote.projectionHash === projectionHash &&
    changed.some((names) => names.every((name) => name === 'slug'))
  )
}
