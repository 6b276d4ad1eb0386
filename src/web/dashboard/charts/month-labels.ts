// The names of months in charts and tables.
const NAMES = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** Formats `2027-03` as `March 2027`. */
export function monthName(month: string): string {
  return `${NAMES[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`
}

/** Formats a date as `Mar`; with its year at the start of a span and in January. */
export function monthLabel(date: string, spanFrom: string): string {
  return isNewYear(date, spanFrom) ? `${shortMonth(date)} ${date.slice(0, 4)}` : shortMonth(date)
}

/** Formats it in the same way, with `’27` as the year. */
export function shortMonthLabel(date: string, spanFrom: string): string {
  return isNewYear(date, spanFrom) ? `${shortMonth(date)} ’${date.slice(2, 4)}` : shortMonth(date)
}

/** Formats any date or month as `Mar`. */
export function shortMonth(date: string): string {
  return NAMES[Number(date.slice(5, 7)) - 1]?.slice(0, 3) ?? ''
}

function isNewYear(date: string, spanFrom: string): boolean {
  return date.slice(5, 7) === '01' || date.slice(0, 7) === spanFrom.slice(0, 7)
}
