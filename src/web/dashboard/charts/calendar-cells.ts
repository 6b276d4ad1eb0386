import { addDays } from '../../../core/calendar-date.ts'
import { datesOf, type DateSpan, toDayNumber, weekdayOf } from '../summary/calendar.ts'
import type { ReviewFigures } from './review-figures.ts'

/** How the weeks of a calendar are laid out: side by side, in one row or in several below each other. */
export interface WeekLayout {
  readonly rows: number
  /** Lines that the names of months take above each row. */
  readonly above: number
}

export interface DayCell {
  readonly date: string
  readonly count: number
  /** One of DAY_LOOKS: what kind of day it is, and how full. */
  readonly look: string
  readonly column: number
  /** Counted from the top; a row has those of `above` and one for each weekday. */
  readonly line: number
  /** Line on which its month is named. */
  readonly nameLine: number
}

export interface CalendarCells {
  readonly cells: readonly DayCell[]
  readonly columns: number
  readonly lines: number
}

const LEVELS = 4
const KINDS = ['overdue', 'due', 'later'] as const
const DAYS_OF_WEEK = 7

export const DAY_LOOKS: readonly string[] = [
  'empty',
  ...KINDS.flatMap((kind) => Array.from({ length: LEVELS }, (_, index) => `${kind}-${index + 1}`)),
]

/** Every day of the span, at its place. */
export function calendarCells(figures: ReviewFigures, layout: WeekLayout): CalendarCells {
  const { span, reviews } = figures
  const weekOf = weekCounter(span)
  const columns = Math.ceil((weekOf(span.to) + 1) / layout.rows)
  const lookOf = createLook(figures)
  const cells = datesOf(span).map((date) => {
    const count = reviews.days.get(date) ?? 0
    const top = firstLine(Math.floor(weekOf(date) / columns), layout)
    const line = top + weekdayOf(date)
    return { date, count, look: lookOf(date, count), column: weekOf(date) % columns, line, nameLine: top - 1 }
  })
  return { cells, columns, lines: layout.rows * (layout.above + DAYS_OF_WEEK) }
}

/** Line of the Mondays of a row. */
export function firstLine(row: number, { above }: WeekLayout): number {
  return row * (above + DAYS_OF_WEEK) + above
}

function weekCounter({ from }: DateSpan): (date: string) => number {
  const monday = toDayNumber(from) - weekdayOf(from)
  return (date) => Math.floor((toDayNumber(date) - monday) / DAYS_OF_WEEK)
}

function createLook(figures: ReviewFigures): (date: string, count: number) => string {
  const { today, dueWithinDays, reviews } = figures
  const lastDue = addDays(today, dueWithinDays)
  const most = Math.max(1, ...reviews.days.values())
  return (date, count) => {
    if (count === 0) return 'empty'
    const kind = date < today ? 'overdue' : date <= lastDue ? 'due' : 'later'
    return `${kind}-${levelOf(count, most)}`
  }
}

/** 1 to 4 by order of magnitude, so that one day on which all came together does not make the others pale. */
function levelOf(count: number, most: number): number {
  return Math.min(LEVELS, 1 + Math.floor((LEVELS * Math.log(count)) / Math.log(most + 1)))
}
