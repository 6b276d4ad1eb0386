import { expect, test } from 'vitest'
import { createSvgCleaner } from '../../src/core/clean-svg.ts'

const ROOT = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'

/** Cleans a text in one chunk and byte by byte: both must have the same result. */
function clean(text: string | Uint8Array): string | undefined {
  const [whole, bytewise] = [Infinity, 1].map((size) => {
    const bytes = Buffer.from(text as string)
    const cleaner = createSvgCleaner()
    let written = ''
    for (let start = 0; start < bytes.length; start += Math.min(size, bytes.length))
      written += cleaner.write(bytes.subarray(start, start + size)).toString()
    const rest = cleaner.end()
    return rest && written + rest.toString()
  })
  expect(bytewise).toBe(whole)
  return whole
}

const inside = (content: string) => clean(`<svg>${content}</svg>`)?.slice(ROOT.length + 1, -6)

test('a drawing is unchanged', () => {
  const drawing =
    '<defs><linearGradient id="g"><stop offset="0" stop-color="#fff"></stop></linearGradient></defs>' +
    '<style>.a { fill: url(#g) }</style><g class="a" style="fill: url(\'#g\')" transform="scale(2)">' +
    '<path d="M0 0h1"></path><use xlink:href="#g"></use><text xml:space="preserve">1 &lt; 2 &amp; é 𝛑</text></g>'
  expect(inside(drawing)).toBe(drawing)
  expect(clean('<?xml version="1.0"?><!DOCTYPE svg><svg:svg viewBox="0 0 1 1"><svg:rect/></svg:svg>\n')).toBe(
    `${ROOT} viewBox="0 0 1 1"><rect></rect></svg>`,
  )
})

test.each([
  ['scripts', '<script>alert(1)</script><script href="//evil"/><svg:script>1</svg:script>', ''],
  ['handlers', '<rect onload="alert(1)" ONCLICK="x" width="1"/>', '<rect width="1"></rect>'],
  ['HTML', '<foreignObject><body xmlns="x"><iframe/></body></foreignObject><iframe src="x"/>', ''],
  ['what is in an element that is left out', '<handler><rect/></handler><rect/>', '<rect></rect>'],
  ['links', '<a href="javascript:alert(1)"><text>x</text></a>', '<a><text>x</text></a>'],
  ['links that a name hides', '<a XLINK:href="javascript:x" h:href="y"/>', '<a></a>'],
  [
    'animated links',
    '<a><set attributeName="href" to="javascript:1"/><animate attributeName="xlink:href"/></a>',
    '<a></a>',
  ],
  [
    'pictures elsewhere',
    '<image href="https://evil/x.png"/><use href="other.svg#a"/>',
    '<image></image><use></use>',
  ],
  ['drawings in pictures', '<image href="data:image/svg+xml;base64,PHN2Zz4="/>', '<image></image>'],
  [
    'styles elsewhere',
    '<style>@import "x"</style><style>a{fill:url(//evil)}</style>',
    '<style></style><style></style>',
  ],
  [
    'hidden styles',
    '<style>a{fill:u\\rl(//evil)}</style><g style="fill:u/**/rl(//e)"/><g fill="URL( \'//e\')"/>',
    '<style></style><g></g><g></g>',
  ],
  [
    'sets of images',
    '<style>a{fill:image-set("#a" 1x, "https://evil/x" 2x)}</style><g style="mask:-webkit-Image-Set(\'#a\' 1x)"/>',
    '<style></style><g></g>',
  ],
  ['elements in a style', '<style><script>x</script></style>', '<style></style>'],
  ['CDATA', '<text><![CDATA[<script>x</script>]]></text>', '<text>&lt;script&gt;x&lt;/script&gt;</text>'],
  ['entities', '<text>&lt;script&gt;&#x3c;b&evil;</text>', '<text>&lt;script&gt;&lt;b&amp;evil;</text>'],
  ['comments and instructions', '<!-- <script> --><?xml-stylesheet href="x"?><rect/>', '<rect></rect>'],
])('%s are left out', (_, content, expected) => {
  expect(inside(content)).toBe(expected)
})

test('an embedded picture is kept', () => {
  const image = '<image href="data:image/png;base64,iVBORw0KGgo="></image>'
  expect(inside(image)).toBe(image)
})

test.each([
  ['HTML', '<!doctype html><html><svg></svg></html>'],
  ['no elements', 'svg'],
  ['nothing', ''],
  ['two drawings', '<svg></svg><svg></svg>'],
  ['another encoding', Buffer.from('<svg><text>\xe9</text></svg>', 'latin1')],
  ['a part of a character', Buffer.from('<svg></svg>é').subarray(0, -1)],
  ['an abyss', `<svg>${'<g>'.repeat(1000)}`],
])('%s is refused', (_, file) => {
  expect(clean(file)).toBeUndefined()
})

test('rejects a style or an attribute of more than 5 MB, but not a long text', () => {
  const cleaned = (content: string) => {
    const cleaner = createSvgCleaner()
    cleaner.write(Buffer.from(`<svg>${content}</svg>`))
    return cleaner.end() !== undefined
  }
  const [most, more] = [5_000_000, 5_000_001].map((length) => 'x'.repeat(length))
  const isTaken = [`<path d="${most}"/>`, `<style>${most}</style>`, `<text>${more}</text>`].map(cleaned)
  const isRefused = [`<path d="${more}"/>`, `<style>${more}</style>`, `<g id="a" d="${most}"/>`].map(cleaned)
  expect([isTaken, isRefused]).toEqual([
    [true, true, true],
    [false, false, false],
  ])
})
