import { lacksOriginal, type ResolvedArticle } from '../plan/resolved-article.ts'
import {
  type ArticleDelete,
  type ArticleOperation,
  type ArticleWrite,
  type ChangeOperation,
  effectOf,
  isArticleWrite,
} from '../../core/model/plan.ts'
import { hasDrifted, isRecognised, type RemoteEntry } from '../plan/remote-entry.ts'
import { type WriteStep, createNeedsAmong, orderWrites } from '../plan/order-writes.ts'
import { settleAll, settleEach } from '../../core/settle-all.ts'
import type { ApplyContext } from './apply-context.ts'
import { MOST_WAITING } from './article-queue.ts'
import { attempt, reportOutcome, toNotRun, type NotRun } from './attempt.ts'
import { type JudgedChange, prepareChange, sendUpdate, stepAside, wantedOf } from './change-article.ts'
import {
  type SendResult,
  sendAfter,
  sendAgain,
  sendDelete,
  sendNew,
  sendReplacement,
  sendRestore,
  deleteForReplacement,
  SLUG_STAYS_TAKEN,
  restoreOld,
  waitForOriginal,
} from './send-article.ts'
import { finalizeWrites } from './finalize-writes.ts'
import { preparePut } from './journaled-writes.ts'

/** Sends a cycle of slugs: all old versions must be deleted before a new one can be created. */
async function applyCycle(cycle: readonly ChangeOperation[], context: ApplyContext): Promise<void> {
  if (context.ledger.freesSlugs === false)
    return cycle.forEach((operation) => reportOutcome(operation, SLUG_STAYS_TAKEN, context))
  const prepared = await settleAll(
    cycle.map((operation) => attempt(context, () => prepareInCycle(operation, context))),
  )
  const olds = prepared.flatMap((each) => (each?.kind === 'ready' ? [each.judged] : []))
  if (olds.length < cycle.length) {
    const reason = 'it swaps slugs with an article that cannot be replaced now'
    return cycle.forEach((operation, index) => {
      const own = prepared[index]
      const isReady = own === undefined || own.kind === 'ready' || own.kind === 'gone'
      reportOutcome(operation, isReady ? { kind: 'failed', reason } : own, context)
    })
  }
  const exchanges = await attempt(context, () => Promise.resolve(noteExchanges(olds, context)))
  if ('kind' in exchanges) return cycle.forEach((operation) => reportOutcome(operation, exchanges, context))
  const removals = await settleAll(
    exchanges.map(({ change }) => attempt(context, () => deleteForReplacement(change, context))),
  )
  // Each article needs the slug of the next one, so a single remaining old version blocks all of them.
  const isFree = removals.every((removal) => removal === undefined)
  const results = await settleAll(
    exchanges.map(async ({ put, change }, index) => {
      const removal = removals[index]
      // Once its old version is deleted, an article is sent even if the run has ended since.
      if (isFree) return sendAfter(undefined, put, context).catch(toNotRun(context))
      put.cancel()
      return removal ?? restoreOld(change.wanted, STUCK, context).catch(toNotRun(context))
    }),
  )
  cycle.forEach(() => context.onStep())
  await finalizeWrites(cycle, results, context)
}

const STUCK = 'the article that has its slug could not be removed'

async function prepareInCycle(operation: ChangeOperation, context: ApplyContext) {
  const wanted = wantedOf(operation, context)
  if (lacksOriginal(wanted)) return waitForOriginal(wanted)
  return (await sendFiles(wanted, context)) ?? prepareChange(operation, context)
}

/** Records all new versions before the first old one is deleted. */
function noteExchanges(changes: readonly JudgedChange[], context: ApplyContext) {
  return changes.map((change) => ({ change, put: preparePut(change.wanted, change.entry, context) }))
}

/**
 * Executes the operations on articles: first the writes, in the order of their requirements, then the deletions. A
 * failed operation is a result. Only an unreachable target or an interruption ends the run; the ledger stores that
 * failure while the pending operations are recorded. If a new article could not be sent, orphans stay, because one of
 * them may contain its text.
 */
