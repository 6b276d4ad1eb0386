// Differences on a terminal: as wide as it is, and only unchanged text is cut.
import * as fc from 'fast-check'
import pc from 'picocolors'
import { expect, test } from 'vitest'
import { formatTextDiff } from '../../src/cli/text/format-text-diff.ts'
import {
  countColumns,
  cutToColumns,
  graphemesOf,
  isPathOrUrl,
  wrapAtSpaces,
  wrapToColumns,
} from '../../src/core/text-columns.ts'
import { readRuns } from '../support/runs.ts'
import { breakSentences, diffText } from '../../src/sync/plan/difference/diff-article.ts'

test.each([
  ['plain', 5],
  ['知識', 4],
  ['ｆｕｌｌ', 8],
  ['e\u0301', 1],
  ['👩‍👩‍👧', 2],
  ['❤️', 2],
  ['\u200b', 0],
  ['', 0],
])('%s takes %i columns', (text, columns) => {
  expect(countColumns(text)).toBe(columns)
})

test('text is cut and wrapped at its width', () => {
  expect(cutToColumns('知識ベースの記事', 9)).toBe('知識ベー…')
  expect(cutToColumns('as it is', 8)).toBe('as it is')
  expect(wrapToColumns('one two three', 7)).toEqual(['one two', 'three'])
  expect(wrapAtSpaces('one two /a/long/path three', 7)).toEqual(['one two', '/a/long/path', 'three'])
  expect(wrapToColumns('one two /a/long/path three', 7)).toEqual(['one two', '/a/long/path', 'three'])
  expect(wrapToColumns('see long-name.md', 7)).toEqual(['see', 'long-name.md'])
  expect(wrapToColumns('incomprehensible', 7)).toEqual(['incompr', 'ehensib', 'le'])
  expect(wrapToColumns('知識ベースの記事', 7)).toEqual(['知識ベ', 'ースの', '記事'])
  expect(['हिन्दी', 'ｶﾞ', '👩‍👩‍👧', 'e\u0301', '\u001b[1m'].map(countColumns)).toEqual([4, 2, 2, 1, 3])
})

test('wrapped lines fit and hold every character', () => {
  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  const words = fc.array(word, { maxLength: 12 }).map((each) => each.join(' '))
  fc.assert(
    fc.property(words, fc.integer({ min: 2, max: 30 }), (text, width) => {
      const lines = wrapToColumns(text, width)
      expect(lines.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
      const isTooWide = (line: string) =>
        countColumns(line) > width && [...graphemesOf(line)].length > 1 && !isPathOrUrl(line.trim())
      expect(lines.filter(isTooWide)).toEqual([])
    }),
    readRuns('FUZZ', 300),
  )
})

test.each([
  [
    true,
    ['  - old words that', '  -   do not fit', '  + new words that', '  +   do not', '  +   fit\\u{1b}[31m'],
  ],
  [false, ['  - old words that do not fit', '  + new words that do not fit\\u{1b}[31m']],
])(
  'a diff has signs on every line, cuts unchanged ones, and wraps others only in prose (%j)',
  (isProse, changes) => {
    const before = 'kept '.repeat(12).trim() + '\nold words that do not fit\n\tcode\n'
    const after = 'kept '.repeat(12).trim() + '\nnew words that do not fit\u001b[31m\n\tcode\n'
    const terminal = { colors: pc.createColors(false), columns: 20 }
    expect(formatTextDiff(`--- a\n+++ b\n${diffText(before, after)}`, terminal, '  ', isProse)).toEqual([
      '  @@ -1,3 +1,3 @@',
      '    kept kept kept…',
      ...changes,
      '        code',
    ])
  },
)

test('colours distinguish the sides', () => {
  const terminal = { colors: pc.createColors(true), columns: 80 }
  const { red, green, cyan } = terminal.colors
  expect(formatTextDiff(diffText('old', 'new'), terminal)).toEqual([
    cyan('@@ -1,1 +1,1 @@'),
    red('- old'),
    green('+ new'),
  ])
})

test('equal texts have no diff, and a final line feed is not a difference', () => {
  expect([diffText('a\n', 'a'), diffText('', ''), diffText('', 'a')]).toEqual([
    '',
    '',
    '@@ -0,0 +1,1 @@\n+a\n',
  ])
})

test('every sentence has its own line, except where that would change the meaning', () => {
  const markdown = [
    'First one. Second one? 三つ目。四つ目。',
    '',
    '## A heading. With two sentences.',
    '',
    '- An item. It goes on.',
    '  1. Within. And on.',
    '',
    '> A quote. It goes on.',
    '',
    'Now this. # No heading. 1. No list.',
    '',
    '| A cell. Two. | b |',
    '',
    '```text',
    'Code. More code.',
    '```',
  ]
  expect(breakSentences(markdown.join('\n')).split('\n')).toEqual([
    'First one.',
    'Second one?',
    '三つ目。',
    '四つ目。',
    '',
    '## A heading. With two sentences.',
    '',
    '- An item.',
    '  It goes on.',
    '  1. Within.',
    '     And on.',
    '',
    '> A quote.',
    '> It goes on.',
    '',
    'Now this. # No heading. 1.',
    'No list.',
    '',
    '| A cell. Two. | b |',
    '',
    '```text',
    'Code. More code.',
    '```',
  ])
})
