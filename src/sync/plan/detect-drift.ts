import {
  type ArticleFields,
  FIELDS_HASH_LENGTH,
  changedFields,
  hashFields,
} from '../../core/model/article-fields.ts'
import { DIGEST_LENGTH } from '../../core/digest.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import type { Review } from '../../core/model/document.ts'

/** Stand for an article that was already edited when it was restored: its dates do not tell that any more. */
export const EDITED_HASHES = {
  fieldsHash: '0'.repeat(FIELDS_HASH_LENGTH),
  projectionHash: '0'.repeat(DIGEST_LENGTH),
} as const

/** Whether it was already edited when it was restored. */
export function isSignedAsEdited({ projectionHash }: Pick<SentHashes, 'projectionHash'>): boolean {
  return projectionHash === EDITED_HASHES.projectionHash
}

/** Services stamp creation and last edit one after the other: a gap this small is no edit by a person. */
const SAME_MOMENT_MS = 1000

/**
 * Whether someone edited the article on the target since we wrote it. An article that differs from what we sent but
 * was never edited comes from a target that rewrites HTML, and is no drift.
 */
export function hasDrifted(
  ours: SentHashes & { readonly editedMs?: number | undefined },
  remote: RemoteArticle,
): boolean {
  if (isSignedAsEdited(ours)) return true
  return !matchesLastSync(remote, ours) && mayHaveBeenEdited(remote, ours.editedMs)
}

/** Whether anyone but us may have edited it. @param oursMs when we last changed it in place, where that is known */
export function mayHaveBeenEdited(
  { createdMs, editedMs }: RemoteArticle,
  oursMs: number | undefined,
): boolean {
  const writtenMs = oursMs ?? createdMs
  // A target that does not tell the times cannot prove that no one touched it.
  if (writtenMs === undefined || editedMs === undefined) return true
  return editedMs - writtenMs > SAME_MOMENT_MS
}

/** What the marker and the state keep of an article that was sent. */
export interface SentHashes {
  readonly fieldsHash: string
  readonly projectionHash: string
}

/**
 * Digest of the fields sent. A review date that was only a default is left out: it may be moved in the web interface
 * without anyone having edited the article.
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
