import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { RenderMarkdown } from '../../../src/content/markdown/create-renderer.ts'
import { mergeBody } from '../../../src/authoring/body/merge-body.ts'
import { splitFile } from '../../../src/content/write-back/split-file.ts'
import { projectionOf } from '../../../src/sync/remote/to-remote.ts'
import { readRuns, timeoutOf } from '../../support/runs.ts'
import { htmlOf, inputOf, rendererOf, turn } from '../markdown/renderers.ts'
import { joinBlocks, markdownBlocks } from './markdown-documents.ts'
import { exact, HEAD, type MergedEdit, mergeEdit } from './merge-edit.ts'

let render: RenderMarkdown
beforeAll(async () => {
  render = await rendererOf()
})

const merge = (body: string, edit: (html: string) => string, newTitle?: string, head?: string): MergedEdit =>
  mergeEdit(render, body, edit, newTitle, head)

const BODY = `
# Guide

<!-- keep me -->

First *paragraph*,
over __two__ lines with [a link](./b.md).


* one
* two

[ref]: https://example.org/  'Ref'

Second with [ref] and a note[^n].

[^n]: The note
    goes on.

Last   words
`

describe('an edit of one block leaves all others byte-identical', () => {
  test('nothing changed, however the service writes its HTML', () => {
    const rewritten = (html: string): string =>
      html
        .replaceAll('<p>', "\n<p class='x'>")
        .replaceAll('<strong>', '<b>')
        .replaceAll('</strong>', '</b>')
        .replaceAll(' class="contains-task-list"', '')
    expect(merge(BODY, rewritten)).toEqual(exact(BODY))
  })

  test('text', () => {
    const merged = merge(BODY, (html) => html.replace('Last   words', 'Last words, *really*'))
    expect(merged).toEqual(exact(BODY.replace('Last   words', String.raw`Last words, \*really\*`)))
  })

  test("a link keeps its author's spelling", () => {
    const merged = merge(BODY, (html) => html.replace('over', 'now over'))
    expect(merged).toEqual(exact(BODY.replace('over', 'now over')))
  })

  test('a new link', () => {
    const merged = merge(BODY, (html) => html.replace('words', '<a href="https://kb.example/new">w</a>'))
    expect(merged).toEqual(exact(BODY.replace('Last   words', 'Last [w](new.md)')))
  })

  test('a list', () => {
    const merged = merge(BODY, (html) => html.replace('<li>two</li>', '<li>two</li><li>three</li>'))
    expect(merged).toEqual(exact(BODY.replace('* two', '* two\n* three')))
  })

  test('a bold word', () => {
    const merged = merge(BODY, (html) => html.replace('Second', '<b>Second</b>').replace('Last', 'Final'))
    const second = '__Second__ with [ref](https://example.org/ "Ref") and a note[^n].'
    expect(merged).toEqual(
      exact(BODY.replace('Second with [ref] and a note[^n].', second).replace('Last   ', 'Final ')),
    )
  })

  test.each([/ class="[^"]*"/g, /<\/?section[^>]*>/g, / (?:aria|data)-[a-z-]+(?:="[^"]*")?/g])(
    'a note, where a service takes away %s',
    (taken) => {
      const body = `${BODY}\n[^2]: Other\n\nA last[^2] word.\n`
      const merged = merge(body, (html) => html.replace('goes on', 'ends').replaceAll(taken, ''))
      expect(merged).toEqual(exact(body.replace('goes on', 'ends')))
    },
  )

  test('a note', () => {
    const merged = merge(BODY, (html) => html.replace('goes on', 'ends'))
    expect(merged).toEqual(exact(BODY.replace('[^n]: The note\n    goes on.', '[^n]: The note\n    ends.')))
  })

  test('a block added, a block removed, blocks moved', () => {
    const added = merge(BODY, (html) => html.replace('<p>Last', '<h2>New</h2><p>Last'))
    expect(added).toEqual(exact(BODY.replace('[^n]:', '## New\n\n[^n]:')))
    const removed = merge(BODY, (html) => html.replace(/<ul>.*<\/ul>/s, ''))
    expect(removed).toEqual(exact(BODY.replace('\n\n\n* one\n* two\n', '\n')))
    const top = merge(BODY, (html) => `<p>Top</p>${html}`)
    expect(top).toEqual(exact(BODY.replace('# Guide\n', '# Guide\n\nTop\n')))
  })

  test('line endings of the file', () => {
    const crlf = (text: string): string => text.replaceAll('\n', '\r\n')
    const merged = merge(
      crlf(BODY),
      (html) => html.replace('<li>two</li>', '<li>2</li>'),
      'Guide',
      `\uFEFF${crlf(HEAD)}`,
    )
    const text = `\uFEFF${crlf(HEAD + BODY.replace('* two', '* 2'))}`
    expect(merged).toEqual({ text, isExact: true, lost: [] })
  })

  test('blocks that would merge are kept apart', () => {
    const body = '- a\n\nbetween\n\n- b\n\n1. c\n\nbetween\n\n    code\n'
    const merged = merge(body, (html) => html.replaceAll('<p>between</p>\n', ''))
    expect(merged).toEqual(exact('- a\n\n<!-- -->\n\n- b\n\n1. c\n\n<!-- -->\n\n    code\n'))
  })

  test('lists that readers would not mistake for one stay adjacent', () => {
    const body = '* a\n\nbetween\n\n1) b\n\nbetween\n\n2. c\n\nbetween\n\n- [ ] d\n'
    const merged = merge(body, (html) => html.replaceAll('<p>between</p>\n', ''))
    expect(merged).toEqual(exact(body.replaceAll('between\n\n', '')))
  })

  test('a table of HTML with Markdown in it', () => {
    const cell = '<tr>\n<td>\n\n[b][ref] `c`\n\n</td>\n<td>\n\n```js\nd\n```\n\n</td>\n</tr>\n'
    const body = `a\n\n<table>\n\n${cell}\n${cell}\n</table>\n\ne\n\n[ref]: https://example.org/\n`
    expect(merge(body, (html) => html.replace('<p>a<', '<p>A<').replace('<p>e<', '<p>E<'))).toEqual(
      exact(body.replace('a\n', 'A\n').replace('e\n\n[', 'E\n\n[')),
    )
    const inside = merge(body, (html) => html.replace('<code>c</code>', '<code>C</code>'))
    expect(inside).toMatchObject({ isExact: true })
    expect(inside.text).toMatch(
      /^[^]*\na\n\n<table>\n[^]*<\/table>\n\ne\n\n\[ref\]: https:\/\/example.org\/\n$/,
    )
    expect(inside.text.match(/<table>/g)).toHaveLength(1)
  })

  test('raw HTML around Markdown is one block', () => {
    const body = 'a\n\n<details>\n<summary>S</summary>\n\n* x\n* y\n\n</details>\n\n* z\n'
    expect(merge(body, (html) => html.replace('<p>a</p>', '<p>A</p>'))).toEqual(
      exact(body.replace('a\n', 'A\n')),
    )
    const inside = merge(body, (html) => html.replace('<li>y</li>', '<li>Y</li>'))
    expect(inside).toEqual(exact(body.replace('* y', '* Y')))
  })

  const IMAGE = '<img src="https://e.example/l.svg" alt="L">'
  test.each([
    ['an image and a break', [IMAGE, '<br>']],
    ['a break alone', ['<br>']],
    ['breaks', ['<br>', '<br>', '<br>\n<br>']],
    ['a heading around an image', [`<h1 align="center">\n\t<br>\n\t${IMAGE}\n\t<br>\n</h1>`, '<br>', IMAGE]],
    ['a comment and a definition', ['<br>', '<!-- c -->', IMAGE, '[x]: https://x.example/', '<br>']],
    ['a link around a paragraph', ['<a href="https://a.example/">', 'text', '</a>', '<br>', '<hr>', '<br>']],
  ])('HTML without a paragraph around it: %s', (_name, blocks) => {
    const body = `first\n\n${blocks.join('\n\n')}\n\nlast\n`
    for (const word of ['first', 'last'])
      expect(merge(body, (html) => html.replace(word, 'edited'))).toEqual(exact(body.replace(word, 'edited')))
  })

  test('such HTML with an edit', () => {
    const body = `first\n\n<br>\n\n${IMAGE}\n\n[x]: https://x.example/\n\nlast  *words*\n`
    expect(merge(body, (html) => html.replace('"L"', '"M"'))).toEqual(
      exact(body.replace(`<br>\n\n${IMAGE}`, '\\\n![M](https://e.example/l.svg)')),
    )
  })

  test('a service that removes details and classes', () => {
    const body =
      'a\n\n> [!NOTE]\n> b\n\n<details>\n<summary>S</summary>\n\n* x\n\n</details>\n\n```js\nc\n```\n'
    const strip = (html: string): string =>
      html
        .replaceAll(/<\/?(?:details|summary|div)[^>]*>/g, '')
        .replaceAll(/ class="[^"]*"/g, '')
        .replace('<p>a</p>', '<p>A</p>')
    expect(merge(body, strip)).toEqual(exact(body.replace('a\n', 'A\n')))
  })

  test('an unclosed code block at the end', () => {
    const body = 'a\n\n```js\nlet b'
    expect(merge(body, (html) => html.replace('<p>a</p>', '<p>A</p>'))).toEqual(exact(body.replace('a', 'A')))
  })

  test('a wrapper around everything', () => {
    const merged = merge(BODY, (html) => `<article><div>${html.replace('Last', 'Final')}</div></article>`)
    expect(merged).toEqual(exact(BODY.replace('Last   ', 'Final ')))
  })
})

