import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { findPassage, markTerms, type Passage } from '../../../../src/web/pages/search/passage-in.ts'
import { plainText, textPieces } from '../../../../src/web/pages/search/plain-text.ts'
import { runSteps } from '../../../../src/web/pages/search/steps.ts'

const passageOf = (html: string, words: readonly string[], excerpt = 'The excerpt.'): Passage => {
  const finder = { terms: words.length, termOf: (word: string) => words.indexOf(word) }
  return markTerms(runSteps(findPassage(html, finder)) ?? excerpt, finder)
}

const textOf = (...about: Parameters<typeof passageOf>): string =>
  passageOf(...about)
    .map(({ text }) => text)
    .join('')

const markedIn = (passage: Passage): string[] =>
  passage.filter(({ isMatch }) => isMatch).map(({ text }) => text)

const LONG = Array.from({ length: 100 }, (_, at) => `word${at}`).join(' ')

test('a short text is shown completely, on one line and without tags', () => {
  const html =
    '<h2>Reset</h2>\n<p>Click &lt;Forgot&gt; &amp; <b>wait</b>.</p><ul><li>One<br>two <img alt="x">y</li><li>Z</li></ul>'
  expect(textOf(html, ['forgot'])).toBe('Reset · Click <Forgot> & wait. One two x y · Z')
})

test('a long one is cut at words on both sides', () => {
  const context = textOf(`<p>${LONG}</p>`, ['word50'])
  expect(context).toMatch(/^…word\d+ .*\bword50\b.* word\d+…$/)
  expect(context.length).toBeLessThanOrEqual(182)
})

test('the section with the most terms is chosen, in any spelling', () => {
  const html = `<p>reset ${LONG} Réinitialiser RESET ${LONG} reinitialiser</p>`
  const passage = passageOf(html, ['reinitialiser', 'reset'])
  expect(textOf(html, ['reinitialiser', 'reset'])).toContain('word99 Réinitialiser RESET word0')
  expect(markedIn(passage)).toEqual(['Réinitialiser', 'RESET'])
})

test('if no term is in the text, the excerpt is shown with its terms marked', () => {
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

test('no character is split', () => {
  const context = textOf(`<p>${'😀'.repeat(500)}find${'👩‍👩‍👧'.repeat(300)}</p>`, ['find'])
  expect(context.isWellFormed()).toBe(true)
  expect(context).toContain('find')
})

test('HTML that is nested too deeply ends the text, in linear time', () => {
  const html = `<p>first</p>${'<div>'.repeat(100_000)}second${'</b>'.repeat(100_000)}`
  expect([plainText(html), textOf(html, ['second'], '')]).toEqual(['first', ''])
})

// In time quadratic in their lengths, they take minutes.
test('HTML with unclosed tags and comments is read in linear time', () => {
  const hostile = [
    `<a${'"x'.repeat(150_000)}`,
    `<a${" b='".repeat(75_001)}`,
    `<${'a'.repeat(300_000)}`,
    '<!--a>'.repeat(50_000),
    '<!a'.repeat(100_000),
    '<script>'.repeat(40_000),
    `<img${' alt='.repeat(60_000)}>`,
    `<img${' alt '.repeat(60_000)}>`,
  ]
  const words = (html: string) => [...textPieces(`word${html}`)].map(({ text }) => text)
  expect(hostile.map(words)).toEqual(hostile.map(() => ['word']))
})

test('a passage contains no hidden text, whatever its amount before the match', () => {
  const shown = [20, 35, 36, 37, 40, 60].flatMap((times) => {
    const hidden = '<b>hidden</b> '.repeat(times)
    return [
      `<!-- ${hidden}-->`,
      `<p data-x="${hidden}">x</p>`,
      `<img data-x="${hidden}" alt="x">`,
      `<template><template></template>${hidden}</template>`,
      `<noscript>${hidden}</noscript>`,
      `<script>"${hidden}"</script >`,
    ].map((html) => textOf(`${'<p>word</p>'.repeat(3000)}${html}<p>the zebra</p>${LONG}`, ['zebra']))
  })
  expect(shown.filter((text) => text.includes('hidden') || !text.includes('the zebra · word0'))).toEqual([])
})

test('the closing tag of a script is not text', () => {
  const pieces = [...textPieces('a<script>1 < 2</script>b<STYLE>c</style >d<script>e</script')]
  expect(pieces.map(({ text, at }) => [text, at])).toEqual([
    ['a', 0],
    ['b', 23],
    ['d', 41],
  ])
})

test('a word after many entities is found', () => {
  for (const entities of [
    '&lt;item name=&quot;a&quot;&gt;1&lt;/item&gt;\n'.repeat(200),
    `${'&lt;'.repeat(3000)} `,
  ]) {
    const text = textOf(`<pre>${entities}the zebra</pre>${`<p>${LONG}</p>`.repeat(5)}`, ['zebra'])
    expect(text).toContain('the zebra · word0')
  }
})

test('a word late in a long text is found', () => {
  const html = `<p>${LONG.repeat(100)} late words</p>`
  expect(textOf(html, ['late'])).toMatch(/^….* late words$/)
})

test('in a long text, words in tags, scripts and comments are ignored; those of images and entities are found', () => {
  const before = '<p>word</p>'.repeat(3000)
  const after = `<p>${LONG}</p>`.repeat(20)
  const shown = (html: string, word: string) => markedIn(passageOf(`${before}${html}${after}`, [word]))
  for (const html of [
    '<a title="zebra > zebra" href=\'/zebra\'>x</a>',
    '<script>const zebra = "<p>zebra</p>"</script>',
    '<template><p>zebra</p></template>',
    '<template><template></template><p>zebra</p></template>',
    '<!-- <p>zebra</p> -->',
    '<zebra>x</zebra>',
    '<p>x</p',
  ])
    expect([html, shown(html, 'zebra')]).toEqual([html, []])
  expect(shown('<p>1 < 2 &amp; zebra</p>', 'zebra')).toEqual(['zebra'])
  expect(shown('<p>Z&eacute;bra</p>', 'zebra')).toEqual(['Zébra'])
  expect(shown('<img src="zebra.png" alt="a zebra">', 'zebra')).toEqual(['zebra'])
  expect(shown('<script>zebra()</script>a zebra', 'zebra')).toEqual(['zebra'])
})

test('for a word anywhere in HTML, its passage contains it, is cut on both sides and has no tags', () => {
  const filler = fc.constantFrom(
    '<p>word and word</p>',
    '<pre><code>if (a &lt; b) run(c)</code></pre>',
    '<br>',
    '密码',
  )
  fc.assert(
    fc.property(filler, filler, fc.nat(20_000), (before, after, length) => {
      const html = `${before.repeat(length / before.length)}<p>the zebra</p>${after.repeat(800)}`
      const text = textOf(html, ['zebra'])
      expect(text).toContain('zebra')
      expect(text).not.toMatch(/[<>]p|&lt;/)
      expect(Array.from(text).length).toBeLessThanOrEqual(181)
    }),
  )
})
