import {
  type ArticleFields,
  FIELDS_HASH_LENGTH,
  changedFields,
  hashFields,
} from '../../core/model/article-fields.ts'
import { DIGEST_LENGTH } from '../../core/digest.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import type { Review } from '../../core/model/document.ts'

/** Hashes of an article that had been edited before it was restored. Its dates no longer show the edit. */
export const EDITED_HASHES = {
  fieldsHash: '0'.repeat(FIELDS_HASH_LENGTH),
  projectionHash: '0'.repeat(DIGEST_LENGTH),
} as const

/** True if the article had been edited before it was restored. */
export function isSignedAsEdited({ projectionHash }: Pick<SentHashes, 'projectionHash'>): boolean {
  return projectionHash === EDITED_HASHES.projectionHash
}

/** Some services set the dates of creation and last edit one after the other, so a gap this small is not an edit. */
const SAME_MOMENT_MS = 1000

/**
 * True if someone edited the article on the target since we wrote it. An article that differs from what we sent but was
 * never edited is on a target that rewrites HTML; that is not drift.
 */
export function hasDrifted(
  ours: SentHashes & { readonly editedMs?: number | undefined },
  remote: RemoteArticle,
): boolean {
  if (isSignedAsEdited(ours)) return true
  return !matchesLastSync(remote, ours) && mayHaveBeenEdited(remote, ours.editedMs)
}

/** True if someone else may have edited it. @param oursMs date of the last edit after our last write, if known */
export function mayHaveBeenEdited(
  { createdMs, editedMs }: RemoteArticle,
  oursMs: number | undefined,
): boolean {
  // Without dates, the target cannot prove that the article is untouched.
  if (editedMs === undefined) return true
  if (oursMs !== undefined) return editedMs > oursMs
  return createdMs === undefined || editedMs - createdMs > SAME_MOMENT_MS
}

/** The hashes of a sent article that the marker and the state store. */
export interface SentHashes {
  readonly fieldsHash: string
  readonly projectionHash: string
}

/** Digest of the sent fields, without a default review date: changing that on the target is not an edit. */
export function hashSentFields(fields: ArticleFields, review: Review): string {
  return hashFields(review.kind === 'default' ? { ...fields, reviewDate: '' } : fields)
}

/** True if a reader would find no difference between the article and what was sent. */
export function matchesLastSync(remote: RemoteArticle, { fieldsHash, projectionHash }: SentHashes): boolean {
  const hasFields = remote.fieldsHash === fieldsHash || remote.undatedFieldsHash === fieldsHash
  return hasFields && remote.projectionHash === projectionHash
}

/** The same, ignoring the slug, which the target may have changed on creation. */
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
