import { compareDiagnostics, type Diagnostic } from '../../core/model/diagnostic.ts'
import { sortedRange } from '../../core/sorted-range.ts'
import { OF_ALL_ARTICLES } from './of-all-articles.ts'

// Thousands of warnings are no reason to look at all of them for one edit.

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
