import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutSameEnds } from '../../src/core/without-same-ends.ts'

const letters = fc.array(fc.constantFrom('a', 'b'), { maxLength: 6 })

test('removes exactly the items that both lists share at both ends', () => {
  fc.assert(
    fc.property(letters, letters, (one, other) => {
      const { before, now } = withoutSameEnds(one, other)
      const start = one.findIndex((letter, index) => letter !== other[index])
      const head = start === -1 ? Math.min(one.length, other.length) : Math.min(start, other.length)
      const tail = one.slice(head + before.length)
      expect([...one.slice(0, head), ...before, ...tail]).toEqual(one)
      expect([...one.slice(0, head), ...now, ...tail]).toEqual(other)
      const mayEndAlike = before.length === 0 || now.length === 0
      expect(mayEndAlike || before.at(-1) !== now.at(-1)).toBe(true)
    }),
  )
})

test('removes everything from equal lists, and keeps only the rest of a longer one', () => {
  expect(withoutSameEnds(['a', 'a'], ['a', 'a'])).toEqual({ before: [], now: [] })
  expect(withoutSameEnds(['a'], ['a', 'a', 'a'])).toEqual({ before: [], now: ['a', 'a'] })
})
