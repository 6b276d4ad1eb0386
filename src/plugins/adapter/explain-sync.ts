import type { OnConflict } from '../../core/config/schema.ts'
import type { KbError, SyncResult } from '../../index.ts'
import { escapeControl } from '../../core/escape-control.ts'
import { formatPlainly } from './content-failure.ts'
import { isError } from '../../core/model/diagnostic.ts'
import type { SyncEnd } from './adapter.ts'

/**
 * Explains why a sync is incomplete; undefined if `kb sync` would end with exit code 0.
 *
 * @param root absolute path of the project
 * @param onConflict option of the sync
 */
export function explainProblem(result: SyncResult, root: string, onConflict: OnConflict): string | undefined {
  const { failure, guard, summary, taxonomy, diagnostics } = result
  if (failure !== undefined) return explainSyncFailure(failure)
  // The message suggests an option of the command line.
  if (guard !== undefined) return `${guard}\n--yes is an option of kb sync.`
  const errors = diagnostics.filter(isError)
  if (errors.length > 0) return formatPlainly(errors, root)
  const conflicts = onConflict === 'skip' ? 0 : summary.conflicts + taxonomy.conflicts
  return summary.failed + taxonomy.failed + conflicts === 0 ? undefined : listOpen(result).join('\n')
}

/** Formats the message and the next step, on one line. */
export function explainSyncFailure({ message, hint }: KbError): string {
  return escapeControl(hint === undefined ? message : `${message} ${hint}`)
}

/** Summarises a sync on one line, and adds one line for each skipped conflict. */
export function formatSyncSummary(result: SyncResult): string {
  const { created, updated, replaced, deleted, unchanged } = result.summary
  const done = `${created} created, ${replaced + updated} changed, ${deleted} deleted, ${unchanged} unchanged`
  return [escapeControl(`synced to ${result.target}: ${done}`), ...listOpen(result)].join('\n')
}

/** Reports the end of a build's sync. @returns the reason of a failure; undefined if there was none */
export function reportSyncEnd(end: SyncEnd, info: (text: string) => void): string | undefined {
  if (end.kind === 'failed') return end.text
  if (end.kind === 'synced') info(end.text)
  else if (end.reason !== undefined) info(escapeControl(`not synced: ${end.reason}`))
  return undefined
}

function listOpen({ operations }: SyncResult): string[] {
  return operations
    .filter(({ action, outcome }) => outcome === 'failed' || action === 'conflict')
    .map(({ source, slug, reason = 'it failed' }) => escapeControl(`${source ?? slug}: ${reason}`))
}
