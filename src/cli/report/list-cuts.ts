import type { Listing } from '../../inspect/report/report.ts'
import { formatNumber } from '../../core/format-number.ts'

/** Which lists have less than they count, in words: for formats that would seem to have it all. */
export function listCuts(lists: Readonly<Record<string, Listing<unknown>>>): string[] {
  return Object.entries(lists).flatMap(([name, { total, entries }]) =>
    total > entries.length
      ? [`${name}: ${formatNumber(total - entries.length)} more are counted, and not listed.`]
      : [],
  )
}
