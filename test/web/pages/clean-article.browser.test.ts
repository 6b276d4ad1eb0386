import { readdirSync, readFileSync } from 'node:fs'
import { fromHtml } from 'hast-util-from-html'
import { toHtml } from 'hast-util-to-html'
import { expect, test } from 'vitest'
import { messagesFor } from '../../../src/core/page-messages.ts'
import { cleanArticle } from '../../../src/web/pages/article-html/clean-article.ts'
import { createLocaliseLink } from '../../../src/web/pages/article-html/localise-link.ts'
import { htmlOf, inputOf, rendererOf } from '../../content/markdown/renderers.ts'
import { judgeHtml } from '../../content/markdown/xss-browser.ts'
import {
  ATTRIBUTE_PAYLOADS,
  readCorpus,
  readNaughtyStrings,
  TEXT_PAYLOADS,
} from '../../content/markdown/xss-vectors.ts'
import { openBrowser } from '../../support/browser.ts'
import { ADDRESSES, renderShowcase } from './sample-base.ts'

const finishing = { localise: createLocaliseLink(ADDRESSES), pictures: new Map(), names: messagesFor('en') }

const clean = (html: string) => cleanArticle(html, finishing)?.html

/** Removes what pages add. */
const withoutAdditions = (html: string) =>
  html
    .replaceAll(/<div class="kb-scroll"[^>]*>(<table[\s>].*?<\/table>)<\/div>/gs, '$1')
    .replaceAll(/<div class="kb-code">(<pre[\s>].*?<\/pre>)<button[^>]*>Copy<\/button><\/div>/gs, '$1')
    .replaceAll(
      / (?:tabindex="0"|loading="lazy"|rel="noopener noreferrer"|data-kb-(?:bare|long)=""|aria-label="(?:Done|To do)")/g,
      '',
    )

const normal = (html: string) => toHtml(fromHtml(html, { fragment: true }))

const GUIDE = new URL('../../../content/', import.meta.url)

test('the output of Markdown is shown completely', async () => {
  const render = await rendererOf({ highlight: true })
  const files = readdirSync(GUIDE, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  )
  expect(files.length).toBeGreaterThan(40)
  const articles = files.map((file) =>
    htmlOf(render(inputOf(readFileSync(new URL(file, GUIDE), 'utf8').replace(/^---\n.*?\n---\n/s, '')))),
  )
  const showcase = (await renderShowcase()).replace('https://help.example.com/articles', '/articles')
  for (const html of [...articles, showcase]) expect(withoutAdditions(clean(html) ?? '')).toBe(normal(html))
})

test.each([
  ['<script>alert(1)</script>text', 'text'],
  ['<p onclick="x()" style="color:red" class="kb-header" data-kb-live="x">a</p>', '<p class="">a</p>'],
  ['<a href="javascript:x()">a</a>', '<a>a</a>'],
  ['<a href=" java\tscript:x()">a</a>', '<a>a</a>'],
  ['<form action="/x"><input name="q"><button>a</button></form>', 'a'],
  ['<iframe src="/x"></iframe><object data="/x">o</object><embed src="/x">', ''],
  ['<svg><script>x()</script></svg><math><mi>m</mi></math>', ''],
  [
    '<base href="//evil.example/"><meta http-equiv="refresh" content="0"><link rel="stylesheet" href="/x">',
    '',
  ],
  ['<h2 id="_kb-main">a</h2><a name="_KB-q">b</a>', '<h2>a</h2><a>b</a>'],
  ['<img src="data:text/html,x" alt="a">', '<img alt="a" loading="lazy">'],
  ['<video src="data:image/png,x" poster="javascript:x()"></video>', '<video></video>'],
  ['<img srcset="javascript:x() 2x" alt="a">', '<img alt="a" loading="lazy">'],
  ['<tr><td>a</td></tr>', 'a'],
])('%s becomes harmless', (html, expected) => {
  expect(clean(html)).toBe(expected)
})

