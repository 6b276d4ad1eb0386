// Lists accept an edit item by item, in their author's style.
import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { RenderMarkdown } from '../../../src/content/markdown/create-renderer.ts'
import { readRuns, timeoutOf } from '../../support/runs.ts'
import { rendererOf, turn } from '../markdown/renderers.ts'
import { exact, HEAD, mergeEdit, mergeRewritten } from './merge-edit.ts'

let render: RenderMarkdown
beforeAll(async () => {
  render = await rendererOf()
})

type Case = readonly [body: string, edit: (html: string) => string, expected: string]

const CASES: Readonly<Record<string, Case>> = {
  'one item more, in front': [
    '* [a](#a)\n* [b](#b)\n  * [c](#c)\n  * d   d\n',
    (html) => html.replace('<ul>', '<ul>\n<li>New first item</li>'),
    '* New first item\n* [a](#a)\n* [b](#b)\n  * [c](#c)\n  * d   d\n',
  ],
  'one item more in a nested list': [
    '+   a\n    - b\n    - c\n+   d\n',
    (html) => html.replace('<li>c</li>', '<li>c</li><li>e <b>f</b></li>'),
    '+   a\n    - b\n    - c\n    - e **f**\n+   d\n',
  ],
  'one item changed, another one gone': [
    '* a\n* b\n\n  more\n* c\n* d\n',
    (html) => html.replace('b</p>', 'B</p>').replace(/<li>\s*<p>c<\/p>\s*<\/li>\s*/, ''),
    '* a\n* B\n\n  more\n* d\n',
  ],
  'a loose list stays loose': [
    '* a\n\n\n* b\n',
    (html) => html.replace('</ul>', '<li><p>c</p></li></ul>'),
    '* a\n\n\n* b\n\n\n* c\n',
  ],
  'a tight list stays tight, whatever an editor wraps in paragraphs': [
    '* a\n* b\n',
    (html) =>
      html
        .replaceAll('<li>', '<li><p>')
        .replaceAll('</li>', '</p></li>')
        .replace('</ul>', '<li><p>c</p><ul><li><p>d</p></li></ul></li></ul>'),
    '* a\n* b\n* c\n  * d\n',
  ],
  'numbers go on': [
    '8) a\n9) b\n\n   more\n10) c\n',
    (html) => html.replace('<ol start="8">', '<ol start="8"><li>New</li>'),
    '8) New\n9) a\n10) b\n\n    more\n11) c\n',
  ],
  'numbers go back': [
    '8.  a\n9.  b\n10. c\n\n    more\n',
    (html) => html.replace(/<li>\s*<p>a<\/p>\s*<\/li>\s*/, ''),
    '8.  b\n9.  c\n\n    more\n',
  ],
  'numbers that are all the same': [
    '1. a\n1. b\n',
    (html) => html.replace('</ol>', '<li>c</li></ol>'),
    '1. a\n1. b\n1. c\n',
  ],
  'another first number': [
    '1. a\n2. b\n',
    (html) => html.replace('<ol>', '<ol start="5">').replace('>b<', '>B<'),
    '5. a\n6. B\n',
  ],
  'boxes are ticked': [
    '* [ ] a\n* [x] b\n* [ ] c\n',
    (html) => html.replace(/<input([^>]*)> a/, '<input checked$1> a').replace('> c', '> <em>C</em>'),
    '* [x] a\n* [x] b\n* [ ] *C*\n',
  ],
  'a list that becomes another kind': [
    '* a\n* b\n',
    (html) => html.replace('<ul>', '<ol>').replace('b</li>\n</ul>', 'B</li></ol>'),
    '1. a\n2. B\n',
  ],
  'a list next to a changed paragraph': [
    'one\n\n* a\n* b\n',
    (html) => html.replace('one', 'two').replace('<p>two', '<p>new</p><p>two').replace('>a<', '>A<'),
    'new\n\ntwo\n\n* A\n* b\n',
  ],
  'a paragraph gone and a list changed': [
    'one\n\n* a\n* b\n',
    (html) => html.replace('<p>one</p>', '').replace('>a<', '>A<'),
    '* A\n* b\n',
  ],
  'an indented list in CRLF': [
    '  * a\r\n    * b\r\n\r\n      c\r\n  * d\r\n',
    (html) => html.replace('c</p>', 'C</p>').replace('</ul>\n</li>\n<li>', '</ul></li><li>e</li><li>'),
    '  * a\r\n    * b\r\n\r\n      C\r\n  * e\r\n  * d\r\n',
  ],
  'lists side by side': ['* a\n\n- b\n', (html) => html.replace('>a<', '>A<'), '* A\n\n- b\n'],
  'code in an item': [
    '*   a\n\n        x = 1\n\n*   b\n',
    (html) => html.replace('b</p>', 'B</p>'),
    '*   a\n\n        x = 1\n\n*   B\n',
  ],
}

describe('equal items are byte-identical', () => {
  test.each(Object.entries(CASES))('%s', (_name, [body, edit, expected]) => {
    expect(mergeEdit(render, body, edit)).toEqual(exact(expected))
  })
})

const words = fc.constantFrom('one', 'two', 'three', 'four *em*', 'five `code`', 'six\\\nmore')
const item = fc.record({
  text: words,
  extra: fc.constantFrom(
    '',
    '\n\nsecond paragraph',
    '\n\n```js\n  let a\n\nb\n```',
    '\n- nested\n- list',
    '\n1. numbered\n2. list',
  ),
})
const items = fc.array(item, { minLength: 1, maxLength: 12 })
const marker = fc.constantFrom('*', '-', '+', '*  ', '-   ', '1.', '9.', '99)', '1.  ')

/** Formats a list in an author's style. */
function write(list: readonly { text: string; extra: string }[], mark: string, isLoose: boolean): string {
  const start = Number.parseInt(mark, 10)
  return list
    .map(({ text, extra }, index) => {
      const sign = Number.isNaN(start) ? mark : mark.replace(/\d+/, String(start + index))
      const lead = `${sign}${/\s$/.test(sign) ? '' : ' '}`
      return lead + `${text}${extra}`.replaceAll(/\n(?=.)/g, `\n${' '.repeat(lead.length)}`)
    })
    .join(isLoose ? '\n\n' : '\n')
}

const RUNS = readRuns('FUZZ', 30)

test('any list can be changed to any other list and back', timeoutOf(RUNS, 400), async () => {
  const lists = fc.tuple(items, items, marker, fc.boolean(), fc.boolean())
  await fc.assert(
    fc.asyncProperty(lists, async ([before, after, mark, isLoose, keepsAll]) => {
      const next = keepsAll ? [...before, ...after] : after
      const body = `Above\n\n${write(before, mark, isLoose)}\n\nBelow\n`
      const changed = `Above\n\n${write(next, mark, isLoose)}\n\nBelow\n`
      const merged = mergeRewritten(render, body, changed)
      expect(merged).toMatchObject({ isExact: true, lost: [] })
      if (keepsAll) expect(merged.text).toContain(write(before, mark, isLoose))
      expect(mergeRewritten(render, merged.text.slice(HEAD.length), body)).toMatchObject({ isExact: true })
      await turn()
    }),
    RUNS,
  )
})
