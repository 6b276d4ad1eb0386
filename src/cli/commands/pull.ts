import type { OnConflict } from '../../config/define-config.ts'
import type { ExitCode } from '../../errors/exit-codes.ts'
import { pull, type PullResult } from '../../index.ts'
import type { CommonOptions } from '../common-options.ts'
import { exitCodeOfPull } from '../exit-code.ts'
import { formatDiagnostics } from '../format-diagnostics.ts'
import { formatPullJson } from '../format-pull-json.ts'
import { formatPullResult } from '../format-pull-result.ts'
import { reportFailure } from '../report-failure.ts'
import { runOnProject } from '../run-on-project.ts'
import type { Terminal } from '../terminal.ts'

export interface PullCommandOptions extends CommonOptions {
  readonly target?: string
  readonly dryRun?: boolean
  readonly onConflict?: OnConflict
  readonly editsOnly?: boolean
  readonly concurrency?: number
}

/** `kb pull` */
export async function pullContent(
  paths: readonly string[],
  options: PullCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return runOnProject(paths, options, terminal, async ({ settings, ...run }) => {
    const result = await pull({ ...options, ...run })
    if (options.json === true) terminal.out(formatPullJson(result))
    else print(result, options, terminal)
    return exitCodeOfPull(result, options.onConflict ?? settings.sync.onConflict)
  })
}

/** Warnings are the business of kb check: only with --verbose are they shown here. */
function print(result: PullResult, options: PullCommandOptions, terminal: Terminal): void {
  const { dryRun = false, verbose = false, quiet = false } = options
  const shown = result.diagnostics.filter(({ severity }) => verbose || severity === 'error')
  if (shown.length > 0) terminal.out(`${formatDiagnostics(shown, terminal)}\n`)
  terminal.out(formatPullResult(result, { dryRun, verbose, quiet }, terminal))
  if (result.failure !== undefined) reportFailure(result.failure, false, terminal)
}
