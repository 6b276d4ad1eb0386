// The commands with a target, with the clock and the connections of this process.
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PullResult } from '../authoring/pull/pulled-files.ts'
import { assertContentFolder } from '../content/source/content-folder.ts'
import { readEnvironment, resolveRunTarget, resolveTarget, forTarget } from '../core/config/resolve-target.ts'
import type { Settings, TargetSettings } from '../core/config/settings.ts'
import { parseShard } from '../core/config/shard.ts'
import { parseMaxDeletes } from '../core/config/max-deletes.ts'
import { KbError } from '../core/errors/kb-error.ts'
import type { DoctorReport } from '../inspect/doctor/doctor-report.ts'
import type { Report } from '../web/report/report.ts'
import { runSync } from '../sync/run-sync.ts'
import { selectSources } from '../sync/select-sources.ts'
import type { SyncContentOptions, SyncResult } from '../sync/sync-options.ts'
import { assertSources, baselineUse } from './on-files.ts'
import { defaultConcurrency, openTarget } from './open-target.ts'
import type {
  DoctorOptions,
  PlanOptions,
  PullOptions,
  ReportOptions,
  SavedPlanOptions,
  SyncOptions,
} from './options.ts'
import type { Project } from './project.ts'

type TargetOptions = Pick<SyncOptions, 'sources' | 'target' | 'concurrency' | 'onDelay'>

export async function plan(project: Project, options: PlanOptions): Promise<SyncResult> {
  const { out, diff } = options
  if (out !== undefined && options.keepGoing === true)
    throw new KbError('USAGE', 'Only a plan of content without errors can be saved.', {
      hint: 'Leave out --keep-going or --out.',
    })
  const chosen = await chooseTarget(project, options)
  const task = {
    mode: 'plan',
    ...syncTask(options, chosen.settings),
    diff,
    savesPlan: out !== undefined,
  } as const
  const result = await runOnTarget(chosen, options, task)
  if (out === undefined || result.savedPlan === undefined) return result
  const { writeSavedPlan } = await import('../sync/saved/saved-plan-file.ts')
  await writeSavedPlan(out, resolve(project.cwd, out), result.savedPlan)
  return result
}

export async function sync(project: Project, options: SyncOptions | SavedPlanOptions): Promise<SyncResult> {
  if (options.plan !== undefined) return syncSavedPlan(project, options)
  const chosen = await chooseTarget(project, options)
  return runOnTarget(chosen, options, { mode: 'sync', ...syncTask(options, chosen.settings) })
}

async function syncSavedPlan(project: Project, options: SavedPlanOptions): Promise<SyncResult> {
  const [{ readSavedPlan }, { assertPlanIsOf, optionsOfPlan, settingsOfPlan, targetNameOfPlan }] =
    await Promise.all([
      import('../sync/saved/saved-plan-file.ts'),
      import('../sync/saved/saved-plan-options.ts'),
    ])
  const settings = await project.loadSettings()
  assertContentFolder(settings.contentRoot, settings.configFile !== undefined)
  const file = options.plan
  const shard = parseShard(options.shard ?? '')
  const savedPlan = { file, plan: await readSavedPlan(file, resolve(project.cwd, file)), shard }
  const environment = readEnvironment(project.env)
  const name = environment.url === undefined ? targetNameOfPlan(savedPlan.plan, settings) : undefined
  const target = resolveRunTarget(settings, name, environment)
  assertPlanIsOf(savedPlan, settings, target)
  const chosen = connectTo(project, target, settingsOfPlan(settings, savedPlan.plan), options)
  const task = { mode: 'sync', savedPlan, ...optionsOfPlan(savedPlan.plan, options.yes ?? false) } as const
  return runOnTarget(chosen, options, task)
}

/** Returns the task of plan and sync: the options, with the defaults of the configuration. */
function syncTask(options: SyncOptions | PlanOptions, { sync: defaults }: Settings) {
  const {
    sources,
    prune,
    onConflict,
    keepGoing,
    adopt = [],
    maxDeletes,
    yes = false,
    verify = false,
  } = options
  return {
    sources,
    prune: prune ?? defaults.prune,
    onConflict: onConflict ?? defaults.onConflict,
    onError: keepGoing === undefined ? defaults.onError : keepGoing ? ('hold' as const) : ('stop' as const),
    adopt,
    maxDeletes: (maxDeletes === undefined ? undefined : parseMaxDeletes(maxDeletes)) ?? defaults.maxDeletes,
    yes,
    verify,
  }
}

type GivenHere =
  | 'settings'
  | 'target'
  | 'connect'
  | 'readRevision'
  | 'isSelected'
  | 'concurrency'
  | 'now'
  | 'sleep'

