import { addDays, isCalendarDate, NEVER_DATE } from '../../../core/calendar-date.ts'
import type { ReviewEntry } from '../status-source.ts'
import { type DateSpan, monthOf, monthsOf } from './calendar.ts'
import { compareTexts } from '../../../core/compare-texts.ts'
import { createLeast } from './least.ts'

export interface ReviewScope {
  /** Calendar date in UTC; what is due on it is not overdue yet. */
  readonly today: string
  /** Days after today, within which a review is due. */
  readonly dueWithinDays: number
  /** Days that are counted one by one. */
  readonly span: DateSpan
  /** Articles that each list names. */
  readonly listed: number
}

export interface ReviewSummary<Entry extends ReviewEntry = ReviewEntry> {
  /** All articles. */
  readonly total: number
  /** Their date is before today. */
  readonly overdue: number
  /** Their date is today or within `dueWithinDays` days after it. */
  readonly due: number
  readonly later: number
  readonly never: number
  /** They have no date, or what stands there is none. */
  readonly undated: number
  /** Articles by day of the span, days without any left out. */
  readonly days: ReadonlyMap<string, number>
  /** Articles by month of the span, in order, months without any included. */
  readonly months: readonly MonthLoad[]
  /** Articles with a date before the span, and after it. */
  readonly before: number
  readonly after: number
  /** The longest overdue, the next that are due, and the next that are due later; by date, then by title. */
  readonly longestOverdue: readonly Entry[]
  readonly dueNext: readonly Entry[]
  readonly laterNext: readonly Entry[]
  /** By title. */
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

interface ReviewCounter<Entry extends ReviewEntry> {
  /** Counts one more; says how it stands. */
  readonly add: (entry: Entry) => ReviewStatus
  /** Counts articles with one date; names none of them. */
  readonly count: (date: string, articles: number) => void
  /** Names an article that is counted with others. */
  readonly name: (entry: Entry) => void
  readonly summary: () => ReviewSummary<Entry>
}

/** Counts review dates one by one; what it holds is bounded by the span and the lists, however many there are. */
export function createReviewCounter<Entry extends ReviewEntry>(scope: ReviewScope): ReviewCounter<Entry> {
  const counts = { overdue: 0, due: 0, later: 0, never: 0, undated: 0 }
  const outside = { before: 0, after: 0 }
  const days = new Map<string, number>()
  const longestOverdue = createLeast<Entry>(scope.listed, byDate)
  const dueNext = createLeast<Entry>(scope.listed, byDate)
  const laterNext = createLeast<Entry>(scope.listed, byDate)
  const neverDue = createLeast<Entry>(scope.listed, byTitle)
  const withoutDate = createLeast<Entry>(scope.listed, byTitle)
  const listOf = {
    overdue: longestOverdue,
    due: dueNext,
    later: laterNext,
    never: neverDue,
    undated: withoutDate,
  }
  const standingOf = createReviewJudge(scope, (date) => days.has(date) || isCalendarDate(date))

  function addTo(date: string, articles: number): ReviewStatus {
    const standing = standingOf(date)
    counts[standing] += articles
    if (standing === 'never' || standing === 'undated') return standing
    if (date < scope.span.from) outside.before += articles
    else if (date > scope.span.to) outside.after += articles
    else days.set(date, (days.get(date) ?? 0) + articles)
    return standing
  }

  return {
    add: (entry) => {
      const standing = addTo(entry.date, 1)
      listOf[standing].add(entry)
      return standing
    },
    count: addTo,
    name: (entry) => listOf[standingOf(entry.date)].add(entry),
    summary: () => ({
      total: Object.values(counts).reduce((sum, count) => sum + count, 0),
      ...counts,
      ...outside,
      days: new Map([...days].toSorted(([a], [b]) => compareTexts(a, b))),
      months: monthLoads(days, scope),
      longestOverdue: longestOverdue.list(),
      dueNext: dueNext.list(),
      laterNext: laterNext.list(),
      neverDue: neverDue.list(),
      withoutDate: withoutDate.list(),
    }),
  }
}

/** Says how an article with a review date stands on a day. */
export function createReviewJudge(
  { today, dueWithinDays }: Pick<ReviewScope, 'today' | 'dueWithinDays'>,
  isDate: (text: string) => boolean = isCalendarDate,
): (date: string) => ReviewStatus {
  // Dates of this form sort as texts.
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
