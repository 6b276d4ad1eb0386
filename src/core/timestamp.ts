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
