import { addDays, isCalendarDate, NEVER_DATE } from '../../../core/calendar-date.ts'
import type { CountScope, ReviewEntry } from '../status-source.ts'
import { type DateSpan, monthOf, monthsOf } from './calendar.ts'
import { compareTexts } from '../../../core/compare-texts.ts'
import { createLeast } from './least.ts'

export interface ReviewScope extends CountScope {
  /** Days that are counted separately. */
  readonly span: DateSpan
}

export interface ReviewSummary<Entry extends ReviewEntry = ReviewEntry> {
  /** Number of all articles. */
  readonly total: number
  /** Articles with a date before today. */
  readonly overdue: number
  /** Articles with a date of today or within `dueWithinDays` days after it. */
  readonly due: number
  readonly later: number
  readonly never: number
  /** Articles without a date, or with an invalid one. */
  readonly undated: number
  /** Articles by day of the span, without empty days. */
  readonly days: ReadonlyMap<string, number>
  /** Articles by month of the span, in order, including empty months. */
  readonly months: readonly MonthLoad[]
  /** Articles with a date before the span, and after it. */
  readonly before: number
  readonly after: number
  /** The longest overdue, the next due, and the next due later; sorted by date, then title. */
  readonly longestOverdue: readonly Entry[]
  readonly dueNext: readonly Entry[]
  readonly laterNext: readonly Entry[]
  /** Sorted by title. */
  readonly neverDue: readonly Entry[]
  readonly withoutDate: readonly Entry[]
}

interface MonthLoad {
  /** `YYYY-MM` */
  readonly month: string
  readonly overdue: number
  readonly upcoming: number
}

export type ReviewStatus = 'overdue' | 'due' | 'later' | 'never' | 'undated'

/** Counts review dates one by one, in memory bounded by the span and the lists. */
export function createReviewCounter<Entry extends ReviewEntry>(scope: ReviewScope) {
  const counts = { overdue: 0, due: 0, later: 0, never: 0, undated: 0 }
  const outside = { before: 0, after: 0 }
  const days = new Map<string, number>()
  const lists = {
    overdue: createLeast<Entry>(scope.listed, byDate),
    due: createLeast<Entry>(scope.listed, byDate),
    later: createLeast<Entry>(scope.listed, byDate),
    never: createLeast<Entry>(scope.listed, byTitle),
    undated: createLeast<Entry>(scope.listed, byTitle),
  }
  const statusOf = createReviewJudge(scope, (date) => days.has(date) || isCalendarDate(date))

  function addTo(date: string, articles: number): ReviewStatus {
    const status = statusOf(date)
    counts[status] += articles
    if (status === 'never' || status === 'undated') return status
    if (date < scope.span.from) outside.before += articles
    else if (date > scope.span.to) outside.after += articles
    else days.set(date, (days.get(date) ?? 0) + articles)
    return status
  }

  return {
    /** Counts one entry; returns its status. */
    add: (entry: Entry) => {
      const status = addTo(entry.date, 1)
      lists[status].add(entry)
      return status
    },
    /** Counts articles with one date, without listing them. */
    count: addTo,
    /** Lists an article that is counted by `count`. */
    name: (entry: Entry) => lists[statusOf(entry.date)].add(entry),
    summary: () => ({
      total: Object.values(counts).reduce((sum, count) => sum + count, 0),
      ...counts,
      ...outside,
      days: new Map([...days].toSorted(([a], [b]) => compareTexts(a, b))),
      months: monthLoads(days, scope),
      longestOverdue: lists.overdue.list(),
      dueNext: lists.due.list(),
      laterNext: lists.later.list(),
      neverDue: lists.never.list(),
      withoutDate: lists.undated.list(),
    }),
  }
}

export function createReviewJudge(
  { today, dueWithinDays }: Pick<ReviewScope, 'today' | 'dueWithinDays'>,
  isDate: (text: string) => boolean = isCalendarDate,
): (date: string) => ReviewStatus {
  // Dates in this format sort as text.
  const lastDue = addDays(today, dueWithinDays)
  return (date) => {
    if (date === NEVER_DATE) return 'never'
    if (!isDate(date)) return 'undated'
    if (date < today) return 'overdue'
    return date <= lastDue ? 'due' : 'later'
  }
}

function byDate(a: ReviewEntry, b: ReviewEntry): number {
  return compareTexts(a.date, b.date) || byTitle(a, b)
}

function byTitle(a: ReviewEntry, b: ReviewEntry): number {
  return compareTexts(a.title, b.title)
}

function monthLoads(days: ReadonlyMap<string, number>, { span, today }: ReviewScope): readonly MonthLoad[] {
  const loads = new Map(monthsOf(span).map((month) => [month, { overdue: 0, upcoming: 0 }]))
  for (const [date, count] of days) {
    const load = loads.get(monthOf(date))
    if (load !== undefined) load[date < today ? 'overdue' : 'upcoming'] += count
  }
  return [...loads].map(([month, load]) => ({ month, ...load }))
}
