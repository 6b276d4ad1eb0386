import { join, resolve } from 'node:path'
import type { Settings } from '../../core/config/settings.ts'
import type { ExitCode } from '../../core/errors/exit-codes.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { formatNumber } from '../../core/format-number.ts'
import { isEveryAddress, listeningUrl } from '../../core/listening-url.ts'
import { databaseOf } from '../../kb/project.ts'
import { findServing } from '../../sync/state/lock.ts'
import { workspaceOf } from '../../sync/state/workspace.ts'
import type { PlanOptions, RunOptions } from '../../kb/options.ts'
import { hasErrors, type SyncResult } from '../../sync/sync-options.ts'
import { exitCodeOfSync } from '../results/exit-code.ts'
import type { RunProfile, RunProfiler } from '../profile/start-profiler.ts'
import { areCountsEnough, summariseSync, wasRejected } from '../results/summarise-sync.ts'
import { printMessage } from '../terminal/print-message.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type CommonFlags, type RunCommand, runOnProject } from './run-on-project.ts'
import { assertOneFormat } from './shared-flags.ts'

interface SyncFlags extends CommonFlags, Omit<PlanOptions, keyof RunOptions> {
  readonly dryRun?: boolean
  readonly plan?: string
  readonly shard?: string
  readonly format?: 'pretty' | 'json' | 'markdown'
  /** File for the CPU profile; true for the default file. */
  readonly profile?: string | true
}

export const runPlanCommand: RunCommand<SyncFlags> = async (paths, options, terminal) => {
  return runSyncCommand(paths, { ...options, dryRun: true }, terminal)
}

/** `kb sync`, and with `dryRun` the same as `kb plan`. */
export const runSyncCommand: RunCommand<SyncFlags> = async (paths, given, terminal) => {
  assertOneFormat(given)
  const options = { ...given, json: given.json === true || given.format === 'json' }
  assertTogether(paths, options)
  const profiler = await startProfiler(options)
  try {
    return await runSyncOnProject(paths, options, terminal, profiler)
  } finally {
    await profiler?.discard()
  }
}

/** Loads the profiler on demand, because that takes as long as a run with nothing to do. */
async function startProfiler({ profile }: SyncFlags): Promise<RunProfiler | undefined> {
  if (profile === undefined) return undefined
  return (await import('../profile/start-profiler.ts')).startProfiler()
}

async function runSyncOnProject(
  paths: readonly string[],
  options: SyncFlags,
  terminal: Terminal,
  profiler: RunProfiler | undefined,
): Promise<ExitCode> {
  return runOnProject(paths, options, terminal, async ({ cwd, settings, kb, sources, ...run }) => {
    const { plan: saved, shard, profile: profileFile, ...others } = options
    const common = { ...others, ...run, onStage: profiler?.onStage }
    const result =
      saved !== undefined
        ? await kb.sync({ ...common, plan: saved, shard })
        : await (options.dryRun === true ? kb.plan : kb.sync)({ ...common, sources })
    const profile = await profiler?.finish(
      typeof profileFile === 'string' ? resolve(cwd, profileFile) : join(settings.root, DEFAULT_PROFILE),
    )
    const onConflict = result.savedPlan?.options.onConflict ?? options.onConflict ?? settings.sync.onConflict
    const place = { options, settings, terminal }
    await print(result, place, profile)
    // A CI system sets the variable to nothing if the job lacks its secret.
    if (result.target === 'builtin' && options.target === undefined && process.env['KB_URL'] === '')
      printMessage(terminal, 'warning: KB_URL is empty: the target is the built-in server. Set or unset it.')
    if (options.adopt !== undefined) await printUnusedAdopts(result, options.adopt, terminal)
    if (options.out !== undefined) printPlanFile(options.out, result, place)
    if (options.verbose === true && result.unrecorded !== undefined)
      printMessage(terminal, `The next run takes longer: ${escapeControlInLine(result.unrecorded)}.`)
    if (result.summary.created > 0) printWhereToRead(result, place)
    if (mayKeepGoing(result, options))
      printMessage(terminal, 'To send the articles without errors, run kb sync --keep-going.')
    return exitCodeOfSync(result, onConflict)
  })
}

/** Beside the database, and ignored by git. */
const DEFAULT_PROFILE = '.kb/sync.cpuprofile'

/** Where a result is printed, and how. */
interface OutputPlace {
  readonly options: SyncFlags
  readonly settings: Settings
  readonly terminal: Terminal
}

// The output code is loaded on demand, so that a run with nothing to do starts faster.
async function print(result: SyncResult, place: OutputPlace, profile: RunProfile | undefined): Promise<void> {
  const { options, settings, terminal } = place
  const { dryRun = false } = options
  if (options.json === true) {
    const { formatSyncJson } = await import('../results/format-sync-json.ts')
    return terminal.out(formatSyncJson(result, profile))
  }
  if (options.format === 'markdown') {
    const { formatSyncMarkdown } = await import('../results/format-sync-markdown.ts')
    terminal.out(formatSyncMarkdown(result, dryRun))
  } else {
    await printPretty(result, place)
  }
  if (profile !== undefined) {
    const { printProfile } = await import('../profile/print-profile.ts')
    printProfile(profile, settings.root, terminal)
  }
  if (result.failure === undefined) return
  const { reportFailure } = await import('../failures/report-failure.ts')
  reportFailure(result.failure, false, terminal)
}