function runOnTarget(
  chosen: ChosenTarget,
  { onProgress, onStage, signal }: SyncOptions | SavedPlanOptions,
  task: Omit<SyncContentOptions, GivenHere | 'onProgress' | 'onStage' | 'signal'>,
): Promise<SyncResult> {
  return runSync({
    ...task,
    ...chosen,
    readRevision: revisionReader(chosen.target, chosen.settings),
    isSelected: selectSources(task.sources),
    ...clockOf(signal),
    onProgress,
    onStage,
    signal,
  })
}

/** Reads the built-in database's revision counter; undefined for a remote target, which needs a request. */
export function revisionReader(
  target: TargetSettings,
  settings: Settings,
): SyncContentOptions['readRevision'] {
  if (target.kind === 'remote') return undefined
  return async () => {
    const { readBuiltinRevision } = await import('./target/read-builtin-revision.ts')
    return readBuiltinRevision(settings)
  }
}

export async function pull(project: Project, options: PullOptions): Promise<PullResult> {
  const { dryRun = false, editsOnly = false, sources, onProgress, signal } = options
  const { runPull } = await import('../authoring/pull/run-pull.ts')
  const chosen = await chooseTarget(project, options)
  return runPull({
    ...chosen,
    dryRun,
    onConflict: options.onConflict ?? chosen.settings.sync.onConflict,
    editsOnly,
    isSelected: selectSources(sources),
    ...clockOf(signal),
    onProgress,
    signal,
  })
}

export async function report(project: Project, options: ReportOptions): Promise<Report> {
  const { sources, onProgress, signal, external, owners, ownersFrom = 'target' } = options
  const { runReport } = await import('../inspect/report/run-report.ts')
  // A report changes neither the target nor the files, so the project needs no name.
  const chosen = await chooseTarget(project, options, resolveTarget)
  const { report: defaults, ignoredLinks } = chosen.settings
  return runReport({
    ...chosen,
    sources,
    dueWithinDays: options.dueWithinDays ?? defaults.dueWithinDays,
    thresholds: {
      failOn: options.failOn ?? defaults.failOn,
      maxOverdue: options.maxOverdue ?? defaults.maxOverdue,
    },
    ignoredLinks: [...ignoredLinks, ...(options.ignoreLinks ?? [])],
    baseline: baselineUse(project, options, {
      file: chosen.settings.report.baseline,
      remedy: ', or as report.baseline in kb.config.ts',
    }),
    owners: owners && { shown: owners, from: ownersFrom },
    external,
    keepsHistory: options.history ?? true,
    ...clockOf(signal),
    env: project.env,
    onProgress,
    signal,
  })
}

/** The doctor need not be fast. */
const DOCTOR_CONCURRENCY = 4

export async function doctor(
  { cwd, configFile, env }: Project,
  { target: targetName, probe = false, onPhase, signal }: DoctorOptions,
): Promise<DoctorReport> {
  const { runDoctor } = await import('../inspect/doctor/run-doctor.ts')
  return runDoctor({
    cwd,
    configFile,
    targetName,
    env,
    probe,
    connect: (target, settings) => openTarget(target, settings, { concurrency: DOCTOR_CONCURRENCY, env }),
    inspectDatabase: async (db) => {
      const { inspectBuiltinDatabase } = await import('./target/inspect-builtin-database.ts')
      return inspectBuiltinDatabase(db)
    },
    now: () => new Date(),
    sleep,
    randomToken: () => randomBytes(16).toString('hex'),
    onPhase,
    signal,
  })
}

type ChosenTarget = ReturnType<typeof connectTo>

/**
 * Returns the configuration, the target of a run, and its connection. Throws KbError if the sources, the target or the
 * environment are invalid.
 *
 * @param choose resolves the target from options and environment; by default, a remote one needs a project name
 */
async function chooseTarget(
  project: Project,
  options: TargetOptions,
  choose: typeof resolveRunTarget = resolveRunTarget,
): Promise<ChosenTarget> {
  const settings = await project.loadSettings()
  const target = choose(settings, options.target, readEnvironment(project.env))
  await assertSources(options.sources, settings.contentRoot)
  return connectTo(project, target, settings, options)
}

function connectTo({ env }: Project, target: TargetSettings, settings: Settings, options: TargetOptions) {
  const { onDelay, concurrency = defaultConcurrency(target, settings) } = options
  assertContentFolder(settings.contentRoot, settings.configFile !== undefined)
  return {
    settings: forTarget(settings, target),
    target,
    concurrency,
    connect: openTarget(target, settings, { concurrency, env, onDelay }),
  }
}

function clockOf(signal: AbortSignal | undefined) {
  return {
    now: () => new Date(),
    sleep: (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined),
  }
}
