import { type WriteOutcome, isSlugTaken } from '../../api/client/write-outcome.ts'
import type { ChangeOperation, ArticleDelete, ArticleWrite } from '../../core/model/plan.ts'
import { ifKbError } from '../../core/errors/kb-error.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import type { ResolvedArticle } from '../plan/resolved-article.ts'
import { formOf } from '../plan/slug-forms.ts'
import { isAt, wasSentTo } from '../plan/remote-entry.ts'
import type { ApplyContext, SentArticle } from './apply-context.ts'
import {
  deleteArticle,
  explainOutcome,
  type VerifiedOutcome,
  statedIdOf,
  type PreparedPut,
  preparePut,
} from './journaled-writes.ts'
import { type JudgedChange, prepareChange, prepareDelete, writeJudged } from './change-article.ts'
import { type FoundArticle, resolveCreatedIds } from './resolve-created-ids.ts'
import { restoreArticle, toRemoved } from './restore-article.ts'

/** The progress of one write. The ids of created articles are found for many at once. */
export type SendResult =
  /**
   * `replaces`: this old version must be deleted once the new one is found. After a lost response, only the lists show
   * if the article was created.
   */
  | {
      readonly kind: 'sent'
      readonly sent: SentArticle
      readonly replaces: ReplacedArticle | undefined
      readonly lost?: string | undefined
      /** Where it is, if that was looked up already. */
      readonly found?: FoundArticle | undefined
    }
  | { readonly kind: 'failed'; readonly reason: string }
  /** Not written, because another run has already sent it. */
  | { readonly kind: 'there' }
  /** Not written, because the article was changed on the target since it was read. */
  | { readonly kind: 'changed' }
  /** There is no room, so the old version must be deleted first. `change` is undefined if it was not judged yet. */
  | { readonly kind: 'full'; readonly operation: ChangeOperation; readonly change: JudgedChange | undefined }
  | { readonly kind: 'conflict'; readonly reason: string }
  /**
   * Left to the next run: a translation whose original is not on the target, or the deletion of an orphaned article whose
   * text may be in a new one that could not be sent.
   */
  | { readonly kind: 'waiting'; readonly reason: string }

export type ReplacedArticle = Pick<JudgedChange, 'operation' | 'ifMatch'>

export async function sendNew(wanted: ResolvedArticle, context: ApplyContext): Promise<SendResult> {
  // If an interrupted run deleted the old version, it is restored if the new one is rejected.
  if (context.ledger.removed.has(wanted.article.key))
    return sendOrRestore(preparePut(wanted, undefined, context), context)
  const { sent, send } = preparePut(wanted, undefined, context)
  const outcome = await send()
  if (outcome.kind !== 'refused') return toSent(outcome, { sent }, context)
  // The lists are not complete: an article without review date and links only becomes visible when it blocks a slug.
  if (outcome.status === 409) return { kind: 'conflict', reason: outcome.message }
  return { kind: 'failed', reason: explainOutcome(outcome) }
}

/** Sends an article again that was deleted on the target since the plan. Fails for a saved plan. */
export async function sendAgain(wanted: ResolvedArticle, context: ApplyContext): Promise<SendResult> {
  return context.isBound ? GONE_SINCE : sendNew(wanted, context)
}

const GONE_SINCE: SendResult = {
  kind: 'failed',
  reason: 'another run has deleted it on the target since; create the plan again',
}

/**
 * Sends the new version of an article of this project. If the target allows duplicate slugs, `old` stays until the new
 * version is found. Otherwise the old version is deleted first, and restored if the new one is rejected.
 */
