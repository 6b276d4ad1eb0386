import type { Recovery } from '../plan/explain-recovery.ts'
import { grouped } from '../util/grouped.ts'
import { printableLine } from '../util/printable.ts'
import { counted } from '../util/counted.ts'

/** How many articles are named. */
const NAMED = 3

/** What was found of a run that was cut off, in one sentence or two. */
export function formatRecovery({ writes, arrived, missing }: Recovery, dryRun: boolean): string {
  const cut = `an earlier run was cut off after ${counted(writes, 'write')}`
  if (arrived === writes) return `${cut}; ${writes === 1 ? 'it had' : 'all had'} arrived.`
  const named = missing.slice(0, NAMED).map(printableLine).join(', ')
  const more = missing.length > NAMED ? ` and ${grouped(missing.length - NAMED)} more` : ''
  const names = named === '' ? '' : `: ${named}${more}`
  return `${cut}; ${grouped(arrived)} had arrived. ${dryRun ? 'A sync' : 'This run'} puts the rest right${names}.`
}
