import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyEdits } from '../../../src/content/dialect/text-edits.ts'
import type { TextEdit } from '../../../src/core/dialects/dialect.ts'

const textArbitrary = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 40 })

/** A text, and edits of it that do not overlap. */
const edited = textArbitrary.chain((text) =>
  fc.record({
    text: fc.constant(text),
    edits: fc
      .array(
        fc.record({
          at: fc.nat(text.length),
          length: fc.nat(4),
          text: fc.string({ unit: fc.constantFrom('x', '\n'), maxLength: 3 }),
        }),
        { maxLength: 5 },
      )
      .map((edits) => withoutOverlap(edits, text.length)),
  }),
)

function withoutOverlap(edits: readonly TextEdit[], limit: number): TextEdit[] {
  let end = -1
  return edits
    .toSorted((a, b) => a.at - b.at)
    .map((edit) => ({ ...edit, length: Math.min(edit.length, limit - edit.at) }))
    .filter(({ at, length }) => {
      if (at <= end) return false
      end = at + length
      return true
    })
}

function positionAt(text: string, offset: number) {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}

test('every character that is left is found where it was written', () => {
  fc.assert(
    fc.property(edited, ({ text, edits }) => {
      const { text: changed, toWritten } = applyEdits(text, edits)
      let shift = 0
      let from = 0
      for (const { at, length, text: inserted } of [...edits, { at: text.length, length: 0, text: '' }]) {
        expect(changed.slice(from + shift, at + shift)).toBe(text.slice(from, at))
        for (let offset = from; offset < at; offset++) {
          const span = {
            ...positionAt(changed, offset + shift),
            end: positionAt(changed, offset + shift + 1),
          }
          expect(toWritten?.(span) ?? span).toEqual({
            ...positionAt(text, offset),
            end: positionAt(text, offset + 1),
          })
        }
        from = at + length
        shift += inserted.length - length
      }
    }),
  )
})

test('what was put in has the place of what it came for', () => {
  const { text, toWritten } = applyEdits('one two\nthree', [{ at: 4, length: 3, text: 'a\nlonger' }])
  expect(text).toBe('one a\nlonger\nthree')
  const span = { line: 2, column: 2, end: { line: 2, column: 4 } }
  expect(toWritten?.(span)).toEqual({ line: 1, column: 5, end: { line: 1, column: 8 } })
})
