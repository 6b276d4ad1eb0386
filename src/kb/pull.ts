import { setTimeout as sleep } from 'node:timers/promises'
import { readEnvironment, resolveTarget } from '../config/resolve-target.ts'
import type { PullResult } from '../pull/pull-options.ts'
import { runPull } from '../pull/run-pull.ts'
import { defaultConcurrency, openTargetLater } from './open-target.ts'
import { selectSources } from '../sync/select-sources.ts'
import { assertSources } from './assert-sources.ts'
import type { Project } from './project.ts'
import type { PullOptions } from './run-options.ts'

/** `Kb.pull` */
export async function pull(project: Project, options: PullOptions): Promise<PullResult> {
  const { env } = project
  const { onDelay, onProgress, signal } = options
  const settings = await project.loadSettings()
  assertSources(options.sources, settings.contentRoot)
  const target = resolveTarget(settings, options.target, readEnvironment(env))
  const concurrency = options.concurrency ?? defaultConcurrency(target, settings)
  return runPull({
    settings,
    target,
    connect: openTargetLater(target, settings, { concurrency, env, onDelay }),
    dryRun: options.dryRun ?? false,
    onConflict: options.onConflict ?? settings.sync.onConflict,
    editsOnly: options.editsOnly ?? false,
    isSelected: selectSources(options.sources),
    now: () => new Date(),
    sleep: (ms) => sleep(ms, undefined, { signal }).catch(() => undefined),
    onProgress,
    signal,
  })
}
