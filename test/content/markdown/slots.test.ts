import * as fc from 'fast-check'
import { toHtml } from 'hast-util-to-html'
import { describe, expect, test } from 'vitest'
import { createAnchorIndex } from '../../../src/content/markdown/anchors.ts'
import { joinTemplate, readUrls } from '../../../src/content/markdown/slot-template.ts'
import { mapSrcset } from '../../../src/content/markdown/screen-url.ts'
import { htmlOf, inputOf, NONCE, rendererOf } from './renderers.ts'
import { anyCharacter } from '../../support/any-character.ts'

const render = await rendererOf()

describe('slots', () => {
  test('replace every local URL of any origin, in order', () => {
    const body =
      '[a](b.md "t \\"&") ![c](</d e.png>) [f][r] <a href="g.md?h#i">j</a> <img alt="k" src="./l.png">\n\n' +
      '[![m](n.png)](../o/)\n\n[r]: é.md "u"\n'
    const rendered = render(inputOf(body))
    expect(rendered.slots).toEqual([
      { kind: 'link', url: 'b.md', line: 1, column: 5, end: { line: 1, column: 9 } },
      { kind: 'image', url: '/d%20e.png', line: 1, column: 25, end: { line: 1, column: 33 } },
      {
        kind: 'link',
        url: '%C3%A9.md',
        line: 1,
        column: 36,
        end: { line: 1, column: 42 },
        definition: { line: 5, column: 6, end: { line: 5, column: 10 } },
      },
      { kind: 'link', url: 'g.md?h#i', line: 1, column: 52, end: { line: 1, column: 60 } },
      { kind: 'image', url: './l.png', line: 1, column: 86, end: { line: 1, column: 93 } },
      { kind: 'link', url: '../o/', line: 3, column: 15, end: { line: 3, column: 20 } },
      { kind: 'image', url: 'n.png', line: 3, column: 7, end: { line: 3, column: 12 } },
    ])
    expect(joinTemplate(rendered.html, ['0', '1', '2', '3', '4', '5', '6'])).toBe(
      '<p><a href="0" title="t &#x22;&#x26;">a</a> <img src="1" alt="c"> <a href="2" title="u">f</a> <a href="3">j</a> ' +
        '<img alt="k" src="4"></p>\n<p><a href="5"><img src="6" alt="m"></a></p>\n',
    )
    expect(rendered.targets).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  test('of an unclosed link are at its position, however often the HTML parser repeats it', () => {
    const of = (address: string) => {
      const body = `a\n\n<b>c <i>d\n\n- <a href=${address}>e\n- f\n`
      const { slots, externals, problems } = render(inputOf(body))
      const removed = problems.filter(({ code }) => code === 'url-removed')
      const places = new Set(
        [...slots, ...externals, ...removed].map(({ line, column }) => `${line}:${column}`),
      )
      return [...places]
    }
    expect(['gone.md', 'https://a.example', 'javascript:a'].map(of)).toEqual([['5:11'], ['5:11'], ['5:3']])
    expect(htmlOf(render(inputOf('- <a href=gone.md>e\n- f\n'))).split('<a').length).toBe(3)
  })

  test('are not created for absolute URLs, fragments and empty URLs', () => {
    const body =
      '# x\n\n[a](https://b.example) [c](//d.example) [e](#x) [f]() <a href="/\\g.example">h</a> <g@h.example>\n'
    expect(render(inputOf(body)).slots).toEqual([])
  })

  test('are created for each local image of a srcset', () => {
    const rendered = render(
      inputOf('<img srcset="a.png 1x, https://b.example/c.png 2x,d.png  3x" src="e.png">\n'),
    )
    expect(rendered.slots.map(({ url }) => url)).toEqual(['a.png', 'd.png', 'e.png'])
    expect(htmlOf(rendered)).toBe(
      '<img srcset="a.png 1x, https://b.example/c.png 2x, d.png 3x" src="e.png">\n',
    )
  })

  test('cannot be forged by an author who does not know the nonce', () => {
    const body = 'kb-slot-x-0- [a](b.md "kb-slot-x-0-") [c](https://d.example/kb-slot-x-0-)\n'
    const rendered = render({ ...inputOf(body), nonce: NONCE })
    expect(rendered.html).toHaveLength(2)
    expect(htmlOf(rendered)).toContain('kb-slot-x-0- <a href="b.md" title="kb-slot-x-0-">')
  })

  test('do not depend on the nonce', () => {
    const body = '[a](b.md) ![c](d.png)\n'
    expect(render({ ...inputOf(body), nonce: 'a1' })).toEqual(render({ ...inputOf(body), nonce: 'b2' }))
  })
})

test('joinTemplate escapes as hast-util-to-html does', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (url) => {
      const whole = toHtml({ type: 'element', tagName: 'a', properties: { href: url }, children: [] })
      expect(joinTemplate(['<a href="', '"></a>'], [url])).toBe(whole)
    }),
  )
})

test('readUrls is the inverse of joinTemplate', () => {
  const url = fc.string({ unit: anyCharacter })
  const slot = fc.oneof(
    fc.record({
      open: fc.constantFrom('<a href="', '<a title="x" href="'),
      url: fc.option(url, { nil: undefined }),
    }),
    fc.record({ open: fc.constantFrom('<img alt="" src="', '<img src="'), url }),
  )
  fc.assert(
    fc.property(fc.array(slot), fc.constantFrom('">', '" id="x"> '), (slots, close) => {
      const html = [
        slots[0]?.open ?? '',
        ...slots.map((_, index) => `${close}</a>${slots[index + 1]?.open ?? ''}`),
      ]
      const urls = slots.map((each) => each.url)
      const joined = joinTemplate(html, urls)
      expect(readUrls(html, joined)).toEqual(urls)
      expect(readUrls(html, `x${joined}`)).toEqual([])
    }),
  )
})

test('mapSrcset keeps descriptors, data URLs and order', () => {
  const written = 'data:image/png;base64,AA== 1x, b.png, c,d.png 100w'
  expect(mapSrcset(written, (url) => `<${url}>`)).toBe(
    '<data:image/png;base64,AA==> 1x, <b.png>, <c,d.png> 100w',
  )
  expect(mapSrcset('a.png 1x, b.png 2x', (url) => (url === 'a.png' ? undefined : url))).toBe('b.png 2x')
})

test('an anchor is found exactly first, then ignoring case, encoding and accents', () => {
  const index = createAnchorIndex(['a', 'A', 'fn-%c3%a9', 'caf\u00E9'])
  expect(
    ['a', 'A', 'fn-%c3%a9', 'CAFE\u0301', 'caf%C3%A9', '%', 'b'].map((each) => index.find(each)),
  ).toEqual(['a', 'A', 'fn-%c3%a9', 'caf\u00E9', 'caf\u00E9', undefined, undefined])
})