describe('white space in code', () => {
  const CODE =
    '    a = 1\n    b = 2\n\ntext\n\n~~~ py\nif a:\n  b\n\n\nc\n~~~\n\n- d\n\n  ```\n  e  f\n  ```\n'

  test('an indented line', () => {
    expect(merge(CODE, (html) => html.replace('b = 2', '    b = 2').replace('\n  b', '\n\tb'))).toEqual(
      exact(
        CODE.replace('    a = 1\n    b', '~~~\na = 1\n    b')
          .replace('2\n', '2\n~~~\n')
          .replace('~~~ py', '~~~py')
          .replace('\n  b', '\n\tb'),
      ),
    )
  })

  test('joined lines, removed spaces, an added blank line', () => {
    expect(
      merge(CODE, (html) => html.replace('1\nb', '1 b').replace('c\n<', 'c\n\nd\n<').replace('e  f', 'e f')),
    ).toEqual(
      exact(
        CODE.replace('    a = 1\n    b = 2\n', '~~~\na = 1 b = 2\n~~~\n')
          .replace('~~~ py', '~~~py')
          .replace('c\n', 'c\n\nd\n')
          .replace('```\n  e  f\n  ```', '~~~\n  e f\n  ~~~'),
      ),
    )
  })

  test('the other lines of the text do not matter', () => {
    expect(merge(CODE, (html) => html.replace('<p>text', '<p>\n  text'))).toEqual(exact(CODE))
  })
})

