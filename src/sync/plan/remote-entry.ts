import { hashField, slugHashOf } from '../../core/model/article-fields.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import type { ArticleRecord, ForeignRecord } from '../../core/model/target-state.ts'
import { hasDrifted, matchesLastSync } from './detect-drift.ts'

/** What proves an article ours, and what we sent: from its marker or from our state. */
export interface Ownership {
  readonly key: string
  readonly fingerprint: string
  readonly sourceHash: string
  readonly fieldsHash: string
  readonly projectionHash: string
  /** When we last changed it in place, where that is known; creation is the last edit of all others. */
  readonly editedMs?: number | undefined
  /** Never sent by us, see `ArticleRecord`: kept before it is changed, and deleted only where that is confirmed. */
  readonly isClaimed?: boolean | undefined
  /** The same, of one that was pulled. */
  readonly isPulled?: boolean | undefined
  /** The target listed it under the title of what we sent, and it was never read. */
  readonly isUnproven?: boolean | undefined
}

/** Whether we never sent it, however it became ours. */
export function isUnsent(ours: Pick<Ownership, 'isClaimed' | 'isPulled'> | undefined): boolean {
  return ours?.isClaimed === true || ours?.isPulled === true
}

type KnownArticle = Ownership & {
  readonly slug?: string | undefined
  readonly language?: string | null | undefined
}

/** One article of the target as the planner sees it, wherever the knowledge comes from. */
export interface RemoteEntry {
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly language: string | null
  /** Id of the original where this is a translation. */
  readonly languageParent?: string | undefined
  /** Undefined for a foreign article. */
  readonly ours: Ownership | undefined
  /** Project of a foreign article that carries a marker. */
  readonly project: string | undefined
  /** The article itself where it was read in this run. */
  readonly remote: RemoteArticle | undefined
  /** Whether the state knows it as ours. */
  readonly isKnown?: boolean | undefined
  /** Whether the state has its id, if only because the target listed it under the title of what we sent. */
  readonly isRecorded?: boolean | undefined
}

/** An article that state knows, not read (or no longer there to be read). */
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
 * An article that was read. Its marker decides whose it is; where it carries none, state does (a target may strip
 * comments).
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
  const ours = { key, fingerprint, sourceHash, fieldsHash, projectionHash, editedMs }
  // A copy made by hand has the title, too.
  const isKnown = record !== undefined && (record.isUnproven !== true || matchesLastSync(remote, ours))
  return { ...base, ours, project: undefined, isKnown, isRecorded: record !== undefined }
}

/**
 * What was never read may be someone else's article of the same title: then it is not what was sent, though no one has
 * edited it. An edit may have taken the marker away; it is drift, and never overwritten unseen.
 */
function proven(record: KnownArticle | undefined, remote: RemoteArticle): Ownership | undefined {
  if (record?.isUnproven !== true) return record
  if (matchesLastSync(remote, record)) return { ...record, isUnproven: false }
  const isAtItsPlace = record.slug === remote.fields.slug && record.language === remote.language
  return isAtItsPlace && hasDrifted(record, remote) ? record : undefined
}

/** What may stand only once in a knowledge base: a slug in its language. The slug is hashed, as in the marker. */
export function addressOf({
  slug,
  language,
}: {
  readonly slug: string
  readonly language: string | null
}): string {
  return `${language ?? ''} ${hashField(slug)}`
}

/** Where we sent an article that no one has edited since; the target may have stored its slug in another form. */
export function sentAddressOf(entry: RemoteEntry): string | undefined {
  const { ours, remote } = entry
  const isEdited = ours !== undefined && remote !== undefined && hasDrifted(ours, remote)
  return isEdited ? undefined : writtenAddressOf(entry)
}

/** Where we sent an article, whatever became of it since. */
export function writtenAddressOf({ ours, language }: RemoteEntry): string | undefined {
  return ours === undefined ? undefined : `${language ?? ''} ${slugHashOf(ours.fieldsHash)}`
}

/** Whether an article stands at this slug, or was sent there. */
export function isAt(entry: RemoteEntry, at: Parameters<typeof addressOf>[0]): boolean {
  return [addressOf(entry), sentAddressOf(entry)].includes(addressOf(at))
}

/** Whether we sent it there, whatever became of it since. */
export function wasSentTo(entry: RemoteEntry, at: Parameters<typeof addressOf>[0]): boolean {
  return writtenAddressOf(entry) === addressOf(at)
}
