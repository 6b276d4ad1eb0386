import { describe, expect, test } from 'vitest'
import type { MarkdownOptions } from '../../../src/content/markdown/rendered-body.ts'
import { htmlOf, inputOf, NONCE, rendererOf, someMarkdown } from './renderers.ts'

const render = await rendererOf()
const html = (body: string, title?: string): string => htmlOf(render(inputOf(body, title)))
// Another rule handles headings of the first level.
const problems = (body: string) =>
  render(inputOf(body)).problems.filter(({ code }) => code !== 'heading-second-h1')

describe.each(['native', 'remark'] as const)('a whole document, parser %s', (parser) => {
  test('returns template, slots, headings, anchors, projection and problems', async () => {
    const body =
      '# Hello\n\nSee [the *guide*](../guide.md#top) & ![shot](a b.png).\n\n## Next\n\n[gone](#nxt)\n'
    const renderDocument = await rendererOf({ parser })
    const rendered = renderDocument({ body, title: 'Hello', lineOffset: 4, nonce: NONCE })
    expect(rendered).toEqual({
      html: [
        '<p>See <a href="',
        '">the <em>guide</em></a> &#x26; ![shot](a b.png).</p>\n<h2 id="next">Next</h2>\n<p><a href="#nxt">gone</a></p>\n',
      ],
      slots: [{ kind: 'link', url: '../guide.md#top', line: 7, column: 19, end: { line: 7, column: 34 } }],
      externals: [],
      headings: [{ id: 'next', depth: 2, text: 'Next', line: 9, column: 1, end: { line: 9, column: 8 } }],
      anchors: ['hello', 'next'],
      firstParagraph: 'See the guide & ![shot](a b.png).',
      textHash: rendered.textHash,
      targets: [0, '#nxt'],
      problems: [
        {
          code: 'tool-syntax',
          line: 7,
          column: 38,
          end: { line: 7, column: 54 },
          message:
            'This is a link or an image with a space in its path, and is sent as text: ![shot](a b.png)',
          hint: 'Put the path between < and >, or write each space as %20.',
        },
        {
          code: 'link-heading-missing',
          line: 11,
          column: 8,
          end: { line: 11, column: 12 },
          message: 'No heading of this file has the id "nxt".',
          hint: 'Did you mean #next?',
        },
      ],
    })
    expect(JSON.parse(JSON.stringify(rendered))).toEqual(rendered)
  })
})

describe('a leading title', () => {
  test('is not sent twice, and links to it lead to the top', () => {
    expect(html('# The *Title*\n\n[up](#the-title)\n', 'The  Title')).toBe('<p><a href="#top">up</a></p>\n')
  })

  test('is found after comments, in raw HTML and in another Unicode form', () => {
    expect(html('<!-- c -->\n\n# T\n\nx\n', 'T')).toBe('<p>x</p>\n')
    expect(html('<h1 align="center">T</h1>\n\nx\n', 'T')).toBe('<p>x</p>\n')
    expect(html('# Cafe\u0301\n', 'Caf\u00E9')).toBe('')
  })

  test('stays if it has another text or level, or is not the first', () => {
    expect(html('# Other\n', 'T')).toBe('<h1 id="other">Other</h1>\n')
    expect(html('## T\n', 'T')).toBe('<h2 id="t">T</h2>\n')
    expect(html('x\n\n# T\n', 'T')).toBe('<p>x</p>\n<h1 id="t">T</h1>\n')
  })

  test('is found after lines of badges and anchors', () => {
    const badges = '[![build](https://e.example/b.svg)](https://e.example/) ![v](https://e.example/v.svg)\n'
    const shown = htmlOf(render(inputOf(badges)))
    expect(html(`<!-- c -->\n${badges}\n# T\n\nx\n`, 'T')).toBe(`${shown}<p>x</p>\n`)
    expect(html('<a id="up"></a>\n\n# T\n\nx\n', 'T')).not.toContain('<h1')
    expect(html(`${badges}and words\n\n# T\n`, 'T')).toContain('<h1 id="t">T</h1>')
  })

  test.each([
    ['a picture', 'T ![Logo](https://e.example/l.svg)', 'T <img src="https://e.example/l.svg" alt="Logo">'],
    ['a link', '[T](https://e.example/)', '<a href="https://e.example/">T</a>'],
  ])('stays with %s, which would be lost', (_, written, sent) => {
    const rendered = render({ ...inputOf(`# ${written}\n`), title: undefined })
    expect(rendered.leadingTitle).toBe('T')
    expect(htmlOf(rendered)).toMatch(/^<h1 id="t-?">/)
    expect(htmlOf(rendered)).toContain(`>${sent}</h1>\n`)
    expect(html(`# ${written}\n`, 'T')).toBe(htmlOf(rendered))
  })

  test.each([
    '# ![Logo](https://e.example/l.svg)\n',
    '<h1><img alt="Logo" src="https://e.example/l.svg"></h1>\n',
  ])('does not come from a picture alone: %s', (body) => {
    const rendered = render({ ...inputOf(body), title: undefined })
    expect(rendered.leadingTitle).toBeUndefined()
    expect(htmlOf(rendered)).toMatch(/^<h1[^>]*><img [^>]*><\/h1>\n$/)
  })

  test('counts towards duplicates, as on GitHub', () => {
    expect(html('# T\n\n## T\n', 'T')).toBe('<h2 id="t-1">T</h2>\n')
  })
})