test('links to the pages stay here, other links send no referrer', () => {
  const of = (href: string) => clean(`<a href="${href}" target="_blank">a</a>`)
  expect(of('https://help.example.com/articles/a?lang=fr#b')).toBe('<a href="/articles/a?lang=fr#b">a</a>')
  expect(of('https://help.example.com/pricing')).toBe(
    '<a href="https://help.example.com/pricing" target="_blank" rel="noopener noreferrer">a</a>',
  )
  expect(of('//example.org/x')).toBe(
    '<a href="//example.org/x" target="_blank" rel="noopener noreferrer">a</a>',
  )
  expect(clean('<a href="https://example.org/a/">example.org/a</a>')).toBe(
    '<a href="https://example.org/a/" rel="noopener noreferrer" data-kb-bare="">example.org/a</a>',
  )
  expect(of('#part')).toBe('<a href="#part">a</a>')
  expect(of('/articles/a')).toBe('<a href="/articles/a">a</a>')
  expect(of('mailto:a@example.org')).toBe('<a href="mailto:a@example.org">a</a>')
})

test('headings are listed by their ids', () => {
  const html =
    '<h1 id="z">No</h1><h2 id="a">A  <code>b</code>\n c</h2><h3 id="b">B</h3><h2>no id</h2><h2 class="sr-only" id="footnote-label">Footnotes</h2>'
  expect(cleanArticle(html, finishing)?.headings).toEqual([
    { id: 'a', text: 'A b c', depth: 2 },
    { id: 'b', text: 'B', depth: 3 },
  ])
})

test('HTML that is nested too deeply causes no failure', () => {
  expect(clean('<div>'.repeat(20_000))).toBeUndefined()
  expect(clean('<b>'.repeat(1000))).toBeUndefined()
  expect(clean('<ul><li>'.repeat(100))).toContain('<li>')
})

// Each would become a tree that fills the memory, or take minutes.
test.each([
  ['paragraphs that open what was never closed', '<p>' + numbered('b', 390) + '<p>x'.repeat(20_000)],
  ['a long attribute again and again', `<p><b title="${'y'.repeat(100_000)}">` + '<p>x'.repeat(10_000)],
  ['a million attributes', `<p ${Array.from({ length: 1_000_000 }, (_, index) => `a${index}`).join(' ')}>`],
  ['comments without end', '<!---->'.repeat(500_000)],
  ['a text that nobody reads', 'word '.repeat(1_000_000)],
])('%s is not shown', (_, html) => {
  expect(clean(html)).toBeUndefined()
})

function numbered(name: string, count: number): string {
  return Array.from({ length: count }, (_, index) => `<${name} id=${index}>`).join('')
}

test('a large article is shown', () => {
  const row = `<tr>${'<td>cell</td>'.repeat(8)}</tr>`
  const picture = `<img src="data:image/png;base64,${'A'.repeat(1_000_000)}" alt="">`
  const html = clean(`<table><tbody>${row.repeat(4000)}</tbody></table>${picture.repeat(8)}`)
  expect(html?.match(/<td>/g)?.length).toBe(32_000)
  expect(html?.match(/AAA"/g)?.length).toBe(8)
})

test('nothing runs, whatever is stored', { timeout: 120_000 }, async () => {
  const payloads = [...TEXT_PAYLOADS, ...ATTRIBUTE_PAYLOADS, ...readNaughtyStrings(), ...readCorpus()].map(
    (payload) => payload.replaceAll('RUN', 'alert(0)'),
  )
  expect(payloads.length).toBeGreaterThan(400)
  const fragments = payloads.flatMap((html) => {
    const text = clean(html)
    // The judge waits for pictures, and would never end for those below the window.
    const copyButton = '<button type="button" class="kb-copy" data-kb-copied="Copied">Copy</button>'
    return text === undefined ? [] : [text.replaceAll(' loading="lazy"', '').replaceAll(copyButton, '')]
  })
  expect(await judgeHtml(await openBrowser(), fragments, { allowedTags: ['audio video track'] })).toEqual([])
})

test('an alert without its own title has one in the language of the page', () => {
  const alert = (title: string) =>
    `<div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">${title}</p><p>Tip</p></div>`
  const inGerman = (html: string) => cleanArticle(html, { ...finishing, names: messagesFor('de') })?.html
  expect([inGerman(alert('Tip')), inGerman(alert('Save time'))]).toEqual([alert('Tipp'), alert('Save time')])
})
