import { resolve } from 'node:path'
import { readEnvironment, resolveRunTarget } from '../core/config/resolve-target.ts'
import type { SyncResult } from '../sync/sync-options.ts'
import type { Project } from './project.ts'
import { runOnTarget } from './run-on-target.ts'
import type { PlanOptions } from './run-options.ts'
import { syncTaskOf } from './sync-task.ts'

/** `Kb.plan` */
export async function plan(project: Project, options: PlanOptions): Promise<SyncResult> {
  const { out, diff } = options
  const settings = await project.loadSettings()
  const target = resolveRunTarget(settings, options.target, readEnvironment(project.env))
  const task = syncTaskOf(options, settings)
  const savesPlan = out !== undefined
  const result = await runOnTarget(project, { settings, target }, options, {
    mode: 'plan',
    ...task,
    diff,
    savesPlan,
  })
  if (out === undefined || result.savedPlan === undefined) return result
  const { writeSavedPlan } = await import('../sync/saved/saved-plan-file.ts')
  await writeSavedPlan(out, resolve(project.cwd, out), result.savedPlan)
  return result
}
