// The library: what the command line and the build plugins are made from. Everything heavy is loaded when it is used,
// since every kb.config.ts imports this module.
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseMaxDeletes } from './config/max-deletes.ts'
import type { OnConflict } from './config/define-config.ts'
import type { Settings } from './config/settings.ts'
import { KbError } from './errors/kb-error.ts'
import type { PullOptions as PullTask, PullResult } from './pull/pull-options.ts'
import type { Delay } from './client/send-with-retries.ts'
import type { Progress } from './sync/content-project.ts'
import type { CheckResult } from './sync/run-check.ts'
import type { PlanToHold, SyncOptions, SyncResult } from './sync/sync-options.ts'

export { type ArticleLink, defineConfig, type KbConfig, type RemoteTarget } from './config/define-config.ts'
export { KbError } from './errors/kb-error.ts'
export type { ErrorCode } from './errors/catalogue.ts'
export type { Diagnostic } from './model/diagnostic.ts'
export type { DiagnosticCode } from './model/diagnostic-codes.ts'
export type { ArticleDifference } from './model/article-difference.ts'
export type { OperationResult, Orphan, Summary } from './model/plan.ts'
export type { SavedPlan } from './plan/saved/saved-plan.ts'
export type { PulledFile, PullResult, PullSummary } from './pull/pull-options.ts'
export type { CheckResult } from './sync/run-check.ts'
export type { SyncResult } from './sync/sync-options.ts'

export interface ProjectOptions {
  /** The project's folder; default: the current one. */
  readonly cwd?: string | undefined
  /** Configuration file, relative to `cwd`; default: kb.config.ts there, if any. */
  readonly config?: string | undefined
  /** Where KB_URL, KB_API_KEY and the proxy variables are read; default: process.env. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: Progress | undefined
  /** Told of each pause before a request to a remote target is sent again. */
  readonly onDelay?: ((delay: Delay) => void) | undefined
  /** Articles this run is about, by their path under the content folder; default: all. */
  readonly isSelected?: ((source: string) => boolean) | undefined
}

export interface TargetOptions extends ProjectOptions {
  /** Name of a configured target. */
  readonly target?: string | undefined
  readonly prune?: boolean | undefined
  readonly onConflict?: OnConflict | undefined
  /** Slugs of articles on the target that kb-sync did not create and may take over. */
  readonly adopt?: readonly string[] | undefined
  /** A number, or a percentage such as `10%`. */
  readonly maxDeletes?: number | string | undefined
  /** Goes past the guards. */
  readonly yes?: boolean | undefined
  /** Reads every article of ours on the target, to find edits also where nothing is to be sent. */
  readonly verify?: boolean | undefined
  readonly concurrency?: number | undefined
  /** Articles and folders this run is about, by their path under the content folder; instead of `isSelected`. */
  readonly sources?: readonly string[] | undefined
}

export interface PlanOptions extends TargetOptions {
  /** Operations carry what the target has against what the file says; reads each such article once more. */
  readonly diff?: boolean | undefined
  /** File, relative to `cwd`, for the plan: `sync({ plan })` executes it. Not written where the content has errors. */
  readonly out?: string | undefined
}

/** A sync that executes a saved plan and is refused where files or target have moved on since. */
export interface SavedPlanOptions extends Omit<ProjectOptions, 'isSelected'> {
  /** File, relative to `cwd`, that `plan({ out })` wrote; all other options are taken from it. */
  readonly plan: string
  /** Goes past the guards. */
  readonly yes?: boolean | undefined
  readonly concurrency?: number | undefined
}

/**
 * Reads, checks and renders the content; sends nothing. Problems of the content are in the result, not thrown.
 *
 * @throws KbError
 */
export async function check(options: ProjectOptions = {}): Promise<CheckResult> {
  const settings = await loadSettings(options)
  const { runCheck } = await import('./sync/run-check.ts')
  return runCheck({ ...options, settings })
}

/**
 * Compares the content with the target and writes nothing there.
 *
 * @throws KbError
 */
