import * as fc from 'fast-check'
import { fromHtml } from 'hast-util-from-html'
import { describe, expect, test } from 'vitest'
import { visit } from 'unist-util-visit'
import type { Element, Nodes } from 'hast'
import { createSchema } from '../../../src/content/markdown/allow-schema.ts'
import { createSourceRanges } from '../../../src/content/markdown/source-ranges.ts'
import { htmlOf, inputOf, rendererOf } from './renderers.ts'
import { readRuns } from '../../support/runs.ts'

const render = await rendererOf()
const html = (body: string): string => htmlOf(render(inputOf(body)))
// Another rule handles images without text.
const problems = (body: string) =>
  render(inputOf(body)).problems.filter(({ code }) => code !== 'image-alt-missing')

describe('allowed raw HTML', () => {
  test.each([
    '<details open>\n<summary>More</summary>\n<p>text</p>\n</details>\n',
    '<p><kbd>Ctrl</kbd> H<sub>2</sub>O x<sup>2</sup> <mark>m</mark> <abbr title="t">a</abbr></p>\n',
    '<p align="center"><img src="https://x.example/a.png" width="10" height="20" align="left" alt="a"></p>\n',
    '<picture>\n<source media="(prefers-color-scheme: dark)" srcset="https://x.example/d.png">\n<img src="https://x.example/l.png">\n</picture>\n',
    '<video src="https://x.example/a.mp4" poster="https://x.example/a.png" width="320" height="180" controls muted loop playsinline preload="none">\n<source src="https://x.example/a.webm" type="video/webm">\n<track src="https://x.example/a.vtt" kind="captions" srclang="en" label="English" default>\n</video>\n',
    '<img src="data:image/png;base64,AAAA">\n',
    '<img src="data:image/svg+xml,%3Csvg/%3E">\n',
    '<a href="https://x.example" target="_blank" rel="noopener" name="n">x</a>\n',
  ])('%s stays', (body) => {
    expect([html(body), problems(body)]).toEqual([
      body.startsWith('<a') ? `<p>${body.trim()}</p>\n` : body,
      [],
    ])
  })

  test('Markdown inside it is read', () => {
    expect(html('<details>\n\n*a*\n\n</details>\n')).toBe('<details>\n<p><em>a</em></p>\n</details>\n')
  })

  test.each([
    [
      '<a href="https://x.example/a">https://x.example/b</a> c',
      '<a href="https://x.example/a">https://x.example/b</a> c',
    ],
    [
      '<a class="b" href="https://x.example">www.x.example</a>',
      '<a href="https://x.example">www.x.example</a>',
    ],
    [
      '<a href="https://x.example"></a> www.x.example',
      '<a href="https://x.example"></a> <a href="http://www.x.example">www.x.example</a>',
    ],
    ['<a name="b"></a> www.x.example', '<a name="b"></a> <a href="http://www.x.example">www.x.example</a>'],
  ])('the URL in %s is a link only once', async (body, expected) => {
    const remark = await rendererOf({ parser: 'remark' })
    expect([html(body), htmlOf(remark(inputOf(body)))]).toEqual([
      `<p>${expected}</p>\n`,
      `<p>${expected}</p>\n`,
    ])
  })

  test('markdown.allow adds to it', async () => {
    const wider = await rendererOf({
      allow: {
        tags: ['iframe'],
        attributes: { iframe: ['src', 'allowfullscreen'], '*': ['style', 'class', 'data-x'] },
      },
    })
    const body =
      '<iframe src="https://v.example" allowfullscreen></iframe>\n\n<code class="a b" style="c" data-x="d">e</code>\n'
    expect(htmlOf(wider(inputOf(body)))).toBe(
      '<iframe src="https://v.example" allowfullscreen></iframe>\n<p><code class="a b" style="c" data-x="d">e</code></p>\n',
    )
    expect(htmlOf(wider(inputOf('<iframe src="javascript:x"></iframe>\n')))).toBe('<iframe></iframe>\n')
  })
})

test('an input other than a check box stays only if it is allowed by name', async () => {
  const withInput = await rendererOf({ allow: { tags: ['input'], attributes: { input: ['type', 'name'] } } })
  const body = '<input type="text" name="q">\n'
  expect([htmlOf(withInput(inputOf(body))), html(body)]).toEqual(['<input type="text" name="q">\n', ''])
})

test('an element named like a property of every object is removed like any other', () => {
  const body = '<constructor>a</constructor> <b>b</b>\n'
  expect(html(body)).toBe('<p>a <b>b</b></p>\n')
  expect(problems(body).map(({ code }) => code)).toEqual(['html-removed'])
})

