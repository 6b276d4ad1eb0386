import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Diagnostic } from '../../../src/core/model/diagnostic.ts'
import { compareProblems, type ProblemChange } from '../../../src/watch/reducer/announce.ts'
import { readRuns } from '../../support/runs.ts'

const problem = fc.record({
  code: fc.constant('trailing-space' as const),
  severity: fc.constantFrom('error' as const, 'warning' as const),
  message: fc.constantFrom('one', 'two'),
  file: fc.constantFrom('a.md', 'b.md', 'c.md'),
  line: fc.integer({ min: 1, max: 3 }),
  column: fc.constant(1),
})

const problems: fc.Arbitrary<readonly Diagnostic[]> = fc.array(problem, { maxLength: 8 })

test('identical and equal objects have the same result', () => {
  fc.assert(
    fc.property(
      problems,
      problems,
      fc.array(fc.nat(8), { maxLength: 2 }),
      problems,
      fc.subarray(['a.md', 'b.md', 'c.md']),
      (reported, added, dropped, lost, there) => {
        const isThere = (file: string) => there.includes(file)
        const kept = reported.filter((_, index) => !dropped.includes(index))
        const now = kept.toSpliced(2, 0, ...added).filter(({ file }) => isThere(file))
        const files = new Set(reported.map(({ file }) => file))
        const before = { reported, lost: lost.filter(({ file }) => !files.has(file)) }
        const [same, equal] = [now, structuredClone(now)].map((each) =>
          compareProblems(before, each, isThere),
        )
        const isGone = [...reported, ...before.lost].some(({ file }) => !isThere(file))
        expect(withoutPlaces(same, isGone)).toEqual(withoutPlaces(equal, isGone))
      },
    ),
    readRuns('FUZZ', 300),
  )
})

/**
 * Removes positions, because of several equal problems any may be the new one.
 *
 * @param isGone true if a file is gone: then its problem may have moved to any other file
 */
function withoutPlaces(change: ProblemChange | undefined, isGone: boolean): unknown {
  const keysOf = (list: readonly Diagnostic[] = []) =>
    list.map(({ file, message, severity }) => `${isGone ? '' : file} ${message} ${severity}`).toSorted()
  return { ...change, appeared: keysOf(change?.appeared), lost: keysOf(change?.lost) }
}
