import type { OnConflict } from '../../config/define-config.ts'
import type { ExitCode } from '../../errors/exit-codes.ts'
import { KbError } from '../../errors/kb-error.ts'
import { plan, sync } from '../../index.ts'
import type { Diagnostic } from '../../model/diagnostic.ts'
import { exitCodeOfSync } from '../exit-code.ts'
import { formatDiagnostics } from '../format-diagnostics.ts'
import { findUnusedAdopts } from '../format-advice.ts'
import { formatSyncJson } from '../format-sync-json.ts'
import { formatSyncResult } from '../format-sync-result.ts'
import type { CommonOptions } from '../common-options.ts'
import { reportFailure } from '../report-failure.ts'
import { runOnProject } from '../run-on-project.ts'
import type { SyncResult } from '../../sync/sync-options.ts'
import { printableLine } from '../../util/printable.ts'
import type { Terminal } from '../terminal.ts'
import { counted } from '../../util/counted.ts'

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
  readonly diff?: boolean
  readonly out?: string
  /** File of a saved plan. */
  readonly plan?: string
}

/** `kb sync`, and with `dryRun` `kb plan` */
export async function syncContent(
  paths: readonly string[],
  options: SyncCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  assertTogether(paths, options)
  return runOnProject(paths, options, terminal, async ({ settings, sources, ...run }) => {
    const { plan: saved, ...others } = options
    const common = { ...others, ...run }
    const result =
      saved !== undefined
        ? await sync({ ...common, plan: saved })
        : await (options.dryRun === true ? plan : sync)({ ...common, sources })
    const onConflict = result.savedPlan?.options.onConflict ?? options.onConflict ?? settings.sync.onConflict
    if (options.json === true) terminal.out(formatSyncJson(result))
    else print(result, options, terminal)
    tellOfUnusedAdopts(result, options, terminal)
    if (options.out !== undefined) tellOfPlan(options.out, result, options, terminal)
    return exitCodeOfSync(result, onConflict)
  })
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
  if (hidden > 0 && !quiet) terminal.err(`${counted(hidden, 'more warning')}: kb check shows all of them.\n`)
  terminal.out(formatSyncResult(result, { dryRun, verbose, quiet }, terminal))
  if (result.failure !== undefined) reportFailure(result.failure, false, terminal)
}

function tellOfPlan(
  file: string,
  { savedPlan }: SyncResult,
  { quiet = false, json = false }: SyncCommandOptions,
  terminal: Terminal,
): void {
  if (savedPlan === undefined) terminal.err(`The plan was not written to ${printableLine(file)}.\n`)
  else if (!quiet && !json) terminal.err(`The plan is in ${printableLine(file)}; kb sync --plan runs it.\n`)
}

/** Nothing can be said where the run ended before it had a plan. */
function tellOfUnusedAdopts(
  { operations, failure, diagnostics }: SyncResult,
  { adopt }: SyncCommandOptions,
  terminal: Terminal,
): void {
  if (failure !== undefined || diagnostics.some(({ severity }) => severity === 'error')) return
  for (const slug of findUnusedAdopts(operations, adopt))
    terminal.err(
      `--adopt ${printableLine(slug)}: no article that is not ours stands in the way at this slug.\n`,
    )
}

/** Flags that a saved plan has settled already. */
const SETTLED = {
  target: '--target',
  prune: '--prune',
  onConflict: '--on-conflict',
  adopt: '--adopt',
  maxDeletes: '--max-deletes',
  verify: '--verify',
  dryRun: '--dry-run',
  diff: '--diff',
} as const satisfies Partial<Record<keyof SyncCommandOptions, string>>

/** @throws KbError USAGE */
function assertTogether(paths: readonly string[], options: SyncCommandOptions): void {
  const { plan: saved, out, prune = false, diff = false, dryRun = false } = options
  if (saved !== undefined) assertNotSettled(paths, options)
  else if (out === '-') {
    throw new KbError('USAGE', '--out takes the name of a file.', {
      hint: 'kb plan --json prints the plan; ./- is a file of that name.',
    })
  } else if (prune && paths.length > 0) {
    throw new KbError('USAGE', '--prune looks at all articles and cannot be limited to paths.', {
      hint: 'Leave out the paths or --prune.',
    })
  } else if (diff && !dryRun) {
    throw new KbError('USAGE', '--diff shows what would be done.', {
      hint: 'Add --dry-run, or use kb plan --diff.',
    })
  }
}

function assertNotSettled(paths: readonly string[], options: SyncCommandOptions): void {
  const flags = (Object.keys(SETTLED) as (keyof typeof SETTLED)[])
    .filter((name) => options[name] !== undefined)
    .map((name) => SETTLED[name])
  const others = [...flags, ...(paths.length > 0 ? ['paths'] : [])]
  if (others.length === 0) return
  throw new KbError('USAGE', `A saved plan settles ${others.join(', ')} already.`, {
    hint: `Leave out ${others.join(', ')}, or make another plan with kb plan --out.`,
  })
}
