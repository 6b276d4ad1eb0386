import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { pairSimilar, shinglesOf, similarityOf } from '../../../src/sync/plan/match-moves.ts'
import { readRuns } from '../../support/runs.ts'

const TEXT =
  '<p>Open the settings, choose <b>Security</b> and select <i>Reset password</i>. We send you a link.</p>'
const ONE = shinglesOf('Reset your password', TEXT)

test.each([
  ['equal', 'Reset your password', TEXT, 1],
  ['of other markup', 'Reset your password', TEXT.replaceAll(/<\/?[bi]>/g, ''), 1],
  ['of another title', 'Change your password', TEXT, 0.9],
  ['half as long', 'Reset your password', TEXT.slice(0, 57), 0.5],
  ['of another text', 'Prices', '<p>Each plan has its price, to be paid once a month.</p>', 0],
  ['of one word', 'Prices', '', 0],
])('a text %s', (_, title, html, similarity) => {
  expect(Math.round(similarityOf(ONE, shinglesOf(title, html)) * 10) / 10).toBe(similarity)
})

test('in a script without spaces, each character is a word', () => {
  const [one, other] = ['パスワードを再設定します', 'パスワードを変更します'].map((text) =>
    shinglesOf('', text),
  )
  expect(similarityOf(one ?? new Map(), other ?? new Map())).toBe(0.5)
})

const texts = fc.uniqueArray(
  fc.record({ id: fc.string(), text: fc.constantFrom('a b c d', 'a b c x', 'p q r s') }),
  { selector: ({ id }) => id, maxLength: 4 },
)

test('texts that are similar to several are omitted, in any order', () => {
  fc.assert(
    fc.property(texts, texts, (these, those) => {
      const toText = ({ id, text }: { id: string; text: string }) => ({
        id,
        language: null,
        shingles: shinglesOf('', text),
      })
      const pairs = pairSimilar(these.map(toText), those.map(toText))
      expect(new Set(pairs.values()).size).toBe(pairs.size)
      const reversed = pairSimilar(these.toReversed().map(toText), those.toReversed().map(toText))
      expect(reversed).toEqual(pairs)
      for (const [id, otherId] of pairs) {
        const { text } = these.find((each) => each.id === id) ?? {}
        expect(these.filter((each) => each.text === text)).toHaveLength(1)
        expect(those.filter((each) => each.text === text).map((each) => each.id)).toEqual([otherId])
      }
    }),
    readRuns('HISTORIES', 200),
  )
})
