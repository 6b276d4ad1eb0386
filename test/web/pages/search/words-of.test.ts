import { expect, test } from 'vitest'
import { searchWords } from '../../../../src/web/pages/search/words-of.ts'

// Looked at whole, it takes minutes.
test('a text of letters without end and without spaces is read in no time', () => {
  const text = Array.from({ length: 50_000 }, (_, at) =>
    String.fromCodePoint(0x4e_00 + ((at * 7919) % 20_000)),
  )
  const words = [...searchWords(text.join(''))]
  expect(words.length).toBeGreaterThan(10_000)
  expect(words.map(({ folded }) => folded).join('').length).toBeGreaterThan(49_000)
})
