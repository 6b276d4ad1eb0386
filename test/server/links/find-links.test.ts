import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { findLinks } from '../../../src/server/links/find-links.ts'
import { readRuns } from '../../support/runs.ts'

test.each([
  ['<a href="https://example.com/?a=1&amp;b=2">x</a>', ['https://example.com/?a=1&b=2']],
  ["<A HREF=' page.html#part '>x</A><img src=pic.png alt='>'>", ['page.html#part', 'pic.png']],
  ['<a href="//cdn.example.com/x">x</a><a href="?page=2">y</a>', ['//cdn.example.com/x', '?page=2']],
  ['<a href="#part">x</a><a href="">y</a><a name="z">z</a>', []],
  [
    '<a href="mailto:a@example.com">x</a><a href="JavaScript:x()">y</a><img src="data:image/png;base64,AA">',
    [],
  ],
  ['<a href="java\nscript:x()">x</a><a href="h\tttps://example.com/\r">y</a>', ['h\tttps://example.com/']],
  ['<!-- <a href="no">x</a> --><script>"<a href=no>"</script><link href="no"><iframe src="no"></iframe>', []],
  ['<a href="one">x</a><a href="two">y</a><a href="one">z</a>', ['one', 'two']],
  // White space as in URLs: a no-break space is part of the URL.
  ['<a href="\t\n\f\r page.html \r\n">x</a><a href=" \n ">y</a>', ['page.html']],
  ['<a href="\u00A0one\u00A0">x</a><img src="&nbsp;two.png">', ['\u00A0one\u00A0', '\u00A0two.png']],
  // Content of a template is not shown.
  ['<template><a href="no">x</a><template></template><img src="no"></template><a href="one">x</a>', ['one']],
  ['</template><a href="one">x</a><noscript><img src="two.png"></noscript>', ['one', 'two.png']],
  ['<a href="one">x</a><template><a href="no">x</a>', ['one']],
  // If two attributes have the same name, the first one counts, even if it is empty.
  ['<a href="one" HREF="no">x</a><a href href="no">y</a><a title="href=no" data-href="no">z</a>', ['one']],
  ['<a href=one/><img src=two.png/><a/href=three>x', ['one/', 'two.png/', 'three']],
  // In foreign elements such as SVG, `style` and `title` contain elements; in HTML inside, they contain text again.
  ['<svg><title><a href="one">x</a></title></svg><style><a href="no"></style>', ['one']],
  ['<svg><foreignObject><style><a href="no"></style></foreignObject></svg><svg/><style><a href="no">', []],
  // Generated HTML has the same links as after anything unusual.
  [
    '<p title="<a href=\'no\'>"><a href="one?a&#x26;b">x</a><!-- a-b --><img alt="" src="two" />',
    ['one?a&b', 'two'],
  ],
  ['<!-- <a href="no"> --><a class="x" href="one" download>x</a></svg><a href="two">', ['one', 'two']],
])('%s', (html, links) => {
  expect(findLinks(html)).toEqual(links)
})

test('a URL of mostly white space is read in linear time', () => {
  const spaces = ' '.repeat(1_000_000)
  expect(findLinks(`<a href="${spaces}a b${spaces}">x</a><a href="${spaces}a${spaces}b">y</a>`)).toEqual([
    'a b',
  ])
})

/** Parts of HTML, most of them as generated; some change how the following ones are parsed. */
const PARTS = `<p>|</p>|<br>|<br />| a < b |text|"|'|>|--|<a href="one">|<a href="t&#x77;o" title="<">
|<img src="three" alt>|<img alt="<a href='four'>">|<a href=five>|<A HREF="six">|<a  href="seven">|</a>
|<!-- a-b -->|<!-- -- |-->|<!--->|<!x>|<?x?>|</ x>|<title>|</title>|<style>|</style>|<svg>|</svg>|<desc>|</desc>
|<template>|</template>|<title2>|<x-y>|<p class="|<p a=b>|<a href href="no">|<a hrefx="no" title href="eight">|<a>|<img href="no" src="nine">
|<imgx src="no">|<a href="" href="no">|<img src="mailto:no" />|<a href="HTTPS:ten" href="no">`.split('|')

test('plain HTML with any text has the links that a slower reader finds', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }), (parts) => {
      const html = parts.join('')
      // The first tag is not plain.
      expect(findLinks(html)).toEqual(findLinks(`<x-y>${html}`))
    }),
    readRuns('FUZZ', 5000),
  )
})

test('a URL of 8 KB is listed, a longer one is not, whatever its characters', () => {
  const long = `/${'x'.repeat(8191)}`
  const wide = `/${'é'.repeat(4096)}`
  expect(findLinks(`<a href="${long}">x</a><a href="${long}x">y</a><img src="${wide}">`)).toEqual([long])
})

test('unclosed elements, and end tags of others, are read in linear time', () => {
  const open = '<b>'.repeat(200_000)
  const others = '</i>'.repeat(200_000)
  const attributes = Array.from({ length: 200_000 }, (_, index) => `a${index}`).join(' ')
  expect(findLinks(`${open}${others}<svg>${open}</math><a ${attributes} href="one">x</a>`)).toEqual(['one'])
})