export async function plan(options: PlanOptions = {}): Promise<SyncResult> {
  const { out, diff, isSelected, sources } = options
  if (out === undefined) return run('plan', options, { diff })
  if (isSelected !== undefined && sources === undefined)
    throw new KbError('USAGE', 'A saved plan cannot hold a function.', {
      hint: 'Give sources instead of isSelected.',
    })
  const result = await run('plan', options, { diff, savesPlan: true })
  if (result.savedPlan === undefined) return result
  const { writeSavedPlan } = await import('./sync/saved/saved-plan-file.ts')
  await writeSavedPlan(out, inFolder(out, options), result.savedPlan)
  return result
}

/**
 * Makes the target equal to the content. Nothing is sent while the content has an error; an operation that fails is in
 * the result, and so is a failure that ended the run early.
 *
 * @throws KbError where the run could not begin
 */
export async function sync(options: TargetOptions | SavedPlanOptions = {}): Promise<SyncResult> {
  return isOfSavedPlan(options) ? runSaved(options) : run('sync', options)
}

function isOfSavedPlan(options: TargetOptions | SavedPlanOptions): options is SavedPlanOptions {
  return 'plan' in options && options.plan !== undefined
}

export interface PullOptions extends ProjectOptions {
  /** Name of a configured target. */
  readonly target?: string | undefined
  /** Articles and folders this run is about, by their path under the content folder; instead of `isSelected`. */
  readonly sources?: readonly string[] | undefined
  /** Decides everything and writes no file. */
  readonly dryRun?: boolean | undefined
  /** `overwrite`: where file and target both changed, the target's goes into the file, which is kept in .kb/backups. */
  readonly onConflict?: OnConflict | undefined
  /** Leaves articles that exist only on the target alone. */
  readonly editsOnly?: boolean | undefined
  readonly concurrency?: number | undefined
}

/**
 * Brings edits made on the target into the Markdown files, and articles that exist only there in as new files. Sends
 * nothing. Nothing is pulled while the content has an error; a file that could not be written is in the result.
 *
 * @throws KbError where the run could not begin
 */
export async function pull(options: PullOptions = {}): Promise<PullResult> {
  const settings = await loadSettings(options)
  const env = options.env ?? process.env
  const { readEnvironment, resolveTarget } = await import('./config/resolve-target.ts')
  const { selectSources } = await import('./sync/select-sources.ts')
  const { runPull } = await import('./pull/run-pull.ts')
  const target = resolveTarget(settings, options.target, readEnvironment(env))
  const concurrency = options.concurrency ?? defaultConcurrency(target, settings)
  const connect: PullTask['connect'] = async (connection) =>
    (await openTarget(target, settings, { concurrency, env, onDelay: options.onDelay }))(connection)
  return runPull({
    settings,
    target,
    connect,
    dryRun: options.dryRun ?? false,
    onConflict: options.onConflict ?? settings.sync.onConflict,
    editsOnly: options.editsOnly ?? false,
    isSelected: selectSources(options.sources) ?? options.isSelected,
    now: () => new Date(),
    onProgress: options.onProgress,
    signal: options.signal,
  })
}

/** The project's configuration with all defaults filled in. */
export async function loadSettings({ cwd, config }: ProjectOptions = {}): Promise<Settings> {
  const { loadConfig } = await import('./config/load-config.ts')
  return loadConfig({ cwd: cwd ?? process.cwd(), configFile: config })
}

async function run(
  mode: SyncOptions['mode'],
  options: TargetOptions,
  extras: Pick<SyncOptions, 'diff' | 'savesPlan'> = {},
): Promise<SyncResult> {
  const settings = await loadSettings(options)
  const env = options.env ?? process.env
  const { readEnvironment, resolveTarget } = await import('./config/resolve-target.ts')
  const target = resolveTarget(settings, options.target, readEnvironment(env))
  return runOn(target, settings, options, {
    mode,
    ...extras,
    sources: options.sources,
    prune: options.prune ?? settings.sync.prune,
    onConflict: options.onConflict ?? settings.sync.onConflict,
    adopt: options.adopt ?? [],
    maxDeletes: maxDeletes(options, settings),
    yes: options.yes ?? false,
    verify: options.verify ?? false,
  })
}