describe('rewritten blocks look like the rest of the file', () => {
  test.each([
    [
      'Guide\n-----\n\na _b_ __c__\n\n* * *\n\nd\n',
      '<h2>New</h2><p><em>e</em>f<em>g</em> <em>h</em> <strong>i</strong></p><hr>',
      'New\n---\n\n*e*f*g* *h* __i__\n\n* * *\n',
    ],
    [
      '## A ##\n\n~~~js\nb\n~~~\n\n***\n\n1) c\n1) d\n\ne\n',
      '<h2>New</h2><pre><code class="language-js">f</code></pre><hr><ol><li>g</li><li>h</li></ol>',
      '## New ##\n\n~~~js\nf\n~~~\n\n***\n\n1) g\n1) h\n',
    ],
    ['+   a\n+   b\n\nc\n', '<ul><li>d<ul><li>e</li></ul></li></ul>', '+   d\n    +   e\n'],
  ])('%j', (body, html, markdown) => {
    const merged = merge(body, (sent) => `${sent}<p>between</p>${html}`)
    expect(merged).toEqual(exact(`${body}\nbetween\n\n${markdown}`))
  })
})

describe('the title', () => {
  test('the heading that repeats it changes with it', () => {
    const merged = merge(BODY, (html) => html, 'New *title*')
    expect(merged).toEqual(exact(BODY.replace('# Guide', String.raw`# New \*title\*`)))
  })

  test('also if the text has changed', () => {
    const merged = merge('Guide\n=====\ntext\n', (html) => html.replace('text', 'words'), 'Other')
    expect(merged).toEqual(exact('Other\n=====\nwords\n'))
  })

  test('also after badges, whose URLs may be at the end', () => {
    const body =
      '[![v][badge]][to]\n\n# Guide\n\ntext\n\n[badge]: https://e.example/v.svg\n[to]: https://e.example/\n'
    expect(merge(body, (html) => html, 'New')).toEqual(exact(body.replace('# Guide', '# New')))
  })

  test('a heading with another text stays', () => {
    const merged = merge('# Other\n\ntext\n', (html) => html.replace('text', 'words'), 'Third')
    expect(merged).toEqual(exact('# Other\n\nwords\n'))
  })
})

