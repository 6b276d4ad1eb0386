import { expect, test } from 'vitest'
import { readStatus } from '../../../src/api/link-probe/check-address.ts'

const DAY_MS = 86_400_000

test('the meaning of each status', () => {
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

test('the pause that a busy host requests', () => {
  const nowMs = Date.parse('2026-03-01T10:00:00.000Z')
  const restMs = (header: string): unknown => {
    const observation = readStatus(503, header, nowMs)
    return observation.kind === 'busy' && observation.retryAfterMs
  }
  const asked = [
    '120',
    ' 90 ',
    'Sun, 01 Mar 2026 10:05:00 GMT',
    '1',
    '0',
    'Sun, 01 Mar 2020 10:05:00 GMT',
    '99999999999',
  ]
  expect(asked.map((header) => restMs(header))).toEqual([
    120_000,
    90_000,
    300_000,
    30_000,
    30_000,
    30_000,
    DAY_MS,
  ])
  const odd = [undefined, '', 'soon', '-5', '1.5', '2026-03-01', 'Sun, nonsense']
  expect(odd.filter((header) => readStatus(503, header, nowMs).kind === 'busy')).toEqual([])
})
