import { addDays, isCalendarDate, NEVER_DATE } from '../../util/calendar-date.ts'
import type { Entries, ReviewEntry } from '../status-source.ts'
import { type DateSpan, monthOf, monthsOf } from './calendar.ts'
import { compareTexts } from './compare-texts.ts'
import { createLeast, type Least } from './least.ts'

export interface ReviewScope {
  /** Calendar date in UTC; what is due on it is not overdue yet. */
  readonly today: string
  /** Days after today that count as soon. */
  readonly dueWithinDays: number
  /** Days that are counted one by one. */
  readonly span: DateSpan
  /** Articles that are listed by name, for each of the two lists. */
  readonly listed: number
}

export interface ReviewSummary {
  /** Articles that have a review date, `never` among them. */
  readonly total: number
  /** Their date is before today. */
  readonly overdue: number
  /** Their date is today or within `dueWithinDays` days after it. */
  readonly dueSoon: number
  readonly later: number
  readonly never: number
  /** What stands there is no date. */
  readonly undated: number
  /** Articles by day of the span, days without any left out. */
  readonly days: ReadonlyMap<string, number>
  /** Articles by month of the span, in order, months without any included. */
  readonly months: readonly MonthLoad[]
  /** Articles with a date before the span, and after it. */
  readonly before: number
  readonly after: number
  /** The longest overdue, and the next that are due; by date, then by title. */
  readonly longestOverdue: readonly ReviewEntry[]
  readonly dueNext: readonly ReviewEntry[]
}

export interface MonthLoad {
  /** `YYYY-MM` */
  readonly month: string
  readonly overdue: number
  readonly upcoming: number
}

/** Counts review dates in one pass; what it holds is bounded by the span and the lists, however many there are. */
export async function summarizeReviews(
  entries: Entries<ReviewEntry>,
  scope: ReviewScope,
): Promise<ReviewSummary> {
  const counter = createReviewCounter(scope)
  for await (const entry of entries) counter.add(entry)
  return counter.summary()
}

type Standing = 'overdue' | 'dueSoon' | 'later' | 'never' | 'undated'

function createReviewCounter(scope: ReviewScope) {
  const counts = { overdue: 0, dueSoon: 0, later: 0, never: 0, undated: 0 }
  const outside = { before: 0, after: 0 }
  const days = new Map<string, number>()
  const longestOverdue = createLeast(scope.listed, byDate)
  const dueNext = createLeast(scope.listed, byDate)
  const standingOf = createJudge(scope, (date) => days.has(date) || isCalendarDate(date))

  return {
    add: (entry: ReviewEntry): void => {
      const standing = standingOf(entry.date)
      counts[standing] += 1
      if (standing === 'never' || standing === 'undated') return
      const list: Least<ReviewEntry> = standing === 'overdue' ? longestOverdue : dueNext
      list.add(entry)
      if (entry.date < scope.span.from) outside.before += 1
      else if (entry.date > scope.span.to) outside.after += 1
      else days.set(entry.date, (days.get(entry.date) ?? 0) + 1)
    },
    summary: (): ReviewSummary => ({
      total: Object.values(counts).reduce((sum, count) => sum + count, 0),
      ...counts,
      ...outside,
      days: new Map([...days].toSorted(([a], [b]) => compareTexts(a, b))),
      months: monthLoads(days, scope),
      longestOverdue: longestOverdue.list(),
      dueNext: dueNext.list(),
    }),
  }
}

// Dates of this form sort as texts.
function createJudge(
  { today, dueWithinDays }: ReviewScope,
  isDate: (text: string) => boolean,
): (date: string) => Standing {
  const soon = addDays(today, dueWithinDays)
  return (date) => {
    if (date === NEVER_DATE) return 'never'
    if (!isDate(date)) return 'undated'
    if (date < today) return 'overdue'
    return date <= soon ? 'dueSoon' : 'later'
  }
}

function byDate(a: ReviewEntry, b: ReviewEntry): number {
  return compareTexts(a.date, b.date) || compareTexts(a.title, b.title)
}

function monthLoads(days: ReadonlyMap<string, number>, { span, today }: ReviewScope): readonly MonthLoad[] {
  const loads = new Map(monthsOf(span).map((month) => [month, { overdue: 0, upcoming: 0 }]))
  for (const [date, count] of days) {
    const load = loads.get(monthOf(date))
    if (load !== undefined) load[date < today ? 'overdue' : 'upcoming'] += count
  }
  return [...loads].map(([month, load]) => ({ month, ...load }))
}
