import { setTimeout as sleep } from 'node:timers/promises'
import { assertNamed, readEnvironment } from '../core/config/resolve-target.ts'
import type { LiveTarget } from '../watch/live-sync/live-target.ts'
import { runWatch } from '../watch/run-watch.ts'
import type { OnConfigFiles } from '../watch/watch-options.ts'
import { chooseWatched } from './choose-watched.ts'
import { openLiveContent } from './open-live-content.ts'
import { openLiveTarget } from './open-live-target.ts'
import { openPreview } from './open-preview.ts'
import { withTaxonomyMode } from '../sync/taxonomy-mode.ts'
import type { Project } from './project.ts'
import type { WatchOptions } from './run-options.ts'
import { createEventTranslator } from './translate-event.ts'
import type { KbWatchEvent, WatchSummary } from './watch-events.ts'

/** `Kb.watch` */
export async function watch(project: Project, options: WatchOptions): Promise<WatchSummary> {
  // Without a signal it ends with the process.
  const { signal = new AbortController().signal, onEvent } = options
  const load = (onFiles: OnConfigFiles) => loadProject(project, options.target, onFiles)
  let configFiles: readonly string[] = []
  const first = await load((files) => {
    configFiles = files
  })
  let { settings } = first
  let target: LiveTarget | undefined
  let outage: WatchSummary['failure']
  let unreadable: WatchSummary['failure']
  const tell = (event: KbWatchEvent) => {
    if (event.kind === 'offline') outage = event.failure
    if (event.kind === 'online') outage = undefined
    if (event.kind === 'unreadable') unreadable = event.failure
    if (event.kind === 'readable') unreadable = undefined
    onEvent?.(event)
  }
  const preview = await openPreview(options, settings, tell)
  const translate = createEventTranslator(first, preview, () => settings)
  try {
    const result = await runWatch({
      ...first,
      configFiles,
      reload: async (onFiles) => {
        const next = await load(onFiles)
        settings = next.settings
        return next
      },
      openContent: openLiveContent,
      openTarget: (watched) => {
        target = openLiveTarget(project, options, watched)
        return target
      },
      prune: options.prune,
      now: () => new Date(),
      sleep: (ms, stop) => sleep(ms, undefined, { signal: stop }).catch(() => undefined),
      signal,
      onEvent: (event) => {
        if (event.kind === 'configured' && event.failure === undefined) preview?.reconfigure(settings)
        tell(translate(event))
      },
      onView: (view, touched) => preview?.update({ ...view, brokenLinks: target?.listBrokenLinks }, touched),
    })
    return { target: first.target.name, ...result, failure: outage ?? unreadable }
  } finally {
    await preview?.close()
  }
}

/** A configuration, and what it makes of the options. */
async function loadProject(
  { loadSettings, env }: Project,
  targetName: string | undefined,
  onFiles: OnConfigFiles,
) {
  const settings = await loadSettings(onFiles)
  const chosen = chooseWatched(settings, targetName, readEnvironment(env))
  assertNamed(settings, chosen.target)
  return { settings: withTaxonomyMode(settings, chosen.target), ...chosen }
}
