import { expect, test } from 'vitest'
import { findLinks } from '../../src/server/operations/find-links.ts'

test.each([
  ['<a href="https://example.com/?a=1&amp;b=2">x</a>', ['https://example.com/?a=1&b=2']],
  ["<A HREF=' page.html#part '>x</A><img src=pic.png alt='>'>", ['page.html#part', 'pic.png']],
  ['<a href="//cdn.example.com/x">x</a><a href="?page=2">y</a>', ['//cdn.example.com/x', '?page=2']],
  ['<a href="#part">x</a><a href="">y</a><a name="z">z</a>', []],
  [
    '<a href="mailto:a@example.com">x</a><a href="JavaScript:x()">y</a><img src="data:image/png;base64,AA">',
    [],
  ],
  ['<!-- <a href="no">x</a> --><script>"<a href=no>"</script><link href="no"><iframe src="no"></iframe>', []],
  ['<a href="one">x</a><a href="two">y</a><a href="one">z</a>', ['one', 'two']],
  // White space as addresses have it: a no-break space belongs to the address.
  ['<a href="\t\n\f\r page.html \r\n">x</a><a href=" \n ">y</a>', ['page.html']],
  ['<a href="\u00A0one\u00A0">x</a><img src="&nbsp;two.png">', ['\u00A0one\u00A0', '\u00A0two.png']],
  // What stands in a template is not shown.
  ['<template><a href="no">x</a><template></template><img src="no"></template><a href="one">x</a>', ['one']],
  ['</template><a href="one">x</a><noscript><img src="two.png"></noscript>', ['one', 'two.png']],
  ['<a href="one">x</a><template><a href="no">x</a>', ['one']],
])('%s', (html, links) => {
  expect(findLinks(html)).toEqual(links)
})

test('an address of mostly white space is read in no time', () => {
  const spaces = ' '.repeat(1_000_000)
  expect(findLinks(`<a href="${spaces}a${spaces}b${spaces}">x</a>`)).toEqual([`a${spaces}b`])
})
