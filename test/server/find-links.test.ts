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
])('%s', (html, links) => {
  expect(findLinks(html)).toEqual(links)
})
