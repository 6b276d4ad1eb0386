import { expect, test } from 'vitest'
import { judgeLink, type LinkStatus, waitMs } from '../../../src/server/links/to-check-result.ts'
import type { Observation } from '../../../src/api/link-probe/observation.ts'

const WORKS: Observation = { kind: 'works', status: 200 }
const BROKEN: Observation = { kind: 'broken', status: 404, reason: '404 Not Found' }
const CLOSED: Observation = { kind: 'closed', status: 403, reason: '403 Forbidden' }
const BUSY: Observation = {
  kind: 'busy',
  status: 429,
  reason: '429 Too Many Requests',
  retryAfterMs: 120_000,
}

const NEW: LinkStatus = { working: true, failures: 0 }
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

function standings(...observations: readonly Observation[]): string[] {
  let standing = NEW
  return observations.map((observation) => {
    standing = judgeLink(standing, observation)
    return `${standing.working ? 'works' : 'dead'} ${standing.failures}`
  })
}

test('a link breaks with the second failure in a row and works again with the first success', () => {
  expect(standings(BROKEN, WORKS, BROKEN, BROKEN, BROKEN, WORKS, BROKEN)).toEqual([
    'works 1',
    'works 0',
    'works 1',
    'dead 2',
    'dead 3',
    'works 0',
    'works 1',
  ])
})

test('a busy host gives no result, and a closed page is not a broken link', () => {
  expect(standings(BROKEN, BUSY, BROKEN, BUSY, CLOSED, BROKEN)).toEqual([
    'works 1',
    'works 1',
    'dead 2',
    'dead 2',
    'works 0',
    'works 1',
  ])
})

test('the times of checks of a failing link, in minutes', () => {
  const rhythm = { intervalMs: DAY_MS, isArticle: false, random: 0 }
  const ladder = (changes: Partial<typeof rhythm> = {}) =>
    Array.from({ length: 8 }, (_, index) => waitMs(BROKEN, index + 1, { ...rhythm, ...changes }) / MINUTE_MS)
  expect(ladder()).toEqual([1, 4, 16, 64, 256, 1024, 1440, 1440])
  expect(ladder({ intervalMs: 5 * MINUTE_MS })).toEqual([1, 4, 5, 5, 5, 5, 5, 5])
  expect(ladder({ isArticle: true })).toEqual([1, 4, 10, 10, 10, 10, 10, 10])
  expect(ladder({ isArticle: true, intervalMs: 2 * MINUTE_MS })).toEqual([1, 2, 2, 2, 2, 2, 2, 2])
  expect(ladder({ random: 0.5 }).slice(0, 2)).toEqual([0.95, 3.8])
})

test('the times of checks of other links', () => {
  const waits = (random: number) =>
    [WORKS, CLOSED, BUSY].map((seen) => waitMs(seen, 0, { intervalMs: DAY_MS, isArticle: false, random }))
  expect(waits(0)).toEqual([DAY_MS, DAY_MS, 120_000])
  // A busy host is never requested earlier than it asked for.
  expect(waits(0.999)).toEqual([77_768_640, 77_768_640, 131_988])
})

test('the times of checks of an existing article', () => {
  const wait = (intervalMs: number) => waitMs(WORKS, 0, { intervalMs, isArticle: true, random: 0 })
  expect([DAY_MS, MINUTE_MS].map((intervalMs) => wait(intervalMs))).toEqual([10 * MINUTE_MS, MINUTE_MS])
})
