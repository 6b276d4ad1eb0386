// Articles that include other files, from the folder to HTML and diagnostics.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { contentFolder, FRONTMATTER, loadFiles, loadFolder, placesOf, writeFiles } from './load-files.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)
const article = (body: string, title = 'Example') =>
  `---\ntitle: ${title}\ncategories: [Guides]\n---\n${body}`

test('definitions, footnotes, headings and links work across files', async () => {
  const { html, diagnostics } = await loadFiles({
    'guides/a.md': article(
      'See [below](#notes), [ref] and a note[^1].\n\n<!-- include: ../_s/notes.md -->\n\n[own]: b.md\n',
    ),
    'guides/b.md': article('B\n', 'B'),
    'c.md': article('C\n\n## Part\n', 'C'),
    '_s/notes.md':
      '## Notes\n\nBack [up](../c.md#part), [to B](/guides/b.md) and [own].\n\n[ref]: ../c.md\n[^1]: Of the *snippet*.\n',
  })
  expect(diagnostics).toEqual([])
  expect(html['guides/a.md']).toBe(
    '<p>See <a href="#notes">below</a>, <a href="/en/c">ref</a> and a note<sup><a href="#user-content-fn-1" id="user-content-fnref-1" data-footnote-ref aria-describedby="footnote-label">1</a></sup>.</p>\n' +
      '<h2 id="notes">Notes</h2>\n' +
      '<p>Back <a href="/en/c#part">up</a>, <a href="/en/b">to B</a> and <a href="/en/b">own</a>.</p>\n' +
      '<section data-footnotes class="footnotes"><h2 class="sr-only" id="footnote-label">Footnotes</h2>\n<ol>\n<li id="user-content-fn-1">\n<p>Of the <em>snippet</em>. <a href="#user-content-fnref-1" data-footnote-backref="" aria-label="Back to reference 1" class="data-footnote-backref">↩</a></p>\n</li>\n</ol>\n</section>\n',
  )
})

test.each(['native', 'remark'] as const)(
  'addresses in a snippet are relative to it, raw HTML as well: %s',
  async (parser) => {
    const { html, diagnostics } = await loadFiles(
      {
        'guides/deep/a.md': article('> <!-- include: ../../_s/x.md -->\n'),
        '_s/x.md': '![p](p.png)\n\n<img src="p.png" alt="q"> ![r][ref]\n\n[ref]: ./p.png\n',
        '_s/p.png': PIXEL,
      },
      { markdown: { parser, remarkPlugins: [], allow: {} } },
    )
    const url = `data:image/png;base64,${PIXEL.toString('base64')}`
    expect(diagnostics).toEqual([])
    expect(html['guides/deep/a.md']).toBe(
      `<blockquote>\n<p><img src="${url}" alt="p"></p>\n<p><img src="${url}" alt="q"> <img src="${url}" alt="r"></p>\n</blockquote>\n`,
    )
  },
)

test('a problem in a snippet has its position there, once for all articles', async () => {
  const files = {
    'a.md': article('[x](missing.md)\n\n<!-- include: /_s/x.md -->\n\n[y](gone.md)\n'),
    'b/b.md': article('- text\n\n  <!-- include: ../_s/x.md -->\n', 'B'),
    '_s/x.md':
      '---\ntitle: not an article\n---\nText\n\n> See [x](nowhere.md) and <b onclick="x">b</b>\n\n<!-- include: gone.md -->\n\n[y](javascript:x) [z](#nowhere)\n',
  }
  const loaded = await loadFiles(files)
  expect(placesOf(loaded)).toEqual([
    '_s/x.md:6:11 link-file-missing',
    '_s/x.md:6:30 html-removed',
    '_s/x.md:8:1 include-missing',
    '_s/x.md:10:1 url-removed',
    '_s/x.md:10:23 link-heading-missing',
    'a.md:5:5 link-file-missing',
    'a.md:9:5 link-file-missing',
  ])
  expect(loaded.diagnostics[0]).toMatchObject({ message: 'There is no article "_s/nowhere.md".' })
  expect(loaded.diagnostics.every((each) => !('source' in each))).toBe(true)
})

test('a URL defined in another file is resolved and reported there', async () => {
  const loaded = await loadFiles({
    'guides/a.md': article('[one] and ![two]\n\n<!-- include: /_s/links.md -->\n'),
    '_s/links.md': '[one]: b.md\n[two]: c.png\n',
  })
  expect(placesOf(loaded)).toEqual(['_s/links.md:1:8 link-file-missing', '_s/links.md:2:8 asset-missing'])
})

test('an included article keeps its own problems', async () => {
  const loaded = await loadFiles({
    'a.md': article('<!-- include: sub/b.md -->\n'),
    'sub/b.md': article('Text with [a link](b.md) and [another](no.md).\n', 'B'),
  })
  expect([loaded.html['a.md'], placesOf(loaded)]).toEqual([
    '<p>Text with <a href="/en/b">a link</a> and <a href="no.md">another</a>.</p>\n',
    ['sub/b.md:5:40 link-file-missing'],
  ])
})

