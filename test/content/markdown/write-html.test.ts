// The fast path for writing a tree returns the bytes of remark-html, or none.
import * as fc from 'fast-check'
import type { ElementContent, Root } from 'hast'
import { raw } from 'hast-util-raw'
import type { Handler } from 'mdast-util-to-hast'
import { remark } from 'remark'
import remarkHtml from 'remark-html'
import { VFile } from 'vfile'
import { expect, test } from 'vitest'
import { createProcessor } from '../../../src/content/markdown/create-processor.ts'
import { mdastToHast } from '../../../src/content/markdown/mdast-to-hast.ts'
import { writeHtml } from '../../../src/content/markdown/write-html.ts'
import { resolveParser } from '../../../src/content/parser/resolve-parser.ts'
import { readRuns } from '../../support/runs.ts'
import { someMarkdown, turn } from './renderers.ts'

function byRemarkHtml(tree: Root): string {
  const root = (() => tree) as unknown as Handler
  return remark()
    .use(remarkHtml, { sanitize: false, handlers: { root } })
    .stringify({ type: 'root', children: [] })
}

test('writes real documents identically, and handles nearly all of them', async () => {
  const processor = createProcessor(await resolveParser({ parser: 'native', remarkPlugins: [] }), [])
  let written = 0
  const documents = [...someMarkdown()]
  for (const [, markdown] of documents) {
    await turn()
    const body = markdown.replaceAll('\0', '\uFFFD').replaceAll('\r\n', '\n')
    const tree = raw(mdastToHast(processor.parse(body).mdast).tree, { file: new VFile(body) }) as Root
    const html = writeHtml(tree)
    if (html === undefined) continue
    written++
    expect(html).toBe(byRemarkHtml(tree))
  }
  expect(written).toBeGreaterThanOrEqual(Math.floor(documents.length * 0.7))
})

const text = fc.oneof(
  fc.string(),
  fc.constantFrom('', '\n', 'a\r', ' ', '&amp;', '<b>', '"', "'", '`', '\0', '😀', '\uD83D'),
)
const value = fc.oneof(
  text,
  fc.boolean(),
  fc.integer(),
  fc.array(text, { maxLength: 3 }),
  fc.constantFrom(null, undefined, Number.NaN),
)
const name = fc.constantFrom(
  'align',
  'alt',
  'checked',
  'className',
  'colSpan',
  'dataA',
  'disabled',
  'download',
  'href',
  'id',
  'name',
  'open',
  'src',
  'title',
  'type',
  'width',
  'xLink',
  '__proto__',
)
const tagName = fc.constantFrom(
  'p',
  'a',
  'b',
  'br',
  'code',
  'img',
  'input',
  'li',
  'pre',
  'script',
  'style',
  'svg',
  'table',
  'td',
  'template',
  'textarea',
  'title',
  'IMG',
  'x-y',
)
const { node } = fc.letrec<{ node: ElementContent }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    text.map((words): ElementContent => ({ type: 'text', value: words })),
    fc.constantFrom<ElementContent>({ type: 'comment', value: 'a' }, { type: 'raw', value: '<i>' }),
    fc
      .record({
        tagName,
        properties: fc.dictionary(name, value, { maxKeys: 3 }),
        children: fc.array(tie('node'), { maxLength: 3 }),
      })
      .map((element): ElementContent => ({ type: 'element', ...element })),
  ),
}))

test('writes any tree identically, or leaves it to remark-html', () => {
  const runs = readRuns('FUZZ', 5_000)
  let written = 0
  fc.assert(
    fc.property(fc.array(node, { maxLength: 4 }), (children) => {
      const tree: Root = { type: 'root', children }
      const html = writeHtml(tree)
      if (html === undefined) return
      written++
      expect(html).toBe(byRemarkHtml(tree))
    }),
    runs,
  )
  expect(written).toBeGreaterThan(runs.numRuns / 10)
})
