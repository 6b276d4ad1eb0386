import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { RenderMarkdown } from '../../../src/content/markdown/create-renderer.ts'
import { joinTemplate } from '../../../src/content/markdown/slot-template.ts'
import { mergeBody, type MergedFile } from '../../../src/content/write-back/body/merge-body.ts'
import { splitFile } from '../../../src/content/write-back/file/split-file.ts'
import { readRuns, timeoutOf } from '../../support/runs.ts'
import { htmlOf, inputOf, rendererOf, turn } from '../markdown/renderers.ts'
import { joinBlocks, markdownBlocks } from './markdown-documents.ts'

let render: RenderMarkdown
beforeAll(async () => {
  render = await rendererOf()
})

const HEAD = '---\ntitle: Guide # ours\n---\n'

/** Merges what `edit` makes of the HTML that is sent of `body`. */
function merge(body: string, edit: (html: string) => string, newTitle = 'Guide', head = HEAD): MergedFile {
  const rendered = render(inputOf(splitFile(head + body).body, 'Guide'))
  const sentHtml = joinTemplate(
    rendered.html,
    rendered.slots.map(({ url }) => `https://kb.example/${url.replace('./', '').replace('.md', '')}`),
  )
  const linkOf = (url: string): string | undefined =>
    url === 'https://kb.example/new' ? 'new.md' : undefined
  return mergeBody(head + body, {
    title: 'Guide',
    newTitle,
    html: edit(sentHtml),
    sentHtml,
    linkOf,
    render,
    allow: {},
  })
}

const exact = (text: string): MergedFile => ({ text: HEAD + text, isExact: true, lost: [] })

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

describe('an edit of one block leaves all others to the byte', () => {
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

  test('a link keeps the spelling of its author', () => {
    const merged = merge(BODY, (html) => html.replace('over', 'now over'))
    expect(merged).toEqual(exact(BODY.replace('over __two__', 'now over **two**')))
  })

  test('a new link', () => {
    const merged = merge(BODY, (html) => html.replace('words', '<a href="https://kb.example/new">w</a>'))
    expect(merged).toEqual(exact(BODY.replace('Last   words', 'Last [w](new.md)')))
  })

  test('a list', () => {
    const merged = merge(BODY, (html) => html.replace('<li>two</li>', '<li>two</li><li>three</li>'))
    expect(merged).toEqual(exact(BODY.replace('* one\n* two', '- one\n- two\n- three')))
  })

  test('a bold word', () => {
    const merged = merge(BODY, (html) => html.replace('Second', '<b>Second</b>').replace('Last', 'Final'))
    const second = '**Second** with [ref](https://example.org/ "Ref") and a note[^n].'
    expect(merged).toEqual(
      exact(BODY.replace('Second with [ref] and a note[^n].', second).replace('Last   ', 'Final ')),
    )
  })

  test('a note', () => {
    const merged = merge(BODY, (html) => html.replace('goes on', 'ends'))
    expect(merged).toEqual(exact(BODY.replace('[^n]: The note\n    goes on.', '[^n]: The note\n    ends.')))
  })

  test('a block more, a block less, blocks moved', () => {
    const added = merge(BODY, (html) => html.replace('<p>Last', '<h2>New</h2><p>Last'))
    expect(added).toEqual(exact(BODY.replace('[^n]:', '## New\n\n[^n]:')))
    const removed = merge(BODY, (html) => html.replace(/<ul>.*<\/ul>/s, ''))
    expect(removed).toEqual(exact(BODY.replace('\n\n\n* one\n* two\n', '\n')))
    const top = merge(BODY, (html) => `<p>Top</p>${html}`)
    expect(top).toEqual(exact(BODY.replace('# Guide\n', '# Guide\n\nTop\n')))
  })

  test('line ends of the file', () => {
    const crlf = (text: string): string => text.replaceAll('\n', '\r\n')
    const merged = merge(
      crlf(BODY),
      (html) => html.replace('<li>two</li>', '<li>2</li>'),
      'Guide',
      `\uFEFF${crlf(HEAD)}`,
    )
    const text = `\uFEFF${crlf(HEAD + BODY.replace('* one\n* two', '- one\n- 2'))}`
    expect(merged).toEqual({ text, isExact: true, lost: [] })
  })

  test('blocks that would run into each other are kept apart', () => {
    const body = '- a\n\nbetween\n\n- b\n\n1. c\n\nbetween\n\n    code\n'
    const merged = merge(body, (html) => html.replaceAll('<p>between</p>\n', ''))
    expect(merged).toEqual(exact('- a\n\n<!-- -->\n\n- b\n\n1. c\n\n<!-- -->\n\n    code\n'))
  })

  test('raw HTML around Markdown is one block', () => {
    const body = 'a\n\n<details>\n<summary>S</summary>\n\n* x\n* y\n\n</details>\n\n* z\n'
    expect(merge(body, (html) => html.replace('<p>a</p>', '<p>A</p>'))).toEqual(
      exact(body.replace('a\n', 'A\n')),
    )
    const inside = merge(body, (html) => html.replace('<li>y</li>', '<li>Y</li>'))
    expect(inside).toEqual(exact(body.replace('* x\n* y', '- x\n- Y')))
  })

  test('a service that takes details and classes away', () => {
    const body =
      'a\n\n> [!NOTE]\n> b\n\n<details>\n<summary>S</summary>\n\n* x\n\n</details>\n\n```js\nc\n```\n'
    const strip = (html: string): string =>
      html
        .replaceAll(/<\/?(?:details|summary|div)[^>]*>/g, '')
        .replaceAll(/ class="[^"]*"/g, '')
        .replace('<p>a</p>', '<p>A</p>')
    expect(merge(body, strip)).toEqual(exact(body.replace('a\n', 'A\n')))
  })

  test('a code block at the end that nothing closes', () => {
    const body = 'a\n\n```js\nlet b'
    expect(merge(body, (html) => html.replace('<p>a</p>', '<p>A</p>'))).toEqual(exact(body.replace('a', 'A')))
  })

  test('a wrapper around everything', () => {
    const merged = merge(BODY, (html) => `<article><div>${html.replace('Last', 'Final')}</div></article>`)
    expect(merged).toEqual(exact(BODY.replace('Last   ', 'Final ')))
  })
})

