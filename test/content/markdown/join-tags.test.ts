// The fast path for raw HTML returns the tree of the HTML parser, or none.
import * as fc from 'fast-check'
import type { Nodes, Root } from 'hast'
import { raw } from 'hast-util-raw'
import { VFile } from 'vfile'
import { expect, test } from 'vitest'
import { isWellNested } from '../../../src/content/markdown/clean-html.ts'
import { createProcessor } from '../../../src/content/markdown/create-processor.ts'
import { joinTags } from '../../../src/content/markdown/join-tags.ts'
import { mdastToHast } from '../../../src/content/markdown/mdast-to-hast.ts'
import { isTooDeep } from '../../../src/content/parser/nesting-limit.ts'
import { resolveParser } from '../../../src/content/parser/resolve-parser.ts'
import { readRuns, timeoutOf } from '../../support/runs.ts'
import { realMarkdown, turn } from './renderers.ts'

const processor = createProcessor(await resolveParser({ parser: 'native', remarkPlugins: [] }), [])

/** Returns everything relevant of a tree as text, without positions of texts. */
function written(node: Nodes): unknown {
  if (node.type === 'text') return node.value
  if (node.type === 'root') return node.children.map(written)
  if (node.type !== 'element') return node
  const { tagName, properties, position, children } = node
  const points = [position?.start, position?.end].map(
    (point) => point && [point.line, point.column, point.offset],
  )
  return [tagName, properties, points, children.map(written)]
}

/** Returns true if the fast path was taken. Throws if its result differs. */
function compare(markdown: string): boolean {
  const body = markdown.replaceAll('\0', '\uFFFD').replaceAll('\r\n', '\n')
  const { mdast } = processor.parse(body)
  const { tree } = mdastToHast(mdast)
  const joined = joinTags(tree)
  if (joined === undefined || !isWellNested(joined)) return false
  expect(written(joined)).toEqual(written(raw(tree, { file: new VFile(body) }) as Root))
  return true
}

const PIECES = String.raw`
<b>|</b>|<a href="b.md">|</a>|<kbd>|</kbd>|<span class="a b" id="c">|</span>|<br>|<br/>|<img src="a.png" width="10" alt="">|<i>|</i>
<p>|</p>|<p align="center">|<div>|</div>|<details open>|</details>|<summary>|</summary>|<ul>|</ul>|<li>|</li>|<dl>|</dl>|<dt>|<dd>
</dd>|</dt>|<table>|</table>|<thead>|<tbody>|</tbody>|<tr>|</tr>|<td colspan="2">|</td>|<th>|</th>|<h2>|</h2>|<hr>|<pre>|</pre>
<input type="checkbox" checked disabled>|<!-- a -->|&amp;|&lt;|&nbsp;|<script>|</script>|<svg>|</svg>|<td>|</table>|<B>|</p >|<x-y>
<a name=b>|<a href='c'>|<a href="?a&b">|<a title="x
y">|<rt>|</rt>|<select>|<option>|<textarea>|<title>|<center>|</center>|<section>|</section>|<blockquote>|</blockquote>|<font>|</font>`
  .trim()
  .split(/[|\n]/)
const MARKDOWN = [
  'a',
  'b',
  ' ',
  '\n',
  '\n',
  '\n\n',
  '\n\n',
  '> ',
  '- ',
  '1. ',
  '# ',
  '* [ ] a\n',
  '| a |\n| - |\n| b |\n',
  '*',
  '**',
  '`',
]
const MORE = [
  '[a](b)',
  '![a](b "c")',
  '```js\na\n```\n',
  '```\n\n\n```\n',
  '```\n\na\n```\n',
  '[^1]',
  '\n[^1]: a\n',
  '> [!NOTE]\n> a\n',
  '\t',
  '    ',
  '\r',
  '\0',
  '😀',
  '\f',
]

test('beside an alert', () => {
  expect(compare('> [!NOTE]\n> Press <kbd>Enter</kbd>.\n')).toBe(true)
})

test('for items of a definition list without end tags, and with too many', () => {
  expect(compare('<dl><dt>A<dd>\n\nB\n\n<dt>C</dt> <dd>*D*</dd> </dl> </dd> </dl>\n\nE\n')).toBe(true)
})

test('for every mixture of Markdown and HTML', timeoutOf(readRuns('FUZZ', 10_000), 1), () => {
  const piece = fc.oneof(fc.constantFrom(...PIECES), fc.constantFrom(...MARKDOWN), fc.constantFrom(...MORE))
  const pair = fc.tuple(fc.constantFrom(...PIECES), piece).map(([tag, inner]) => {
    const [, name = 'b'] = /^<([a-z]+)/.exec(tag) ?? []
    return `${tag}${inner}</${name}>`
  })
  let taken = 0
  const runs = readRuns('FUZZ', 10_000)
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, pair, pair), { maxLength: 12 }), (pieces) => {
      if (compare(pieces.join(''))) taken++
    }),
    runs,
  )
  expect(taken).toBeGreaterThan(runs.numRuns / 50)
})

test(
  'for documents that were cut, recombined and misspelled',
  timeoutOf(readRuns('FUZZ', 1000), 50),
  async () => {
    const documents = [...realMarkdown().values()].filter(
      (body) => body.length < 20_000 && /<[a-z]/i.test(body),
    )
    const edit = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      removed: fc.nat(6),
      added: fc.oneof(
        fc.constantFrom(...PIECES, ...MARKDOWN, ...MORE),
        fc.string({ maxLength: 3, unit: 'binary' }),
      ),
    })
    const edits = fc.array(edit, { maxLength: 6 })
    let taken = 0
    const runs = readRuns('FUZZ', 1000)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...documents),
        edits,
        fc.nat(20_000),
        async (body, changes, length) => {
          let text = body.slice(0, length)
          for (const { at, removed, added } of changes) {
            const from = Math.floor(at * text.length)
            text = text.slice(0, from) + added + text.slice(from + removed)
          }
          try {
            if (compare(text)) taken++
          } catch (error) {
            if (!isTooDeep(error)) throw error
          }
          await turn()
        },
      ),
      runs,
    )
    expect(taken).toBeGreaterThan(runs.numRuns / 50)
  },
)
