import { expect, test } from 'vitest'
import { listHeadings } from '../../../src/kb/site/open-site.ts'

test('headings have level, id and the text that readers see', () => {
  const html = `<h1 id="top">Set up</h1><p>See <a href="#b">b</a>.</p>
    <h2 id="a-b">A &amp; <code>b &lt; c</code>,
      <em>then</em> d</h2><details><summary>More</summary><h6 id="deep">Deep</h6></details><h3 id="empty"></h3>`
  expect(listHeadings(html)).toEqual([
    { level: 1, id: 'top', text: 'Set up' },
    { level: 2, id: 'a-b', text: 'A & b < c, then d' },
    { level: 6, id: 'deep', text: 'Deep' },
    { level: 3, id: 'empty', text: '' },
  ])
})

test('hidden headings and those without a link are left out', () => {
  expect(
    listHeadings(
      '<h2>No id</h2><h2 id="footnotes" class="x sr-only">Footnotes</h2><header id="h">No</header>',
    ),
  ).toEqual([])
  expect(listHeadings('')).toEqual([])
})
