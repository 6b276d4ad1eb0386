import { resolve } from 'node:path'
import { readEnvironment, resolveRunTarget } from '../core/config/resolve-target.ts'
import type { PlanToHold, SyncResult } from '../sync/sync-options.ts'
import type { Project } from './project.ts'
import { runOnTarget } from './run-on-target.ts'
import type { SavedPlanOptions, SyncOptions } from './run-options.ts'
import { syncTaskOf } from './sync-task.ts'

/** `Kb.sync` */
export async function sync(project: Project, options: SyncOptions | SavedPlanOptions): Promise<SyncResult> {
  if (isOfSavedPlan(options)) return syncSavedPlan(project, options)
  const settings = await project.loadSettings()
  const target = resolveRunTarget(settings, options.target, readEnvironment(project.env))
  return runOnTarget(project, { settings, target }, options, {
    mode: 'sync',
    ...syncTaskOf(options, settings),
  })
}

function isOfSavedPlan(options: SyncOptions | SavedPlanOptions): options is SavedPlanOptions {
  return options.plan !== undefined
}

async function syncSavedPlan(project: Project, options: SavedPlanOptions): Promise<SyncResult> {
  const [{ readSavedPlan }, { assertPlanIsOf, optionsOfPlan, settingsOfPlan, targetNameOfPlan }] =
    await Promise.all([
      import('../sync/saved/saved-plan-file.ts'),
      import('../sync/saved/saved-plan-options.ts'),
    ])
  const settings = await project.loadSettings()
  const file = options.plan
  const savedPlan: PlanToHold = { file, plan: await readSavedPlan(file, resolve(project.cwd, file)) }
  const environment = readEnvironment(project.env)
  const name = environment.url === undefined ? targetNameOfPlan(savedPlan.plan, settings) : undefined
  const target = resolveRunTarget(settings, name, environment)
  assertPlanIsOf(savedPlan, settings, target)
  const run = { settings: settingsOfPlan(settings, savedPlan.plan), target }
  return runOnTarget(project, run, options, {
    mode: 'sync',
    savedPlan,
    ...optionsOfPlan(savedPlan.plan, options.yes ?? false),
  })
}
