import pLimit from 'p-limit'
import type { Operation } from '../../model/plan.ts'
import type { WantedArticle } from '../../plan/payload.ts'
import { settleAll } from '../../util/settle-all.ts'
import type { ApplyContext, SentArticle } from './apply-context.ts'
import { attempt, report, type Unsent } from './attempt.ts'
import { deleteArticle } from './journaled-writes.ts'
import { type NamedArticle, nameSent } from './name-sent.ts'
import { prepareChange } from './prepare-change.ts'
import { explainOutcome, removeOld, replaceInPlace, sendNew, type SendResult } from './send-article.ts'

/** Names what was sent, removes the versions it replaces, and reports. */
export async function settle(
  operations: readonly Operation[],
  results: readonly (SendResult | Unsent | undefined)[],
  context: ApplyContext,
): Promise<void> {
  const sent = results.flatMap((result) => (result?.kind === 'sent' ? [result.sent] : []))
  // What is to be removed for it, or may not have arrived, is not told by a title.
  const doubtful = new Set(
    results.flatMap((result) =>
      result?.kind === 'sent' && (result.replaces !== undefined || result.lost !== undefined)
        ? [result.sent]
        : [],
    ),
  )
  const named = new Map<SentArticle, NamedArticle>()
  await attempt(context, async () => {
    for (const [article, found] of await nameSent(sent, context, (each) => doubtful.has(each)))
      named.set(article, found)
    return undefined
  })
  const limit = pLimit(context.concurrency)
  await settleAll(
    operations.map((operation, index) => limit(() => settleOne(operation, results[index], named, context))),
  )
}

async function settleOne(
  operation: Operation,
  result: SendResult | Unsent | undefined,
  named: ReadonlyMap<SentArticle, NamedArticle>,
  context: ApplyContext,
): Promise<void> {
  if (result?.kind === 'updated') recordUpdated(result.sent, operation.id, context)
  if (result?.kind !== 'sent') return report(operation, result, context)
  const found = named.get(result.sent)
  recordSent(result.sent, found, context, result.lost === undefined)
  if (found === undefined && result.lost !== undefined)
    return report(operation, explainLost(result.lost), context)
  if (result.replaces !== undefined) {
    const failed = await attempt(context, () => removeReplaced(operation, result, found, context))
    if (failed !== undefined) return report(operation, failed, context)
  }
  return report(operation, undefined, context, context.ledger.sent.get(operation.source)?.id)
}

/** Deletes the version that was replaced, but only once the new one is seen to stand at its slug. */
async function removeReplaced(
  operation: Operation,
  { sent }: Extract<SendResult, { kind: 'sent' }>,
  found: NamedArticle | undefined,
  context: ApplyContext,
): Promise<SendResult | undefined> {
  if (found?.remote === undefined)
    return {
      kind: 'failed',
      reason: 'the target does not list the new version yet; the next run removes the old one',
    }
  const { slug } = found.remote.fields
  const isBesideOld = slug === context.entries.get(operation.id)?.slug
  if (slug === sent.wanted.article.slug || isBesideOld) {
    context.ledger.duplicateSlugs ??= isBesideOld ? 'allowed' : undefined
    return removeUnlessEdited(operation, found, context)
  }
  return redoInPlace(operation, sent.wanted, found.id, context)
}

/** Between the first look at the old version and this moment, many others were sent: it is looked at once more. */
async function removeUnlessEdited(
  operation: Operation,
  { id }: NamedArticle,
  context: ApplyContext,
): Promise<SendResult | undefined> {
  const ready = await prepareChange(operation, context)
  if (ready.kind === 'gone') return undefined
  if (ready.kind === 'ready') return removeOld(operation, context)
  const withdrawn = await deleteArticle(id, context)
  if (withdrawn.kind !== 'done')
    return { kind: 'failed', reason: `${ready.reason}; both versions are there now` }
  context.ledger.sent.delete(operation.source)
  return ready
}

/** The target gave the new version another slug: it does not take two of one slug after all. */
async function redoInPlace(
  operation: Operation,
  wanted: WantedArticle,
  id: string,
  context: ApplyContext,
): Promise<SendResult | undefined> {
  context.ledger.duplicateSlugs = 'refused'
  const removed = await deleteArticle(id, context)
  if (removed.kind !== 'done') return { kind: 'failed', reason: explainOutcome(removed) }
  context.ledger.sent.delete(operation.source)
  const ready = await prepareChange(operation, context)
  if (ready.kind === 'conflict') return ready
  const result =
    ready.kind === 'gone'
      ? await sendNew(wanted, context)
      : await replaceInPlace(operation, wanted, ready.old, context)
  if (result.kind !== 'sent') return result
  const named = await nameSent([result.sent], context)
  recordSent(result.sent, named.get(result.sent), context, result.lost === undefined)
  return undefined
}

function explainLost(reason: string): SendResult {
  const fate = 'and the target does not list it; the next run looks again before it is sent again'
  return { kind: 'failed', reason: `the answer was lost (${reason}) ${fate}` }
}

/** @param isAccepted whether the target said that it created the article */
function recordSent(
  sent: SentArticle,
  found: NamedArticle | undefined,
  { ledger }: ApplyContext,
  isAccepted: boolean,
): void {
  const { source, key } = sent.wanted.article
  const id = found?.id ?? ''
  const isUnproven = found !== undefined && found.remote === undefined
  ledger.sent.set(source, { ...sent, id, isUnproven, isAccepted })
  if (id !== '') ledger.removed.delete(key)
}

function recordUpdated(sent: SentArticle, id: string, { ledger }: ApplyContext): void {
  ledger.sent.set(sent.wanted.article.source, { ...sent, id, isUnproven: false, isAccepted: true })
}
