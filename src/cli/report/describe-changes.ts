// Changes since earlier reports, in sentences.
import type { HistoryPoint, Report } from '../../web/report/report.ts'
import { formatNumber } from '../../core/format-number.ts'
import { countWords } from '../text/count-words.ts'

/** Describes changes since the last report; undefined if there is none. */
export function describeChanges(changes: Report['changes']): string | undefined {
  if (changes === undefined) return undefined
  const { since, newlyOverdue, newlyBroken, reviewed, fixed } = changes
  const counts = countWords(
    {
      newlyOverdue: newlyOverdue.total,
      newlyBroken: newlyBroken.total,
      reviewed: reviewed.total,
      fixed: fixed.total,
    },
    {
      newlyOverdue: 'newly overdue',
      newlyBroken: 'newly broken',
      reviewed: 'no longer overdue',
      fixed: 'no longer broken',
    },
  )
  const what = counts.length === 0 ? 'nothing has changed' : counts.join(', ')
  return `Since the last report on ${since.slice(0, 10)}: ${what}.`
}

const TRENDS: Readonly<Record<keyof Omit<HistoryPoint, 'at'>, string>> = {
  overdue: 'overdue',
  due: 'due',
  broken: 'broken links',
  unowned: 'without a file',
  outdatedTranslations: 'outdated translations',
}

/** Describes the changes from the first known report to this one; undefined if there are none. */
export function describeTrend(history: readonly HistoryPoint[]): string | undefined {
  const first = history[0]
  const last = history.at(-1)
  if (first === undefined || last === undefined || history.length < 2) return undefined
  const names = Object.keys(TRENDS) as (keyof typeof TRENDS)[]
  const moved = names.flatMap((name) => {
    const [before, now] = [first[name], last[name]]
    if (before === undefined || now === undefined || before === now) return []
    return [`${TRENDS[name]} ${formatNumber(before)} to ${formatNumber(now)}`]
  })
  if (moved.length === 0) return undefined
  return `Over ${history.length} reports since ${first.at.slice(0, 10)}: ${moved.join(', ')}.`
}
