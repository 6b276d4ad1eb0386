// Converts calendar dates to whole days since 1970, so that Date handles the ends of months, leap days and years.
import { NEVER_DATE } from '../../../core/calendar-date.ts'

const DAY_MS = 86_400_000

/** Returns the days since 1970-01-01 of a date `YYYY-MM-DD`. */
export function toDayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS
}

/** Returns the date `YYYY-MM-DD` of a day, up to the last date of the API. */
export function toDate(day: number): string {
  return day >= toDayNumber(NEVER_DATE) ? NEVER_DATE : new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** Returns the day of the week, 0 for Monday. */
export function weekdayOf(date: string): number {
  return (((toDayNumber(date) + 3) % 7) + 7) % 7
}

/** Returns the `YYYY-MM` of a date. */
export function monthOf(date: string): string {
  return date.slice(0, 7)
}

/** Returns the month `months` later (or earlier), at most 9999-12. */
export function addMonths(month: string, months: number): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + months
  const held = Math.min(Math.max(index, 0), 9999 * 12 + 11)
  return `${String(Math.floor(held / 12)).padStart(4, '0')}-${String((held % 12) + 1).padStart(2, '0')}`
}

/** A span of calendar dates, both ends inclusive. */
export interface DateSpan {
  readonly from: string
  readonly to: string
}

/** Returns whole months around that of `date`: `before` months before it, `after` months after it. */
export function monthsAround(date: string, before: number, after: number): DateSpan {
  const first = addMonths(monthOf(date), -before)
  const last = addMonths(monthOf(date), after)
  const end = last === monthOf(NEVER_DATE) ? NEVER_DATE : toDate(toDayNumber(`${addMonths(last, 1)}-01`) - 1)
  return { from: `${first}-01`, to: end }
}

export function datesOf({ from, to }: DateSpan): readonly string[] {
  const first = toDayNumber(from)
  return Array.from({ length: toDayNumber(to) - first + 1 }, (_, index) => toDate(first + index))
}

/** Returns all months of a span, in order, including partial ones. */
export function monthsOf({ from, to }: DateSpan): readonly string[] {
  const months: string[] = [monthOf(from)]
  for (let last = monthOf(from); last < monthOf(to);) months.push((last = addMonths(last, 1)))
  return months
}
