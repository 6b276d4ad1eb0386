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
