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

const DATE = /(?<year>\d{4})(?<dash>-?)(?<month>\d{2})\k<dash>(?<day>\d{2})/
const TIME = /(?<hour>\d{2})(?::?(?<minute>\d{2})(?::?(?<second>\d{2})(?<fraction>[.,]\d+)?)?)?/
const ZONE = /(?<zone>Z|[+-]\d{2}(?::?\d{2})?)/
const TIMESTAMP = new RegExp(`^${DATE.source}(?:[T ]${TIME.source} ?${ZONE.source}?)?$`, 'i')

/**
 * Returns the UTC calendar date of an ISO 8601 timestamp, whatever the time zone of this machine. A timestamp without a
 * zone is in UTC. Returns undefined if it is invalid, outside the years 0000 to 9999, or given by week or day of the
 * year. `NEVER_DATE` is returned unchanged, whatever the zone.
 */
export function toCalendarDate(timestamp: string): string | undefined {
  if (isUsualTimestamp(timestamp)) return timestamp.slice(0, 10)
  const found = TIMESTAMP.exec(timestamp.trim())?.groups ?? {}
  const { year, month, day, hour, minute = '00', second = '00', fraction = '', zone = 'Z' } = found
  const date = `${year}-${month}-${day}`
  if (!isCalendarDate(date)) return undefined
  if (hour === undefined || date === NEVER_DATE) return date
  // Date has no leap seconds: second 60 becomes second 59.
  const time = `${hour}:${minute}:${second === '60' ? '59' : second}${fraction.replace(',', '.')}`
  const instant = Date.parse(`${date}T${time}${spellZone(zone)}`)
  const utc = Number.isNaN(instant) ? '' : new Date(instant).toISOString()
  return /^\d{4}-/.test(utc) ? utc.slice(0, 10) : undefined
}

/** True for a valid timestamp as JavaScript formats it. Faster than the patterns. */
function isUsualTimestamp(timestamp: string): boolean {
  const time = timestamp.length === 24 ? Date.parse(timestamp) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString() === timestamp
}

/** Normalises `+02` and `+0200` to `+02:00`, the only form that every engine parses. */
function spellZone(zone: string): string {
  const [, hours, minutes = '00'] = /^([+-]\d{2}):?(\d{2})?$/.exec(zone) ?? []
  return hours === undefined ? 'Z' : `${hours}:${minutes}`
}