export async function sendReplacement(change: JudgedChange, context: ApplyContext): Promise<SendResult> {
  const { operation, wanted, entry, ifMatch } = change
  const keepsSlug = isAt(entry, wanted.article)
  // An original has one translation per language, so the old one must be deleted first as well.
  const isUnique = context.ledger.duplicateSlugs === 'refused' || wanted.translationOf !== undefined
  if ((keepsSlug && isUnique) || !context.hasRoomBeside) return deleteThenSend(change, context)
  const { sent, send } = preparePut(wanted, entry, context)
  const outcome = await send()
  if (outcome.kind !== 'refused') return toSent(outcome, { sent, replaces: { operation, ifMatch } }, context)
  // The slug of an edited article may have been changed by a person, or by the target, which then holds it.
  if ((keepsSlug || wasSentTo(entry, wanted.article)) && isSlugTaken(outcome)) {
    if (keepsSlug) context.ledger.duplicateSlugs = 'refused'
    return deleteThenSend(change, context)
  }
  if (refusesMore(outcome)) return { kind: 'full', operation, change }
  return { kind: 'failed', reason: explainOutcome(outcome) }
}

/**
 * Deletes the old version, then sends the new one, which may need the slug of the old one. Until it is known that the
 * target frees slugs, one article at a time is deleted, and once it is known that it does not, none.
 */
export async function deleteThenSend(change: JudgedChange, context: ApplyContext): Promise<SendResult> {
  const { ledger, isSingle } = context
  const { entry, wanted } = change
  const needsSlug = isAt(entry, wanted.article) || wasSentTo(entry, wanted.article)
  if (!needsSlug || ledger.freesSlugs === true) return deleteAndSend(change, context)
  const isFirst = ledger.oneByOne.activeCount === 0
  return ledger.oneByOne(async () => {
    if (ledger.freesSlugs === false) return SLUG_STAYS_TAKEN
    const result = await deleteAndSend(change, context, isFirst)
    if (ledger.freesSlugs !== undefined || isSingle || result.kind !== 'sent') return result
    // The article was sent, so its result counts, and the lists are read again.
    const named = await resolveCreatedIds([result.sent], context, () => true).catch(ifKbError(undefined))
    const found = named?.get(result.sent)
    findOtherSlug(result.sent, found?.remote, context)
    return { ...result, found }
  })
}

/**
 * Learns from a new version whose old one was deleted first whether the target frees slugs. Returns its slug if it did
 * not get the slug that the old one had.
 */
export function findOtherSlug(
  { wanted: { article } }: SentArticle,
  remote: RemoteArticle | undefined,
  { ledger, entries }: ApplyContext,
): string | undefined {
  const removed = ledger.removed.get(article.key)
  const before = removed && entries.get(removed.id)?.slug
  const after = remote?.fields.slug
  if (before === undefined || after === undefined || formOf(article.slug, before) === undefined)
    return undefined
  ledger.freesSlugs = after === before || formOf(article.slug, after) !== undefined
  return ledger.freesSlugs ? undefined : after
}

/** The result for an article that would lose its slug if it were deleted for its new version. */
export const SLUG_STAYS_TAKEN: SendResult = {
  kind: 'conflict',
  reason: 'the target keeps the slugs of deleted articles, so a new version could not have this one',
}

/** @param isFresh false if the change must be judged again */
async function deleteAndSend(change: JudgedChange, context: ApplyContext, isFresh = true) {
  const replace = async (judged: JudgedChange) => {
    // Recorded before the old version is deleted. After that, nothing may prevent the new one from being sent.
    const put = preparePut(judged.wanted, judged.entry, context)
    return sendAfter(await deleteForReplacement(judged, context), put, context)
  }
  const judge = () => prepareChange(change.operation, context)
  const result = await writeJudged(judge, replace, isFresh ? change : undefined)
  return result.kind === 'gone' ? sendAgain(change.wanted, context) : result
}

/** Sends a new version after the old one was deleted. @param failed the reason why it was not deleted */
export async function sendAfter(
  failed: SendResult | undefined,
  put: PreparedPut,
  context: ApplyContext,
): Promise<SendResult> {
  if (failed === undefined) return sendOrRestore(put, context)
  put.cancel()
  return failed
}

/** Deletes the old version of an article before the new one is sent; returns undefined if it is gone. */
export async function deleteForReplacement(
  change: JudgedChange,
  context: ApplyContext,
): Promise<SendResult | undefined> {
  const { operation, ifMatch } = change
  return explainRemoval(await deleteArticle(operation.id, context, { removed: toRemoved(change), ifMatch }))
}

