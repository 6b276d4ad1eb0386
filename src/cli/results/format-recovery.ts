import type { Recovery } from '../../sync/plan/explain-recovery.ts'
import { formatNumber } from '../../core/format-number.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { pluralize } from '../../core/pluralize.ts'

/** How many articles are named. */
const NAMED = 3

/** What was found of a run that was cut off, in one sentence or two. */
export function formatRecovery({ writes, arrived, missing }: Recovery, dryRun: boolean): string {
  // A watch that is running writes its state down a moment after it has sent something: nothing was cut off then.
  if (arrived === writes)
    return writes === 1
      ? '1 write was not in the local state yet; it had arrived.'
      : `${formatNumber(writes)} writes were not in the local state yet; all had arrived.`
  const cut = `an earlier run was cut off after ${pluralize(writes, 'write')}`
  const named = missing.slice(0, NAMED).map(escapeControlInLine).join(', ')
  const more = missing.length > NAMED ? ` and ${formatNumber(missing.length - NAMED)} more` : ''
  const names = named === '' ? '' : `: ${named}${more}`
  return `${cut}; ${formatNumber(arrived)} had arrived. ${dryRun ? 'A sync' : 'This run'} puts the rest right${names}.`
}