describe('headings', () => {
  test("have GitHub's ids, with numbered duplicates", () => {
    const { headings } = render(inputOf('# A b!\n## A b\n# `x` [y](z)\n# 🎉\n# a  b\n# Ünï *c*\n'))
    expect(headings.map(({ id }) => id)).toEqual(['a-b', 'a-b-1', 'x-y', '', 'a--b', 'ünï-c'])
  })

  test('keep an id written in raw HTML, and every other id can be linked to', () => {
    const body =
      '<h2 id="own">X</h2>\n\n<a name="old"></a>\n\n<p id="para">y</p>\n\n[a](#own) [b](#old) [c](#para)\n'
    expect(render(inputOf(body)).anchors).toEqual(['own', 'old', 'para'])
    expect(problems(body)).toEqual([])
  })

  test('are found by links in other case, encoding and Unicode form, which are corrected', () => {
    const body =
      '# Cafe\u0301 Latte\n\n[a](#caf\u00E9-latte) [b](#CAFE%CC%81-Latte) [c](#caf%C3%A9-latte) [d](#) [e](#top)\n'
    expect(html(body)).toBe(
      '<h1 id="caf\u00E9-latte">Cafe\u0301 Latte</h1>\n<p><a href="#caf%C3%A9-latte">a</a> <a href="#caf%C3%A9-latte">b</a> ' +
        '<a href="#caf%C3%A9-latte">c</a> <a href="#">d</a> <a href="#top">e</a></p>\n',
    )
    expect(problems(body)).toEqual([])
  })
})

