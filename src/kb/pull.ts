import { setTimeout as sleep } from 'node:timers/promises'
import type { PullResult } from '../authoring/pull/pull-options.ts'
import { runPull } from '../authoring/pull/run-pull.ts'
import { selectSources } from '../sync/select-sources.ts'
import { chooseTarget } from './choose-target.ts'
import type { Project } from './project.ts'
import type { PullOptions } from './run-options.ts'

/** `Kb.pull` */
export async function pull(project: Project, options: PullOptions): Promise<PullResult> {
  const { onProgress, signal } = options
  const chosen = await chooseTarget(project, options)
  return runPull({
    ...chosen,
    dryRun: options.dryRun ?? false,
    onConflict: options.onConflict ?? chosen.settings.sync.onConflict,
    editsOnly: options.editsOnly ?? false,
    isSelected: selectSources(options.sources),
    now: () => new Date(),
    sleep: (ms) => sleep(ms, undefined, { signal }).catch(() => undefined),
    onProgress,
    signal,
  })
}
