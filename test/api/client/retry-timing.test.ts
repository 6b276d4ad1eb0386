import { describe, expect, test } from 'vitest'
import { backOffMs, LONGEST_PAUSE_MS, parseRetryAfterMs } from '../../../src/api/client/send-with-retries.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')

describe('backOffMs', () => {
  test('doubles from 300 ms up to 10 s', () => {
    const ladder = [1, 2, 3, 4, 5, 6, 7, 50].map((tries) => backOffMs(tries, 0))
    expect(ladder).toEqual([300, 600, 1200, 2400, 4800, 9600, 10_000, 10_000])
  })

  test('takes off at most half of it at random', () => {
    expect([0, 0.5, 0.999_999].map((random) => backOffMs(3, random))).toEqual([1200, 900, 600])
  })
})

describe('parseRetryAfterMs', () => {
  test.each([
    ['0', 0],
    ['7', 7000],
    [' 7 ', 7000],
    ['86400', LONGEST_PAUSE_MS],
    ['Sun, 01 Mar 2026 12:00:05 GMT', 5000],
    ['Sunday, 01-Mar-26 12:00:05 GMT', 5000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['Sun, 01 Mar 2027 12:00:00 GMT', LONGEST_PAUSE_MS],
    ['', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['Sunday', undefined],
    [undefined, undefined],
  ])('of %j is %j', (header, expected) => {
    expect(parseRetryAfterMs(header, NOW)).toBe(expected)
  })
})
