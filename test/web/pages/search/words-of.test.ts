import { expect, test } from 'vitest'
import { foldWord, searchWords } from '../../../../src/web/pages/search/words-of.ts'

// Read as a whole, it takes minutes.
test('a long text of letters without spaces is read in linear time', () => {
  const text = Array.from({ length: 50_000 }, (_, at) =>
    String.fromCodePoint(0x4e_00 + ((at * 7919) % 20_000)),
  )
  const words = [...searchWords(text.join(''))]
  expect(words.map(({ folded }) => folded[0]).join('').length).toBe(50_000)
})

test('scripts without spaces are read in pairs, with their marks, and the last character alone', () => {
  const words = (text: string) =>
    [...searchWords(text)].map(({ folded, isTail }) => (isTail ? `(${folded})` : folded))
  expect(words('重置 密 kb的API')).toEqual(['重置', '(置)', '密', 'kb', '的', 'api'])
  expect(words('ﾊﾟｽ')).toEqual(words('パス'))
})

test('no character of a word becomes a separator of entries, and a mark alone is not a word', () => {
  const separating = []
  for (let code = 0; code <= 0x10_ff_ff; code++) {
    const character = String.fromCodePoint(code)
    if (/[\p{L}\p{N}\p{M}]/u.test(character) && /[\s=:'\\]/.test(foldWord(character)))
      separating.push(code.toString(16))
  }
  expect(separating).toEqual([])
  expect([...searchWords('\u0301 a\u0301 \u064b')].map(({ folded }) => folded)).toEqual(['a'])
})
