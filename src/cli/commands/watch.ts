import { resolve } from 'node:path'
import type { ExitCode } from '../../core/errors/exit-codes.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { createKb } from '../../kb/create-kb.ts'
import type { KbWatchEvent } from '../../kb/watch-events.ts'
import type { WatchOptions } from '../../kb/options.ts'
import { listenForInterruption } from '../terminal/interruption.ts'
import { createProgress } from '../terminal/progress.ts'
import { reportFailure } from '../failures/report-failure.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type CommonFlags, type RunCommand, warnOfWrittenKeys } from './run-on-project.ts'
import { exitCodeOfWatch } from '../results/exit-code.ts'
import { createJsonReport, formatFailedEvent } from '../watch/report-json.ts'
import { createPrettyReport } from '../watch/report-pretty.ts'

type WatchFlags = CommonFlags & Omit<WatchOptions, 'signal' | 'onDelay' | 'onEvent'>

/** `kb watch`: runs until it is stopped, then finishes operations in progress. */
export const watchContent: RunCommand<WatchFlags> = async (_args, options, terminal) => {
  assertTogether(options)
  if (options.json !== true) return watch(options, terminal)
  try {
    return await watch(options, terminal)
  } catch (error) {
    if (!(error instanceof KbError)) throw error
    // Programs that read line by line get a line.
    terminal.out(formatFailedEvent(error))
    reportFailure(error, false, terminal)
    return error.exitCode
  }
}

async function watch(options: WatchFlags, terminal: Terminal): Promise<ExitCode> {
  const { cwd = '.', config, json = false, quiet = false, verbose = false, ...asked } = options
  let isIdle = false
  const progress = createProgress(terminal, quiet || json)
  const { signal, stop } = listenForInterruption(terminal, {
    isIdle: () => isIdle,
    onInterrupt: progress.freeze,
  })
  try {
    const kb = createKb({ cwd: resolve(cwd), config })
    const settings = await kb.loadSettings({ signal })
    warnOfWrittenKeys(settings, terminal)
    const pretty = { root: settings.root, quiet, verbose, now: () => new Date() }
    const report = json ? createJsonReport(terminal) : createPrettyReport(pretty, terminal)
    const onEvent = (event: KbWatchEvent) => {
      if (event.kind === 'standing') isIdle = event.standing.state === 'watching'
      report.onEvent(event)
    }
    const summary = await kb.watch({ ...asked, signal, onEvent, onDelay: progress.onDelay })
    report.end(summary)
    return exitCodeOfWatch(summary)
  } finally {
    progress.stop()
    stop()
  }
}

/** @throws KbError USAGE */
function assertTogether({ pages, host, port }: WatchFlags): void {
  if (pages !== false || (host === undefined && port === undefined)) return
  throw new KbError('USAGE', '--no-pages cannot be combined with --host or --port.', {
    hint: 'Leave out --no-pages, or leave out --host and --port.',
  })
}
