import { relative, resolve } from 'node:path'
import pc from 'picocolors'
import type { Settings } from '../../core/config/settings.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import type { Report } from '../../web/report/report.ts'
import type { Progress } from '../../sync/target-session.ts'
import { pluralize } from '../../core/pluralize.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import type { ReportOptions, RunOptions } from '../../kb/options.ts'
import { assertOneFormat, type ExternalFlags, readExternal } from './shared-flags.ts'
import { formatExceeded } from '../../web/report/report-words.ts'
import { exitCodeOfReport } from '../results/exit-code.ts'
import { chooseReportFormat, type ReportFormat } from '../report/report-formats.ts'
import { formatReport, inChunks, writeReport } from '../report/format-report.ts'
import { type CommonFlags, type RunCommand, compileLess, runOnProject } from './run-on-project.ts'
import { printMessage } from '../terminal/print-message.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface ReportFlags
  extends CommonFlags, ExternalFlags, Omit<ReportOptions, keyof RunOptions | 'external' | 'owners'> {
  readonly format?: ReportFormat
  readonly out?: string
  /** `true`: `--owners` without a value. */
  readonly owners?: ReportOptions['owners'] | true
}

/** Width of text in a file, which has no colours. */
const FILE_COLUMNS = 80

export const reportOnTarget: RunCommand<ReportFlags> = async (paths, options, terminal) => {
  assertOneFormat(options)
  assertFileName(options.out)
  assertOwners(options)
  const format = chooseReportFormat(options)
  const external = readExternal(options)
  const isSilent = options.quiet === true || (format !== 'pretty' && options.out === undefined)
  compileLess()
  return runOnProject(paths, { ...options, quiet: isSilent }, terminal, async (run) => {
    const { kb, settings, cwd, sources, onDelay, signal } = run
    const onProgress = isSilent ? undefined : thenTarget(run.onProgress, terminal)
    const owners = options.owners === true ? 'names' : options.owners
    const report = await kb.report({ ...options, owners, external, sources, onProgress, onDelay, signal })
    terminal.status('')
    const view = viewOf(options, terminal)
    const pieces = await formatReport(report, format, { root: settings.root, env: process.env, view })
    if (options.out === undefined) for (const chunk of inChunks(pieces)) terminal.out(chunk)
    else await writeReport(resolve(cwd, options.out), options.out, pieces)
    printOutcome(report, format, options, terminal)
    if (options.writeBaseline === true) printBaseline(report, settings, options, terminal)
    return exitCodeOfReport(report)
  })
}

function thenTarget(onProgress: Progress, terminal: Terminal): Progress {
  return (phase, done, total) => {
    onProgress(phase, done, total)
    if (done >= total) terminal.status('Querying the target…')
  }
}

function viewOf({ out, verbose = false, quiet = false }: ReportFlags, terminal: Terminal) {
  const { colors, columns } = terminal
  const place =
    out === undefined ? { colors, columns } : { colors: pc.createColors(false), columns: FILE_COLUMNS }
  // The terminal stays quiet; the file that was asked for is whole.
  return { ...place, verbose, quiet: quiet && out === undefined }
}

function printOutcome(report: Report, format: ReportFormat, flags: ReportFlags, terminal: Terminal): void {
  const { out, quiet = false, json = false } = flags
  if (out !== undefined && !quiet && !json)
    printMessage(terminal, `The report is in ${escapeControlInLine(out)}.`)
  const limits = formatExceeded(report.exceeded)
  const isShown = out === undefined && (format === 'pretty' || format === 'json')
  if (limits !== undefined && !isShown) printMessage(terminal, limits)
}

function printBaseline({ counts }: Report, settings: Settings, flags: ReportFlags, terminal: Terminal): void {
  const { root, report } = settings
  const { baseline = relative(root, report.baseline ?? ''), quiet = false, json = false } = flags
  if (quiet || json) return
  const links = pluralize(counts.acceptedBroken, 'broken link')
  const accepted = `${counts.acceptedOverdue} overdue and ${links} are accepted now`
  printMessage(terminal, `${escapeControlInLine(baseline)} is written: ${accepted}.`)
}

/** @throws KbError USAGE */
function assertOwners({ owners, ownersFrom }: ReportFlags): void {
  if (owners !== undefined || ownersFrom === undefined) return
  throw new KbError('USAGE', '--owners-from has no effect without --owners.', {
    hint: 'Add --owners, or --owners=email to show e-mail addresses.',
  })
}

/** @throws KbError USAGE */
function assertFileName(out: string | undefined): void {
  if (out !== '-') return
  throw new KbError('USAGE', '--out needs the name of a file.', {
    hint: 'Without --out, the report goes to stdout. Use ./- for a file with the name "-".',
  })
}
