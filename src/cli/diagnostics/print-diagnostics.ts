import { type Diagnostic, isError } from '../../core/model/diagnostic.ts'
import { pluralize } from '../../core/pluralize.ts'
import type { SyncResult } from '../../sync/sync-options.ts'
import type { Terminal } from '../terminal/terminal.ts'

/**
 * Prints problems of the project in `root` and a blank line. Loads the output code only if there are any.
 *
 * @param max maximum number of problems shown; one that represents others counts once
 * @param isVerbose shows also those with the same message
 * @returns the number of problems that are not shown
 */
export async function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  root: string,
  terminal: Pick<Terminal, 'out' | 'colors' | 'columns'>,
  max = diagnostics.length,
  isVerbose = false,
): Promise<number> {
  if (diagnostics.length === 0) return 0
  const { foldEqual, formatShown } = await import('../../core/code-frame/format-diagnostics.ts')
  const { viewOn } = await import('./diagnostic-view.ts')
  const folded = foldEqual(diagnostics, isVerbose)
  terminal.out(`${formatShown(folded.slice(0, max), viewOn(terminal, root))}\n`)
  return folded.slice(max).reduce((sum, { others }) => sum + 1 + others.length, 0)
}

/** Says how to see warnings that are not shown. Some are known only to a run, others only to kb check. */
export function countHidden(warnings: number): string {
  return `${pluralize(warnings, 'warning')}, shown with --verbose; kb check may find more.`
}

/**
 * Prints the errors of a run that also prints other results. Warnings are counted, and shown only with
 * `verbose`.
 */
export async function printErrors(
  result: Pick<SyncResult, 'diagnostics' | 'warnings'>,
  root: string,
  { verbose, quiet }: { readonly verbose: boolean; readonly quiet: boolean },
  terminal: Pick<Terminal, 'out' | 'err' | 'colors' | 'columns'>,
): Promise<void> {
  let hidden = result.warnings ?? 0
  if (verbose || result.warnings === undefined) {
    const { diagnostics } = result
    const shown = verbose ? diagnostics : diagnostics.filter(isError)
    await printDiagnostics(shown, root, terminal, undefined, verbose)
    hidden = diagnostics.length - shown.length
  }
  if (hidden > 0 && !quiet) terminal.err(`${countHidden(hidden)}\n`)
}
