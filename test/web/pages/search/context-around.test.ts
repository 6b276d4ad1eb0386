import { expect, test } from 'vitest'
import { contextAround as steps } from '../../../../src/web/pages/search/context-around.ts'
import { plainText } from '../../../../src/web/pages/search/plain-text.ts'
import { finish } from '../../../../src/web/pages/search/steps.ts'

const contextAround = (...about: Parameters<typeof steps>) => finish(steps(...about))

const LONG = Array.from({ length: 100 }, (_, at) => `word${at}`).join(' ')

test('a short text is shown whole, on one line and without tags', () => {
  const html = '<h2>Reset</h2>\n<p>Click &lt;Forgot&gt; &amp; <b>wait</b>.</p>'
  expect(contextAround(html, ['forgot'])).toBe('Reset Click <Forgot> & wait.')
})

test('a long one is cut at words on both sides', () => {
  const context = contextAround(`<p>${LONG}</p>`, ['word50']) ?? ''
  expect(context).toMatch(/^…word\d+ .*\bword50\b.* word\d+…$/)
  expect(context.length).toBeLessThanOrEqual(182)
})

test('the first word that matches counts, in whichever spelling', () => {
  const context = contextAround(`<p>${LONG} Réinitialiser ${LONG} reinitialiser</p>`, [
    'reinitialiser',
    'word99',
  ])
  expect(context).toContain('word99 Réinitialiser word0')
})

test('where no word stands in the text there is none', () => {
  expect(contextAround('<p>text</p>', ['title'])).toBeUndefined()
  expect(contextAround('<p>text</p>', [])).toBeUndefined()
})

test('scripts without spaces are cut between characters', () => {
  const context = contextAround(`<p>${'測試'.repeat(200)}密码${'測試'.repeat(200)}</p>`, ['密码']) ?? ''
  expect(context).toMatch(/^….*密码.*…$/)
  expect(Array.from(context).length).toBeLessThanOrEqual(182)
})

test('no character is torn apart', () => {
  const context = contextAround(`<p>${'😀'.repeat(500)}find${'👩‍👩‍👧'.repeat(300)}</p>`, ['find']) ?? ''
  expect(context.isWellFormed()).toBe(true)
  expect(context).toContain('find')
})

test('HTML that is nested beyond reason ends the text, and takes no time', () => {
  const html = `<p>first</p>${'<div>'.repeat(100_000)}second${'</b>'.repeat(100_000)}`
  expect([plainText(html), contextAround(html, ['second'])]).toEqual(['first', undefined])
})
