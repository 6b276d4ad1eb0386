import * as fc from 'fast-check'
import matter from 'gray-matter'
import { expect, test } from 'vitest'
import { type Document, isCollection, isPair, LineCounter, type Node, parseDocument } from 'yaml'
import { parseAnyYaml, readFlatYaml } from '../../src/content/frontmatter/flat-yaml.ts'
import { readRuns } from '../support/runs.ts'

test.each([
  'title: Reset your password',
  'title: "Reset: your password"  \nslug: \'reset\'\n',
  'Module Name: Storage\r\nms:assetid: 54685e88-b289\r\nschema: 2.0.0\r\ndate: 2027-01-31',
  'tags:\n- a\n- "b" \nslug: x',
  'tags:\n  - a\n  - b:c\norder: 3\nempty:  \nlast:',
  'tags: [a, "b", \'c\' ] \nnone: [ ]\nhideFromSearch: true\ntranslationOf: ~',
  'url: https://example.com/a#b?c',
  '\ntitle: Behind the opening line\ntags: [a]\n',
  '\r\ntitle: Behind the opening line\r\ntags:\r\n- a',
])('is fast for %j, with the same nodes', (text) => {
  expect(read(text, readFlatYaml)).toEqual(read(text, parseAnyYaml))
})

test.each(['\n', '\r\n'])('is fast for the block of a file with the line end %j', (lineEnd) => {
  const blocks: string[] = []
  const parse = (block: string) => {
    blocks.push(block)
    return {}
  }
  const file = ['---', 'title: Reset your password', 'tags:', '- security', '---', 'Text'].join(lineEnd)
  matter(file, { engines: { yaml: { parse } } })
  expect(blocks.map((block) => typeof read(block.replace(/\r$/, ''), readFlatYaml))).toEqual(['object'])
})

test.each([
  '',
  'title',
  'title: x\n\nslug: y',
  '\n\ntitle: x',
  '\n title: x',
  '# comment\ntitle: x',
  'title: x # comment',
  'title: a: b',
  'title: x\ntitle: y',
  'title: [a, [b]]',
  'title: "a\\n"',
  'title: >\n  text',
  'title: text\n  more',
  'title: &a x',
  'title: 0x1F',
  'title:\tx',
  'tags:\n- a\n - b',
  'tags:\n-\n- b',
  '__proto__: x',
])('leaves %j to the parser', (text) => {
  expect(read(text, readFlatYaml)).toBeUndefined()
})

const WORDS = [
  'title',
  'tags',
  'a',
  'b c',
  'ms:id',
  '1',
  '0',
  '-1',
  '1.5',
  '2.0.0',
  '1e3',
  '0x1f',
  '.inf',
  'true',
  'False',
  'null',
  '~',
  '2027-01-31',
  'é',
  '__proto__',
]
const MARKS = [
  ': ',
  ':',
  '- ',
  '-',
  '[',
  ']',
  ', ',
  '{',
  '}',
  '"',
  "'",
  '#',
  ' #',
  '&a',
  '*a',
  '!',
  '|',
  '>',
  '%',
  '@',
  '`',
  '?',
  '\\',
  ' ',
  '  ',
  '\t',
  '\r',
  '\r\n',
  '---',
]

const KEYS = [
  'title',
  'slug',
  'tags',
  'order',
  'ms:id',
  'Module Name',
  'a.b-c',
  'd',
  'e',
  'f',
  'é',
  '1',
  'true',
  '__proto__',
]

const value = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom('"a"', "'b: c'", '[a, "b"]', '[]', '\n- a\n- b', '\n  - a\n  - "b"', ''),
)
const line = fc
  .tuple(fc.constantFrom(...KEYS), value)
  .map(([key, written]) => `${key}:${written.startsWith('\n') ? '' : ' '}${written}`)
const damage = fc.tuple(fc.nat(), fc.constantFrom(...WORDS, ...MARKS, '\n'))
const yaml = fc
  .tuple(
    fc.array(line, { minLength: 1, maxLength: 4 }),
    fc.array(damage, { maxLength: 2 }),
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\n'),
  )
  .map(([lines, damages, lineBreak, opening]) =>
    damages
      .reduce(
        (text, [position, piece]) => {
          const offset = position % (text.length + 1)
          return text.slice(0, offset) + piece + text.slice(offset)
        },
        opening + lines.join('\n'),
      )
      .replaceAll('\n', lineBreak),
  )

test('returns the same as the parser, or leaves the text to it', () => {
  const runs = readRuns('FUZZ', 5_000)
  let flat = 0
  fc.assert(
    fc.property(yaml, (text) => {
      const nodes = read(text, readFlatYaml)
      if (nodes === undefined) return
      flat++
      expect(nodes).toEqual(read(text, parseAnyYaml))
    }),
    runs,
  )
  expect(flat).toBeGreaterThan(runs.numRuns / 10)
})

const keys = [
  'a: 1',
  "'a': 2",
  '&x a: 3',
  '1: b',
  '1.0: b',
  '~: b',
  'b:',
  '  c: 1',
  '  "c": 2',
  'd: { e: 1, e: 2, f }',
  '# c',
]

test('equal keys are reported as by the parser', () => {
  let equal = 0
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...keys), { maxLength: 6 }).map((lines) => lines.join('\n')),
      (text) => {
        const options = { prettyErrors: false, uniqueKeys: true, logLevel: 'error' } as const
        const errors = errorsOf(parseDocument(text, options), text)
        // After another error, the parser may leave keys out.
        if (errors.some(([code]) => code !== 'DUPLICATE_KEY')) return
        equal += errors.length
        expect(errorsOf(parseAnyYaml(text, new LineCounter()), text)).toEqual(errors)
      },
    ),
    readRuns('FUZZ', 5_000),
  )
  expect(equal).toBeGreaterThan(100)
})

/** Codes, messages and the texts from the positions on: the parser points to the white space or anchor before some keys. */
function errorsOf({ errors }: Document, text: string): string[][] {
  return errors.map(({ code, message, pos }) => [
    code,
    message,
    text.slice(pos[0]).replace(/^\s*(?:&x )?/, ''),
  ])
}

/** Everything from which values, positions and fixes are made, without white space after a value. */
function read(
  text: string,
  parse: (text: string, lineCounter: LineCounter) => Document | undefined,
): unknown {
  const lineCounter = new LineCounter()
  const document = parse(text, lineCounter)
  if (document === undefined) return undefined
  const { errors, warnings, contents } = document
  const nodes = shapeOf(contents, text)
  return { errors, warnings, value: document.toJS() as unknown, nodes, lines: lineCounter.lineStarts }
}

function shapeOf(node: unknown, text: string): unknown {
  if (isPair(node)) return [shapeOf(node.key, text), shapeOf(node.value, text)]
  const { range } = node as Node
  const [start = -1, end = -1] = range ?? []
  const at = { start, written: text.slice(start, end).trimEnd() }
  if (!isCollection(node))
    return { ...at, ...(node as { type: string; value: unknown }), range: undefined, source: undefined }
  return { ...at, flow: node.flow, items: node.items.map((item) => shapeOf(item, text)) }
}
