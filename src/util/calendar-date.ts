const PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/

/** What `reviewDate: never` is sent as: the interface knows dates only. */
export const NEVER_DATE = '9999-12-31'

/** Whether `text` is a date `YYYY-MM-DD` that exists in the Gregorian calendar. */
export function isCalendarDate(text: string): boolean {
  const match = PATTERN.exec(text)
  if (match === null) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** `date` (YYYY-MM-DD) moved forward by whole days, at most to the last date that the interface knows. */
export function addDays(date: string, days: number): string {
  const time = Date.parse(`${date}T00:00:00Z`) + days * 86_400_000
  return time < Date.parse(NEVER_DATE) ? new Date(time).toISOString().slice(0, 10) : NEVER_DATE
}

const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/

/** The calendar date in UTC of an ISO 8601 timestamp (one without zone is in UTC), or undefined where it is none. */
export function toCalendarDate(timestamp: string): string | undefined {
  const time = Date.parse(WITHOUT_ZONE.test(timestamp) ? `${timestamp}Z` : timestamp)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10)
}
