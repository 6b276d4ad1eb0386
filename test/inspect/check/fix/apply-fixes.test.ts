import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyFixes } from '../../../../src/inspect/check/fix/apply-fixes.ts'
import type { Diagnostic, TextChange } from '../../../../src/core/model/diagnostic.ts'

const diagnostic = (...fix: readonly TextChange[]): Diagnostic => ({
  code: 'trailing-space',
  severity: 'warning',
  file: 'a.md',
  line: 1,
  column: 1,
  message: 'm',
  fix,
})

const change = (line: number, from: number, to: number, text: string): TextChange => ({
  start: { line, column: from },
  end: { line, column: to },
  text,
})

describe('fixes', () => {
  test('are applied at their positions, and listed', () => {
    const text = 'one  \r\ntwo\r\nthree '
    expect(
      applyFixes(text, [
        diagnostic(change(3, 6, 7, '')),
        diagnostic(change(1, 4, 6, ''), change(2, 1, 4, '2')),
      ]),
    ).toEqual({
      text: 'one\r\n2\r\nthree',
      applied: [
        {
          file: 'a.md',
          line: 1,
          column: 1,
          code: 'trailing-space',
          message: 'm',
          changes: [{ line: 3, before: ' ', after: '' }],
        },
        {
          file: 'a.md',
          line: 1,
          column: 1,
          code: 'trailing-space',
          message: 'm',
          changes: [
            { line: 1, before: '  ', after: '' },
            { line: 2, before: 'two', after: '2' },
          ],
        },
      ],
    })
  })

  test.each([
    ['that touch one made before', [change(1, 1, 3, 'x')], [change(1, 2, 4, 'y')], 'xc'],
    ['of which one part does', [change(1, 1, 2, 'x')], [change(1, 3, 4, 'y'), change(1, 1, 2, 'z')], 'xbc'],
    ['that begin at one place', [change(1, 2, 2, 'x')], [change(1, 2, 2, 'y')], 'axbc'],
    ['beyond the line', [change(1, 1, 2, 'x')], [change(1, 3, 9, 'y')], 'xbc'],
    ['beyond the text', [change(1, 1, 2, 'x')], [change(2, 1, 1, 'y')], 'xbc'],
    ['that end before they begin', [change(1, 1, 2, 'x')], [change(1, 3, 2, 'y')], 'xbc'],
  ])('%s are not applied', (_, first, second, text) => {
    const made = applyFixes('abc', [diagnostic(...first), diagnostic(...second)])
    expect([made.text, made.applied.length]).toEqual([text, 1])
  })

  test('of a different text are not applied', () => {
    const to = (before: string) => diagnostic({ ...change(1, 2, 3, 'x'), before })
    expect(applyFixes('abc', [to('c')]).text).toBe('abc')
    expect(applyFixes('abc', [to('b')]).text).toBe('axc')
  })

  test('next to each other are both applied', () => {
    const made = applyFixes('abc', [diagnostic(change(1, 1, 2, 'x')), diagnostic(change(1, 2, 4, 'y'))])
    expect([made.text, made.applied.length]).toEqual(['xy', 2])
  })

  test('that are equal are applied once, and listed for each problem', () => {
    const made = applyFixes('abc', [diagnostic(change(1, 2, 3, 'x')), diagnostic(change(1, 2, 3, 'x'))])
    expect([made.text, made.applied.length]).toEqual(['axc', 2])
  })

  test('of a text with ambiguous line endings are not applied', () => {
    expect(applyFixes('a\rb ', [diagnostic(change(1, 1, 2, 'x'))])).toEqual({ text: 'a\rb ', applied: [] })
  })

  test('leave all other characters unchanged', () => {
    const line = fc.string({ unit: fc.constantFrom('a', '😀', ' ', 'é', '\t'), maxLength: 8 })
    const lineEnd = fc.constantFrom('\n', '\r\n')
    const lines = fc.array(fc.tuple(line, lineEnd), { minLength: 1, maxLength: 6 })
    // Equal changes are applied once, however many problems have them.
    const places = fc.uniqueArray(fc.tuple(fc.nat(5), fc.nat(8), fc.nat(8)), {
      maxLength: 6,
      selector: String,
    })
    fc.assert(
      fc.property(lines, places, (written, chosen) => {
        const text = written.map((parts) => parts.join('')).join('')
        const changes = chosen.map(([at, from, to]) => change(at + 1, from + 1, to + 1, '«»'))
        const made = applyFixes(
          text,
          changes.map((each) => diagnostic(each)),
        )
        const removed = made.applied.flatMap(({ changes: [first] }) => first?.before ?? '')
        const length = text.length - removed.join('').length + 2 * made.applied.length
        expect(made.text).toHaveLength(length)
        expect(isSubsequence(made.text.replaceAll('«»', ''), text)).toBe(true)
      }),
    )
  })
})

function isSubsequence(part: string, whole: string): boolean {
  let at = 0
  for (let unit = 0; unit < whole.length; unit++) if (whole[unit] === part[at]) at++
  return at === part.length
}
