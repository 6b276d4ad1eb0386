import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortedRange } from '../../src/core/sorted-lists.ts'

const WORDS = fc.array(fc.constantFrom('', 'a', 'ab', 'b', 'ba', 'Z', 'é', '\u{1f600}'), { maxLength: 12 })

test('finds the same items as a linear search', () => {
  fc.assert(
    fc.property(WORDS, fc.constantFrom('', 'a', 'b', 'c', 'é', '\u{1f600}'), (words, key) => {
      const sorted = words.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      const { start, end } = sortedRange(sorted, key, (word) => word)
      expect(sorted.slice(start, end)).toEqual(words.filter((word) => word === key))
      expect(sorted.slice(0, start).every((word) => word < key)).toBe(true)
    }),
  )
})
