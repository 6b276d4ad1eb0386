import type { OnConflict } from '../../core/config/schema.ts'
import type { KbError, SyncResult } from '../../index.ts'
import { escapeControl } from '../../core/escape-control.ts'
import { formatPlainly } from './content-failure.ts'

/**
 * Why a sync was not all that was wanted; undefined where it was, as exit code 0 of `kb sync` means it.
 *
 * @param root absolute path of the project
 * @param onConflict as the sync was told
 */
export function explainProblem(
  result: SyncResult,
  { root, onConflict }: { readonly root: string; readonly onConflict: OnConflict },
): string | undefined {
  const { failure, guard, summary, taxonomy, diagnostics } = result
  if (failure !== undefined) return explainSyncFailure(failure)
  // A guard names the way past it, which is one of the command line.
  if (guard !== undefined) return `${guard}\n--yes is an option of kb sync.`
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) return formatPlainly(errors, root)
  const conflicts = onConflict === 'skip' ? 0 : summary.conflicts + taxonomy.conflicts
  return summary.failed + taxonomy.failed + conflicts === 0 ? undefined : listOpen(result).join('\n')
}

/** What happened, and what to do next, in one line. */
export function explainSyncFailure({ message, hint }: KbError): string {
  return escapeControl(hint === undefined ? message : `${message} ${hint}`)
}

/** What a sync has done, in one line; conflicts that it skipped have one each. */
export function formatSyncSummary(result: SyncResult): string {
  const { created, updated, replaced, deleted, unchanged } = result.summary
  const done = `${created} created, ${replaced + updated} changed, ${deleted} deleted, ${unchanged} unchanged`
  return [escapeControl(`synced to ${result.target}: ${done}`), ...listOpen(result)].join('\n')
}

function listOpen({ operations }: SyncResult): string[] {
  return operations
    .filter(({ action, outcome }) => outcome === 'failed' || action === 'conflict')
    .map(({ source, slug, reason = 'it failed' }) => escapeControl(`${source ?? slug}: ${reason}`))
}
