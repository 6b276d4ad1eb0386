import type { SyncResult } from '../../index.ts'
import { printable } from '../../util/printable.ts'
import { formatPlainly } from './content-failure.ts'

/** Why a sync was not all that was wanted; undefined where it was. @param root absolute path of the project */
export function explainProblem(result: SyncResult, root: string): string | undefined {
  const { failure, guard, summary, taxonomy, operations, diagnostics } = result
  if (failure !== undefined)
    return failure.hint === undefined ? failure.message : `${failure.message} ${failure.hint}`
  if (guard !== undefined) return guard
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) return formatPlainly(errors, root)
  if (summary.failed + summary.conflicts + taxonomy.failed + taxonomy.conflicts === 0) return undefined
  return operations
    .filter(({ action, outcome }) => outcome === 'failed' || action === 'conflict')
    .map(({ source, slug, reason = 'it failed' }) => printable(`${source === '' ? slug : source}: ${reason}`))
    .join('\n')
}

/** What a sync has done, in one line. */
export function summarizeSync({ target, summary }: SyncResult): string {
  const { created, updated, replaced, deleted, unchanged } = summary
  return printable(
    `synced to ${target}: ${created} created, ${replaced + updated} changed, ${deleted} deleted, ${unchanged} unchanged`,
  )
}