test.each([
  ['within a line', 'a <!-- include: /_x.md --> b\n', '5:3'],
  ['in other HTML', '<div>\n<!-- include: /_x.md -->\n</div>\n', '6:1'],
  ['in a table', '| a |\n|---|\n| <!-- include: /_x.md --> |\n', '7:3'],
  ['with text behind it', '<!-- include: /_x.md --> b\n', '5:1'],
])('a comment that includes nothing is an error: %s', async (_name, body, place) => {
  expect(placesOf(await loadFiles({ 'a.md': article(body), '_x.md': 'x\n' }))).toEqual([
    `a.md:${place} include-misplaced`,
  ])
})

test('a comment in code is text', async () => {
  const { html, diagnostics } = await loadFiles({
    'a.md': article('`<!-- include: /_x.md -->`\n\n    <!-- include: /_x.md -->\n'),
  })
  expect([html['a.md'], diagnostics]).toEqual([
    '<p><code>&#x3C;!-- include: /_x.md --></code></p>\n<pre><code>&#x3C;!-- include: /_x.md -->\n</code></pre>\n',
    [],
  ])
})

test('the author of a snippet cannot forge the position of a URL', async () => {
  const body = '[b](b.md)\n\n<!-- include: _x.md -->\n'
  const { digest } = await import('../../src/core/digest.ts')
  const token = `kb-slot-${digest(article(body))}-0-`
  const { html } = await loadFiles({
    'a.md': article(body),
    'b.md': article('B\n', 'B'),
    '_x.md': `[x](${token}) ${token}\n\n[y](https://example.com/${token})\n`,
  })
  expect(html['a.md']).toContain('<a href="/en/b">b</a>')
  expect(html['a.md']).toContain(` ${token}</p>`)
})

describe('a rendered article is rendered again', () => {
  const AT_REST = {
    'a.md': article('<!-- include: /_s/x.md -->\n', 'A'),
    'b.md': article('<!-- include: /_s/y.md -->\n', 'B'),
    'c.md': article('C\n', 'C'),
    '_s/x.md': 'x\n',
    '_s/y.md': 'y\n\n<!-- include: x.md -->\n',
  }
  const load = async (root: string) => {
    const { html, diagnostics, articles } = await loadFolder(root)
    return {
      html,
      codes: diagnostics.map(({ code }) => code),
      keys: articles.map(({ inputKey }) => inputKey),
    }
  }

  test('when a snippet changes, is deleted or is restored, but not for other files', async () => {
    const root = contentFolder(AT_REST)
    const first = await load(root)
    expect(first.html).toEqual({ 'a.md': '<p>x</p>\n', 'b.md': '<p>y</p>\n<p>x</p>\n', 'c.md': '<p>C</p>\n' })
    expect(await load(root)).toEqual(first)
    writeFiles(root, { '_s/x.md': 'new\n' })
    const second = await load(root)
    expect(second.html).toEqual({
      'a.md': '<p>new</p>\n',
      'b.md': '<p>y</p>\n<p>new</p>\n',
      'c.md': '<p>C</p>\n',
    })
    expect(second.keys.map((key, index) => key === first.keys[index])).toEqual([false, false, true])
    rmSync(join(root, '_s/x.md'))
    expect((await load(root)).codes).toEqual(['include-missing', 'include-missing'])
    writeFiles(root, AT_REST)
    expect(await load(root)).toEqual(first)
    writeFiles(root, { '_s/y.md': 'y\n' })
    expect((await load(root)).keys.map((key, index) => key === first.keys[index])).toEqual([
      true,
      false,
      true,
    ])
  })

  test('depending on its location: equal bytes in two folders include different files', async () => {
    const same = article('<!-- include: _x.md -->\n')
    const root = contentFolder({ 'a/p.md': same, 'b/q.md': same, 'a/_x.md': 'of a\n', 'b/_x.md': 'of b\n' })
    const expected = { 'a/p.md': '<p>of a</p>\n', 'b/q.md': '<p>of b</p>\n' }
    expect((await load(root)).html).toEqual(expected)
    expect((await load(root)).html).toEqual(expected)
    writeFiles(root, { 'b/_x.md': 'changed\n' })
    expect((await load(root)).html).toEqual({ ...expected, 'b/q.md': '<p>changed</p>\n' })
  })

  test('included files are listed with their digests', async () => {
    const { includes } = await loadFiles({ ...AT_REST, 'd.md': FRONTMATTER })
    expect([...includes].map(([source, files]) => [source, [...files.keys()]])).toEqual([
      ['a.md', ['_s/x.md']],
      ['b.md', ['_s/y.md', '_s/x.md']],
    ])
  })
})

test('a comment that is nearly an include is not dropped silently', async () => {
  const nearly = ['include:', 'Include: _s/x.md', 'includes: _s/x.md', 'include _s/x.md', 'INCLUDE:_s/x.md']
  const others = ['includes what follows', 'include the next part. It is new', 'TODO: include x.md here']
  const comments = [...nearly, ...others].map((text) => `<!-- ${text} -->\n\n`).join('')
  const loaded = await loadFiles({ 'a.md': article(`A\n\n${comments}`), '_s/x.md': 'x\n' })
  expect(placesOf(loaded)).toEqual(nearly.map((_, index) => `a.md:${7 + index * 2}:1 include-misplaced`))
})
