import { expect, test } from 'vitest'
import { createCleaner } from '../../../src/web/pages/article-html/create-cleaner.ts'
import type { ArticlePage } from '../../../src/web/pages/page-source.ts'
import { messagesFor } from '../../../src/core/page-messages.ts'
import { png } from '../../support/images.ts'
import { ADDRESSES } from './sample-base.ts'

const HEAD = {
  language: 'en',
  excerpt: '',
  isDraft: false,
  version: '1',
  categoryPaths: [],
  tags: [],
  translations: [],
  editedDate: undefined,
  isHidden: false,
  image: '',
  writing: undefined,
}

/** Cleans articles, and records the limits that they were parsed with. */
function openCleaner() {
  const cleanPage = createCleaner(ADDRESSES)
  const read: string[] = []
  return {
    read,
    clean: (id: string, html: string) => {
      const readHtml: ArticlePage['readHtml'] = async (limitBytes) => {
        read.push(`${id} ${limitBytes}`)
        return html.length > limitBytes ? undefined : html
      }
      return cleanPage({ ...HEAD, id, readHtml }, messagesFor('en'))
    },
  }
}

test('an article is cleaned once, even if it cannot be shown or many requests wait for it', async () => {
  const { clean, read } = openCleaner()
  const both = () => Promise.all([clean('fine', '<p>a</p>'), clean('deep', '<div>'.repeat(1000))])
  const expected = [{ html: '<p>a</p>', headings: [] }, undefined]
  expect(await Promise.all([both(), both()])).toEqual([expected, expected])
  expect(await both()).toEqual(expected)
  expect(read).toEqual(['fine 100000', 'deep 100000', 'deep 20000000'])
})

test('an article that is too large to be shown is never read', async () => {
  const { clean, read } = openCleaner()
  expect(await clean('large', ' '.repeat(20_000_001))).toBeUndefined()
  expect(read).toEqual(['large 100000', 'large 20000000'])
})

test('a large article has links and tables like any other, and does not block other requests', async () => {
  const { clean } = openCleaner()
  const row = `${'<tr><td>a</td></tr>'.repeat(10_000)}<tr><td>${'a '.repeat(50)}</td></tr>`
  let isAnswered = false
  const large = clean('large', `<h2 id="a">A</h2><a href="/b">b</a><table><tbody>${row}</tbody></table>`)
  void large.then(() => (isAnswered = true))
  await clean('small', '<p>a</p>')
  expect(isAnswered).toBe(false)
  const { html = '', headings } = (await large) ?? {}
  expect(headings).toEqual([{ id: 'a', text: 'A', depth: 2 }])
  expect(html.slice(0, 60)).toMatch(/^<h2 id="a">A<\/h2><a href="\/b">b<\/a><div class="kb-scroll"/)
  expect(html.match(/<td>/g)?.length).toBe(10_000)
  expect(html.match(/<td data-kb-long="">/g)?.length).toBe(1)
})

test('of nested headings, cells and links, only the beginning of the text is read', async () => {
  const { clean } = openCleaner()
  const nested = `${'<h2 id="a"><div>'.repeat(100)}${'<b>x</b>'.repeat(5000)}`
  const { headings = [] } = (await clean('nested', nested)) ?? {}
  expect(headings.map(({ text }) => text.length)).toEqual(Array.from({ length: 100 }, () => 2000))
})

test('code is highlighted, unless its author set colours', async () => {
  const { clean } = openCleaner()
  const html =
    '<pre><code class="language-js">let a</code></pre><pre><code class="language-js">let <b>a</b></code></pre><pre><code>let a</code></pre>'
  const copyButton = '<button type="button" class="kb-copy" data-kb-copied="Copied">Copy</button></div>'
  const shown = (code: string) => `<div class="kb-code"><pre tabindex="0">${code}</pre>${copyButton}`
  expect((await clean('code', html))?.html).toBe(
    shown('<code class="language-js"><span class="token keyword">let</span> a</code>') +
      shown('<code class="language-js">let <b>a</b></code>') +
      shown('<code>let a</code>'),
  )
})

// Each takes the grammar seconds or minutes.
test.each([
  ['css', 'a '],
  ['csharp', 'a.'],
  ['markdown', '['],
])('code in %s for which the grammar is slow is not highlighted', async (language, part) => {
  const { clean } = openCleaner()
  const line = `${part.repeat(Math.floor(1900 / part.length))}\n`
  const html = `<pre><code class="language-${language}">${line.repeat(25)}</code></pre>`.repeat(20)
  const beganMs = performance.now()
  const shown = await clean(language, html)
  expect(performance.now() - beganMs).toBeLessThan(10_000)
  expect(shown?.html.match(/<pre/g)?.length).toBe(20)
  expect(shown?.html).toContain(`<code class="language-${language}">${part.repeat(100)}`)
})

test('an article that would exceed the limit is not shown', async () => {
  const { clean } = openCleaner()
  const link = `<a href="${'x&'.repeat(4000)}">x</a>`
  expect(await clean('growing', link.repeat(1000))).toBeUndefined()
})

test('an embedded picture has its size, unless its author set another or it has none', async () => {
  const { clean } = openCleaner()
  const data = `data:image/png;base64,${png().toString('base64')}`
  const shown = async (attributes: string) => (await clean(attributes, `<img ${attributes}>`))?.html
  expect(await shown(`src="${data}"`)).toBe(
    `<img src="${data}" alt="" loading="lazy" decoding="async" width="1" height="1">`,
  )
  expect(await shown(`src="${data}" width="8"`)).toContain('width="8"')
  expect(await shown(`src="${data}" width="8"`)).toContain('height="8"')
  expect(await shown('src="data:image/png;base64,AAAA"')).not.toContain('width')
})
