import pLimit from 'p-limit'
import { KbError } from '../errors/kb-error.ts'
import type { Operation, OperationResult, Outcome } from '../model/plan.ts'
import { slugKey } from '../model/slug-key.ts'
import { orderReplaces } from '../plan/order-replaces.ts'
import type { WantedArticle } from '../plan/payload.ts'
import type { TaxonomyStep } from '../plan/plan-taxonomy.ts'
import type { ApplyContext, SentArticle } from './apply-context.ts'
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

/**
 * Executes the operations on articles: creates and replaces first, then deletes. One that fails is a result; only a
 * target that cannot be reached, or an interruption, ends the run, and that is kept in the ledger until all that is
 * under way has been written down.
 */
export async function applyArticles(operations: readonly Operation[], context: ApplyContext): Promise<void> {
  const writes = operations.filter(({ action }) => action === 'create' || action === 'replace')
  for (const { kind, operations: some } of orderReplaces(writes, createSlugHolder(context))) {
    await (kind === 'wave' ? applyWave(some, context) : applyCircle(some, context))
  }
  const limit = pLimit(context.concurrency)
  const deletes = operations.filter(({ action }) => action === 'delete')
  await Promise.all(deletes.map((operation) => limit(() => applyDelete(operation, context))))
}

/** Executes the updates of categories and tags, one after the other: a parent may have to come before its child. */
export async function applyTaxonomy(
  steps: readonly TaxonomyStep[],
  context: ApplyContext,
  onDone: (step: TaxonomyStep) => void,
): Promise<void> {
  for (const step of steps) {
    if (step.kind === 'none') continue
    const result = await attempt(context, () => updateTaxonomy(step, context))
    if (result === undefined) onDone(step)
    report(step.operation, result, context)
    context.onStep()
  }
}

async function updateTaxonomy(
  step: Exclude<TaxonomyStep, { kind: 'none' }>,
  { client }: ApplyContext,
): Promise<SendResult | undefined> {
  const { id } = step.operation
  const outcome =
    step.kind === 'category'
      ? await client.updateCategory(id, step.body)
      : await client.updateTag(id, step.body)
  return outcome.kind === 'done' ? undefined : { kind: 'failed', reason: explainOutcome(outcome) }
}

/** Who of ours holds the slug that an operation wants. */
function createSlugHolder({ entries, ledger }: ApplyContext): (operation: Operation) => string | undefined {
  if (ledger.duplicateSlugs === 'allowed') return () => undefined
  const holders = new Map([...entries.values()].map((entry) => [slugKey(entry), entry.id]))
  return (operation) => holders.get(slugKey(operation))
}

async function applyWave(wave: readonly Operation[], context: ApplyContext): Promise<void> {
  const limit = pLimit(context.concurrency)
  const results = await Promise.all(
    wave.map((operation) =>
      limit(async () => {
        const wanted = wantedOf(operation, context)
        const result = await attempt(context, () =>
          operation.action === 'create'
            ? sendNew(wanted, context)
            : sendReplacement(operation, wanted, context),
        )
        context.onStep()
        return result
      }),
    ),
  )
  await settle(wave, results, context)
}

/** Slugs that go round in a circle: every old version must be gone before any new one can come. */
async function applyCircle(circle: readonly Operation[], context: ApplyContext): Promise<void> {
  const prepared = await Promise.all(
    circle.map((operation) => attempt(context, () => prepareReplacement(operation, context))),
  )
  const olds = prepared.flatMap((each) => (each?.kind === 'ready' ? [each.old] : []))
  if (olds.length < circle.length) {
    const reason = 'it swaps slugs with an article that cannot be replaced now'
    return circle.forEach((operation, index) => {
      const own = prepared[index]
      report(
        operation,
        own?.kind === 'conflict' || own?.kind === 'unsent' ? own : { kind: 'failed', reason },
        context,
      )
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

async function applyDelete(operation: Operation, context: ApplyContext): Promise<void> {
  report(operation, await attempt(context, () => deleteOrphan(operation, context)), context)
  context.onStep()
}

function wantedOf({ source }: Operation, { wanted }: ApplyContext): WantedArticle {
  const found = wanted.get(source)
  if (found === undefined) throw new Error(`the plan names ${source}, which is not among the documents`)
  return found
}

function recordSent(sent: SentArticle, id: string, { ledger }: ApplyContext): void {
  const { source } = sent.wanted.article
  if (!ledger.sent.has(source)) ledger.sent.set(source, { ...sent, id })
}

interface Unsent {
  readonly kind: 'unsent'
}

/** Runs one step; a failure of the world ends the run, and nothing new is begun after it. */
async function attempt<T>(context: ApplyContext, step: () => Promise<T>): Promise<T | Unsent> {
  if (context.ledger.failure !== undefined) return { kind: 'unsent' }
  return step().catch(toUnsent(context))
}

/** Nothing was sent where the client throws: the write that fails on its way is an outcome, not an exception. */
function toUnsent({ ledger }: ApplyContext): (error: unknown) => Unsent {
  return (error) => {
    if (!(error instanceof KbError)) throw error
    ledger.failure ??= error
    return { kind: 'unsent' }
  }
}

function report(
  operation: Operation,
  result: SendResult | Unsent | undefined,
  { onResult }: ApplyContext,
): void {
  onResult(toResult(operation, result))
}

function toResult(operation: Operation, result: SendResult | Unsent | undefined): OperationResult {
  if (result === undefined || result.kind === 'sent') return withOutcome(operation, 'done')
  if (result.kind === 'unsent') return { ...withOutcome(operation, 'skipped'), reason: 'not sent' }
  if (result.kind === 'conflict')
    return { ...withOutcome({ ...operation, action: 'conflict' }, 'skipped'), reason: result.reason }
  return { ...withOutcome(operation, 'failed'), reason: result.reason }
}

function withOutcome(operation: Operation, outcome: Outcome): OperationResult {
  return { ...operation, outcome }
}
