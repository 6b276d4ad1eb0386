import pLimit from 'p-limit'
import type { Operation } from '../model/plan.ts'
import { orderWrites } from '../plan/order-writes.ts'
import { type WantedArticle, withOriginal } from '../plan/payload.ts'
import { createNeedsAmong } from '../plan/write-needs.ts'
import type { ApplyContext, SentArticle } from './apply-context.ts'
import { attempt, report, toUnsent, type Unsent } from './attempt.ts'
import { nameSent } from './name-sent.ts'
import { readIdentity } from './read-remote.ts'
import {
  deleteOrphan,
  explainOutcome,
  type OldArticle,
  prepareReplacement,
  removeOld,
  replaceInPlace,
  sendNew,
  sendOrRestore,
  sendReplacement,
  type SendResult,
} from './send-article.ts'
import { sendUpdate, stepAside } from './send-update.ts'

/**
 * Executes the operations on articles: writes in the order of what they need, then deletes. One that fails is a result;
 * only a target that cannot be reached, or an interruption, ends the run, and that is kept in the ledger until all that
 * is under way has been written down.
 */
export async function applyArticles(operations: readonly Operation[], context: ApplyContext): Promise<void> {
  const { entries, ledger } = context
  const deletes = operations.filter(({ action }) => action === 'delete')
  // A translation that no file wants may stand in the way of a new one of the same original.
  const isTranslation = ({ id }: Operation) => entries.get(id)?.languageParent !== undefined
  await applyDeletes(deletes.filter(isTranslation), context)
  const writes = operations.filter(({ action }) => WRITES.has(action))
  const allowsDuplicateSlugs = ledger.duplicateSlugs === 'allowed'
  const needsAmong = createNeedsAmong({ ...context, allowsDuplicateSlugs })
  for (const step of orderWrites(writes, needsAmong)) await APPLY[step.kind](step.operations, context)
  await applyDeletes(
    deletes.filter((operation) => !isTranslation(operation)),
    context,
  )
}

const WRITES: ReadonlySet<Operation['action']> = new Set(['create', 'update', 'replace'])

const APPLY = { wave: applyWave, circle: applyCircle, aside: applyAside }

/** What becomes of it is reported when the article's own turn comes. */
async function applyAside(operations: readonly Operation[], context: ApplyContext): Promise<void> {
  for (const operation of operations) await attempt(context, () => stepAside(operation, context))
}

async function applyWave(wave: readonly Operation[], context: ApplyContext): Promise<void> {
  const limit = pLimit(context.concurrency)
  const results = await Promise.all(
    wave.map((operation) =>
      limit(async () => {
        const result = await attempt(context, () => sendOne(operation, context))
        context.onStep()
        return result
      }),
    ),
  )
  await settle(wave, results, context)
}

async function sendOne(operation: Operation, context: ApplyContext): Promise<SendResult> {
  const wanted = wantedOf(operation, context)
  if (wanted.originalId === '') return waitForOriginal(wanted)
  if (operation.action === 'create') return sendNew(wanted, context)
  return operation.action === 'update'
    ? sendUpdate(operation, wanted, context)
    : sendReplacement(operation, wanted, context)
}

function waitForOriginal({ article }: WantedArticle): SendResult {
  const reason = `its original ${article.original} is not on the target yet; the next run sends it`
  return { kind: 'waiting', reason }
}

/** Slugs that go round in a circle: every old version must be gone before any new one can come. */
async function applyCircle(circle: readonly Operation[], context: ApplyContext): Promise<void> {
  const prepared = await Promise.all(
    circle.map((operation) => attempt(context, () => prepareInCircle(operation, context))),
  )
  const olds = prepared.flatMap((each) => (each?.kind === 'ready' ? [each.old] : []))
  if (olds.length < circle.length) {
    const reason = 'it swaps slugs with an article that cannot be replaced now'
    return circle.forEach((operation, index) => {
      const own = prepared[index]
      const isReady = own === undefined || own.kind === 'ready' || own.kind === 'gone'
      report(operation, isReady ? { kind: 'failed', reason } : own, context)
    })
  }
  const removals = await Promise.all(
    circle.map((operation) => attempt(context, () => removeOld(operation, context))),
  )
  // Once its old version is gone, an article is sent whatever happened meanwhile.
  const results = await Promise.all(
    circle.map(
      async (operation, index) =>
        removals[index] ??
        sendOrRestore(wantedOf(operation, context), olds[index] as OldArticle, context).catch(
          toUnsent(context),
        ),
    ),
  )
  circle.forEach(() => context.onStep())
  await settle(circle, results, context)
}

