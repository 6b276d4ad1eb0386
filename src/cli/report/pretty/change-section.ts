import type { ChangedLink, Listing, Report } from '../../../inspect/report/report.ts'
import { formatNumber } from '../../../core/format-number.ts'
import { describeTrend } from '../describe-changes.ts'
import { entryLine, shortened, type Sign, wrapped } from './pretty-section.ts'
import type { PrettyView } from './pretty-view.ts'

/** Single findings of each kind that are named. */
const NAMED = 3

/** What became of single findings since the last report, and of the numbers since the first that is known. */
export function prettyChanges({ changes, history }: Report, view: PrettyView): string[] {
  const trend = describeTrend(history)
  if (changes === undefined && trend === undefined) return []
  const lines = changes === undefined ? [] : formatChanges(changes, view)
  const since = changes === undefined ? '' : ` on ${changes.since.slice(0, 10)}`
  return [
    '',
    view.colors.bold(changes === undefined ? 'Earlier reports' : `Since the last report${since}`),
    ...(changes !== undefined && lines.length === 0 ? ['  Nothing new, and nothing done.'] : lines),
    ...(trend === undefined ? [] : wrapped(trend, '  ', view)),
  ]
}

function formatChanges(changes: NonNullable<Report['changes']>, view: PrettyView): string[] {
  const nameLink = ({ article, url }: ChangedLink): string => `${url} in ${article}`
  const nameArticle = (name: string): string => name
  return [
    ...formatKind('x', 'newly overdue', changes.newlyOverdue, nameArticle, view),
    ...formatKind('x', 'newly broken', changes.newlyBroken, nameLink, view),
    ...formatKind('+', 'no longer overdue', changes.reviewed, nameArticle, view),
    ...formatKind('+', 'no longer broken', changes.mended, nameLink, view),
  ]
}

function formatKind<T>(
  sign: Sign,
  word: string,
  { total, entries }: Listing<T>,
  nameOf: (entry: T) => string,
  view: PrettyView,
): string[] {
  if (total === 0) return []
  const shown = shortened(entries, NAMED, view)
  const hidden = total - shown.length
  const title = `  ${formatNumber(total)} ${word}${hidden > 0 ? `, ${shown.length === 0 ? '' : 'for example'}` : ''}`
  return [
    `${title.replace(/, $/, '')}${shown.length === 0 ? '' : ':'}`,
    ...shown.map(
      (entry) => `  ${entryLine(sign, nameOf(entry), '', { ...view, columns: view.columns - 2 })}`,
    ),
  ]
}
