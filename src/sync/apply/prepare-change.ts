import type { LenientReadArticle } from '../../api/contract/lenient.ts'
import { CONFLICT_REASONS } from '../../core/model/conflict-reasons.ts'
import { type ArticleChange, type ArticleDelete, effectOf } from '../../core/model/plan.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import { matchesLastSync } from '../plan/matches-last-sync.ts'
import { includesEdit } from '../plan/matches-local.ts'
import { isWronglyClaimed } from '../plan/claim-unmarked.ts'
import { hasDrifted } from '../plan/detect-drift.ts'
import { entryOfRemote, isUnsent, type RemoteEntry } from '../plan/remote-entry.ts'
import type { ApplyContext } from './apply-context.ts'
import { toRemoteArticle } from '../remote/to-remote.ts'

/** The version on the target, as read right before the write. */
export interface OldArticle {
  readonly read: LenientReadArticle
  readonly entry: RemoteEntry
}

export type Prepared =
  | { readonly kind: 'ready'; readonly old: OldArticle }
  | { readonly kind: 'gone' }
  | { readonly kind: 'conflict'; readonly reason: string }

/** Reads an article once more, right before it is changed or deleted, and keeps what was not written by us. */
export async function prepareChange(
  operation: ArticleChange | ArticleDelete,
  context: ApplyContext,
): Promise<Prepared> {
  const old = await readOld(operation, context)
  if (old === undefined || wasNeverOurs(operation, old.entry, context)) return { kind: 'gone' }
  const reason = findConflict(operation, old.entry, context)
  if (reason !== undefined) return { kind: 'conflict', reason }
  if (needsBackup(operation, old.entry)) await keep(operation, old, context)
  return { kind: 'ready', old }
}

/** The target listed it under the title of ours, and it turns out to be another article, at another slug. */
function wasNeverOurs(
  operation: ArticleChange | ArticleDelete,
  { ours, ...entry }: RemoteEntry,
  { entries }: ApplyContext,
): boolean {
  const isUnproven = entries.get(operation.id)?.ours?.isUnproven === true && effectOf(operation) !== 'delete'
  return isUnproven && ours === undefined && slugKey(entry) !== slugKey(operation)
}

async function readOld(
  { id }: ArticleChange | ArticleDelete,
  { client, defaultLanguage, project, entries, ledger }: ApplyContext,
): Promise<OldArticle | undefined> {
  const read = await client.readArticle(id)
  if (read === undefined) return undefined
  // What the target stripped of its marker is known from the plan.
  const known = ledger.moved.get(id) ?? entries.get(id)
  const remote = toRemoteArticle(read, defaultLanguage, known?.remote)
  return { read, entry: entryOfRemote(remote, project, known?.ours) }
}

/** The same questions as in the plan, asked again right before the write. */
function findConflict(
  operation: ArticleChange | ArticleDelete,
  { ours, remote }: RemoteEntry,
  context: ApplyContext,
): string | undefined {
  if (remote?.draftId !== undefined) return CONFLICT_REASONS.draft
  const isDelete = effectOf(operation) === 'delete'
  const isAdopted = !isDelete && context.adopt.has(operation.slug)
  if (ours === undefined) return isAdopted ? undefined : 'it is not ours any more'
  if (isUnsent(ours) && isAdopted) return undefined
  // That the target keeps markers may have been learned since the plan was made.
  if (!isDelete && isWronglyClaimed(ours, context.ledger.keepsComments)) return CONFLICT_REASONS.foreign
  if (remote === undefined || context.overwriteDrift || !hasDrifted(ours, remote)) return undefined
  const wanted = isDelete ? undefined : context.wanted.get(operation.source ?? '')
  return wanted !== undefined && includesEdit(remote, ours, wanted) ? undefined : CONFLICT_REASONS.edited
}

/** An article that is looked at twice is kept once, unless it has changed meanwhile. */
async function keep(
  { id }: ArticleChange | ArticleDelete,
  { read, entry }: OldArticle,
  context: ApplyContext,
): Promise<void> {
  const { backups, keptEditions } = context.ledger
  const edition = `${id} ${entry.remote?.editedMs}`
  if (keptEditions.has(edition)) return
  backups.set(id, await context.backUp(id, read))
  keptEditions.add(edition)
}

/** Times may be too coarse to tell an edit from our own write: whatever is not as we sent it is kept. */
function needsBackup(operation: ArticleChange | ArticleDelete, { ours, remote }: RemoteEntry): boolean {
  const isOfOthers = ours === undefined || isUnsent(ours)
  return (
    isOfOthers || effectOf(operation) === 'delete' || (remote !== undefined && !matchesLastSync(remote, ours))
  )
}
