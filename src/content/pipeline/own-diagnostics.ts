// With thousands of warnings, an edit must not check all of them.
import { isDeepStrictEqual } from 'node:util'
import type { DiagnosticCode } from '../../core/model/diagnostic-codes.ts'
import { compareDiagnostics, type Diagnostic } from '../../core/model/diagnostic.ts'
import { sortedRange } from '../../core/sorted-lists.ts'

/** Returns the diagnostics of one file from a list sorted as in `LoadedContent`. */
export function diagnosticsOf(all: readonly Diagnostic[], file: string): readonly Diagnostic[] {
  const { start, end } = sortedRange(all, file, fileOf)
  return all.slice(start, end)
}

/** Replaces the diagnostics of one file with `own`. Returns the same list if both are empty. */
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

/** Diagnostics of rules over all articles. They are kept until the next scan of all files. */
export const OF_ALL_ARTICLES: ReadonlySet<DiagnosticCode> = new Set([
  'article-orphaned',
  'asset-unused',
  'parser-fallback',
  'tag-used-once',
  'tags-alike',
])

/**
 * Returns `now` with the objects of `before` where both are equal, so that a comparison by reference shows the
 * differences. Both are sorted as in `LoadedContent`. Pure.
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
