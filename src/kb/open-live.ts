import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from '../config/settings.ts'
import { createLiveContent } from '../content/live/create-live-content.ts'
import type { LiveContent } from '../content/live/live-content.ts'
import { createSourceFilter } from '../content/find-sources.ts'
import { openRenderCache, openTemporaryCache } from '../content/render-cache.ts'
import { workspaceOf } from '../state/workspace.ts'
import { contentOptions } from '../sync/content-project.ts'
import { createLiveTarget } from '../sync/live/create-live-target.ts'
import type { LiveTarget } from '../sync/live/live-target.ts'
import type { WatchedProject } from '../watch/watch-options.ts'
import { defaultConcurrency, openTargetLater } from './open-target.ts'
import type { Project } from './project.ts'
import type { WatchOptions } from './run-options.ts'

/**
 * The content of a configuration, to be looked at again and again.
 *
 * @param leavesNoTrace writes nothing below .kb
 */
export async function openLiveContent(settings: Settings, leavesNoTrace = false): Promise<LiveContent> {
  return createLiveContent({
    options: contentOptions(settings),
    isIncluded: await createSourceFilter(settings.include, settings.exclude),
    openCache: () =>
      leavesNoTrace ? openTemporaryCache() : openRenderCache(workspaceOf(settings.root).cacheFile),
    now: () => Date.now(),
  })
}

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
    connect: openTargetLater(target, settings, { concurrency, env, onDelay }),
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
