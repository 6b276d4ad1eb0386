import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countCodePoints, cutAtWord } from '../../src/core/code-points.ts'
import { digest, digestParts } from '../../src/core/digest.ts'
import { nearest } from '../../src/core/nearest.ts'
import { escapeControl, escapeControlInLine } from '../../src/core/escape-control.ts'

describe('code points', () => {
  test('are counted, not code units', () => {
    expect(countCodePoints('')).toBe(0)
    expect(countCodePoints('a😀é')).toBe(3)
  })

  test.each([
    ['short', 10, 'short'],
    ['exactly ten', 11, 'exactly ten'],
    ['one two three', 12, 'one two…'],
    ['one two three', 8, 'one two…'],
    ['one two three', 7, 'one…'],
    ['unbroken', 5, 'unbr…'],
    ['😀😀😀😀', 3, '😀😀…'],
  ])('cutAtWord(%j, %d) is %j', (text, limit, expected) => {
    expect(cutAtWord(text, limit)).toBe(expected)
  })

  test('a cut text is within the limit and starts like the original', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, limit) => {
        const cut = cutAtWord(text, limit)
        expect(countCodePoints(cut)).toBeLessThanOrEqual(limit)
        expect(cut === text || (cut.endsWith('…') && text.startsWith(cut.slice(0, -1)))).toBe(true)
      }),
    )
  })
})

describe('the nearest candidate', () => {
  const keys = ['title', 'slug', 'categories', 'reviewDate', 'tags']
  test.each([
    ['titel', 'title'],
    ['TITEL', 'title'],
    ['Slug', 'slug'],
    ['SLUGG', 'slug'],
    ['category', 'categories'],
    ['reviewdate', 'reviewDate'],
    ['review-date', 'reviewDate'],
    ['author', undefined],
    ['', undefined],
  ])('of %j is %j', (word, expected) => {
    expect(nearest(word, keys)).toBe(expected)
  })

  test('does not exist without candidates', () => {
    expect(nearest('title', [])).toBeUndefined()
  })
})

describe('printable text', () => {
  test.each([
    ['plain text, ümlaut, 😀', 'plain text, ümlaut, 😀'],
    ['\u001b[2J', '\\u{1b}[2J'],
    ['a\rb', 'a\\u{d}b'],
    ['\u009b31m', '\\u{9b}31m'],
    ['\u202egnp.exe', '\\u{202e}gnp.exe'],
    ['\u2066x\u2069', '\\u{2066}x\\u{2069}'],
    ['\u061c', '\\u{61c}'],
    ['\ufeff', '\\u{feff}'],
    ['line\nand\ttab', 'line\nand\ttab'],
  ])('of %j is %j', (text, expected) => {
    expect(escapeControl(text)).toBe(expected)
  })

  test('can be put on one line', () => {
    expect(escapeControlInLine('one\r\n\ttwo\u0007')).toBe('one two\\u{7}')
  })
})

test('a digest is 32 hex characters, the same for text and its bytes', () => {
  expect(digest('é')).toBe(digest(Buffer.from('é')))
  expect(digest('')).toBe('e3b0c44298fc1c149afbf4c8996fb924')
})

test('digests of parts differ if the parts differ', () => {
  const parts = fc.array(fc.string(), { maxLength: 4 })
  fc.assert(
    fc.property(parts, parts, (one, two) => {
      const isSame = JSON.stringify(one) === JSON.stringify(two)
      expect(digestParts(one) === digestParts(two)).toBe(isSame)
    }),
  )
  expect(digestParts(['ab', 'c'])).not.toBe(digestParts(['a', 'bc']))
})
