import { CONFLICT_REASONS, type ArticleDelete } from '../../core/model/plan.ts'
import {
  hasDrifted,
  type SentHashes,
  type RemoteEntry,
  isRecognised,
  type Ownership,
} from './remote-entry.ts'
import { type ResolvedArticle, writtenReviewDate, fieldsToSend } from './resolved-article.ts'
import type { TargetCapabilities } from './target-capabilities.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import { mergeFields } from './merge-fields.ts'

export interface ArticlePlanOptions {
  /** Overwrites edited articles of this project. A foreign article needs its slug in `adopt`. */
  readonly overwriteDrift: boolean
  /** Slugs of foreign articles that the run may adopt. */
  readonly adopt: ReadonlySet<string>
  readonly prune: boolean
  /** Ids in the state that the target no longer has. */
  readonly goneIds: ReadonlySet<string>
  /** Keys of all documents, including those that the run does not select. */
  readonly documentKeys: readonly string[]
  /** Versions (see `versionOf`) that were sent without a response that stated the id. */
  readonly sentVersions: ReadonlySet<string>
  /** True if the target keeps comments, and with them our markers; undefined until an article has shown it. */
  readonly keepsComments?: boolean | undefined
  readonly offers: TargetCapabilities
}

/** How an article may be changed, or the reason why it must not be. */
export type ChangeDecision =
  | { readonly kind: 'update' | 'replace'; readonly reason: string | undefined }
  | Refusal

export type Refusal =
  | { readonly kind: 'conflict'; readonly reason: string }
  /** Not ours, and not adopted. */
  | { readonly kind: 'foreign' }

interface DecisionContext extends Pick<
  ArticlePlanOptions,
  'adopt' | 'overwriteDrift' | 'keepsComments' | 'offers'
> {
  /** Ids that articles on the target name as their originals. */
  readonly originalIds: ReadonlySet<string>
}

/** @param goneIds ids of `entries` that are no longer on the target */
export function originalIdsIn(
  entries: Iterable<RemoteEntry>,
  goneIds: ReadonlySet<string>,
): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const { id, languageParent } of entries)
    if (languageParent !== undefined && !goneIds.has(id)) ids.add(languageParent)
  return ids
}

/**
 * Decides whether a document may change an article, and whether in place or as a new version. The planner calls it; the
 * run calls it again with the article that it read right before the write. Pure.
 */
export function decideChange(
  { id, ours, remote }: RemoteEntry,
  wanted: ResolvedArticle,
  context: DecisionContext,
): ChangeDecision {
  const isAdopted = context.adopt.has(wanted.article.slug)
  if (ours === undefined && !isAdopted) return { kind: 'foreign' }
  if (remote?.draftId !== undefined) return { kind: 'conflict', reason: CONFLICT_REASONS.draft }
  if (ours === undefined || (isAdopted && isRecognised(ours))) return updateOrReplace(id, 'adopted', context)
  if (isWronglyClaimed(ours, context.keepsComments))
    return { kind: 'conflict', reason: CONFLICT_REASONS.foreign }
  if (remote === undefined || !hasDrifted(ours, remote)) return updateOrReplace(id, undefined, context)
  if (includesEdit(remote, ours, wanted))
    return updateOrReplace(id, 'the file contains the edit made on the target', context)
  return context.overwriteDrift
    ? updateOrReplace(id, 'overwrites an edit made on the target', context)
    : { kind: 'conflict', reason: CONFLICT_REASONS.edited }
}

/** Updates in place if the target supports it. Otherwise a new version replaces the article, and the old id is gone. */
function updateOrReplace(id: string, reason: string | undefined, context: DecisionContext): ChangeDecision {
  if (context.offers.updateInPlace) return { kind: 'update', reason }
  return context.originalIds.has(id)
    ? { kind: 'conflict', reason: CONFLICT_REASONS.original }
    : { kind: 'replace', reason }
}

/** True if the file contains every edit made on the target since the last sync, and perhaps more. */
function includesEdit(remote: RemoteArticle, sent: SentHashes, wanted: ResolvedArticle): boolean {
  const { review, projectionHash } = wanted.article
  const isTextTaken =
    remote.projectionHash === projectionHash || remote.projectionHash === sent.projectionHash
  if (!isTextTaken) return false
  const reviewDate = review.kind === 'default' ? '' : writtenReviewDate(review)
  const merged = mergeFields(sent.fieldsHash, fieldsToSend(wanted, reviewDate), remote.fields)
  return merged.kind === 'merged' && merged.taken.length === 0
}

/** True if an article was claimed, but the target turned out to keep markers: ours would have one. */
export function isWronglyClaimed(ours: Ownership | undefined, keepsComments: boolean | undefined): boolean {
  return ours?.isClaimed === true && keepsComments === true
}

/** Decides whether an article may be deleted, in the plan and again right before the write. Pure. */
export function decideDelete(
  { ours, remote }: RemoteEntry,
  action: ArticleDelete['action'],
  { overwriteDrift }: Pick<DecisionContext, 'overwriteDrift'>,
): { readonly kind: 'delete' } | Refusal {
  const isOrphan = action === 'delete-orphan'
  if (remote?.draftId !== undefined)
    return { kind: 'conflict', reason: CONFLICT_REASONS[isOrphan ? 'orphanDraft' : 'draft'] }
  if (ours === undefined) return { kind: 'foreign' }
  const isOverwritten = remote !== undefined && hasDrifted(ours, remote) && !overwriteDrift
  return isOverwritten
    ? { kind: 'conflict', reason: CONFLICT_REASONS[isOrphan ? 'orphanEdited' : 'edited'] }
    : { kind: 'delete' }
}