test('an element with such a name can be allowed', async () => {
  const allowed = await rendererOf({ allow: { tags: ['constructor', 'valueOf'] } })
  expect(htmlOf(allowed(inputOf('<constructor id="b">a</constructor>\n')))).toBe(
    '<p><constructor id="b">a</constructor></p>\n',
  )
})

test('no video plays automatically', () => {
  const body = '<video src="https://x.example/a.mp4" autoplay controls onplay="x()"></video>\n'
  expect(html(body)).toBe('<p><video src="https://x.example/a.mp4" controls></video></p>\n')
  expect(problems(body).map(({ code }) => code)).toEqual(['html-removed', 'html-removed'])
})

describe('disallowed HTML', () => {
  test('is removed and reported, with line, column and a hint', () => {
    expect(problems('a\n\n> <div\n>    onclick="x">\n> <iframe src="y"></iframe>\n')).toEqual([
      {
        code: 'html-removed',
        line: 4,
        column: 6,
        end: { line: 4, column: 13 },
        message: 'The attribute onclick of <div> is not allowed and was removed.',
        hint: 'Articles cannot contain scripts: remove it.',
      },
      {
        code: 'html-removed',
        line: 5,
        column: 3,
        end: { line: 5, column: 10 },
        message: 'The tag <iframe> is not allowed and was removed.',
        hint: "To show it as text, write it as `code`; to keep it, add 'iframe' to markdown.allow.tags.",
      },
    ])
  })

  test.each([
    ['<script>alert(1)</script>\n\nb\n', '\n<p>b</p>\n'],
    ['a <style>p{}</style> b\n', '<p>a  b</p>\n'],
    ['<svg><a xlink:href="javascript:x"><text>t</text></a></svg>\n', '<p></p>'],
    ['<form action="x"><input type="text" name="q"><button>Go</button></form>\n', 'Go\n'],
    ['<img src="https://x.example/x" onerror="x" name="cookie">\n', '<img src="https://x.example/x">\n'],
    ['<x-y>kept</x-y>\n', '<p>kept</p>\n'],
    ['<p class="a" style="b">c</p>\n', '<p>c</p>\n'],
  ])('%s', (body, expected) => {
    expect(html(body).trim()).toBe(expected.trim())
    expect(new Set(problems(body).map(({ code }) => code))).toEqual(new Set(['html-removed']))
  })

  test.each(['title', 'script', 'textarea', 'plaintext', 'style'])(
    '<%s> that nothing closes hides no text',
    (tag) => {
      expect(html(`Use <${tag}> here.\n\nMore *text*.\n`)).toBe(
        `<p>Use &#x3C;${tag}> here.</p>\n<p>More <em>text</em>.</p>\n`,
      )
    },
  )
})

describe('comments', () => {
  test('are removed silently', () => {
    const body = 'a <!-- b --> c\n\n<!-- d\n-->\n\n<div><!-- e --></div>\n'
    expect([html(body), problems(body)]).toEqual(['<p>a  c</p>\n<div></div>\n', []])
  })

  test('like our marker are reported, alone or within HTML', () => {
    const reported = problems('<!--kb1.a.b-->\n\nx <!--kb--> <!-- kb -->\n\n<div>\n<!--kb--></div>\n')
    expect(reported.map(({ code, line, column }) => [code, line, column])).toEqual([
      ['marker-removed', 1, 1],
      ['marker-removed', 3, 3],
      ['marker-removed', 6, 1],
    ])
  })

  test('cannot be injected through an attribute or text', () => {
    expect(html('![<!--kb-->](https://x.example "<!--kb-->") `<!--kb-->` \\<!--kb-->\n')).not.toContain(
      '<!--',
    )
  })
})

