import { setTimeout as sleep } from 'node:timers/promises'
import { createLiveTarget } from '../watch/live-sync/create-live-target.ts'
import type { LiveTarget } from '../watch/live-sync/live-target.ts'
import type { WatchedProject } from '../watch/watch-options.ts'
import { defaultConcurrency, openTarget } from './open-target.ts'
import type { Project } from './project.ts'
import type { WatchOptions } from './run-options.ts'

/** A target that is written to again and again. What is guarded in a sync is guarded here: nobody is asked. */
export function openLiveTarget(
  { env }: Project,
  { onDelay, ...options }: WatchOptions,
  watched: WatchedProject,
): LiveTarget {
  const { settings, target } = watched
  const { onConflict, maxDeletes } = settings.sync
  const concurrency = options.concurrency ?? defaultConcurrency(target, settings)
  return createLiveTarget({
    settings,
    target,
    connect: openTarget(target, settings, { concurrency, env, onDelay }),
    onConflict,
    adopt: [],
    maxDeletes,
    yes: false,
    wayPastGuards: `run kb sync --prune --yes${targetFlag(options, watched)}`,
    concurrency,
    now: () => new Date(),
    sleep: (ms) => sleep(ms),
  })
}

/** For a command that goes to the same target. */
function targetFlag({ target: asked }: Pick<WatchOptions, 'target'>, { settings, target }: WatchedProject) {
  const isPassedOver = target.kind === 'builtin' && settings.target.kind !== 'builtin'
  const name = asked ?? (isPassedOver ? 'builtin' : undefined)
  return name === undefined ? '' : ` --target ${name}`
}