async function prepareInCircle(operation: Operation, context: ApplyContext) {
  const wanted = wantedOf(operation, context)
  return wanted.originalId === '' ? waitForOriginal(wanted) : prepareReplacement(operation, context)
}

/** Names what was sent, removes the versions it replaces, and reports. */
async function settle(
  operations: readonly Operation[],
  results: readonly (SendResult | Unsent | undefined)[],
  context: ApplyContext,
): Promise<void> {
  const sent = results.flatMap((result) => (result?.kind === 'sent' ? [result.sent] : []))
  const ids = new Map<SentArticle, string>()
  await attempt(context, async () => {
    for (const [article, id] of await nameSent(sent, context)) ids.set(article, id)
    return undefined
  })
  const limit = pLimit(context.concurrency)
  await Promise.all(
    operations.map((operation, index) =>
      limit(async () => {
        const result = results[index]
        if (result?.kind === 'updated') recordSent(result.sent, operation.id, context)
        if (result?.kind !== 'sent') return report(operation, result, context)
        const id = ids.get(result.sent) ?? ''
        if (result.replaces !== undefined) {
          const failed = await attempt(context, () => removeReplaced(operation, result, id, context))
          if (failed !== undefined) return report(operation, failed, context)
        }
        recordSent(result.sent, id, context)
        return report({ ...operation, id: id === '' ? operation.id : id }, undefined, context)
      }),
    ),
  )
}

/** Deletes the version that was replaced, but only once the new one is seen to stand at its slug. */
async function removeReplaced(
  operation: Operation,
  { sent }: Extract<SendResult, { kind: 'sent' }>,
  id: string,
  context: ApplyContext,
): Promise<SendResult | undefined> {
  if (id === '')
    return {
      kind: 'failed',
      reason: 'the target does not list the new version yet; the next run removes the old one',
    }
  const slug = (await readIdentity(context.client, id))?.slug
  if (slug === sent.wanted.article.slug) {
    context.ledger.duplicateSlugs ??= slug === context.entries.get(operation.id)?.slug ? 'allowed' : undefined
    return removeOld(operation, context)
  }
  return redoInPlace(operation, sent.wanted, id, context)
}

/** The target gave the new version another slug: it does not take two of one slug after all. */
async function redoInPlace(
  operation: Operation,
  wanted: WantedArticle,
  id: string,
  context: ApplyContext,
): Promise<SendResult | undefined> {
  context.ledger.duplicateSlugs = 'refused'
  const removed = await context.client.deleteArticle(id)
  if (removed.kind !== 'done') return { kind: 'failed', reason: explainOutcome(removed) }
  const ready = await prepareReplacement(operation, context)
  if (ready.kind === 'conflict') return ready
  const result =
    ready.kind === 'gone'
      ? await sendNew(wanted, context)
      : await replaceInPlace(operation, wanted, ready.old, context)
  if (result.kind !== 'sent') return result
  const named = await nameSent([result.sent], context)
  recordSent(result.sent, named.get(result.sent) ?? '', context)
  return undefined
}

async function applyDeletes(deletes: readonly Operation[], context: ApplyContext): Promise<void> {
  const limit = pLimit(context.concurrency)
  const applyDelete = async (operation: Operation) => {
    report(operation, await attempt(context, () => deleteOrphan(operation, context)), context)
    context.onStep()
  }
  await Promise.all(deletes.map((operation) => limit(() => applyDelete(operation))))
}

/** The article to be sent; a translation names the article that its original has become in this run. */
function wantedOf({ source }: Operation, { wanted, ledger }: ApplyContext): WantedArticle {
  const found = wanted.get(source)
  if (found === undefined) throw new Error(`the plan names ${source}, which is not among the documents`)
  const { originalId, article } = found
  const sentId = ledger.sent.get(article.original ?? '')?.id
  return originalId === undefined || sentId === undefined ? found : withOriginal(found, sentId)
}

function recordSent(sent: SentArticle, id: string, { ledger }: ApplyContext): void {
  const { source } = sent.wanted.article
  if (!ledger.sent.has(source)) ledger.sent.set(source, { ...sent, id })
}
