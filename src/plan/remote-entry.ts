import type { RemoteArticle } from '../model/remote-article.ts'
import type { ArticleRecord, ForeignRecord } from '../model/target-state.ts'

/** What proves an article ours, and what we sent: from its marker or from our state. */
export interface Ownership {
  readonly key: string
  readonly fingerprint: string
  readonly sourceHash: string
  readonly fieldsHash: string
  readonly projectionHash: string
  /** When we last changed it in place, where that is known; creation is the last edit of all others. */
  readonly editedMs?: number | undefined
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
}

/** An article that state knows, not read (or no longer there to be read). */
export function entryOfRecord(record: ArticleRecord): RemoteEntry {
  const { id, title, slug, language, languageParent } = record
  return { id, title, slug, language, languageParent, ours: record, project: undefined, remote: undefined }
}

export function entryOfForeign(record: ForeignRecord): RemoteEntry {
  const { id, title, slug, language, languageParent, project } = record
  return { id, title, slug, language, languageParent, ours: undefined, project, remote: undefined }
}

/**
 * An article that was read. Its marker decides whose it is; where it carries none, state does (a target may strip
 * comments).
 */
export function entryOfRemote(remote: RemoteArticle, project: string, record?: Ownership): RemoteEntry {
  const { id, language, languageParent, fields, marker } = remote
  const base = { id, title: fields.title, slug: fields.slug, language, languageParent, remote }
  if (marker === undefined) return { ...base, ours: record, project: undefined }
  if (marker.project !== project) return { ...base, ours: undefined, project: marker.project }
  const { documentKey: key, fingerprint, sourceHash, fieldsHash, projectionHash } = marker
  const editedMs = record?.fingerprint === fingerprint ? record.editedMs : undefined
  const ours = { key, fingerprint, sourceHash, fieldsHash, projectionHash, editedMs }
  return { ...base, ours, project: undefined }
}
