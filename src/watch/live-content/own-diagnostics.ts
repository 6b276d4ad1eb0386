// Thousands of warnings are no reason to check all of them for one edit.
import { isDeepStrictEqual } from 'node:util'
import type { DiagnosticCode } from '../../core/model/diagnostic-codes.ts'
import { compareDiagnostics, type Diagnostic } from '../../core/model/diagnostic.ts'
import { sortedRange } from '../../core/sorted-range.ts'

/** Those of one file, among all of them as `LoadedContent` sorts them. */
export function diagnosticsOf(all: readonly Diagnostic[], file: string): readonly Diagnostic[] {
  const { start, end } = sortedRange(all, file, fileOf)
  return all.slice(start, end)
}

/** All with `own` in the place of what one file said of itself; the same list where neither is anything. */
export function replaceOwn(
  all: readonly Diagnostic[],
  file: string,
  own: readonly Diagnostic[],
): readonly Diagnostic[] {
  const { start, end } = sortedRange(all, file, fileOf)
  const before = all.slice(start, end)
  const kept = before.filter(({ code }) => OF_ALL_ARTICLES.has(code))
  if (kept.length === before.length && own.length === 0) return all
  return all.toSpliced(start, end - start, ...[...kept, ...own].toSorted(compareDiagnostics))
}

const fileOf = ({ file }: Diagnostic) => file

/** What rules over all articles say of one: as the last check all files found it, until the next. */
export const OF_ALL_ARTICLES: ReadonlySet<DiagnosticCode> = new Set([
  'article-orphaned',
  'asset-unused',
  'parser-fallback',
  'tag-used-once',
  'tags-alike',
])

/**
 * `now` with the very objects of `before` wherever they are the same, so that a comparison by reference shows at once
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
    isDeepStrictEqual(one.end, other.end) &&
    isDeepStrictEqual(one.fix, other.fix)
  )
}
