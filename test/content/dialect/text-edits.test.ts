import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyEdits } from '../../../src/content/dialect/text-edits.ts'
import type { TextEdit } from '../../../src/core/text-edits.ts'

const textArbitrary = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 40 })

/** A text, and non-overlapping edits of it. */
const edited = textArbitrary.chain((text) =>
  fc.record({
    text: fc.constant(text),
    edits: fc
      .array(
        fc
          .record({
            from: fc.nat(text.length),
            length: fc.nat(4),
            text: fc.string({ unit: fc.constantFrom('x', '\n'), maxLength: 3 }),
          })
          .map(({ length, ...edit }) => ({ ...edit, to: edit.from + length })),
        { maxLength: 5 },
      )
      .map((edits) => withoutOverlap(edits, text.length)),
  }),
)

function withoutOverlap(edits: readonly TextEdit[], limit: number): TextEdit[] {
  let end = -1
  return edits
    .toSorted((a, b) => a.from - b.from)
    .map((edit) => ({ ...edit, to: Math.min(edit.to, limit) }))
    .filter(({ from, to }) => {
      if (from <= end) return false
      end = to
      return true
    })
}

function positionAt(text: string, offset: number) {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}

test('every kept character is mapped to its original position', () => {
  fc.assert(
    fc.property(edited, ({ text, edits }) => {
      const { text: changed, toWritten } = applyEdits(text, edits)
      let shift = 0
      let from = 0
      const { length } = text
      for (const { from: at, to, text: inserted } of [...edits, { from: length, to: length, text: '' }]) {
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
        from = to
        shift += inserted.length - (to - at)
      }
    }),
  )
})

test('inserted text has the position of what it replaced', () => {
  const { text, toWritten } = applyEdits('one two\nthree', [{ from: 4, to: 7, text: 'a\nlonger' }])
  expect(text).toBe('one a\nlonger\nthree')
  const span = { line: 2, column: 2, end: { line: 2, column: 4 } }
  expect(toWritten?.(span)).toEqual({ line: 1, column: 5, end: { line: 1, column: 8 } })
})
