// Whatever the service responds, no article is lost or duplicated, and a run reports what it could not do.
import { expect, test } from 'vitest'
import type { SyncResult } from '../../src/sync/sync-options.ts'
import { AFTER, BEFORE, DROPPED, WANTED } from '../support/changes.ts'
import { heldBy, startSyncedInMemory, writesTo } from '../support/memory-project.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'
import type { Moods, ServiceHabits } from '../support/strict-service.ts'
import { outcomeOf } from '../support/sync-project.ts'

const MOODS: readonly (readonly [string, Omit<Moods, 'seed'>])[] = [
  ['asks to wait', { busy: 3 }],
  ['breaks down for a while', { broken: 8 }],
  ['answers failure with 200', { sullen: 6 }],
  ['redirects', { redirects: 6 }],
  ['answers too late', { slow: 5 }],
  ['answers with empty lists', { forgetful: 4 }],
  ['does all of it', { busy: 10, broken: 15, sullen: 15, redirects: 20, slow: 15, forgetful: 15 }],
]
const MODES: readonly ServiceHabits[] = [
  {},
  { duplicateSlugs: 'refused-409' },
  { duplicateSlugs: 'refused-200', extensions: ['update'] },
]

const RUNS = readRuns('HISTORIES', 3)
const SEEDS = Array.from({ length: RUNS.numRuns }, (_, index) => RUNS.seed - 1 + index)

const ALL = { prune: true, yes: true }

test.each(MOODS)('a service that %s', timeoutOf(RUNS, 2000), async (_, moods) => {
  for (const mode of MODES) {
    for (const seed of SEEDS) {
      const { service, checkout } = await startSyncedInMemory({ ...mode, moods: { seed, ...moods } }, BEFORE)
      checkout.write(AFTER)
      checkout.remove(DROPPED)
      service.annoy()
      const met = await checkout.meet([], ALL)
      // A run that reports success has done everything.
      if (met !== undefined && isClean(met)) expect(heldBy(service)).toEqual(WANTED)
      service.calm()
      checkout.wait()
      const next = await checkout.sync(ALL)
      expect({ mode, seed, held: heldBy(service) }).toEqual({ mode, seed, held: WANTED })
      expect(isClean(next)).toBe(true)
      service.forget()
      await checkout.sync(ALL)
      expect(writesTo(service)).toEqual([])
    }
  }
})

test('a temporarily busy service only costs time', async () => {
  const moods = { seed: 1, busy: 3 }
  const { service, checkout } = await startSyncedInMemory({ moods }, BEFORE)
  checkout.write(AFTER)
  checkout.remove(DROPPED)
  service.annoy()
  let nowMs = 0
  const sleep = (ms: number) => Promise.resolve(void (nowMs += ms))
  const client = { send: service.connect(), sleep, now: () => nowMs, retries: 5 }
  expect(isClean(await checkout.sync({ ...ALL, client }))).toBe(true)
  expect(heldBy(service)).toEqual(WANTED)
})

test('temporarily empty lists do not change known articles', async () => {
  const moods = { seed: 1, forgetful: 1 }
  const { service, checkout } = await startSyncedInMemory({ moods }, BEFORE)
  const before = service.articles()
  service.annoy()
  await checkout.meet([], ALL)
  expect([writesTo(service), service.articles()]).toEqual([[], before])
})

test('a service that responds with 200 for an unknown id', async () => {
  const { service, checkout } = await startSyncedInMemory({ unknownIdStatus: 200 }, BEFORE)
  service.drop('kept')
  expect(outcomeOf(await checkout.sync({ yes: true }))).toMatchObject({ created: 1, unchanged: 5 })
  expect(heldBy(service)).toContain('kept: Kept: Text of Kept.')
})

function isClean({ operations, failure }: SyncResult) {
  return failure === undefined && operations.every(({ outcome }) => outcome === 'done')
}