describe('HTML that Markdown cannot express', () => {
  test('is reported', () => {
    const html = '<p>b</p><iframe src="https://example.org/"></iframe><form>c</form><script>d</script>'
    expect(merge('a\n', () => html)).toEqual({
      text: `${HEAD}b\n\n<https://example.org/>\n\nc\n`,
      isExact: false,
      lost: ['a form (<form>)', 'a frame (<iframe>), replaced by a link', 'a script (<script>)'],
    })
  })

  test('everything removed', () => {
    expect(merge('a\n', () => '')).toEqual(exact('\n'))
  })

  test('a body where there was none', () => {
    expect(merge('', () => '<p>a</p>')).toEqual(exact('a\n'))
  })
})

const RUNS = readRuns('FUZZ', 30)

test('an edit above leaves any sequence of HTML blocks byte-identical', timeoutOf(RUNS, 400), async () => {
  const image = '<img src="https://e.example/l.svg" alt="L">'
  const block = fc.constantFrom(
    image,
    '<br>',
    `<br>\n${image}`,
    `<h1>\n  ${image}\n</h1>`,
    `<p align="center">\n  ${image}\n</p>`,
    `<a href="https://a.example/">\n\n${image}\n\n</a>`,
    '<span>a</span>',
    '<hr>',
    '<!-- c -->',
    '[x]: https://x.example/',
    'text',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(block, { maxLength: 8 }), async (blocks) => {
      const body = ['first', ...blocks, 'last', ''].join('\n\n')
      const merged = merge(body, (html) => html.replace('first', 'edited'))
      expect(merged).toEqual(exact(body.replace('first', 'edited')))
      await turn()
    }),
    RUNS,
  )
})

test(
  'an edit of one block of any document leaves all others byte-identical',
  timeoutOf(RUNS, 400),
  async () => {
    const edit = fc.tuple(markdownBlocks, fc.nat(), markdownBlocks)
    await fc.assert(
      fc.asyncProperty(edit, async ([blocks, at, news]) => {
        const place = at % blocks.length
        const apart = (list: readonly string[]): string =>
          joinBlocks(list.flatMap((each, index) => [each, `Between ${index}`]))
        const body = apart(blocks)
        const html = htmlOf(render(inputOf(apart(blocks.with(place, news[0] ?? '')), 'Guide')))
        const sentHtml = htmlOf(render(inputOf(body, 'Guide')))
        const options = {
          title: 'Guide',
          newTitle: 'Guide',
          html,
          sentHtml,
          linkOf: () => undefined,
          render,
          allow: {},
        }
        const merged = mergeBody(HEAD + body, options)
        expect(merged.lost).toEqual([])
        const after = htmlOf(render(inputOf(splitFile(merged.text).body, 'Guide')))
        expect(projectionOf(after)).toBe(projectionOf(html))
        const others = blocks.filter((_block, index) => index !== place)
        expect(others.filter((block) => !merged.text.includes(block))).toEqual([])
        await turn()
      }),
      RUNS,
    )
  },
)
