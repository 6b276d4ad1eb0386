import { expect, test } from 'vitest'
import { type Passage, passageIn } from '../../../../src/web/pages/search/passage-in.ts'
import { plainText } from '../../../../src/web/pages/search/plain-text.ts'
import { finish } from '../../../../src/web/pages/search/steps.ts'

const passageOf = (html: string, words: readonly string[], excerpt = 'The excerpt.'): Passage =>
  finish(passageIn(html, (word) => words.indexOf(word), excerpt))

const textOf = (...about: Parameters<typeof passageOf>): string =>
  passageOf(...about)
    .map(({ text }) => text)
    .join('')

const markedIn = (passage: Passage): string[] =>
  passage.filter(({ isMatch }) => isMatch).map(({ text }) => text)

const LONG = Array.from({ length: 100 }, (_, at) => `word${at}`).join(' ')

test('a short text is shown whole, on one line and without tags', () => {
  const html = '<h2>Reset</h2>\n<p>Click &lt;Forgot&gt; &amp; <b>wait</b>.</p>'
  expect(textOf(html, ['forgot'])).toBe('Reset Click <Forgot> & wait.')
})

test('a long one is cut at words on both sides', () => {
  const context = textOf(`<p>${LONG}</p>`, ['word50'])
  expect(context).toMatch(/^…word\d+ .*\bword50\b.* word\d+…$/)
  expect(context.length).toBeLessThanOrEqual(182)
})

test('the stretch with the most words counts, in whichever spelling', () => {
  const html = `<p>reset ${LONG} Réinitialiser RESET ${LONG} reinitialiser</p>`
  const passage = passageOf(html, ['reinitialiser', 'reset'])
  expect(textOf(html, ['reinitialiser', 'reset'])).toContain('word99 Réinitialiser RESET word0')
  expect(markedIn(passage)).toEqual(['Réinitialiser', 'RESET'])
})

test('where no word stands in the text there is the excerpt, and its words are marked', () => {
  expect(textOf('<p>text</p>', ['title'])).toBe('The excerpt.')
  expect(markedIn(passageOf('<p>text</p>', ['excerpt']))).toEqual(['excerpt'])
  expect(passageOf('<p>text</p>', [], '')).toEqual([])
})

test('words that overlap or touch are marked as one', () => {
  expect(passageOf('<p>请点击重置密码，密码。</p>', ['重置', '置密', '密码'])).toEqual([
    { text: '请点击', isMatch: false },
    { text: '重置密码', isMatch: true },
    { text: '，', isMatch: false },
    { text: '密码', isMatch: true },
    { text: '。', isMatch: false },
  ])
})

test('scripts without spaces are cut between characters', () => {
  const context = textOf(`<p>${'測試'.repeat(200)}密码${'測試'.repeat(200)}</p>`, ['密码'])
  expect(context).toMatch(/^….*密码.*…$/)
  expect(Array.from(context).length).toBeLessThanOrEqual(182)
})

test('no character is torn apart', () => {
  const context = textOf(`<p>${'😀'.repeat(500)}find${'👩‍👩‍👧'.repeat(300)}</p>`, ['find'])
  expect(context.isWellFormed()).toBe(true)
  expect(context).toContain('find')
})

test('HTML that is nested beyond reason ends the text, and takes no time', () => {
  const html = `<p>first</p>${'<div>'.repeat(100_000)}second${'</b>'.repeat(100_000)}`
  expect([plainText(html), textOf(html, ['second'], '')]).toEqual(['first', ''])
})

test('a word that stands late in a long text is found', () => {
  const html = `<p>${LONG.repeat(100)} late words</p>`
  expect(textOf(html, ['late'])).toMatch(/^….* late words$/)
})
