import { resolve } from 'node:path'
import type { OnConflict } from '../../config/define-config.ts'
import type { ExitCode } from '../../errors/exit-codes.ts'
import { KbError } from '../../errors/kb-error.ts'
import { loadSettings, plan, sync } from '../../index.ts'
import { exitCodeOfSync } from '../exit-code.ts'
import { formatDiagnostics } from '../format-diagnostics.ts'
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

function print(
  result: Awaited<ReturnType<typeof sync>>,
  options: SyncCommandOptions,
  terminal: Terminal,
): void {
  if (result.diagnostics.length > 0) terminal.out(`${formatDiagnostics(result.diagnostics, terminal)}\n`)
  const { dryRun = false, verbose = false, quiet = false } = options
  terminal.out(formatSyncResult(result, { dryRun, verbose, quiet }, terminal))
  if (result.failure !== undefined) reportFailure(result.failure, false, terminal)
}

function pruneNeedsAll(): KbError {
  return new KbError('USAGE', '--prune looks at all articles and cannot be limited to paths.', {
    hint: 'Leave out the paths or --prune.',
  })
}
