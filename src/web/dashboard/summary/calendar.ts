// Calendar dates as whole days since 1970, so that borders of months, leap days and years are the calendar's affair.
import { NEVER_DATE } from '../../../core/calendar-date.ts'

const DAY_MS = 86_400_000

/** Days since 1970-01-01 of a date `YYYY-MM-DD`. */
export function toDayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS
}

/** The date `YYYY-MM-DD` of a day; never beyond the last one that the interface knows. */
export function toDate(day: number): string {
  return day >= toDayNumber(NEVER_DATE) ? NEVER_DATE : new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** Day of the week, 0 for Monday. */
export function weekdayOf(date: string): number {
  return (((toDayNumber(date) + 3) % 7) + 7) % 7
}

/** `YYYY-MM` of a date. */
export function monthOf(date: string): string {
  return date.slice(0, 7)
}

/** A month that is so many later (or earlier), at most 9999-12. */
export function addMonths(month: string, months: number): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + months
  const held = Math.min(Math.max(index, 0), 9999 * 12 + 11)
  return `${String(Math.floor(held / 12)).padStart(4, '0')}-${String((held % 12) + 1).padStart(2, '0')}`
}

/** A span of calendar dates, both ends in it. */
export interface DateSpan {
  readonly from: string
  readonly to: string
}

/** Whole months around the one of `date`: so many before it, so many after it. */
export function monthsAround(date: string, before: number, after: number): DateSpan {
  const first = addMonths(monthOf(date), -before)
  const last = addMonths(monthOf(date), after)
  const end = last === monthOf(NEVER_DATE) ? NEVER_DATE : toDate(toDayNumber(`${addMonths(last, 1)}-01`) - 1)
  return { from: `${first}-01`, to: end }
}

/** All dates of a span, in order. */
export function datesOf({ from, to }: DateSpan): readonly string[] {
  const first = toDayNumber(from)
  return Array.from({ length: toDayNumber(to) - first + 1 }, (_, index) => toDate(first + index))
}

/** All months that a span touches, in order. */
export function monthsOf({ from, to }: DateSpan): readonly string[] {
  const months: string[] = [monthOf(from)]
  for (let last = monthOf(from); last < monthOf(to);) months.push((last = addMonths(last, 1)))
  return months
}

const NAMES = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** `March 2027`, of `2027-03`. */
export function monthName(month: string): string {
  return `${NAMES[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`
}

/** `Mar`; with its year where that is new: at the beginning of a span and in January. */
export function monthLabel(date: string, spanFrom: string): string {
  return isNewYear(date, spanFrom) ? `${shortMonth(date)} ${date.slice(0, 4)}` : shortMonth(date)
}

/** The same with `’27` for the year. */
export function shortMonthLabel(date: string, spanFrom: string): string {
  return isNewYear(date, spanFrom) ? `${shortMonth(date)} ’${date.slice(2, 4)}` : shortMonth(date)
}

/** `Mar`, of any date or month. */
export function shortMonth(date: string): string {
  return NAMES[Number(date.slice(5, 7)) - 1]?.slice(0, 3) ?? ''
}

function isNewYear(date: string, spanFrom: string): boolean {
  return date.slice(5, 7) === '01' || date.slice(0, 7) === spanFrom.slice(0, 7)
}
