import { pluralize } from '../../core/pluralize.ts'

/** How many names of a long list are given. */
const NAMED = 10

/** `Guides, Accounts and 3 more`. */
export function listed(names: readonly string[]): string {
  const rest = names.length - NAMED
  return rest <= 1 ? names.join(', ') : `${names.slice(0, NAMED).join(', ')} and ${rest} more`
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** `3 hours`, `900 ms`: the largest unit that fits. */
export function spelledDuration(ms: number): string {
  const unit = UNITS.find(([, size]) => ms >= size)
  return unit === undefined ? `${Math.round(ms)} ms` : pluralize(Math.round(ms / unit[1]), unit[0])
}
