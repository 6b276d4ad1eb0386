import { expect, test } from 'vitest'
import { lastAtOrBefore } from '../../src/core/sorted-lists.ts'

const asIs = (key: number) => key

test.each([
  [-1, 0],
  [0, 0],
  [4, 0],
  [5, 1],
  [9, 2],
  [100, 3],
])('the last key at or before %d has the index %d', (key, index) => {
  expect(lastAtOrBefore([0, 5, 9, 12], key, asIs)).toBe(index)
})

test('returns the last of equal keys', () => {
  expect(lastAtOrBefore([0, 5, 5, 9], 5, asIs)).toBe(2)
})

test('returns 0 for an empty list', () => {
  expect(lastAtOrBefore([], 3, asIs)).toBe(0)
})