describe('GFM', () => {
  test('footnotes: every link meets an id, also twice and outside ASCII', () => {
    const rendered = render(inputOf('A[^1] b[^é] c[^1].\n\n[^1]: One\n[^é]: Two\n'))
    const ids = new Set(rendered.anchors)
    const targets = rendered.targets.map((target) => String(target).slice(1))
    expect(targets).toHaveLength(6)
    expect(targets.filter((target) => !ids.has(target))).toEqual([])
    expect([...ids].filter((id) => !htmlOf(rendered).includes(`id="${id}"`))).toEqual([])
    expect(rendered.problems).toEqual([])
  })

  test('alerts', () => {
    expect(html('> [!WARNING]\n> Mind [this](x.md)\n')).toBe(
      '<div class="markdown-alert markdown-alert-warning">\n<p class="markdown-alert-title">Warning</p>\n' +
        '<p>Mind <a href="x.md">this</a></p>\n</div>\n',
    )
    expect(html('> [!note]  \n>\n> - a\n')).toBe(
      '<div class="markdown-alert markdown-alert-note">\n<p class="markdown-alert-title">Note</p>\n' +
        '<ul>\n<li>a</li>\n</ul>\n</div>\n',
    )
    expect(html('> [!OTHER]\n> x\n')).toBe('<blockquote>\n<p>[!OTHER]\nx</p>\n</blockquote>\n')
    expect(html('> [!NOTE] x\n')).toBe('<blockquote>\n<p>[!NOTE] x</p>\n</blockquote>\n')
  })

  test('alerts beside raw HTML keep their classes', () => {
    expect(html('> [!TIP]\n> <kbd>K</kbd>\n')).toBe(
      '<div class="markdown-alert markdown-alert-tip">\n<p class="markdown-alert-title">Tip</p>\n' +
        '<p><kbd>K</kbd></p>\n</div>\n',
    )
  })

  test('task lists, tables and code languages look the same beside raw HTML', () => {
    const body =
      '- [x] a\n- [ ] b\n\n| a |\n|:-:|\n| b |\n\n```js\nx\n```\n\n3. c\n\n~~d~~ www.e.example\n\n[^1] \n\n[^1]: f\n'
    expect(html(`${body}\n<br>\n`).replace('<br>\n', '').replaceAll('=""', '')).toBe(
      html(body).replaceAll('=""', ''),
    )
  })
})

describe('unusual text', () => {
  test('CRLF, tabs and NUL', () => {
    expect(html('# A\r\n\r\nb\tc\r\nd\0e\r\n')).toBe('<h1 id="a">A</h1>\n<p>b\tc\nd\uFFFDe</p>\n')
    expect(problems('# A\r\n\r\n\r\n[x](#y)\r\n')).toMatchObject([{ line: 4, column: 5 }])
  })

  test('an empty text', () => {
    expect(render(inputOf(''))).toMatchObject({ html: [''], slots: [], firstParagraph: '', problems: [] })
  })
})

test('the first paragraph is the first one with text, without footnote numbers, on one line', () => {
  const body = '# H\n\n![badge](b.png)\n\n> quote\n\nOne[^1]\n*two*  \nthree\n\nFour\n\n[^1]: n\n'
  expect(render(inputOf(body)).firstParagraph).toBe('One two three')
})

const shout = () => (tree: { children: unknown[] }) => {
  tree.children.push({
    type: 'paragraph',
    data: { hName: 'section', hProperties: { onclick: 'x', id: 's' } },
    children: [{ type: 'link', url: 'javascript:x', children: [{ type: 'text', value: 'hi' }] }],
  })
}

const nothing = () => () => undefined

describe('plugins', () => {
  test('run, and their output is cleaned like raw HTML', async () => {
    const withPlugin = await rendererOf({ remarkPlugins: [shout] })
    const rendered = withPlugin(inputOf('a\n'))
    expect(htmlOf(rendered)).toBe('<p>a</p>\n<section id="s"><a>hi</a></section>\n')
    expect(rendered.problems.map(({ code }) => code)).toEqual(['html-removed', 'url-removed'])
  })

  test.each([
    [
      'throws',
      () => () => {
        throw new Error('boom')
      },
    ],
    ['is asynchronous', () => async () => {}],
  ])('one that %s is a configuration error', async (_, plugin) => {
    const withPlugin = await rendererOf({ remarkPlugins: [plugin] as MarkdownOptions['remarkPlugins'] })
    expect(() => withPlugin(inputOf('a\n'))).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  })
})

test('the sanitizer would change nothing in documents that skip it', async () => {
  const sanitized = await rendererOf({ remarkPlugins: [nothing] })
  const differing = [...someMarkdown()].filter(([, body]) => {
    const input = inputOf(body)
    return JSON.stringify(render(input)) !== JSON.stringify(sanitized(input))
  })
  expect(differing.map(([path]) => path)).toEqual([])
})
