import { type Diagnostic, countErrors, isError } from '../../core/model/diagnostic.ts'
import { groupBy } from '../../core/group-by.ts'
import { pluralize } from '../../core/pluralize.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Above this number, a table shows the count of each code, unless all are different. */
const LONG_LIST = 5

/** Returns the counts, and the next steps. */
export function formatSummary(
  diagnostics: readonly Diagnostic[],
  articles: number,
  { colors }: Pick<Terminal, 'colors'>,
  { note, accepted = 0 }: { readonly note?: string | undefined; readonly accepted?: number | undefined } = {},
): string {
  const codes = diagnostics.length > LONG_LIST ? formatCodes(diagnostics) : []
  const lines = codes.length > 0 && codes.length < diagnostics.length ? [...codes, ''] : []
  lines.push(...(note === undefined ? [] : [note]), formatCount(diagnostics, articles, accepted))
  const fixable = diagnostics.filter(({ fix }) => fix !== undefined).length
  const all = fixable === 1 ? 'it' : 'all of them'
  if (fixable > 0)
    lines.push(`kb check --fix can fix ${fixable === diagnostics.length ? all : `${fixable} of them`}.`)
  if (diagnostics.length > 0) lines.push(colors.dim('kb explain CODE shows more about a problem.'))
  return lines.map((line) => `${line}\n`).join('')
}

/** Formats `2 errors and 1 warning in 34 articles.` @param accepted problems of the baseline, not in `diagnostics` */
export function formatCount(diagnostics: readonly Diagnostic[], articles: number, accepted = 0): string {
  const { errors, warnings } = countSeverities(diagnostics)
  const parts = [
    ...(errors > 0 ? [pluralize(errors, 'error')] : []),
    ...(warnings > 0 ? [pluralize(warnings, 'warning')] : []),
  ]
  return `${parts.length === 0 ? (accepted > 0 ? 'No other problems' : 'No problems') : parts.join(' and ')} in ${pluralize(articles, 'article')}.`
}

export function countSeverities(diagnostics: readonly Diagnostic[]) {
  const errors = countErrors(diagnostics)
  return { errors, warnings: diagnostics.length - errors }
}

/** Returns the number of diagnostics per code and severity: errors first, of these the most frequent first. */
export function countCodes(diagnostics: readonly Diagnostic[]): [Diagnostic, number][] {
  const counts = [...groupBy(diagnostics, kindOf).values()].flatMap(
    ([first, ...others]): [Diagnostic, number][] => (first === undefined ? [] : [[first, others.length + 1]]),
  )
  return counts.toSorted(
    ([a, m], [b, n]) => Number(isError(b)) - Number(isError(a)) || n - m || (kindOf(a) < kindOf(b) ? -1 : 1),
  )
}

/** Overrides can make a problem an error in some files only. */
export function kindOf({ code, severity }: Diagnostic): string {
  return `${code} ${severity}`
}

function formatCodes(diagnostics: readonly Diagnostic[]): string[] {
  const counts = countCodes(diagnostics)
  const width = Math.max(...counts.map(([, count]) => String(count).length))
  return counts.map(
    ([{ code, severity }, count]) => `${String(count).padStart(width + 2)} ${severity} ${code}`,
  )
}
