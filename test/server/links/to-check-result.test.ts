import { expect, test } from 'vitest'
import type { Observation } from '../../../src/api/link-probe/observation.ts'
import { toCheckResult } from '../../../src/server/links/to-check-result.ts'

const NOW = '2026-03-01T10:00:00.000Z'
const CLAIMED_UNTIL = '2026-03-01T10:15:00.000Z'

const write = (observation: Observation, failures = 0, target = 'https://a.test/') =>
  toCheckResult({ target, working: failures < 2, failures, dueDate: NOW }, observation, {
    claimedUntil: CLAIMED_UNTIL,
    intervalMs: 86_400_000,
    nowMs: Date.parse(NOW),
    random: 0,
  })

test('the stored result of each kind of check', () => {
  const shared = { target: 'https://a.test/', claimedUntil: CLAIMED_UNTIL, checkedDate: NOW }
  expect(write({ kind: 'works', status: 204 }, 3)).toEqual({
    ...shared,
    working: true,
    failures: 0,
    status: 204,
    reason: '',
    nextCheckDate: '2026-03-02T10:00:00.000Z',
  })
  expect(write({ kind: 'broken', status: 404, reason: '404 Not Found' }, 1)).toEqual({
    ...shared,
    working: false,
    failures: 2,
    status: 404,
    reason: '404 Not Found',
    nextCheckDate: '2026-03-01T10:04:00.000Z',
  })
  expect(write({ kind: 'closed', status: null, reason: 'private address' }, 2)).toEqual({
    ...shared,
    working: true,
    failures: 0,
    status: null,
    reason: 'private address',
    nextCheckDate: '2026-03-02T10:00:00.000Z',
  })
  const busy: Observation = {
    kind: 'busy',
    status: 429,
    reason: '429 Too Many Requests',
    retryAfterMs: 90_000,
  }
  expect(write(busy, 1)).toEqual({
    ...shared,
    working: true,
    failures: 1,
    status: 429,
    reason: '429 Too Many Requests',
    nextCheckDate: '2026-03-01T10:01:30.000Z',
  })
})

test('a missing article is looked up again within ten minutes', () => {
  const missing: Observation = { kind: 'broken', status: null, reason: 'no such article' }
  expect(write(missing, 7, 'article:site:slug').nextCheckDate).toBe('2026-03-01T10:10:00.000Z')
})
