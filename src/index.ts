// The library: what the command line and the build plugins are made from. Everything heavy is loaded when it is used,
// since every kb.config.ts imports this module.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseMaxDeletes } from './config/max-deletes.ts'
import type { OnConflict } from './config/define-config.ts'
import type { Settings } from './config/settings.ts'
import { KbError } from './errors/kb-error.ts'
import type { Progress } from './sync/content-project.ts'
import type { CheckResult } from './sync/run-check.ts'
import type { SyncOptions, SyncResult } from './sync/sync-options.ts'

export { type ArticleLink, defineConfig, type KbConfig, type RemoteTarget } from './config/define-config.ts'
export { KbError } from './errors/kb-error.ts'
export type { ErrorCode } from './errors/catalogue.ts'
export type { Diagnostic } from './model/diagnostic.ts'
export type { DiagnosticCode } from './model/diagnostic-codes.ts'
export type { OperationResult, Orphan, Summary } from './model/plan.ts'
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
export async function plan(options: TargetOptions = {}): Promise<SyncResult> {
  return run('plan', options)
}

/**
 * Makes the target equal to the content. Nothing is sent while the content has an error; an operation that fails is in
 * the result, and so is a failure that ended the run early.
 *
 * @throws KbError where the run could not begin
 */
export async function sync(options: TargetOptions = {}): Promise<SyncResult> {
  return run('sync', options)
}

/** The project's configuration with all defaults filled in. */
export async function loadSettings({ cwd, config }: ProjectOptions = {}): Promise<Settings> {
  const { loadConfig } = await import('./config/load-config.ts')
  return loadConfig({ cwd: cwd ?? process.cwd(), configFile: config })
}

async function run(mode: SyncOptions['mode'], options: TargetOptions): Promise<SyncResult> {
  const settings = await loadSettings(options)
  const env = options.env ?? process.env
  const { readEnvironment, resolveTarget } = await import('./config/resolve-target.ts')
  const target = resolveTarget(settings, options.target, readEnvironment(env))
  const concurrency = options.concurrency ?? defaultConcurrency(target, settings)
  const { runSync } = await import('./sync/run-sync.ts')
  return runSync({
    settings,
    target,
    mode,
    connect: async (connection) => (await openTarget(target, settings, concurrency, env))(connection),
    readRevision: target.kind === 'builtin' ? () => readRevision(settings) : undefined,
    isSelected: options.isSelected,
    prune: options.prune ?? settings.sync.prune,
    onConflict: options.onConflict ?? settings.sync.onConflict,
    adopt: options.adopt ?? [],
    maxDeletes: maxDeletes(options, settings),
    yes: options.yes ?? false,
    verify: options.verify ?? false,
    concurrency,
    now: () => new Date(),
    sleep: (ms) => sleep(ms, undefined, { signal: options.signal }).catch(() => undefined),
    onProgress: options.onProgress,
    signal: options.signal,
  })
}

/** Restraint is for other people's services; writes that reach ours together share one commit. */
function defaultConcurrency(target: SyncOptions['target'], { sync: { concurrency } }: Settings): number {
  return concurrency ?? (target.kind === 'builtin' ? 32 : 8)
}

async function openTarget(
  target: SyncOptions['target'],
  settings: Settings,
  concurrency: number,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SyncOptions['connect']> {
  if (target.kind === 'remote') {
    const { connectRemote } = await import('./target/connect-remote.ts')
    return connectRemote(target, settings, { concurrency, env })
  }
  const { connectBuiltin } = await import('./target/connect-builtin.ts')
  return connectBuiltin(settings, concurrency)
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
