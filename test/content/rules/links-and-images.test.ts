import { describe, expect, test } from 'vitest'
import { rendererOf } from '../markdown/renderers.ts'
import { findIn } from './find-in.ts'

describe('image-alt-missing', () => {
  test.each([
    ['none', 'A ![](a.png) B', ['1:3 ![](a.png)']],
    ['only space', '![ ](a.png)', ['1:1 ![ ](a.png)']],
    ['by reference', '![][a]\n\n[a]: a.png', ['1:1 ![][a]']],
    ['in a table, behind an emoji', '| a | b |\n|---|---|\n| 😀 ![](x.png) | 2 |', ['3:6 ![](x.png)']],
    ['in a quote in a list, with a tab', '- a\n\n\t> b ![](x.png)', ['3:6 ![](x.png)']],
    ['after CRLF', 'a\r\n![](x.png)', ['2:1 ![](x.png)']],
    ['in HTML', 'a <img src="x.png"> b', ['1:3 <img']],
    ['in HTML in a quote', '> text\n> <img src="x.png" width="3">', ['2:3 <img']],
    ['beside one that has it', '![a](a.png) ![](b.png)', ['1:13 ![](b.png)']],
  ])('%s', (_, body, found) => {
    expect(findIn('image-alt-missing', body)).toEqual(found)
  })

  test.each([
    ['a text', '![A cat](a.png)'],
    ['a text in HTML', '<img src="a.png" alt="A cat">'],
    ['decoration, said explicitly', '<img src="a.png" alt="">'],
    ['decoration without a value', '<img alt src="a.png">'],
    ['code', '`![](a.png)`\n\n```\n![](a.png)\n```'],
    ['a comment', '<!-- ![](a.png) -->'],
  ])('not: %s', (_, body) => {
    expect(findIn('image-alt-missing', body)).toEqual([])
  })
})

describe('link-text-empty', () => {
  test.each([
    ['no text', 'See [](a.md) there', ['1:5 [](a.md)']],
    ['only space', 'a [ ](b.md)', ['1:3 [ ](b.md)']],
    ['by reference', '[][a]\n\n[a]: https://a.example', ['1:1 [][a]']],
    ['an image without text', '[![](a.png)](b.md)', ['1:1 [![](a.png)](b.md)']],
    ['an HTML image without text', '[<img src="a.png">](b.md)', ['1:1 [<img src="a.png">](b.md)']],
    [
      'an HTML image for decoration',
      '[<img src="a.png" alt="">](b.md)',
      ['1:1 [<img src="a.png" alt="">](b.md)'],
    ],
    ['HTML', '> a <a href="b.md"></a> c', ['1:5 <a']],
    ['HTML around an image', '<a href="b.md">\n<img src="a.png" alt=" ">\n</a>', ['1:1 <a']],
  ])('%s', (_, body, found) => {
    expect(findIn('link-text-empty', body)).toEqual(found)
  })

  test.each([
    ['text', '[a](a.md) [`b`](b.md) [*c*](c.md) <https://d.example> https://e.example'],
    ['an image with text', '[![A cat](a.png)](b.md) [![A cat][i]](b.md)\n\n[i]: a.png'],
    ['an HTML image with text', '[<img src="a.png" alt="A cat">](b.md) [<img alt=cat src="a.png">](c.md)'],
    ['text between tags', '[<kbd>Enter</kbd>](b.md)'],
    ['HTML with text', '<a href="a.md"><b>a</b></a> <a href="a.md"><img src="a.png" alt="A cat"></a>'],
    ['an anchor', '<a id="here"></a> <a name="there"></a>'],
  ])('not: %s', (_, body) => {
    expect(findIn('link-text-empty', body)).toEqual([])
  })
})

describe('bare-url', () => {
  test.each([
    ['in a sentence', 'See https://a.example/b?c=d#e.', ['1:5 https://a.example/b?c=d#e']],
    ['without a scheme', 'See www.a.example, please', ['1:5 www.a.example']],
    ['in brackets of text', '(https://a.example)', ['1:2 https://a.example']],
    [
      'in a table behind an emoji',
      '| a | b |\n|---|---|\n| 😀 https://a.example | 2 |',
      ['3:6 https://a.example'],
    ],
    ['in a quote', '> 1\n>\n> - http://a.example', ['3:5 http://a.example']],
    ['after CRLF', 'a\r\n\r\nhttps://a.example\r\n', ['3:1 https://a.example']],
  ])('%s', (_, body, found) => {
    expect(findIn('bare-url', body)).toEqual(found)
  })

  test.each([
    ['words', '[the shop](https://a.example)'],
    ['an address that is meant', '<https://a.example> and [https://a.example](https://a.example)'],
    ['a reference', '[a]\n\n[a]: https://a.example'],
    ['code', '`https://a.example`\n\n    https://a.example'],
    ['mail', 'Write to me@a.example or <me@a.example>'],
  ])('not: %s', (_, body) => {
    expect(findIn('bare-url', body)).toEqual([])
  })
})

