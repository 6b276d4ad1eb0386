import { describe, expect, test } from 'vitest'
import { backOffMs } from '../../../src/api/client/send-with-retries.ts'
import { readRetryAfterMs } from '../../../src/core/retry-after.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')

describe('backOffMs', () => {
  test('doubles from 300 ms up to 10 s', () => {
    const ladder = [1, 2, 3, 4, 5, 6, 7, 50].map((tries) => backOffMs(tries, 0))
    expect(ladder).toEqual([300, 600, 1200, 2400, 4800, 9600, 10_000, 10_000])
  })

  test('subtracts at most half of it at random', () => {
    expect([0, 0.5, 0.999_999].map((random) => backOffMs(3, random))).toEqual([1200, 900, 600])
  })
})

describe('readRetryAfterMs', () => {
  test.each([
    ['0', 1],
    ['7', 7000],
    [' 7 ', 7000],
    ['86400', 60_000],
    ['Sun, 01 Mar 2026 12:00:05 GMT', 5000],
    ['Sunday, 01-Mar-26 12:00:05 GMT', 5000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 1],
    ['Sun, 01 Mar 2027 12:00:00 GMT', 60_000],
    ['', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['Sunday', undefined],
    [undefined, undefined],
  ])('of %j is %j', (header, expected) => {
    expect(readRetryAfterMs(header, NOW, { shortestMs: 1, longestMs: 60_000 })).toBe(expected)
  })
})
