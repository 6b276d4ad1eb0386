import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutSameEnds } from '../../src/core/without-same-ends.ts'

const letters = fc.array(fc.constantFrom('a', 'b'), { maxLength: 6 })

test('what is left out stands at both ends, and there is no more of it', () => {
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

test('equal lists have nothing left, whichever is longer all that is more', () => {
  expect(withoutSameEnds(['a', 'a'], ['a', 'a'])).toEqual({ before: [], now: [] })
  expect(withoutSameEnds(['a'], ['a', 'a', 'a'])).toEqual({ before: [], now: ['a', 'a'] })
})