async function runSaved(options: SavedPlanOptions): Promise<SyncResult> {
  const settings = await loadSettings(options)
  const { readSavedPlan } = await import('./sync/saved/saved-plan-file.ts')
  const { assertPlanIsOf, optionsOfPlan, settingsOfPlan, targetNameOfPlan } =
    await import('./sync/saved/saved-plan-options.ts')
  const { readEnvironment, resolveTarget } = await import('./config/resolve-target.ts')
  const file = options.plan
  const savedPlan: PlanToHold = { file, plan: await readSavedPlan(file, inFolder(file, options)) }
  const environment = readEnvironment(options.env ?? process.env)
  const name = environment.url === undefined ? targetNameOfPlan(savedPlan.plan, settings) : undefined
  const target = resolveTarget(settings, name, environment)
  assertPlanIsOf(savedPlan, settings, target)
  return runOn(target, settingsOfPlan(settings, savedPlan.plan), options, {
    mode: 'sync',
    savedPlan,
    ...optionsOfPlan(savedPlan.plan, options.yes ?? false),
  })
}

/** What a run does, beside where and how fast. */
type Task = Omit<
  SyncOptions,
  | 'settings'
  | 'target'
  | 'connect'
  | 'readRevision'
  | 'concurrency'
  | 'now'
  | 'sleep'
  | 'onProgress'
  | 'signal'
>

async function runOn(
  target: SyncOptions['target'],
  settings: Settings,
  options: ProjectOptions & { readonly concurrency?: number | undefined },
  task: Task,
): Promise<SyncResult> {
  const env = options.env ?? process.env
  const concurrency = options.concurrency ?? defaultConcurrency(target, settings)
  const { runSync } = await import('./sync/run-sync.ts')
  const { selectSources } = await import('./sync/select-sources.ts')
  return runSync({
    ...task,
    settings,
    target,
    connect: async (connection) =>
      (await openTarget(target, settings, { concurrency, env, onDelay: options.onDelay }))(connection),
    readRevision: target.kind === 'builtin' ? () => readRevision(settings) : undefined,
    isSelected: selectSources(task.sources) ?? options.isSelected,
    concurrency,
    now: () => new Date(),
    sleep: (ms) => sleep(ms, undefined, { signal: options.signal }).catch(() => undefined),
    onProgress: options.onProgress,
    signal: options.signal,
  })
}

function inFolder(file: string, { cwd = '.' }: ProjectOptions): string {
  return resolve(cwd, file)
}

/** Restraint is for other people's services; writes that reach ours together share one commit. */
function defaultConcurrency(target: SyncOptions['target'], { sync: { concurrency } }: Settings): number {
  return concurrency ?? (target.kind === 'builtin' ? 32 : 8)
}

async function openTarget(
  target: SyncOptions['target'],
  settings: Settings,
  connection: {
    readonly concurrency: number
    readonly env: Readonly<Record<string, string | undefined>>
    readonly onDelay: ProjectOptions['onDelay']
  },
): Promise<SyncOptions['connect']> {
  if (target.kind === 'remote') {
    const { connectRemote } = await import('./target/connect-remote.ts')
    return connectRemote(target, settings, connection)
  }
  const { connectBuiltin } = await import('./target/connect-builtin.ts')
  return connectBuiltin(settings, connection.concurrency)
}

async function readRevision(settings: Settings): Promise<number | undefined> {
  const { readBuiltinRevision } = await import('./target/read-builtin-revision.ts')
  return readBuiltinRevision(settings)
}

function maxDeletes({ maxDeletes: given }: TargetOptions, settings: Settings): SyncOptions['maxDeletes'] {
  if (given === undefined) return settings.sync.maxDeletes
  const parsed = parseMaxDeletes(given)
  if (parsed !== undefined) return parsed
  throw new KbError('USAGE', `"${given}" is neither a number nor a percentage.`, { hint: 'Write 5 or 10%.' })
}
