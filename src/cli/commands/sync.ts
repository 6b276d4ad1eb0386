import { resolve } from 'node:path'
import type { OnConflict } from '../../config/define-config.ts'
import type { ExitCode } from '../../errors/exit-codes.ts'
import { KbError } from '../../errors/kb-error.ts'
import { loadSettings, plan, sync } from '../../index.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import { exitCodeOfSync } from '../exit-code.ts'
import { formatDiagnostics, plural } from '../format-diagnostics.ts'
import { formatSyncJson } from '../format-sync-json.ts'
import { formatSyncResult } from '../format-sync-result.ts'
import { listenForInterruption } from '../interruption.ts'
import type { CommonOptions } from '../common-options.ts'
import { createProgress } from '../progress.ts'
import { reportFailure } from '../report-failure.ts'
import { selectPaths } from '../select-paths.ts'
import type { Terminal } from '../terminal.ts'
import { warnOfWrittenKeys } from '../warn-of-written-keys.ts'

export interface SyncCommandOptions extends CommonOptions {
  readonly target?: string
  readonly prune?: boolean
  readonly onConflict?: OnConflict
  readonly adopt?: readonly string[]
  readonly maxDeletes?: string
  readonly yes?: boolean
  readonly verify?: boolean
  readonly concurrency?: number
  readonly dryRun?: boolean
}

/** `kb sync`, and with `dryRun` `kb plan` */
export async function syncContent(
  paths: readonly string[],
  options: SyncCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const cwd = resolve(options.cwd ?? '.')
  const { signal, stop } = listenForInterruption(terminal)
  const progress = createProgress(terminal, options.quiet === true || options.json === true)
  try {
    const settings = await loadSettings({ cwd, config: options.config })
    warnOfWrittenKeys(settings, terminal)
    const isSelected = selectPaths(paths, cwd, settings.contentRoot)
    if (isSelected !== undefined && options.prune === true) throw pruneNeedsAll()
    const run = options.dryRun === true ? plan : sync
    const result = await run({ ...options, cwd, isSelected, signal, onProgress: progress.onProgress })
    progress.stop()
    const onConflict = options.onConflict ?? settings.sync.onConflict
    if (options.json === true) terminal.out(formatSyncJson(result))
    else print(result, options, terminal)
    return exitCodeOfSync(result, onConflict)
  } finally {
    progress.stop()
    stop()
  }
}

/** Warnings that a run shows: it has more to say than kb check, whose business they are. */
const SHOWN_WARNINGS = 3

function chooseShown(
  diagnostics: readonly Diagnostic[],
  { verbose, quiet }: { readonly verbose: boolean; readonly quiet: boolean },
): readonly Diagnostic[] {
  if (verbose) return diagnostics
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning')
  const shown = new Set(quiet ? [] : warnings.slice(0, SHOWN_WARNINGS))
  return diagnostics.filter((diagnostic) => diagnostic.severity === 'error' || shown.has(diagnostic))
}

function print(
  result: Awaited<ReturnType<typeof sync>>,
  options: SyncCommandOptions,
  terminal: Terminal,
): void {
  const { dryRun = false, verbose = false, quiet = false } = options
  const shown = chooseShown(result.diagnostics, { verbose, quiet })
  if (shown.length > 0) terminal.out(`${formatDiagnostics(shown, terminal)}\n`)
  const hidden = result.diagnostics.length - shown.length
  if (hidden > 0 && !quiet) terminal.err(`${plural(hidden, 'more warning')}: kb check shows all of them.\n`)
  terminal.out(formatSyncResult(result, { dryRun, verbose, quiet }, terminal))
  if (result.failure !== undefined) reportFailure(result.failure, false, terminal)
}

function pruneNeedsAll(): KbError {
  return new KbError('USAGE', '--prune looks at all articles and cannot be limited to paths.', {
    hint: 'Leave out the paths or --prune.',
  })
}
