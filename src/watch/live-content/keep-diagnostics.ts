import { isDeepStrictEqual } from 'node:util'
import { compareDiagnostics, type Diagnostic } from '../../core/model/diagnostic.ts'

/**
 * `now` with the very objects of `before` wherever they are the same, so that whoever compares by reference sees at once
 * what is other. Both are sorted as `LoadedContent` has them. Pure.
 */
export function keepDiagnostics(
  before: readonly Diagnostic[],
  now: readonly Diagnostic[],
): readonly Diagnostic[] {
  let at = 0
  return now.map((one) => {
    let known = before[at]
    while (known !== undefined && compareDiagnostics(known, one) < 0) known = before[++at]
    if (known === undefined || !isSame(known, one)) return one
    at++
    return known
  })
}

function isSame(one: Diagnostic, other: Diagnostic): boolean {
  return (
    compareDiagnostics(one, other) === 0 &&
    one.severity === other.severity &&
    one.message === other.message &&
    one.hint === other.hint &&
    isEqual(one.end, other.end) &&
    isEqual(one.fix, other.fix)
  )
}

/** Most come from one and the same text. */
function isEqual(one: unknown, other: unknown): boolean {
  return one === other || isDeepStrictEqual(one, other)
}
