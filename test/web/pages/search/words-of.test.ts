import { expect, test } from 'vitest'
import { searchWords } from '../../../../src/web/pages/search/words-of.ts'

// Looked at whole, it takes minutes.
test('a text of letters without end and without spaces is read in no time', () => {
  const text = Array.from({ length: 50_000 }, (_, at) =>
    String.fromCodePoint(0x4e_00 + ((at * 7919) % 20_000)),
  )
  const words = [...searchWords(text.join(''))]
  expect(words.map(({ folded }) => folded[0]).join('').length).toBe(50_000)
})

test('scripts without spaces are read in pairs, with their marks, and the last character once more', () => {
  const words = (text: string) =>
    [...searchWords(text)].map(({ folded, isTail }) => (isTail ? `(${folded})` : folded))
  expect(words('重置 密 kb的API')).toEqual(['重置', '(置)', '密', 'kb', '的', 'api'])
  expect(words('ﾊﾟｽ')).toEqual(words('パス'))
})
