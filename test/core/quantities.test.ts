import { expect, test } from 'vitest'
import { parseDurationMs, parseSizeBytes } from '../../src/core/quantities.ts'

test.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['1.5m', 90_000],
  ['2h', 7_200_000],
  ['180d', 15_552_000_000],
  ['30', undefined],
  ['30 s', undefined],
  ['-1s', undefined],
  ['1w', undefined],
  ['', undefined],
])('the duration %j is %j ms', (text, expected) => {
  expect(parseDurationMs(text)).toBe(expected)
})

test.each([
  ['0B', 0],
  ['800B', 800],
  ['32kB', 32_000],
  ['1.5MB', 1_500_000],
  ['32KB', undefined],
  ['32', undefined],
  ['1e3B', undefined],
])('the size %j is %j bytes', (text, expected) => {
  expect(parseSizeBytes(text)).toBe(expected)
})
