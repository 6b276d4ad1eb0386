import { NEVER_DATE } from './calendar-date.ts'

/** A calendar date with or without a time, in the extended or basic format of ISO 8601 or in the format of RFC 3339. */
export const ISO_8601 =
  /^(\d{4}-\d\d-\d\d|\d{8})(?:[Tt ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?)?(?:[Zz]|([+-]\d\d)(?::?(\d\d))?)?)?$/

/** Converts a date or timestamp to a timestamp in UTC, where a missing offset means UTC; undefined if it is invalid. */
export function toTimestamp(text: string): string | undefined {
  const [, date, hour = '00', minute = '00', second = '00', fraction = '', hours = '+00', minutes = '00'] =
    ISO_8601.exec(text) ?? []
  const day = date?.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3') ?? ''
  const ms = fraction.slice(0, 3).padEnd(3, '0')
  const moment = new Date(`${day}T${hour}:${minute}:${second}.${ms}${hours}:${minutes}`)
  // Date reads 30 February as a day in March.
  const isDay = new Date(day).getUTCDate() === Number(day.slice(8))
  return isDay && !Number.isNaN(moment.getTime()) ? moment.toISOString() : undefined
}

/**
 * Returns the UTC calendar date of a timestamp that a service sent. `NEVER_DATE` is returned unchanged, whatever the
 * offset. Returns undefined if the timestamp is invalid, outside the years 0000 to 9999, or given by week or day of the
 * year.
 */
export function toCalendarDate(timestamp: string): string | undefined {
  if (isUsualTimestamp(timestamp)) return timestamp.slice(0, 10)
  // Date has no leap seconds: second 60 becomes second 59.
  const text = timestamp.trim().replace(/(?<=[Tt ]\d\d:?\d\d:?)60/, '59')
  const utc = toTimestamp(text.replace(/ (?=[Zz+-])/, '')) ?? ''
  if (utc !== '' && /^9999-?12-?31/.test(text)) return NEVER_DATE
  return /^\d{4}-/.test(utc) ? utc.slice(0, 10) : undefined
}

/** True for a valid timestamp as JavaScript formats it. Faster than the pattern. */
function isUsualTimestamp(timestamp: string): boolean {
  const time = timestamp.length === 24 ? Date.parse(timestamp) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString() === timestamp
}