describe('the title', () => {
  test('the heading that repeats it follows', () => {
    const merged = merge(BODY, (html) => html, 'New *title*')
    expect(merged).toEqual(exact(BODY.replace('# Guide', String.raw`# New \*title\*`)))
  })

  test('so it does where the text changed, too', () => {
    const merged = merge('Guide\n=====\ntext\n', (html) => html.replace('text', 'words'), 'Other')
    expect(merged).toEqual(exact('# Other\nwords\n'))
  })

  test('a heading that says something else stays', () => {
    const merged = merge('# Other\n\ntext\n', (html) => html.replace('text', 'words'), 'Third')
    expect(merged).toEqual(exact('# Other\n\nwords\n'))
  })
})

describe('what Markdown cannot say', () => {
  test('is named', () => {
    const html = '<p>b</p><iframe src="https://example.org/"></iframe><form>c</form><script>d</script>'
    expect(merge('a\n', () => html)).toEqual({
      text: `${HEAD}b\n\n<https://example.org/>\n\nc\n`,
      isExact: false,
      lost: ['a form (<form>)', 'a frame (<iframe>), of which a link is kept', 'a script (<script>)'],
    })
  })

  test('everything gone', () => {
    expect(merge('a\n', () => '')).toEqual(exact('\n'))
  })

  test('a body where there was none', () => {
    expect(merge('', () => '<p>a</p>')).toEqual(exact('a\n'))
  })
})

const RUNS = readRuns('FUZZ', 150)

test('an edit of one block of any document leaves all others to the byte', timeoutOf(RUNS, 400), async () => {
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
      expect(merged).toMatchObject({ isExact: true, lost: [] })
      const others = blocks.filter((_block, index) => index !== place)
      expect(others.filter((block) => !merged.text.includes(block))).toEqual([])
      await turn()
    }),
    RUNS,
  )
})
