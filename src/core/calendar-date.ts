const PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/

/** Sent for `reviewDate: never`, because the API knows only dates. */
export const NEVER_DATE = '9999-12-31'

/** Returns true if `text` is a date `YYYY-MM-DD` that exists in the Gregorian calendar. */
export function isCalendarDate(text: string): boolean {
  const match = PATTERN.exec(text)
  if (match === null) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** Adds whole days to `date` (YYYY-MM-DD). The result is at most `NEVER_DATE`. */
export function addDays(date: string, days: number): string {
  const time = Date.parse(`${date}T00:00:00Z`) + days * 86_400_000
  return time < Date.parse(NEVER_DATE) ? new Date(time).toISOString().slice(0, 10) : NEVER_DATE
}
