import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { keepDiagnostics } from '../../../src/content/pipeline/own-diagnostics.ts'
import { compareDiagnostics, type Diagnostic } from '../../../src/core/model/diagnostic.ts'

const diagnostic: fc.Arbitrary<Diagnostic> = fc.record({
  code: fc.constantFrom('trailing-space' as const, 'tags-alike' as const),
  severity: fc.constantFrom('error' as const, 'warning' as const),
  message: fc.constantFrom('one', 'two'),
  file: fc.constantFrom('a.md', 'b.md'),
  line: fc.integer({ min: 1, max: 2 }),
  column: fc.constant(1),
  end: fc.record({ line: fc.constant(2), column: fc.integer({ min: 1, max: 2 }) }),
})

const sorted = fc.array(diagnostic, { maxLength: 8 }).map((all) => all.toSorted(compareDiagnostics))

test('returns the current diagnostics', () => {
  fc.assert(
    fc.property(sorted, sorted, (before, now) => {
      expect(keepDiagnostics(before, now)).toEqual(now)
    }),
  )
})

test('unchanged ones stay the same objects, whatever changes around them', () => {
  const at = (line: number): Diagnostic => ({
    code: 'trailing-space',
    severity: 'warning',
    message: '',
    file: 'a.md',
    line,
    column: 1,
    fix: [{ start: { line, column: 1 }, end: { line, column: 2 }, text: '' }],
  })
  const before = [at(1), at(2), at(4), at(5)]
  const kept = keepDiagnostics(before, [at(2), at(3), at(4)])
  expect(kept).toEqual([at(2), at(3), at(4)])
  expect([kept[0] === before[1], kept[2] === before[2]]).toEqual([true, true])
})