export async function applyArticles(
  operations: readonly ArticleOperation[],
  context: ApplyContext,
): Promise<void> {
  const { entries, ledger } = context
  const deletes = operations.filter(isDelete)
  // An orphaned translation may block a new one of the same original. Near the article limit, every orphan may block an
  // article.
  const comesFirst = ({ id }: ArticleDelete) =>
    !context.hasRoomBeside || entries.get(id)?.languageParent !== undefined
  await applyDeletes(deletes.filter(comesFirst), context)
  const writes = operations.filter(isArticleWrite)
  const allowsDuplicateSlugs = ledger.duplicateSlugs === 'allowed'
  const needsAmong = createNeedsAmong({ ...context, allowsDuplicateSlugs })
  for (const step of orderWrites(writes, needsAmong)) await applyStep(step, context)
  const last = deletes.filter((operation) => !comesFirst(operation))
  const stays = ({ action }: ArticleDelete) => ledger.lacksNew && action === 'delete-orphan'
  for (const operation of last.filter(stays)) reportOutcome(operation, STAYS, context)
  await applyDeletes(
    last.filter((operation) => !stays(operation)),
    context,
  )
}

function isDelete(operation: ArticleOperation): operation is ArticleDelete {
  return operation.action === 'delete-orphan' || operation.action === 'delete-copy'
}

const STAYS: SendResult = {
  kind: 'waiting',
  reason: 'a new article could not be sent, and this one may contain its text; the next run deletes it',
}

async function applyStep(step: WriteStep, context: ApplyContext): Promise<void> {
  switch (step.kind) {
    case 'wave':
      return applyWave(step.operations, context)
    case 'cycle':
      return applyCycle(step.operations, context)
    case 'aside':
      // The result is reported when the article itself is sent.
      await attempt(context, () => stepAside(step.operation, context))
  }
}

async function applyWave(wave: readonly ArticleWrite[], context: ApplyContext): Promise<void> {
  // The queue needs more articles than the client sends at a time, to fill its requests.
  const { concurrency, queue } = context
  const results = new Map<ArticleWrite, SendResult | NotRun | undefined>()
  const send = async (operation: ArticleWrite) => {
    results.set(operation, await attempt(context, () => sendOne(operation, context)))
    context.onStep()
  }
  if (queue === undefined) await settleEach(wave, concurrency, send)
  else {
    const isCreate = ({ action }: ArticleWrite) => action === 'create'
    const creates = wave.filter(isCreate)
    const changes = wave.filter((operation) => !isCreate(operation))
    await settleAll([
      settleEach(creates, MOST_WAITING.creates, send),
      settleEach(changes, MOST_WAITING.changes, send),
    ])
  }
  await finalizeWrites(
    wave,
    wave.map((operation) => results.get(operation)),
    context,
  )
}

async function sendOne(operation: ArticleWrite, context: ApplyContext): Promise<SendResult | undefined> {
  if (operation.action === 'restore') return sendRestore(operation, context)
  const wanted = wantedOf(operation, context)
  if (lacksOriginal(wanted)) return waitForOriginal(wanted)
  const failed = await sendFiles(wanted, context)
  if (failed !== undefined) return failed
  return operation.action === 'create' ? sendNew(wanted, context) : sendChange(operation, context)
}

/** Uploads the files that an article uses; returns why it cannot be sent if that fails. */
async function sendFiles(
  { article }: ResolvedArticle,
  { uploads }: ApplyContext,
): Promise<SendResult | undefined> {
  const reason = await uploads.send(article)
  return reason === undefined ? undefined : { kind: 'failed', reason }
}

/** Sends an article that is already on the target, as decided from the read right before the write. */
async function sendChange(operation: ChangeOperation, context: ApplyContext) {
  if (context.ledger.isFull && effectOf(operation) === 'replace')
    return { kind: 'full', operation, change: undefined } as const
  const ready = await prepareChange(operation, context)
  const result = ready.kind === 'ready' ? await sendReady(ready.judged, context) : ready
  return result?.kind === 'gone' ? sendAgain(wantedOf(operation, context), context) : result
}

async function sendReady(change: JudgedChange, context: ApplyContext) {
  const { operation, wanted, entry, how } = change
  if (isAsSent(entry, wanted.fingerprint)) {
    context.ledger.sentByOthers.set(operation.id, entry)
    return { kind: 'there' } as const
  }
  return how === 'update' ? sendUpdate(change, context) : sendReplacement(change, context)
}

/** True if the article is what would be sent: the state of this run was out of date. */
function isAsSent({ ours, remote }: RemoteEntry, fingerprint: string): boolean {
  const isSame = ours?.fingerprint === fingerprint && !isRecognised(ours)
  return isSame && remote !== undefined && !hasDrifted(ours, remote)
}

async function applyDeletes(deletes: readonly ArticleDelete[], context: ApplyContext): Promise<void> {
  await settleEach(deletes, context.concurrency, async (operation) => {
    reportOutcome(operation, await attempt(context, () => sendDelete(operation, context)), context)
    context.onStep()
  })
}
