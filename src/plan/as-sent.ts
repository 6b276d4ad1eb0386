import { type ArticleFields, hashFields } from '../model/article-fields.ts'
import type { Review } from '../model/document.ts'
import type { RemoteArticle } from '../model/remote-article.ts'

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

/** The same for an article whose slug the target has changed when it came. @param slug the one that was sent */
export function isAsSentTo(slug: string, remote: RemoteArticle, sent: SentHashes): boolean {
  const fields = { ...remote.fields, slug }
  const hashes = {
    fieldsHash: hashFields(fields),
    undatedFieldsHash: hashFields({ ...fields, reviewDate: '' }),
  }
  return isAsSent({ ...remote, ...hashes }, sent)
}

/** Whether an article is, as far as a reader would notice, still what was sent. */
export function isAsSent(remote: RemoteArticle, { fieldsHash, projectionHash }: SentHashes): boolean {
  const hasFields = remote.fieldsHash === fieldsHash || remote.undatedFieldsHash === fieldsHash
  return hasFields && remote.projectionHash === projectionHash
}
