import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatFrame } from '../../../src/core/code-frame/frame.ts'
import { countColumns } from '../../../src/core/text-columns.ts'
import { readRuns } from '../../support/runs.ts'

const plain = (text: string) => text
const paint = { gutter: plain, mark: plain }

function frame(
  text: string,
  line: number,
  column: number,
  end?: readonly [number, number],
  columns = 80,
): string[] {
  const lines = text.split('\n')
  const place = { file: 'a.md', line, column, ...(end && { end: { line: end[0], column: end[1] } }) }
  return formatFrame(place, (_, number) => lines[number - 1], columns, paint)
}

describe('a frame', () => {
  test.each([
    ['plain text', 'title: A', 8, 9, ['  1 | title: A', '    |        ^']],
    ['tabs', '\ta\tbc', 4, 6, ['  1 |     a   bc', '    |         ^^']],
    ['wide characters', '料金[x](y)', 3, 6, ['  1 | 料金[x](y)', '    |     ^^^']],
    ['emoji', '👍🏽[x](y)', 5, 8, ['  1 | 👍🏽[x](y)', '    |   ^^^']],
    ['combining marks', 'u\u0308u\u0308x', 5, 6, ['  1 | u\u0308u\u0308x', '    |   ^']],
    ['a part of a character', 'e\u0301x', 2, 3, ['  1 | e\u0301x', '    | ^']],
    ['control characters', '\u001bx', 2, 3, ['  1 | \\u{1b}x', '    |       ^']],
    ['direction marks', '\u202ex', 1, 2, ['  1 | \\u{202e}x', '    | ^^^^^^^^']],
    ['what is not seen', 'a\u200bb', 2, 3, ['  1 | a\\u{200b}b', '    |  ^^^^^^^^']],
    ['white space at the end', 'a \t', 2, 4, ['  1 | a···', '    |  ^^^']],
    ['words with white space behind them', 'a b  ', 1, 6, ['  1 | a b', '    | ^^^']],
    ['an extent beyond the line', 'abc', 2, 9, ['  1 | abc', '    |  ^^']],
    ['a place behind the line', 'abc', 4, 4, ['  1 | abc', '    |    ^']],
    ['an empty line', '', 1, 1, ['  1 |', '    | ^']],
    ['an extent that ends before it begins', 'abc', 3, 1, ['  1 | abc', '    |   ^']],
  ])('of %s', (_, text, from, to, expected) => {
    expect(frame(text, 1, from, [1, to])).toEqual(expected)
  })

  test('without an end marks one character', () => {
    expect(frame('abc', 1, 2)).toEqual(['  1 | abc', '    |  ^'])
  })

  test('of several lines shows the first three without their indentation', () => {
    expect(frame('a: >\n  b\n\n  c\n  d', 1, 4, [5, 4])).toEqual([
      '  1 | a: >',
      '    |    ^',
      '  2 |   b',
      '    |   ^',
      '  3 |',
      '    | … to line 5',
    ])
  })

  test('of a missing line is empty', () => {
    expect(frame('a', 2, 1)).toEqual([])
  })

  test('of a long line shows the position', () => {
    const text = `${'before '.repeat(30)}HERE${' after'.repeat(30)}`
    const at = text.indexOf('HERE') + 1
    expect(frame(text, 1, at, [1, at + 4], 40)).toEqual([
      '  1 | …before before HERE after after a…',
      '    |                ^^^^',
    ])
  })

  test('is never too wide, and its marks are below the range', () => {
    const piece = fc.constantFrom(
      'a',
      'bc ',
      '料',
      '👍🏽',
      'e\u0301',
      '\t',
      '\u200b',
      '\u202e',
      'ｗ',
      '\u0007',
      ' ',
    )
    const line = fc.array(piece, { minLength: 1, maxLength: 120 })
    fc.assert(
      fc.property(
        line,
        fc.nat(300),
        fc.nat(20),
        fc.integer({ min: 40, max: 90 }),
        (pieces, from, length, columns) => {
          const text = pieces.join('')
          const column = (from % text.length) + 1
          const rows = frame(text, 1, column, [1, column + length], columns)
          for (const row of rows) expect(countColumns(row)).toBeLessThanOrEqual(columns)
          expect(rows[1]).toMatch(/^ {4}\| +\^+$/)
          const at = pieces.slice(0, from % pieces.length).join('')
          const [shown = '', marks = ''] = frame(`${at}§${text}`, 1, at.length + 1, undefined, columns)
          expect(countColumns(shown.slice(0, shown.indexOf('§')))).toBe(marks.indexOf('^'))
        },
      ),
      readRuns('FUZZ', 500),
    )
  })
})
