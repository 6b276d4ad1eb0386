// An excerpt is cut at 160 code points at most, at a word or at least not inside of what a reader sees as one character.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCodePoints, cutAtWord } from '../../src/core/code-points.ts'

const FAMILY = '👨‍👩‍👧‍👦'
const FLAG = '🇩🇪'
const WAVE = '👋🏽'
const ENGLAND = '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'

test.each([
  ['a family', FAMILY.repeat(3), 15, `${FAMILY.repeat(2)}…`],
  ['a family that does not fit', `Hello ${FAMILY}`, 10, 'Hello…'],
  ['flags', FLAG.repeat(4), 6, `${FLAG.repeat(2)}…`],
  ['flags at an even place', FLAG.repeat(4), 7, `${FLAG.repeat(3)}…`],
  ['a letter before flags', `x${FLAG.repeat(3)}`, 5, `x${FLAG}…`],
  ['a skin tone', `ab${WAVE}${WAVE}`, 4, 'ab…'],
  ['a flag of tags', `ab${ENGLAND}`, 7, 'ab…'],
  ['a keycap', 'ab1️⃣2', 5, 'ab…'],
  ['a heart with its variation', 'ab❤️ and more', 4, 'ab…'],
  ['combining marks', 'ae\u0301\u0323e\u0301', 4, 'a…'],
  ['Devanagari with its vowel signs', 'क्षत्रियता', 5, 'क्ष…'],
  ['Tamil', 'நிநிநி', 4, 'நி…'],
  ['Hangul in its parts', '각각'.normalize('NFD'), 5, `${'각'.normalize('NFD')}…`],
  ['Arabic with vowel marks', 'مُحَمَّد بَيْت', 5, 'مُحَ…'],
])('%s', (_, text, limit, expected) => {
  expect(cutAtWord(text, limit)).toBe(expected)
})

test.each([
  ['Chinese', '使用知识库之前请先安装程序并检查设置', 8, '使用知识库之前…'],
  ['Chinese behind a word with a space', 'Docker 容器部署之前请先安装程序', 14, 'Docker 容器部署之前…'],
  ['Japanese', '記事を書くときは このルールを守ります', 14, '記事を書くときは このルー…'],
  ['Thai', 'การใช้งานฐานความรู้สำหรับผู้เริ่มต้น', 12, 'การใช้งานฐา…'],
  ['Korean has spaces', '지식 기반을 사용하기 전에', 10, '지식 기반을…'],
  ['Russian has spaces', 'Как сбросить пароль', 16, 'Как сбросить…'],
  ['Hebrew has spaces', 'איך לאפס את הסיסמה', 14, 'איך לאפס את…'],
])('%s is cut where its words allow it', (_, text, limit, expected) => {
  expect(cutAtWord(text, limit)).toBe(expected)
})

test('whatever is one character for this Node is never cut, unless nothing else fits', () => {
  const segmenter = new Intl.Segmenter('en')
  const pieces = [FAMILY, FLAG, WAVE, ENGLAND, '1️⃣', 'क्षि', 'ก็', 'é', '각'.normalize('NFD'), 'a', ' ', '字']
  const texts = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'grapheme', maxLength: 2 })))
  fc.assert(
    fc.property(texts, fc.integer({ min: 2, max: 30 }), (parts, limit) => {
      const text = parts.join('')
      const cut = cutAtWord(text, limit)
      expect(countCodePoints(cut)).toBeLessThanOrEqual(limit)
      if (cut === text) return
      const kept = cut.slice(0, -1)
      const [first] = segmenter.segment(text)
      const boundaries = new Set([...segmenter.segment(text)].map(({ index }) => index))
      const fitsNone = countCodePoints(first?.segment ?? '') > limit - 1
      expect(fitsNone || boundaries.has(kept.length)).toBe(true)
    }),
  )
})
