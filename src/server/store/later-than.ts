/** `now`, or the millisecond after `previous` where the clock has not moved on or was set back: an edit always shows. */
export function laterThan(previous: string, now: string): string {
  return now > previous ? now : new Date(Date.parse(previous) + 1).toISOString()
}
