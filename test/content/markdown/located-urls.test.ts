// The positions of URLs that are stored with a compiled text are those that the parser of links finds in it.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { listLinkOccurrences } from '../../../src/content/link-occurrences/list-link-occurrences.ts'
import { toHref } from '../../../src/content/link-occurrences/decode-written-url.ts'
import { lineStarts, positionIn } from '../../../src/content/source/line-starts.ts'
import { inputOf, rendererOf, someMarkdown, turn } from './renderers.ts'

const render = await rendererOf()

const url = fc.constantFrom(
  'https://x.example.org/a?b=c#d',
  'http://x.example.org',
  'HTTPS://x.example.org/é',
  '//x.example.org/',
  'mailto:ada@example.org',
  'tel:+12',
  'b.md#part',
  '../img/c.png',
  '/d',
)
const label = fc.constantFrom('one', 'Two', 'three words')
const piece = fc.oneof(
  fc.tuple(url, label).map(([to, text]) => `[${text}](${to} "t")`),
  url.map((to) => `[mail](<${to}>)`),
  // No image has the URL of a mail.
  url.filter((to) => !/^(?:mailto|tel):/.test(to)).map((to) => `![picture](${to})`),
  label.map((name) => `[${name}]`),
  label.map((name) => `[text][${name}]`),
  label.map((name) => `![picture][${name}]`),
  fc.tuple(url, label).map(([to, name]) => `\n\n[${name}]: ${to}\n\n`),
  fc.tuple(url, label).map(([to, name]) => `\n\n> [${name}]:\n>   <${to}> 'title'\n\n`),
  fc.constantFrom(' and ', '\n', '\n\n- item ', '`[code](mailto:x@example.org)` '),
)

/** Lists each URL with its position: for a reference, that in its definition. */
function storedUrls(body: string): ReadonlySet<string> {
  const { slots, externals } = render(inputOf(body))
  return new Set(
    [...slots, ...externals].map(({ url: to, definition, ...range }) => {
      const { line, column, end } = definition ?? range
      return `${line}:${column}-${end?.line}:${end?.column} ${to}`.toLowerCase()
    }),
  )
}

/** The same by the parser of links. The definitions that no link uses are left out. */
function foundUrls(body: string): { readonly definitions: Set<string>; readonly others: Set<string> } {
  const starts = lineStarts(body, /\r\n|\n|\r/g)
  const found = { definitions: new Set<string>(), others: new Set<string>() }
  for (const { kind, url: to, start, end } of listLinkOccurrences(body)) {
    const [from, until] = [positionIn(starts, start), positionIn(starts, end)]
    const text = `${from.line}:${from.column}-${until.line}:${until.column} ${toHref(to)}`.toLowerCase()
    found[kind === 'definition' ? 'definitions' : 'others'].add(text)
  }
  return found
}

test('generated texts', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const body = `# Text\n\n${pieces.join(' ')}\n`
      const stored = storedUrls(body)
      const { definitions, others } = foundUrls(body)
      const missing = [...others].filter((each) => !stored.has(each))
      const unknown = [...stored].filter((each) => !others.has(each) && !definitions.has(each))
      expect({ missing, unknown }).toEqual({ missing: [], unknown: [] })
    }),
    { numRuns: 300 },
  )
})

test('texts by other authors', async () => {
  const unknown: string[] = []
  let definitions = 0
  for (const [path, body] of someMarkdown()) {
    await turn()
    const { slots, externals } = render(inputOf(body))
    const found = foundUrls(body).definitions
    for (const { url: to, definition } of [...slots, ...externals]) {
      if (definition === undefined) continue
      definitions++
      const { line, column, end } = definition
      const text = `${line}:${column}-${end?.line}:${end?.column} ${to}`.toLowerCase()
      // A URL with an escape such as `\\)` is not in the text: its definition stands for it.
      const lines = body.split(/\r\n|\n|\r/)
      const isEscaped = lines[line - 1]?.slice(column - 1).includes('\\')
      if (!found.has(text) && isEscaped !== true) unknown.push(`${path}: ${text}`)
    }
  }
  expect(unknown).toEqual([])
  expect(definitions).toBeGreaterThan(100)
})
