import { CONFLICT_REASONS, type ArticleDelete } from '../../core/model/plan.ts'
import { isWronglyClaimed, includesEdit } from './matches-local.ts'
import { hasDrifted } from './detect-drift.ts'
import type { ResolvedArticle } from './payload.ts'
import { type RemoteEntry, isUnsent } from './remote-entry.ts'
import type { TargetCapabilities } from './target-capabilities.ts'

export interface ArticlePlanOptions {
  /** `overwrite` covers edited articles of this project; a foreign article needs its slug in `adopt`. */
  readonly overwriteDrift: boolean
  /** Slugs of foreign articles that may become ours. */
  readonly adopt: ReadonlySet<string>
  readonly prune: boolean
  /** Ids that state knew and the target no longer has. */
  readonly goneIds: ReadonlySet<string>
  /** Keys of all documents, also of those that this run is not about. */
  readonly documentKeys: readonly string[]
  /** See `versionOf`: what was sent without learning an id. */
  readonly sentVersions: ReadonlySet<string>
  /** Whether the target keeps comments, and our markers with them; undefined until that was seen. */
  readonly keepsComments?: boolean | undefined
  readonly offers: TargetCapabilities
}

/** How an article may be changed, or why it may not. */
export type ChangeDecision =
  | { readonly kind: 'update' | 'replace'; readonly reason: string | undefined }
  | Refusal

export type Refusal =
  | { readonly kind: 'conflict'; readonly reason: string }
  /** It is not ours, and no one has adopted it. */
  | { readonly kind: 'foreign' }

interface DecisionContext extends Pick<
  ArticlePlanOptions,
  'adopt' | 'overwriteDrift' | 'keepsComments' | 'offers'
> {
  /** Ids that articles of the target name as their originals. */
  readonly originalIds: ReadonlySet<string>
}

/** @param goneIds of `entries` that are not on the target any more */
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
 * Decides whether an article may become what a document wants, and whether in place or as a new version. The plan asks,
 * and a run asks again with what it read right before the write. Pure.
 */
export function decideChange(
  { id, ours, remote }: RemoteEntry,
  wanted: ResolvedArticle,
  context: DecisionContext,
): ChangeDecision {
  const isAdopted = context.adopt.has(wanted.article.slug)
  if (ours === undefined && !isAdopted) return { kind: 'foreign' }
  if (remote?.draftId !== undefined) return { kind: 'conflict', reason: CONFLICT_REASONS.draft }
  if (ours === undefined || (isAdopted && isUnsent(ours))) return change(id, 'adopted', context)
  if (isWronglyClaimed(ours, context.keepsComments))
    return { kind: 'conflict', reason: CONFLICT_REASONS.foreign }
  if (remote === undefined || !hasDrifted(ours, remote)) return change(id, undefined, context)
  if (includesEdit(remote, ours, wanted))
    return change(id, 'the file contains the edit made on the target', context)
  return context.overwriteDrift
    ? change(id, 'overwrites an edit made on the target', context)
    : { kind: 'conflict', reason: CONFLICT_REASONS.edited }
}

/** In place where that is offered; else the new version replaces the old one, whose id is then no more. */
function change(
  id: string,
  reason: string | undefined,
  { offers, originalIds }: DecisionContext,
): ChangeDecision {
  if (offers.update) return { kind: 'update', reason }
  return originalIds.has(id)
    ? { kind: 'conflict', reason: CONFLICT_REASONS.original }
    : { kind: 'replace', reason }
}

/** Decides whether an article may be deleted, at the same two moments. Pure. */
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
