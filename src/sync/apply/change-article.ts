import type { LenientReadArticle } from '../../api/contract/lenient.ts'
import type { ArticleDelete, ArticleWrite, ChangeOperation } from '../../core/model/plan.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import { type Refusal, decideChange, decideDelete } from '../plan/decide-change.ts'
import { type ResolvedArticle, withOriginal } from '../plan/resolved-article.ts'
import { type RemoteEntry, entryOfRemote, isUnsent, withExactDate } from '../plan/remote-entry.ts'
import type { ApplyContext } from './apply-context.ts'
import { toRemoteArticle } from '../remote/to-remote.ts'
import { matchesLastSync } from '../plan/detect-drift.ts'

/** The article to send. A translation refers to its original by the id that it has now. */
export function wantedOf({ source }: ArticleWrite, { wanted, ledger }: ApplyContext): ResolvedArticle {
  const found = wanted.get(source)
  if (found === undefined) throw new Error(`the plan names ${source}, which is not among the documents`)
  const { translationOf, article } = found
  const original = article.original === undefined ? undefined : ledger.sent.get(article.original)
  return translationOf === undefined || original === undefined ? found : withOriginal(found, original.id)
}

/** The version on the target, as read right before the write. */
export interface OldArticle {
  readonly read: LenientReadArticle
  /** The version that was read; undefined unless the target refuses to write another one. */
  readonly ifMatch?: string | undefined
  readonly entry: RemoteEntry
}

type Prepared<How> =
  /** `how` is decided from what was just read. */
  { readonly kind: 'ready'; readonly how: How; readonly old: OldArticle } | Unready

type Unready = { readonly kind: 'gone' } | { readonly kind: 'conflict'; readonly reason: string }

/**
 * Decides about an article, then writes it. If it was changed on the target in between, decides and writes once more.
 *
 * @param old the version that was judged already, if any
 * @returns the result of the write, or why there was none
 */
export async function writeJudged<Old, Result extends { readonly kind: string } | undefined>(
  judge: () => Promise<{ readonly kind: 'ready'; readonly old: Old } | Unready>,
  write: (old: Old) => Promise<Result>,
  old?: Old,
): Promise<Result | Unready> {
  const first = old === undefined ? await judge() : ({ kind: 'ready', old } as const)
  if (first.kind !== 'ready') return first
  const result = await write(first.old)
  if (result?.kind !== 'changed') return result
  const second = await judge()
  return second.kind === 'ready' ? write(second.old) : second
}

/** Reads an article right before it is changed, and makes a backup of anything that we did not write. */
export async function prepareChange(
  operation: ChangeOperation,
  context: ApplyContext,
): Promise<Prepared<'update' | 'replace'>> {
  const old = await readOld(operation, context)
  if (old === undefined || wasNeverOurs(operation, old.entry, context)) return { kind: 'gone' }
  // The run may have learnt since the plan that the target keeps markers.
  const { keepsComments } = context.ledger
  const decision = decideChange(old.entry, wantedOf(operation, context), { ...context, keepsComments })
  if (decision.kind === 'foreign' || decision.kind === 'conflict') return conflictOf(decision)
  if (isOtherVersion(old.entry, context)) return CHANGED_SINCE
  if (needsBackup(old.entry)) await keep(operation, old, context)
  return { kind: 'ready', how: decision.kind, old }
}

/** Reads an article right before it is deleted, and always makes a backup. */
export async function prepareDelete(
  operation: ArticleDelete,
  context: ApplyContext,
): Promise<Prepared<'delete'>> {
  const old = await readOld(operation, context)
  if (old === undefined) return { kind: 'gone' }
  const decision = decideDelete(old.entry, operation.action, context)
  if (decision.kind !== 'delete') return conflictOf(decision)
  if (isOtherVersion(old.entry, context)) return CHANGED_SINCE
  await keep(operation, old, context)
  return { kind: 'ready', how: 'delete', old }
}

const CHANGED_SINCE = {
  kind: 'conflict',
  reason: 'another run has changed it on the target since; create the plan again',
} as const

/** True if a run that executes a saved plan finds another version than the plan was compared with. */
function isOtherVersion({ id, remote }: RemoteEntry, { isBound, entries, ledger }: ApplyContext): boolean {
  const known = entries.get(id)?.remote
  if (!isBound || known === undefined || ledger.moved.has(id)) return false
  return known.htmlHash !== remote?.htmlHash || known.fieldsHash !== remote.fieldsHash
}

function conflictOf(refusal: Refusal): Unready {
  return refusal.kind === 'conflict'
    ? refusal
    : { kind: 'conflict', reason: 'it is no longer managed by this project' }
}

/** True if the target listed another article, at another slug, under the title that we sent. */
function wasNeverOurs(
  operation: ChangeOperation,
  { ours, ...entry }: RemoteEntry,
  { entries }: ApplyContext,
): boolean {
  const isUnproven = entries.get(operation.id)?.ours?.isUnproven === true
  return isUnproven && ours === undefined && slugKey(entry) !== slugKey(operation)
}

async function readOld(
  { id }: ChangeOperation | ArticleDelete,
  { client, defaultLanguage, project, entries, ledger, offers }: ApplyContext,
): Promise<OldArticle | undefined> {
  const found = await client.readArticle(id)
  if (found === undefined) return undefined
  const { etag, ...read } = found
  // If the target has removed the marker, the plan knows the article.
  const known = ledger.moved.get(id) ?? entries.get(id)
  const remote = toRemoteArticle(read, defaultLanguage, known?.remote ?? known?.ours)
  const ours = withExactDate(known?.ours, remote, offers)
  return { read, ifMatch: offers.etag ? etag : undefined, entry: entryOfRemote(remote, project, ours) }
}

/** Makes one backup per version, even if the article is checked twice. */
async function keep(
  { id }: ChangeOperation | ArticleDelete,
  { read, entry }: OldArticle,
  context: ApplyContext,
): Promise<void> {
  const { backups, keptEditions } = context.ledger
  const edition = `${id} ${entry.remote?.editedMs}`
  if (keptEditions.has(edition)) return
  backups.set(id, await context.backUp(id, read))
  keptEditions.add(edition)
}

/** Dates may be too coarse to tell an edit from our own write, so anything that differs from what we sent is saved. */
function needsBackup({ ours, remote }: RemoteEntry): boolean {
  const isOfOthers = ours === undefined || isUnsent(ours)
  return isOfOthers || (remote !== undefined && !matchesLastSync(remote, ours))
}
