import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings, TargetSettings } from '../core/config/settings.ts'
import { runSync } from '../sync/run-sync.ts'
import { selectSources } from '../sync/select-sources.ts'
import type { SyncContentOptions as SyncTask, SyncResult } from '../sync/sync-options.ts'
import { withTaxonomyMode } from '../sync/taxonomy-mode.ts'
import { defaultConcurrency, openTarget } from './open-target.ts'
import type { Project } from './project.ts'
import { revisionReader } from './revision-reader.ts'
import type { TargetRunOptions } from './run-options.ts'

type GivenHere =
  | 'settings'
  | 'target'
  | 'connect'
  | 'readRevision'
  | 'isSelected'
  | 'concurrency'
  | 'now'
  | 'sleep'
  | 'onProgress'
  | 'signal'

/** Runs a plan or a sync with the clock and the connections of this process. */
export async function runOnTarget(
  { env }: Project,
  { settings, target }: { readonly settings: Settings; readonly target: TargetSettings },
  options: TargetRunOptions,
  task: Omit<SyncTask, GivenHere>,
): Promise<SyncResult> {
  const { onProgress, onDelay, signal } = options
  const concurrency = options.concurrency ?? defaultConcurrency(target, settings)
  return runSync({
    ...task,
    settings: withTaxonomyMode(settings, target),
    target,
    connect: openTarget(target, settings, { concurrency, env, onDelay }),
    readRevision: revisionReader(target, settings),
    isSelected: selectSources(task.sources),
    concurrency,
    now: () => new Date(),
    sleep: (ms) => sleep(ms, undefined, { signal }).catch(() => undefined),
    onProgress,
    signal,
  })
}
