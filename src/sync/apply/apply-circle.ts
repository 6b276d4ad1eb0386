import type { Operation } from '../../core/model/plan.ts'
import { settleAll } from '../../core/settle-all.ts'
import type { ApplyContext } from './apply-context.ts'
import { attempt, report, toUnsent } from './attempt.ts'
import { type OldArticle, prepareChange } from './prepare-change.ts'
import { preparePut } from './put-article.ts'
import { sendAfter, takeAway, takeBack } from './send-article.ts'
import { settle } from './settle-sent.ts'
import { waitForOriginal, wantedOf } from './wanted-of.ts'

/** Slugs that go round in a circle: every old version must be gone before any new one can come. */
export async function applyCircle(circle: readonly Operation[], context: ApplyContext): Promise<void> {
  const prepared = await settleAll(
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
  const exchanges = await attempt(context, () => Promise.resolve(noteExchanges(circle, olds, context)))
  if ('kind' in exchanges) return circle.forEach((operation) => report(operation, exchanges, context))
  const removals = await settleAll(
    exchanges.map(({ operation, wanted, old }) =>
      attempt(context, () => takeAway(operation, wanted, old, context)),
    ),
  )
  // Each wants the slug of the next: where one old version stays, no slug becomes free.
  const isFree = removals.every((removal) => removal === undefined)
  const results = await settleAll(
    exchanges.map(async ({ put, wanted }, index) => {
      const removal = removals[index]
      // Once its old version is gone, an article is sent whatever happened meanwhile.
      if (isFree) return sendAfter(undefined, put, context).catch(toUnsent(context))
      put.cancel()
      return removal ?? takeBack(wanted, STUCK, context).catch(toUnsent(context))
    }),
  )
  circle.forEach(() => context.onStep())
  await settle(circle, results, context)
}

const STUCK = 'the article whose slug it takes could not be removed'

async function prepareInCircle(operation: Operation, context: ApplyContext) {
  const wanted = wantedOf(operation, context)
  return wanted.originalId === '' ? waitForOriginal(wanted) : prepareChange(operation, context)
}

/** All new versions are noted down before the first old one goes. */
function noteExchanges(circle: readonly Operation[], olds: readonly OldArticle[], context: ApplyContext) {
  return circle.flatMap((operation, index) => {
    const old = olds[index]
    if (old === undefined) return []
    const wanted = wantedOf(operation, context)
    return [{ operation, wanted, old, put: preparePut(wanted, old.entry, context) }]
  })
}
