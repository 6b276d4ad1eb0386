import {
  hashField,
  slugHashOf,
  type ArticleFields,
  FIELDS_HASH_LENGTH,
  changedFields,
  hashFields,
} from '../../core/model/article-fields.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import type { ArticleRecord, ForeignRecord } from '../../core/model/target-state.ts'
import type { TargetCapabilities } from './target-capabilities.ts'
import { DIGEST_LENGTH } from '../../core/digest.ts'
import type { Review } from '../../core/model/document.ts'

/** Proof that an article is ours, with the hashes of what we sent, from the article's marker or the state. */
export interface Ownership extends Pick<
  ArticleRecord,
  'key' | 'fingerprint' | 'sourceHash' | 'fieldsHash' | 'projectionHash' | 'htmlHash'
> {
  /** Date of the last edit after our last write, if known; otherwise it is about the date of creation. */
  readonly editedMs?: number | undefined
  /** Never sent by us, see `ArticleRecord`. Recorded before it is changed, deleted only after confirmation. */
  readonly isClaimed?: boolean | undefined
  /** True if we never sent it, but pulled it. */
  readonly isPulled?: boolean | undefined
  /** The target listed it under the title that we sent, but it was never read. */
  readonly isUnproven?: boolean | undefined
}

/** True if the article is ours although we never sent it: it is identical to a document, or was pulled. */
export function isRecognised(ours: Pick<Ownership, 'isClaimed' | 'isPulled'> | undefined): boolean {
  return ours?.isClaimed === true || ours?.isPulled === true
}

type KnownArticle = Ownership & {
  readonly slug?: string | undefined
  readonly language?: string | null | undefined
}

/** An article of the target as the planner sees it, from the target or from the state. */
export interface RemoteEntry extends ForeignRecord {
  /** Undefined for a foreign article. */
  readonly ours: Ownership | undefined
  /**
   * The article, if this run has read it. A planner without it knows of no edits; the run decides again when it has read
   * the article, right before the write.
   */
  readonly remote: RemoteArticle | undefined
  /** True if the state knows it as ours. */
  readonly isKnown?: boolean | undefined
  /** True if another shard of the same plan may change it at any time. */
  readonly isShared?: boolean | undefined
  /** True if the state has its id, even if only because the target listed it under the title that we sent. */
  readonly isRecorded?: boolean | undefined
}

/** Converts a record of the state whose article was not read, or is gone. */
export function entryOfRecord(record: ArticleRecord): RemoteEntry {
  const { id, title, slug, language, languageParent } = record
  const base = { id, title, slug, language, languageParent, project: undefined, remote: undefined }
  return { ...base, ours: record, isKnown: true }
}

export function entryOfForeign(record: ForeignRecord): RemoteEntry {
  const { id, title, slug, language, languageParent, project } = record
  return { id, title, slug, language, languageParent, ours: undefined, project, remote: undefined }
}

/**
 * Returns the record of an article that was read, with the exact date of our write. kb-sync servers give a new article
 * one date for both its creation and its last edit, and only they announce `etag`.
 */
export function withExactDate<Known extends Pick<Ownership, 'editedMs'>>(
  record: Known | undefined,
  { createdMs }: RemoteArticle,
  { etag }: Pick<TargetCapabilities, 'etag'>,
): Known | undefined {
  return record && etag ? { ...record, editedMs: record.editedMs ?? createdMs } : record
}

/**
 * Converts an article that was read. Its marker decides whose it is; if there is none, because a target may remove
 * comments, the state decides.
 *
 * @param owner another project that it is known to belong to
 */
export function entryOfRemote(
  remote: RemoteArticle,
  project: string,
  record?: KnownArticle,
  owner?: string,
): RemoteEntry {
  const { id, language, languageParent, fields, marker } = remote
  const base = { id, title: fields.title, slug: fields.slug, language, languageParent, remote }
  if (marker === undefined) {
    const ours = proven(record, remote)
    return { ...base, ours, project: ours === undefined ? owner : undefined, isKnown: ours !== undefined }
  }
  if (marker.project !== project) return { ...base, ours: undefined, project: marker.project }
  const { documentKey: key, fingerprint, sourceHash, fieldsHash, projectionHash } = marker
  const editedMs = record?.fingerprint === fingerprint ? record.editedMs : undefined
  const htmlHash = remote.projectionHash === projectionHash ? remote.htmlHash : undefined
  const ours = { key, fingerprint, sourceHash, fieldsHash, projectionHash, htmlHash, editedMs }
  // A manual copy has the same title.
  const isKnown = record !== undefined && (record.isUnproven !== true || matchesLastSync(remote, ours))
  return { ...base, ours, project: undefined, isKnown, isRecorded: record !== undefined }
}

/**
 * Returns the ownership if it is certain. An article that was never read may be someone else's with the same title:
 * then it differs from what was sent, although no one has edited it. An edit may have removed the marker; that is
 * drift, which is never overwritten silently.
 */
function proven(record: KnownArticle | undefined, remote: RemoteArticle): Ownership | undefined {
  if (record?.isUnproven !== true) return record
  if (matchesLastSync(remote, record)) return { ...record, isUnproven: false }
  const isAtItsPlace = record.slug === remote.fields.slug && record.language === remote.language
  return isAtItsPlace && hasDrifted(record, remote) ? record : undefined
}

/** Key of an article, unique in a knowledge base: a slug in its language. The slug is hashed, as in the marker. */
export function hashedSlugKey(article: { readonly slug: string; readonly language: string | null }): string {
  return `${article.language ?? ''} ${hashField(article.slug)}`
}

/** The key of an unedited article as we sent it. The target may store the slug in another form. */
export function sentSlugKey(entry: RemoteEntry): string | undefined {
  const { ours, remote } = entry
  const isEdited = ours !== undefined && remote !== undefined && hasDrifted(ours, remote)
  return isEdited ? undefined : writtenSlugKey(entry)
}

/** The key of an article as we sent it, even if the article was edited since. */
export function writtenSlugKey({ ours, language }: RemoteEntry): string | undefined {
  return ours === undefined ? undefined : `${language ?? ''} ${slugHashOf(ours.fieldsHash)}`
}

/** True if the article is at this slug, or was sent there and not edited since. */
export function isAt(entry: RemoteEntry, at: Parameters<typeof hashedSlugKey>[0]): boolean {
  return [hashedSlugKey(entry), sentSlugKey(entry)].includes(hashedSlugKey(at))
}

/** True if we sent it there, even if it was edited since. */
export function wasSentTo(entry: RemoteEntry, at: Parameters<typeof hashedSlugKey>[0]): boolean {
  return writtenSlugKey(entry) === hashedSlugKey(at)
}

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
export function mayHaveBeenEdited(article: RemoteArticle, oursMs: number | undefined): boolean {
  const { createdMs, editedMs } = article
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
export function matchesLastSyncButSlug(remote: RemoteArticle, hashes: SentHashes): boolean {
  const changed = [remote.fields, { ...remote.fields, reviewDate: '' }].map((fields) =>
    changedFields(hashes.fieldsHash, fields),
  )
  return (
    remote.projectionHash === hashes.projectionHash &&
    changed.some((names) => names.every((name) => name === 'slug'))
  )
}