async function printPretty(result: SyncResult, { options, settings, terminal }: OutputPlace) {
  const { dryRun = false, verbose = false, quiet = false } = options
  if ((result.warnings ?? result.diagnostics.length) > 0) {
    const { printErrors } = await import('../diagnostics/print-diagnostics.ts')
    await printErrors(result, settings.root, { verbose, quiet }, terminal)
  }
  const { counts, end } = summariseSync(result, { dryRun })
  if (areCountsEnough(result) && counts.length <= terminal.columns) return terminal.out(`${counts}\n${end}\n`)
  const { formatSyncResult } = await import('../results/format-sync-result.ts')
  const format = { dryRun, verbose, quiet, project: settings }
  terminal.out(formatSyncResult(result, format, terminal))
}

/** After a sync has created articles on the built-in server, prints how to read them. */
function printWhereToRead({ target, drafts = 0 }: SyncResult, { options, settings, terminal }: OutputPlace) {
  const { dryRun = false, quiet = false, json = false, format = 'pretty' } = options
  if (dryRun || quiet || json || format !== 'pretty' || target !== 'builtin') return
  const { root, server, pages } = settings
  const db = databaseOf(undefined, root, settings)
  const served = findServing(workspaceOf(root).servingFile, db, new Date())
  const host = isEveryAddress(server.host) ? 'localhost' : server.host
  const deployed = pages.url === undefined ? '' : `open ${pages.url}/ if your server runs there, or `
  const start = `${deployed}run npx kb serve --pages and open ${listeningUrl(host, server.port)}/`
  printMessage(terminal, `To read it, ${served === undefined ? start : `open ${served}`}.`)
  if (drafts === 0) return
  const unseen = drafts === 1 ? 'the draft' : `the ${formatNumber(drafts)} drafts`
  printMessage(terminal, `Readers do not see ${unseen}.`)
}

/** Returns true if only errors in articles have stopped a sync. */
function mayKeepGoing(result: SyncResult, flags: SyncFlags): boolean {
  const { dryRun = false, quiet = false, json = false, format = 'pretty', plan } = flags
  if (dryRun || quiet || json || format !== 'pretty' || plan !== undefined) return false
  const isInArticle = (file: string) => /\.mdx?$/.test(file)
  const isStopped = result.failure === undefined && wasRejected(result)
  return (
    isStopped && result.diagnostics.every(({ severity, file }) => severity !== 'error' || isInArticle(file))
  )
}

function printPlanFile(file: string, { savedPlan }: SyncResult, { options, terminal }: OutputPlace): void {
  const { quiet = false, json = false } = options
  if (savedPlan === undefined)
    printMessage(terminal, `The plan was not written to ${escapeControlInLine(file)}.`)
  else if (!quiet && !json) {
    const name = escapeControlInLine(file)
    const argument = /[^\w./-]/.test(name) ? `"${name}"` : name
    printMessage(terminal, `The plan is in ${name}. To run it, use kb sync --plan ${argument}.`)
  }
}

/** Prints nothing if the run ended before it had a plan. */
async function printUnusedAdopts(result: SyncResult, adopt: readonly string[], terminal: Terminal) {
  if (result.failure !== undefined || hasErrors(result)) return
  const { findUnusedAdopts } = await import('../results/format-advice.ts')
  for (const slug of findUnusedAdopts(result.operations, adopt))
    printMessage(terminal, `--adopt ${escapeControlInLine(slug)}: no foreign article uses this slug.`)
}

/** Flags that a saved plan determines. */
const SETTLED = {
  target: '--target',
  prune: '--prune',
  onConflict: '--on-conflict',
  keepGoing: '--keep-going',
  adopt: '--adopt',
  maxDeletes: '--max-deletes',
  verify: '--verify',
  dryRun: '--dry-run',
  diff: '--diff',
} as const satisfies Partial<Record<keyof SyncFlags, string>>

/** @throws KbError USAGE */
function assertTogether(paths: readonly string[], options: SyncFlags): void {
  const { plan: saved, shard, out, prune = false, diff = false, dryRun = false } = options
  if (saved !== undefined) assertNotSettled(paths, options)
  else if (shard !== undefined) {
    throw new KbError('USAGE', '--shard sends a part of a saved plan, so it requires --plan.', {
      hint: `Run kb plan --out plan.json once, then kb sync --plan plan.json --shard ${shard} with this file in each job.`,
    })
  } else if (out === '-') {
    throw new KbError('USAGE', '--out needs the name of a file.', {
      hint: 'kb plan --json prints the plan to stdout. Use ./- for a file with the name "-".',
    })
  } else if (prune && paths.length > 0) {
    throw new KbError('USAGE', '--prune covers all articles and cannot be limited to paths.', {
      hint: 'Leave out the paths or --prune.',
    })
  } else if (diff && !dryRun) {
    throw new KbError('USAGE', '--diff requires a dry run.', {
      hint: 'Add --dry-run, or use kb plan --diff.',
    })
  }
}

function assertNotSettled(paths: readonly string[], options: SyncFlags): void {
  const flags = (Object.keys(SETTLED) as (keyof typeof SETTLED)[])
    .filter((name) => options[name] !== undefined)
    .map((name) => SETTLED[name])
  const others = [...flags, ...(paths.length > 0 ? ['paths'] : [])]
  if (others.length === 0) return
  throw new KbError('USAGE', `A saved plan already determines ${others.join(', ')}.`, {
    hint: `Leave out ${others.join(', ')}, or create another plan with kb plan --out.`,
  })
}
