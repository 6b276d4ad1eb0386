// Foreign names and messages in our Markdown: they are shown literally and are only text.
import * as fc from 'fast-check'
import type { Nodes, Root, Table } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import { describe, expect, test } from 'vitest'
import { codeSpan, escapeMarkdown, fenced } from '../../src/cli/markdown/escape-markdown.ts'
import { limitSections } from '../../src/cli/markdown/limit-sections.ts'
import { escapeControl, escapeControlInLine } from '../../src/core/escape-control.ts'
import { readRuns } from '../support/runs.ts'

const parse = (markdown: string): Root => unified().use(remarkParse).use(remarkGfm).parse(markdown)

/** Returns the text of a node without invisible word joiners. */
function textOf(node: Nodes): string {
  let text = ''
  visit(node, (each) => void (text += 'value' in each ? each.value : ''))
  return text.replaceAll('\u2060', '')
}

function typesIn(node: Nodes): string[] {
  const types = new Set<string>()
  visit(node, ({ type }) => void types.add(type))
  return [...types].toSorted()
}

const TRICKS: readonly string[] = [
  '`',
  '```',
  '|',
  '<img src=x onerror=a>',
  '</details>',
  '@octocat',
  '#12',
  '![a](b)',
  '\n',
  '\r\n',
  '\\',
  '\\|',
  '**',
  '<!--',
  '-->',
  '~~~',
  '$x$',
  ':smile:',
  '&lt;',
  '&#64;',
  ' ',
  '[^1]',
  '\n\n# Head\n',
  '---',
]

/** Texts that try to break out. */
const texts = fc
  .array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 6 }), fc.constantFrom(...TRICKS)), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''))

const RUNS = readRuns('FUZZ', 500)

/** A table with a cell beside another. */
const inTable = (cell: string) => parse(`| a | b |\n| --- | --- |\n| ${cell} | end |\n`)

/** White space that is equivalent in Markdown. */
const collapsed = (text: string) => escapeControlInLine(text).replace(/\s+/g, ' ').trim()

describe('a text', () => {
  test('stays within its cell, as text only', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const tree = inTable(escapeMarkdown(text))
        expect(tree.children).toHaveLength(1)
        const rows = (tree.children[0] as Table).children
        expect(rows).toHaveLength(2)
        expect(rows[1]?.children).toHaveLength(2)
        const [cell] = rows[1]?.children ?? []
        expect(cell && collapsed(textOf(cell))).toBe(collapsed(text))
        expect(
          typesIn(tree).filter((type) => !['root', 'tableRow', 'tableCell', 'table', 'text'].includes(type)),
        ).toEqual([])
      }),
      RUNS,
    )
  })

  test.each([
    ['@octocat fixes #12', String.raw`\@&#8288;octocat fixes \#&#8288;12`],
    ['<b>a & b</b>', '&lt;b&gt;a &amp; b&lt;/b&gt;'],
    ['Was "Guide"; see prices.md', 'Was "Guide"; see prices.md'],
    ['\u001b[31mred\u202e', String.raw`\\u\{1b\}\[31mred\\u\{202e\}`],
  ])('%j', (text, expected) => {
    expect(escapeMarkdown(text)).toBe(expected)
  })
})

describe('code', () => {
  test('stays within its cell, as code only', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const tree = inTable(codeSpan(text))
        const [, row] = (tree.children[0] as Table).children
        expect([tree.children.length, row?.children.length]).toEqual([1, 2])
        const [cell] = row?.children ?? []
        const shown = collapsed(text)
        const types = text.includes('\\|') ? ['html', 'text', 'html'] : ['inlineCode']
        expect(cell && cell.children.map(({ type }) => type)).toEqual(shown === '' ? [] : types)
        expect(cell && collapsed(textOf(cell).replace(/^<code>|<\/code>$/g, ''))).toBe(shown)
      }),
      RUNS,
    )
  })

  test('in a block ends with the block', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const tree = parse(`${fenced(text, 'diff')}\nAfter.\n`)
        expect(tree.children.map(({ type }) => type)).toEqual(['code', 'paragraph'])
        expect(tree.children[0] && textOf(tree.children[0])).toBe(escapeControl(text).replace(/\n$/, ''))
      }),
      RUNS,
    )
  })
})

describe('a document that is too long', () => {
  const section = (noun: string, items: readonly string[]) => ({ head: `### ${noun}\n`, items, noun })

  test('keeps the first parts, and mentions what is missing', () => {
    const long = Array.from({ length: 40 }, (_, index) => `- ${index} ${'x'.repeat(20)}\n`)
    const text = limitSections('Intro.\n', [section('hint', ['- a\n']), section('change', long)], 1000)
    expect(text).toMatch(
      /^Intro\.\n\n### hint\n- a\n\n### change\n(?:- \d+ x{20}\n)+\n\*Left out to limit the size: \d+ changes\.\*\n$/,
    )
    expect(text.length).toBeLessThanOrEqual(1000)
  })

  test('is never longer than allowed, and complete if it fits', () => {
    const items = fc.array(fc.string({ unit: 'grapheme', maxLength: 80 }).map((text) => `${text}\n`))
    const limits = fc.integer({ min: 700, max: 4000 })
    fc.assert(
      fc.property(items, items, limits, (first, second, limit) => {
        const sections = [section('this', first), section('that', second)]
        const text = limitSections('Intro.\n', sections, limit)
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit)
        const whole = limitSections('Intro.\n', sections, 1_000_000)
        expect(whole).not.toContain('Left out')
        if (Buffer.byteLength(whole) + 400 <= limit) expect(text).toBe(whole)
      }),
      RUNS,
    )
  })

  test('skips an item that is itself too long', () => {
    const text = limitSections('', [section('difference', ['a'.repeat(2000), 'b\n'])], 1000)
    expect(text).toContain('b\n')
    expect(text).toContain('*Left out to limit the size: 1 difference.*\n')
  })
})