describe('addresses', () => {
  const dangerous = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    '&#106;avascript:alert(1)',
    'java&#x09;script:alert(1)',
    'java&#10;script:alert(1)',
    '&#1;javascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>x</script>',
    'file:///etc/passwd',
    'blob:x',
  ]

  test.each(dangerous)('%s is removed from raw HTML', (url) => {
    const body = `<a href="${url}">a</a> <img src="${url}">\n`
    expect(html(body)).toBe('<p><a>a</a> <img></p>\n')
    expect(problems(body).map(({ code }) => code)).toEqual(['url-removed', 'url-removed'])
  })

  test.each([
    'javascript:x',
    'JAVASCRIPT:x',
    '&#106;avascript:x',
    'data:text/html,x',
    'file:///x',
    'c:\\\\x',
  ])('%s is removed from Markdown', (url) => {
    const body = `[a](${url}) ![b](${url}) [c][r] <br>\n\n[r]: ${url}\n`
    expect(html(body)).toBe('<p><a>a</a> <img alt="b"> <a>c</a> <br></p>\n')
    expect(html(body.replace(' <br>', ''))).toBe('<p><a>a</a> <img alt="b"> <a>c</a></p>\n')
    expect(problems(body).map(({ code }) => code)).toEqual(['url-removed', 'url-removed', 'url-removed'])
  })

  test('percent-encoded Markdown is not a scheme in a browser', () => {
    expect(html('[a](<&#9;javascript:x>)\n')).toBe('<p><a href="%09javascript:x">a</a></p>\n')
  })

  test('an allowed scheme may be written in capitals', () => {
    expect(html('[a](HTTPS://x.example/A) [b](Mailto:c@d.example)\n')).toBe(
      '<p><a href="https://x.example/A">a</a> <a href="mailto:c@d.example">b</a></p>\n',
    )
  })

  test('for any input, a browser never opens a disallowed scheme', () => {
    const allowed = new Set(['http:', 'https:', 'mailto:', 'tel:', 'sms:', 'xmpp:', 'irc:', 'ircs:'])
    const piece = fc.constantFrom(
      'javascript',
      'data',
      'java',
      'script',
      ':',
      '\t',
      '\n',
      ' ',
      '\u0001',
      '/',
      '\\',
      '#',
      'x',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 2 })), { maxLength: 8 }), (pieces) => {
        const written = Array.from(pieces.join(''), (char) => `&#${char.codePointAt(0)};`).join('')
        const protocols: string[] = []
        visit(fromHtml(html(`<a href="${written}">a</a>\n`), { fragment: true }), 'element', (node) => {
          const href = node.properties['href']
          if (typeof href === 'string' && URL.canParse(href, 'https://base.example'))
            protocols.push(new URL(href, 'https://base.example').protocol)
        })
        expect(protocols.filter((protocol) => !allowed.has(protocol))).toEqual([])
      }),
      readRuns('FUZZ', 2000),
    )
  })
})

test('for any input, the parsed HTML contains nothing disallowed', () => {
  const tag = fc.constantFrom(
    'a',
    'b',
    'p',
    'svg',
    'math',
    'mtext',
    'style',
    'title',
    'table',
    'td',
    'select',
    'template',
    'noscript',
    'form',
  )
  const more = fc.constantFrom(
    'textarea',
    'script',
    'iframe',
    'mglyph',
    'foreignObject',
    'desc',
    'details',
    'img',
    'li',
    'h1',
    'xmp',
  )
  const name = fc.oneof(tag, more)
  const attribute = fc.constantFrom(
    '',
    ' onclick=x',
    ' href="javascript:x"',
    ' title="</p><img onerror=x>"',
    ' id="<!--kb-->"',
  )
  const piece = fc.oneof(
    fc.tuple(name, attribute).map(([each, written]) => `<${each}${written}>`),
    name.map((each) => `</${each}>`),
    fc.constantFrom(
      'text',
      '<!--',
      '-->',
      '--!>',
      '\n\n',
      '`',
      '*',
      '<![CDATA[',
      ']]>',
      '&lt;img onerror=x&gt;',
      '[a](b)',
    ),
  )
  const allowed = new Set(createSchema({}).tagNames)
  const isAllowed = (node: Nodes) => {
    if (node.type !== 'element') return node.type === 'root' || node.type === 'text'
    const { href, ...others } = node.properties
    return (
      allowed.has(node.tagName) &&
      !Object.keys(others).some((key) => key.startsWith('on')) &&
      !String(href).startsWith('javascript')
    )
  }
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const rendered = html(pieces.join(''))
      const removable: Nodes[] = []
      visit(fromHtml(rendered, { fragment: true }), (node) => {
        if (!isAllowed(node)) removable.push(node)
      })
      expect({ hasComment: rendered.includes('<!--'), removable }).toEqual({
        hasComment: false,
        removable: [],
      })
    }),
    readRuns('FUZZ', 3000),
  )
})

test.each(['\u00a0', '\u2028', '\ufeff', '\u3000'])(
  'white space that a browser reads as no scheme stays: %j',
  (space) => {
    const { slots } = render(inputOf(`<a href="${space}javascript:x">a</a>\n`))
    expect(slots.map(({ url }) => url)).toEqual([`${space}javascript:x`])
  },
)

test('an element whose end the HTML parser does not report has its start', () => {
  const position = { start: { line: 2, column: 3, offset: 8 } } as NonNullable<Element['position']>
  expect(createSourceRanges('text\n  <b>', 4).of({ position })).toEqual({ line: 6, column: 3 })
})
