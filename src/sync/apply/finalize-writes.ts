import type { ChangeOperation, ArticleWrite } from '../../core/model/plan.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import type { RemovedArticle } from '../../core/model/target-state.ts'
import { explainWayOut, isFarReview } from '../plan/explain-recovery.ts'
import { isRecognised } from '../plan/remote-entry.ts'
import { settleEach } from '../../core/settle-all.ts'
import type { ApplyContext, SentArticle } from './apply-context.ts'
import { attempt, reportOutcome, toNotRun, type NotRun } from './attempt.ts'
import { deleteArticle, explainOutcome } from './journaled-writes.ts'
import { type FoundArticle, resolveCreatedIds } from './resolve-created-ids.ts'
import { type JudgedChange, prepareChange, wantedOf, writeJudged } from './change-article.ts'
import {
  findOtherSlug,
  type ReplacedArticle,
  deleteForGood,
  deleteThenSend,
  sendAgain,
  type SendResult,
} from './send-article.ts'
import { restoreArticle, restoreVersion } from './restore-article.ts'
import { isSlugTaken } from '../../api/client/write-outcome.ts'

/** Finds the ids of sent articles, deletes the versions they replace, and reports the results. */
export async function finalizeWrites(
  operations: readonly ArticleWrite[],
  sentSoFar: readonly (SendResult | NotRun | undefined)[],
  context: ApplyContext,
): Promise<void> {
  const results = await sendFull(sentSoFar, context)
  const sent = results.flatMap((result) =>
    result?.kind === 'sent' && result.found === undefined ? [result.sent] : [],
  )
  // For these, a title is no proof: their old version will be deleted, they may not have arrived, or not at their slug.
  const { ledger } = context
  const needsSlug = ({ wanted }: SentArticle) =>
    ledger.freesSlugs !== true && ledger.removed.has(wanted.article.key)
  const doubtful = new Set(
    results.flatMap((result) =>
      result?.kind === 'sent' &&
      (result.replaces !== undefined || result.lost !== undefined || needsSlug(result.sent))
        ? [result.sent]
        : [],
    ),
  )
  const named = await attempt(context, () => resolveCreatedIds(sent, context, (each) => doubtful.has(each)))
  const whereabouts = (each: SentArticle): Whereabouts => {
    if ('kind' in named) return UNKNOWN
    return named.get(each) ?? UNLISTED
  }
  const settled = await settleEach(results, context.concurrency, async (result) =>
    result?.kind === 'sent'
      ? finalizeSent(result, result.found ?? whereabouts(result.sent), context)
      : result,
  )
  for (const [index, operation] of operations.entries()) reportOutcome(operation, settled[index], context)
}

/** Where a sent article was found; `unknown` if the lists could not be read. */
type Whereabouts = FoundArticle | typeof UNLISTED | typeof UNKNOWN

const UNLISTED = 'unlisted'
const UNKNOWN = 'unknown'

/**
 * Replaces articles for which there was no room beside their old version, so the old one is deleted first. Sends one at
 * a time and nothing else, because another article could take the room.
 */
async function sendFull(
  results: readonly (SendResult | NotRun | undefined)[],
  context: ApplyContext,
): Promise<(SendResult | NotRun | undefined)[]> {
  const next: (SendResult | NotRun | undefined)[] = []
  for (const result of results) {
    if (result?.kind !== 'full') next.push(result)
    else {
      context.ledger.isFull = true
      // A single article was checked just now.
      const change = results.length === 1 ? result.change : undefined
      const send = () =>
        change === undefined ? deleteFirst(result.operation, context) : deleteThenSend(change, context)
      next.push(await attempt(context, send))
    }
  }
  return next
}

/** Judges a change, then deletes the old version before it sends the new one. */
async function deleteFirst(operation: ChangeOperation, context: ApplyContext): Promise<SendResult> {
  const ready = await prepareChange(operation, context)
  if (ready.kind === 'gone') return sendAgain(wantedOf(operation, context), context)
  return ready.kind === 'conflict' ? ready : deleteThenSend(ready.judged, context)
}

