import { expect, test } from 'vitest'
import { judgeLink, type LinkStanding, waitMs } from '../../../src/server/links/judge-link.ts'
import type { Observation } from '../../../src/server/links/observation.ts'
import { parseRetryAfterMs, readStatus } from '../../../src/server/links/read-status.ts'

const WORKS: Observation = { kind: 'works', status: 200 }
const BROKEN: Observation = { kind: 'broken', status: 404, reason: '404 Not Found' }
const CLOSED: Observation = { kind: 'closed', status: 403, reason: '403 Forbidden' }
const BUSY: Observation = {
  kind: 'busy',
  status: 429,
  reason: '429 Too Many Requests',
  retryAfterMs: 120_000,
}

const NEW: LinkStanding = { working: true, failures: 0 }
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

test('a busy host says nothing, a closed door is no broken link', () => {
  expect(standings(BROKEN, BUSY, BROKEN, BUSY, CLOSED, BROKEN)).toEqual([
    'works 1',
    'works 1',
    'dead 2',
    'dead 2',
    'works 0',
    'works 1',
  ])
})

test('the dates of a link that fails, in minutes', () => {
  const rhythm = { intervalMs: DAY_MS, isArticle: false, random: 0 }
  const ladder = (changes: Partial<typeof rhythm> = {}) =>
    Array.from({ length: 8 }, (_, index) => waitMs(BROKEN, index + 1, { ...rhythm, ...changes }) / MINUTE_MS)
  expect(ladder()).toEqual([1, 4, 16, 64, 256, 1024, 1440, 1440])
  expect(ladder({ intervalMs: 5 * MINUTE_MS })).toEqual([1, 4, 5, 5, 5, 5, 5, 5])
  expect(ladder({ isArticle: true })).toEqual([1, 4, 10, 10, 10, 10, 10, 10])
  expect(ladder({ isArticle: true, intervalMs: 2 * MINUTE_MS })).toEqual([1, 2, 2, 2, 2, 2, 2, 2])
  expect(ladder({ random: 0.5 }).slice(0, 2)).toEqual([0.95, 3.8])
})

test('the dates of other links', () => {
  const waits = (random: number) =>
    [WORKS, CLOSED, BUSY].map((seen) => waitMs(seen, 0, { intervalMs: DAY_MS, isArticle: false, random }))
  expect(waits(0)).toEqual([DAY_MS, DAY_MS, 120_000])
  // A busy host is never asked earlier than it wanted.
  expect(waits(0.999)).toEqual([77_768_640, 77_768_640, 131_988])
})

test('the dates of an article that is there', () => {
  const wait = (intervalMs: number) => waitMs(WORKS, 0, { intervalMs, isArticle: true, random: 0 })
  expect([DAY_MS, MINUTE_MS].map((intervalMs) => wait(intervalMs))).toEqual([10 * MINUTE_MS, MINUTE_MS])
})

test('what each status says', () => {
  const kinds: Record<string, number[]> = {}
  for (let status = 200; status < 600; status++)
    (kinds[readStatus(status, undefined, 0).kind] ??= []).push(status)
  const { works = [], broken = [], ...others } = kinds
  expect([works[0], works.at(-1), works.length]).toEqual([200, 399, 200])
  expect([404, 410, 400, 408, 418, 500, 502, 503, 504].filter((status) => !broken.includes(status))).toEqual(
    [],
  )
  expect(others).toEqual({ closed: [401, 402, 403, 405, 406, 407, 451, 501], busy: [429] })
  expect(readStatus(999, undefined, 0)).toEqual({ kind: 'closed', status: 999, reason: '999' })
  expect(readStatus(503, '120', 0)).toEqual({
    kind: 'busy',
    status: 503,
    reason: '503 Service Unavailable',
    retryAfterMs: 120_000,
  })
})

test('how long a busy host wants to be left alone', () => {
  const nowMs = Date.parse('2026-03-01T10:00:00.000Z')
  const asked = [
    '120',
    ' 90 ',
    'Sun, 01 Mar 2026 10:05:00 GMT',
    '1',
    '0',
    'Sun, 01 Mar 2020 10:05:00 GMT',
    '99999999999',
  ]
  expect(asked.map((header) => parseRetryAfterMs(header, nowMs))).toEqual([
    120_000,
    90_000,
    300_000,
    30_000,
    30_000,
    30_000,
    DAY_MS,
  ])
  const odd = [undefined, '', 'soon', '-5', '1.5', '2026-03-01', 'Sun, nonsense']
  expect(odd.filter((header) => parseRetryAfterMs(header, nowMs) !== undefined)).toEqual([])
})