test('bare-url: the URL of a video that plays on the pages is intended', async () => {
  const render = await rendererOf({ embeds: ['youtube'] })
  const video = 'https://youtu.be/abc'
  const body = `${video}\n\n1. Watch:\n\n   ${video}\n\nSee ${video}\n\n- ${video}\n\nhttps://vimeo.com/1\n`
  const found = render({ body, title: 'Title', lineOffset: 0, nonce: 'abc' }).problems
  expect(found.map(({ code, line }) => `${line} ${code}`)).toEqual([
    '7 bare-url',
    '9 bare-url',
    '11 bare-url',
  ])
})

describe('link-reference-undefined', () => {
  test.each([
    ['full', 'See [the terms][terms].', ['1:5 [the terms][terms]']],
    ['collapsed', 'See [terms][].', ['1:5 [terms][]']],
    ['an image', '![a cat][cat]', ['1:1 ![a cat][cat]']],
    ['with markup', '[**big** `code`][x]', ['1:1 [**big** `code`][x]']],
    ['within markup', '*a [b][c] d*', ['1:4 [b][c]']],
    ['around a link and code', '[see [y](z) and `]`][x]', ['1:1 [see [y](z) and `]`][x]']],
    ['over two lines of a quote', '> a [b\n> c][d\n> e] f', ['1:5 [b\n> c][d\n> e]']],
    [
      'in a heading and a cell',
      '## [a][b]\n\n| [c][d] 😀 [e][] |\n|---|\n',
      ['1:4 [a][b]', '3:3 [c][d]', '3:13 [e][]'],
    ],
    ['with CRLF, a tab and an escape', '-\ta\r\n\t[\\[x\\]][y]', ['2:2 [\\[x\\]][y]']],
    ['only what is not defined', '[a][b] [c][d]\n\n[b]: https://b.example', ['1:8 [c][d]']],
  ])('%s', (_, body, found) => {
    expect(findIn('link-reference-undefined', body)).toEqual(found)
  })

  test('the message has the label as written', async () => {
    const render = await rendererOf({ parser: 'native' })
    const body = '[`a`][] and ![*b*][ ] and [c][d `e`]'
    const { problems } = render({ body, title: 'Title', lineOffset: 0, nonce: 'abc' })
    const labels = problems.map(({ message }) => /"(.*)"/.exec(message)?.[1])
    expect(labels).toEqual(['`a`', '*b*', 'd `e`'])
  })

  test.each([
    ['defined, in any letter case', '[a][B C]\n\n[b  c]: https://b.example'],
    ['brackets alone', 'An [aside] and a [x] and []'],
    ['task lists', '- [ ] a\n- [x] [b](https://b.example)'],
    ['footnotes', 'a[^1][^2] [^1][^2]\n\n[^1]: Note.'],
    ['indices', 'matrix[i][j] and f(x)[0][1] and a[b][] and [a][b][c]'],
    ['escaped', '\\[a][b] and [a]\\[b]'],
    ['code', '`[a][b]`\n\n    [a][b]\n\n```\n[a][b]\n```'],
    ['HTML', '<div>[a][b]</div>\n\n<!-- [a][b] -->'],
    ['empty', '[ ][ ] and [][ ]'],
  ])('not: %s', (_, body) => {
    expect(findIn('link-reference-undefined', body)).toEqual([])
  })
})

test.each([
  ['[text]() and [more](<>)', ['1:1', '1:14']],
  ['![picture]()', ['1:1']],
  ['[text][a]\n\n[a]: <>', ['3:1']],
  ['Text <a href="">link</a> <img src="" alt="a">', ['1:6', '1:26']],
  ['[text](#) <a id="b"></a> [text](#b)', []],
])('link-url-missing: %s', (body, expected) => {
  expect(findIn('link-url-missing', body).map((found) => found.split(' ')[0])).toEqual(expected)
})

describe('url-too-long', () => {
  const url = `https://a.example/${'ä'.repeat(4087)}`

  test.each([
    ['a link', `a [b](${url}x)`, 3],
    ['an image', `![b](${url}x)`, 1],
    ['a definition', `[b]\n\n[b]: ${url}x`, 1],
    ['HTML', `a <a href="${url}x">b</a>`, 3],
    ['an HTML image', `<img alt="b" src="${url}x">`, 1],
  ])('%s', (_, body, column) => {
    const line = body.includes('\n') ? 3 : 1
    expect(findIn('url-too-long', body).map((found) => found.split(' ')[0])).toEqual([`${line}:${column}`])
  })

  test.each([
    ['one of 8 KB', `[b](${url}) <img alt="b" src="${url}">`],
    ['data in the text', `![b](data:image/png;base64,${'A'.repeat(9000)})`],
  ])('not: %s', (_, body) => {
    expect(findIn('url-too-long', body)).toEqual([])
  })
})

describe('file-too-large', () => {
  test('a text of more than 250 kB', () => {
    expect(findIn('file-too-large', 'ä'.repeat(125_000))).toEqual([])
    expect(findIn('file-too-large', `${'ä'.repeat(125_000)}b`)).toEqual(['1:1 '])
  })
})