/** Deletes an article for good; returns undefined if it is gone. */
export async function deleteForGood(
  { id }: ChangeOperation | ArticleDelete,
  { ifMatch }: Pick<JudgedChange, 'ifMatch'>,
  context: ApplyContext,
): Promise<SendResult | undefined> {
  return explainRemoval(await deleteArticle(id, context, { ifMatch }))
}

function explainRemoval(outcome: VerifiedOutcome): SendResult | undefined {
  if (outcome.kind === 'done') return undefined
  if (outcome.kind === 'changed') return outcome
  return { kind: 'failed', reason: `the old version was not removed: ${explainOutcome(outcome)}` }
}

/** Sends the new version after the old one was deleted, and restores the old one if the new one is rejected. */
async function sendOrRestore({ sent, send }: PreparedPut, context: ApplyContext): Promise<SendResult> {
  const outcome = await send({ finishes: true })
  if (outcome.kind !== 'refused') return toSent(outcome, { sent }, context)
  return restoreOld(sent.wanted, explainOutcome(outcome), context)
}

/** Restores the old version of an article if it was deleted. @param reason the reason why there is no new version */
export async function restoreOld(
  { article }: ResolvedArticle,
  reason: string,
  context: ApplyContext,
): Promise<SendResult> {
  const removed = context.ledger.removed.get(article.key)
  if (removed === undefined) return { kind: 'failed', reason }
  const restored = await restoreArticle(removed, context)
  return { kind: 'failed', reason: `${reason}; ${fateOf(restored)}` }
}

function fateOf(restored: Awaited<ReturnType<typeof restoreArticle>>): string {
  if (restored.kind !== 'done') return 'the old version could not be restored; the next run tries again'
  const { newSlug } = restored
  return newSlug === undefined
    ? 'the old version was restored'
    : `the old version was refused its slug, too, and has the slug ${newSlug} now`
}

function toSent(
  outcome: Exclude<WriteOutcome, { kind: 'refused' }>,
  { sent, replaces }: { readonly sent: SentArticle; readonly replaces?: ReplacedArticle },
  context: ApplyContext,
): SendResult {
  const lost = outcome.kind === 'lost' ? outcome.reason : undefined
  return { kind: 'sent', sent: { statedId: statedIdOf(outcome, context), ...sent }, replaces, lost }
}

/**
 * True if a request was rejected because of the number of articles. Only the message distinguishes this limit from
 * limits on a field or on requests.
 */
function refusesMore({ status, message }: Extract<WriteOutcome, { kind: 'refused' }>): boolean {
  const isOther = /\b(characters?|length|size|bytes?|rate|requests?|excerpt|title|slug|content|body)\b/i.test(
    message,
  )
  return ![401, 429].includes(status) && !isOther && /\b(limit|quota|maximum|too many)\b/i.test(message)
}

/** Deletes an article of this project after another check; returns undefined if it is gone. */
export async function sendDelete(
  operation: ArticleDelete,
  context: ApplyContext,
): Promise<SendResult | undefined> {
  const result = await writeJudged(
    () => prepareDelete(operation, context),
    (old) => deleteForGood(operation, old, context),
  )
  return result?.kind === 'gone' ? undefined : result
}

/** Restores an article that an interrupted run deleted; returns undefined if it exists again. */
export async function sendRestore(
  { id }: Extract<ArticleWrite, { readonly action: 'restore' }>,
  context: ApplyContext,
): Promise<SendResult | undefined> {
  const removed = [...context.ledger.removed.values()].find((each) => each.id === id)
  if (removed === undefined) return undefined
  const outcome = await restoreArticle(removed, context)
  return outcome.kind === 'done' ? undefined : { kind: 'failed', reason: explainOutcome(outcome) }
}

/** The result for a translation whose original is not on the target. */
export function waitForOriginal({ article }: ResolvedArticle): SendResult {
  const reason = `its original ${article.original} is not on the target yet; the next run sends it`
  return { kind: 'waiting', reason }
}
