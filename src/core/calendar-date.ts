const PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/

/** The value sent for `reviewDate: never`: the API knows only dates. */
export const NEVER_DATE = '9999-12-31'

/** Whether `text` is a date `YYYY-MM-DD` that exists in the Gregorian calendar. */
export function isCalendarDate(text: string): boolean {
  const match = PATTERN.exec(text)
  if (match === null) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** `date` (YYYY-MM-DD) plus whole days, up to the last date of the API. */
export function addDays(date: string, days: number): string {
  const time = Date.parse(`${date}T00:00:00Z`) + days * 86_400_000
  return time < Date.parse(NEVER_DATE) ? new Date(time).toISOString().slice(0, 10) : NEVER_DATE
}

const DATE = /(?<year>\d{4})(?<dash>-?)(?<month>\d{2})\k<dash>(?<day>\d{2})/
const TIME = /(?<hour>\d{2})(?::?(?<minute>\d{2})(?::?(?<second>\d{2})(?<fraction>[.,]\d+)?)?)?/
const ZONE = /(?<zone>Z|[+-]\d{2}(?::?\d{2})?)/
const TIMESTAMP = new RegExp(`^${DATE.source}(?:[T ]${TIME.source} ?${ZONE.source}?)?$`, 'i')

/**
 * The calendar date in UTC of an ISO 8601 timestamp (without a zone: in UTC), in any time zone of this machine;
 * undefined if it is invalid (dates by week or day of the year are not supported) or beyond the years 0000 to 9999. The
 * last possible date means `never` and is the same in every zone.
 */
export function toCalendarDate(timestamp: string): string | undefined {
  const found = TIMESTAMP.exec(timestamp.trim())?.groups ?? {}
  const { year, month, day, hour, minute = '00', second = '00', fraction = '', zone = 'Z' } = found
  const date = `${year}-${month}-${day}`
  if (!isCalendarDate(date)) return undefined
  if (hour === undefined || date === NEVER_DATE) return date
  // Date has no leap seconds: they count to the minute that they end.
  const time = `${hour}:${minute}:${second === '60' ? '59' : second}${fraction.replace(',', '.')}`
  const instant = Date.parse(`${date}T${time}${spellZone(zone)}`)
  const utc = Number.isNaN(instant) ? '' : new Date(instant).toISOString()
  return /^\d{4}-/.test(utc) ? utc.slice(0, 10) : undefined
}

/** `+02`, `+0200` and `+02:00` are the same zone; only the last is supported everywhere. */
function spellZone(zone: string): string {
  const [, hours, minutes = '00'] = /^([+-]\d{2}):?(\d{2})?$/.exec(zone) ?? []
  return hours === undefined ? 'Z' : `${hours}:${minutes}`
}