/** Undefined when the article exists and the one that it replaces is gone. */
async function finalizeSent(
  result: Extract<SendResult, { kind: 'sent' }>,
  found: Whereabouts,
  context: ApplyContext,
): Promise<SendResult | NotRun | undefined> {
  const { sent, lost, replaces } = result
  const article = typeof found === 'object' ? found : undefined
  const otherSlug = article && findOtherSlug(sent, article.remote, context)
  recordSent(result, article, context)
  if (found === UNKNOWN && lost !== undefined) return explainLost(lost)
  if (found === UNLISTED) {
    const step = lost === undefined ? finalizeUnlisted(sent, context) : finalizeLost(lost, sent, context)
    return step.catch(toNotRun(context))
  }
  if (otherSlug !== undefined)
    return {
      kind: 'failed',
      reason: `the target gave it the slug ${otherSlug}, because its old version keeps it`,
    }
  if (replaces === undefined) return undefined
  return attempt(context, () => removeReplaced({ sent, replaces }, article, context))
}

const ACCEPTED = 'the target confirmed the creation but does not list it'

/** For an article that was lost or is hidden. If its old version was deleted for it, that version is restored. */
async function finalizeUnlisted(sent: SentArticle, context: ApplyContext): Promise<SendResult> {
  const { article } = sent.wanted
  const removed = context.ledger.removed.get(article.key)
  const isFar = isFarReview(article.review, context.today) && !HAS_LINKS.test(context.readHtml(article))
  const wayOut = explainWayOut('run again with --yes', { isFar, isDraft: article.status === 'draft' })
  const fate = removed === undefined ? '' : `; ${await restoreUnseen(removed, sent, context)}`
  return { kind: 'failed', reason: `${ACCEPTED}${fate}. ${wayOut}` }
}

const HAS_LINKS = /<(?:a|img)\s/

async function restoreUnseen(removed: RemovedArticle, sent: SentArticle, context: ApplyContext) {
  const { ledger } = context
  const { article } = sent.wanted
  const isSameSlug = keepsSlug(removed, sent)
  const restored = isSameSlug
    ? await restoreVersion(removed, context)
    : await restoreArticle(removed, context)
  if (restored.kind === 'refused' && isSameSlug && isSlugTaken(restored)) {
    ledger.removed.delete(article.key)
    return 'its slug is taken, so it seems to exist'
  }
  if (restored.kind !== 'done')
    return `the old version could not be restored (${explainOutcome(restored)}); the next run tries again`
  const { found } = restored
  if (isSameSlug && found !== undefined && found.fields.slug !== removed.fields.slug) {
    await deleteArticle(found.id, context)
    ledger.restored.splice(
      ledger.restored.findIndex(({ id }) => id === found.id),
      1,
    )
    return 'its slug is taken, so it seems to exist'
  }
  if (isSameSlug && found !== undefined && ledger.duplicateSlugs === 'refused')
    ledger.sent.delete(article.source)
  return 'the old version was restored'
}

type Replacement = { readonly sent: SentArticle; readonly replaces: ReplacedArticle }

/** Deletes the replaced version, but only after the new one was found at its slug. */
async function removeReplaced(
  replacement: Replacement,
  found: FoundArticle | undefined,
  context: ApplyContext,
): Promise<SendResult | NotRun | undefined> {
  if (found?.remote === undefined)
    return {
      kind: 'failed',
      reason: 'the target does not list the new version yet; the next run removes the old one',
    }
  const { sent, replaces } = replacement
  const { operation } = replaces
  const { slug } = found.remote.fields
  const isBesideOld = slug === context.entries.get(operation.id)?.slug
  if (slug === sent.wanted.article.slug || isBesideOld) {
    context.ledger.duplicateSlugs ??= isBesideOld ? 'allowed' : undefined
    return removeUnlessEdited(replacement, found, context)
  }
  return redoDeletingFirst(operation, found.id, context)
}

