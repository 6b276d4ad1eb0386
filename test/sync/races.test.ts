// Concurrent runs: on one machine the second waits, on two machines the markers show what belongs together.
import { expect, test } from 'vitest'
import { drawLots } from '../support/draw-lots.ts'
import { createMemoryService, type MemoryService } from '../support/memory-service.ts'
import { createMemoryCheckout, heldBy, type MemoryCheckout, writesTo } from '../support/memory-project.ts'
import { article, type Files } from '../support/project.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'
import type { ServiceHabits } from '../support/strict-service.ts'
import { counts } from '../support/sync-project.ts'

const FILES: Files = {
  'content/first.md': article('First'),
  'content/second.md': article('Second'),
  'content/third.md': article('Third'),
}
const HELD = [
  'first: First: Text of First.',
  'second: Second: Text of Second.',
  'third: Third: Text of Third.',
]

const HABITS: readonly (readonly [string, ServiceHabits])[] = [
  ['allows two of one slug', {}],
  ['refuses a taken slug', { duplicateSlugs: 'refused-409' }],
  ['updates in place', { extensions: ['update'] }],
  ['rewrites HTML', { rewritesHtml: true }],
  ['leaves out members', { isSparse: true }],
  ['lists late', { listLag: { upTo: 2, seed: 5 }, linkLag: { upTo: 2, seed: 6 } }],
]

const RUNS = readRuns('HISTORIES', 3)
const SEEDS = Array.from({ length: RUNS.numRuns }, (_, index) => RUNS.seed - 1 + index)

/** Runs both at the same time; `seed` determines the duration of each request. */
async function runTogether(
  service: MemoryService,
  checkouts: readonly MemoryCheckout[],
  seed: number,
): Promise<void> {
  const lots = drawLots(seed)
  const pause = async () => {
    for (let turn = Math.floor(lots() * 4); turn > 0; turn--)
      await new Promise((resolve) => setImmediate(resolve))
  }
  const sleep = () => Promise.resolve()
  const client = () => ({ send: service.connect(new Map(), pause), sleep })
  await Promise.all(checkouts.map((checkout) => checkout.sync({ client: client() })))
}

function startTwo(habits: ServiceHabits) {
  const service = createMemoryService(habits)
  const checkouts = [createMemoryCheckout(service, FILES), createMemoryCheckout(service, FILES)] as const
  return { service, checkouts }
}

function catchUp(service: MemoryService, checkouts: readonly MemoryCheckout[]): void {
  service.catchUp()
  for (const checkout of checkouts) checkout.wait()
}

test.each(HABITS)(
  'two machines sync at the same time to a service that %s',
  timeoutOf(RUNS, 2000),
  async (_, habits) => {
    for (const seed of SEEDS) {
      const { service, checkouts } = startTwo(habits)
      const [one, other] = checkouts
      await runTogether(service, checkouts, seed)
      catchUp(service, checkouts)
      expect((await one.sync()).failure).toBeUndefined()
      expect(heldBy(service)).toEqual(HELD)
      catchUp(service, checkouts)

      // The first may have removed everything that the other knew. Its article still exists, so this is no case for a
      // guard.
      const late = await other.sync()
      expect([late.failure, late.guard, counts(late.summary)]).toEqual([
        undefined,
        undefined,
        { unchanged: 3 },
      ])
      service.forget()
      for (const checkout of checkouts) await checkout.sync()
      expect([heldBy(service), writesTo(service)]).toEqual([HELD, []])
    }
  },
)

test.each(HABITS)(
  'two machines send the same change to a service that %s',
  timeoutOf(RUNS, 2000),
  async (_, habits) => {
    for (const seed of SEEDS) {
      const { service, checkouts } = startTwo(habits)
      const [one, other] = checkouts
      await one.sync()
      catchUp(service, checkouts)
      await other.sync()
      const changed = {
        'content/second.md': article('Second', { slug: 'zweite', body: 'Changed.' }),
        'content/third.md': article('Third', { body: 'Changed.' }),
      }
      for (const checkout of checkouts) checkout.write(changed)
      await runTogether(service, checkouts, seed)
      for (const checkout of checkouts) {
        catchUp(service, checkouts)
        expect((await checkout.sync({ prune: true, yes: true })).failure).toBeUndefined()
      }
      expect(heldBy(service)).toEqual([
        'first: First: Text of First.',
        'third: Third: Changed.',
        'zweite: Second: Changed.',
      ])
      catchUp(service, checkouts)
      service.forget()
      for (const checkout of checkouts) await checkout.sync()
      expect(writesTo(service)).toEqual([])
    }
  },
)

test('a second run on one machine is rejected and sends nothing', async () => {
  const service = createMemoryService()
  const checkout = createMemoryCheckout(service, FILES)
  // A lock older than this process would belong to a dead one.
  const now = () => new Date()
  let isRefused = false
  const pause = async () => {
    if (isRefused) return
    isRefused = true
    const send = () => Promise.reject(new Error('It sent something.'))
    const second = checkout.sync({ now, client: { send } })
    await expect(second).rejects.toMatchObject({ name: 'KbError', code: 'LOCKED' })
  }
  const result = await checkout.sync({ now, client: { send: service.connect(new Map(), pause) } })
  expect([isRefused, counts(result.summary)]).toEqual([true, { created: 3 }])
  expect(heldBy(service)).toEqual(HELD)
})
