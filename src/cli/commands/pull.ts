import type { PullResult } from '../../authoring/pull/pulled-files.ts'
import type { PullOptions } from '../../kb/options.ts'
import { exitCodeOfPull } from '../results/exit-code.ts'
import { printErrors } from '../diagnostics/print-diagnostics.ts'
import { formatPullJson, formatPullResult } from '../results/format-pull-result.ts'
import { reportFailure } from '../failures/report-failure.ts'
import { type CommonFlags, type RunCommand, runOnProject } from './run-on-project.ts'
import type { Terminal } from '../terminal/terminal.ts'

type PullFlags = CommonFlags & Omit<PullOptions, 'sources' | 'signal' | 'onProgress' | 'onDelay'>

export const runPullCommand: RunCommand<PullFlags> = async (paths, options, terminal) => {
  return runOnProject(paths, options, terminal, async ({ settings, kb, ...run }) => {
    const result = await kb.pull({ ...options, ...run })
    if (options.json === true) terminal.out(formatPullJson(result))
    else await print(result, options, settings.root, terminal)
    return exitCodeOfPull(result, options.onConflict ?? settings.sync.onConflict)
  })
}

async function print(result: PullResult, options: PullFlags, root: string, terminal: Terminal) {
  const { dryRun = false, verbose = false, quiet = false } = options
  await printErrors(result, root, { verbose, quiet }, terminal)
  terminal.out(formatPullResult(result, { dryRun, verbose, quiet }, terminal))
  if (result.failure !== undefined) reportFailure(result.failure, false, terminal)
}