/** Maximum time between the check of an article and its deletion. */
const FRESH_MS = 500

/**
 * Checks the old version again before it is deleted, because time has passed and other articles were sent since the
 * first check. Skips the check if this is the only article sent, moments ago. Decides again for an article that we
 * never sent: the new version may have shown that the target keeps markers.
 */
async function removeUnlessEdited(
  { sent, replaces: { operation, ifMatch } }: Replacement,
  { id }: FoundArticle,
  context: ApplyContext,
): Promise<SendResult | undefined> {
  const ageMs = context.nowMs() - sent.sentMs
  const isFresh = context.isSingle && ageMs >= 0 && ageMs <= FRESH_MS
  const isJudged = isFresh && !isRecognised(context.entries.get(operation.id)?.ours)
  const result = await writeJudged(
    () => prepareChange(operation, context),
    (old: Pick<JudgedChange, 'ifMatch'>) => deleteForGood(operation, old, context),
    isJudged ? { ifMatch } : undefined,
  )
  if (result?.kind === 'gone') return undefined
  if (result?.kind !== 'conflict') return result
  const withdrawn = await deleteArticle(id, context)
  if (withdrawn.kind !== 'done')
    return { kind: 'failed', reason: `${result.reason}; both versions exist now` }
  context.ledger.sent.delete(operation.source)
  return result
}

/** The target gave the new version another slug, so it does not allow duplicate slugs. */
async function redoDeletingFirst(
  operation: ChangeOperation,
  id: string,
  context: ApplyContext,
): Promise<SendResult | NotRun | undefined> {
  context.ledger.duplicateSlugs = 'refused'
  const removed = await deleteArticle(id, context)
  if (removed.kind !== 'done') return { kind: 'failed', reason: explainOutcome(removed) }
  context.ledger.sent.delete(operation.source)
  const result = await deleteFirst(operation, context)
  if (result.kind !== 'sent') return result
  if (result.found !== undefined) return finalizeSent(result, result.found, context)
  const named = await attempt(context, () => resolveCreatedIds([result.sent], context, () => true))
  const found = 'kind' in named ? UNKNOWN : (named.get(result.sent) ?? UNLISTED)
  return finalizeSent(result, found, context)
}

/**
 * Restores the old version if it was deleted for a new one that has not arrived. Where slugs are unique, but free after
 * a deletion, the old version is refused only if the new one has arrived unseen.
 */
async function finalizeLost(reason: string, sent: SentArticle, context: ApplyContext): Promise<SendResult> {
  const { removed: all, duplicateSlugs, freesSlugs } = context.ledger
  const removed = all.get(sent.wanted.article.key)
  const isSafe = duplicateSlugs === 'refused' && freesSlugs === true
  if (removed === undefined || !keepsSlug(removed, sent) || !isSafe) return explainLost(reason)
  const fate = await restoreUnseen(removed, sent, context)
  return {
    kind: 'failed',
    reason: `the response was lost (${reason}), and the target does not list it; ${fate}`,
  }
}

function keepsSlug({ fields, language }: RemovedArticle, { wanted }: SentArticle): boolean {
  return slugKey({ ...fields, language }) === slugKey(wanted.article)
}

function explainLost(reason: string): SendResult {
  const fate = 'and the target does not list it; the next run checks again before it sends it again'
  return { kind: 'failed', reason: `the response was lost (${reason}) ${fate}` }
}

function recordSent(
  { sent, lost }: Extract<SendResult, { kind: 'sent' }>,
  found: FoundArticle | undefined,
  { ledger }: ApplyContext,
): void {
  const { source, key } = sent.wanted.article
  const id = found?.id
  const isUnproven = found?.isUnproven === true
  ledger.sent.set(source, { id, ...sent, isUnproven, isAccepted: lost === undefined })
  if (id !== undefined) ledger.removed.delete(key)
}
