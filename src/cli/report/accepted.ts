import { formatNumber } from '../../core/format-number.ts'

/** What still counts comes first; else the order stays. */
export function acceptedLast<T extends { readonly isAccepted: boolean }>(
  entries: readonly T[],
): readonly T[] {
  return entries.toSorted((a, b) => Number(a.isAccepted) - Number(b.isAccepted))
}

/** `, 4 of them accepted` behind a number; '' where none is. */
export function acceptedOf(count: number, total: number): string {
  if (count === 0) return ''
  return `, ${count === total ? 'all' : formatNumber(count)} of them accepted`
}
