import { assertContentFolder } from '../content/source/content-folder.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  assertNamed,
  readEnvironment,
  type KbEnvironment,
  resolveTarget,
  forTarget,
} from '../core/config/resolve-target.ts'
import type { Settings, TargetSettings } from '../core/config/settings.ts'
import { effectOf, type OperationResult } from '../core/model/plan.ts'
import { relativePath } from '../core/paths.ts'
import { LiveTarget } from '../watch/live-sync/live-target.ts'
import type { Preview } from '../watch/preview/start-preview.ts'
import { type OnConfigFiles, runWatch } from '../watch/run-watch.ts'
import type { WatchEvent } from '../watch/reducer/watch-event.ts'
import type { WatchedProject } from '../watch/reducer/watch-state.ts'
import type { Brand } from '../web/pages/brand/load-brand.ts'
import { pageAddressesOf } from '../web/pages/page-addresses-of.ts'
import { createPageUrls } from '../web/pages/page-urls.ts'
import { openLiveContent } from './open-live-content.ts'
import { withRememberedStorage } from '../sync/open-content.ts'
import { defaultConcurrency, openTarget } from './open-target.ts'
import type { Project } from './project.ts'
import type { WatchOptions } from './options.ts'
import type { KbWatchEvent, WatchSummary, WatchedTarget } from './watch-events.ts'

export async function watch(project: Project, options: WatchOptions): Promise<WatchSummary> {
  // Without a signal, the watch ends with the process.
  const { signal = new AbortController().signal, onEvent } = options
  const load = (onFiles: OnConfigFiles) => loadProject(project, options, onFiles)
  let configFiles: readonly string[] = []
  const first = await load((files) => {
    configFiles = files
  })
  let { settings, brand } = first
  assertContentFolder(settings.contentRoot, settings.configFile !== undefined)
  let target: LiveTarget | undefined
  const failures = createFailureTracker()
  const emit = (event: KbWatchEvent) => {
    failures.note(event)
    onEvent?.(event)
  }
  const preview = await openPreview(options, first, emit)
  const reconfigure = () => brand && preview?.reconfigure(settings, brand)
  const translate = createEventTranslator(first, preview, () => settings)
  try {
    const result = await runWatch({
      ...first,
      configFiles,
      reload: async (onFiles) => {
        const next = await load(onFiles)
        settings = next.settings
        const isSameBrand = brand?.digest === next.brand?.digest
        brand = next.brand
        // The configuration may be unchanged: a logo affects nothing else.
        if (!isSameBrand) reconfigure()
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
        if (event.kind === 'configured' && event.failure === undefined) reconfigure()
        emit(translate(event))
      },
      onView: (view, touched) => {
        const open = target
        preview?.update({ ...view, brokenLinks: open && (() => open.listBrokenLinks()) }, touched)
      },
    })
    return { target: first.target.name, ...result, failure: failures.current() }
  } finally {
    await preview?.close()
  }
}

/** Remembers why sending or reading fails until it works again. */
function createFailureTracker() {
  let outage: WatchSummary['failure']
  let unreadable: WatchSummary['failure']
  return {
    note: (event: KbWatchEvent) => {
      if (event.kind === 'offline') outage = event.failure
      if (event.kind === 'online') outage = undefined
      if (event.kind === 'unreadable') unreadable = event.failure
      if (event.kind === 'readable') unreadable = undefined
    },
    current: () => outage ?? unreadable,
  }
}

/** Loads a configuration and resolves the options against it. */
async function loadProject({ loadSettings, env }: Project, options: WatchOptions, onFiles: OnConfigFiles) {
  const { target, pages = true } = options
  const files = new Set<string>()
  const note = (more: readonly string[]) => {
    for (const file of more) files.add(file)
    onFiles([...files])
  }
  const settings = await loadSettings(note)
  const chosen = chooseWatched(settings, target, readEnvironment(env))
  assertNamed(settings, chosen.target)
  const brand = pages
    ? (await import('../web/pages/brand/load-brand.ts')).loadBrand(
        { root: settings.root, brand: settings.pages.brand },
        (file) => note([file]),
      )
    : undefined
  return {
    settings: await withRememberedStorage(forTarget(settings, chosen.target), chosen.target),
    brand,
    ...chosen,
  }
}

/**
 * Serves the pages of a watch, if requested. If the port is in use, another one is chosen, unless the command line sets
 * it.
 *
 * @throws KbError PORT_UNAVAILABLE
 */
async function openPreview(
  { host, port }: WatchOptions,
  { settings, brand }: { readonly settings: Settings; readonly brand: Brand | undefined },
  emit: (event: KbWatchEvent) => void,
): Promise<Preview | undefined> {
  if (brand === undefined) return undefined
  const { startPreview } = await import('../watch/preview/start-preview.ts')
  return startPreview({
    settings,
    brand,
    host: host ?? settings.server.host,
    port: port ?? settings.server.port,
    isPortRequired: port !== undefined,
    now: () => new Date(),
    onFailure: (error) => emit({ kind: 'page-failed', error }),
  })
}

/** Opens a target for repeated writes. The limits of a sync also apply here, because there is no prompt. */
function openLiveTarget({ env }: Project, { onDelay, ...options }: WatchOptions, watched: WatchedProject) {
  const { settings, target } = watched
  const { onConflict, maxDeletes } = settings.sync
  const concurrency = options.concurrency ?? defaultConcurrency(target, settings)
  return new LiveTarget({
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

/** Returns the flag for another command with the same target. */
function targetFlag({ target: asked }: Pick<WatchOptions, 'target'>, { settings, target }: WatchedProject) {
  const isPassedOver = target.kind === 'builtin' && settings.target.kind !== 'builtin'
  const name = asked ?? (isPassedOver ? 'builtin' : undefined)
  return name === undefined ? '' : ` --target ${name}`
}

/**
 * Converts the events of the file watch to those of the library: without keys, and with the URLs of pages.
 *
 * @param settings the current settings
 */
function createEventTranslator(
  { passedOver }: ChosenTarget,
  preview: Pick<Preview, 'url' | 'portTaken'> | undefined,
  settings: () => Settings,
): (event: WatchEvent) => KbWatchEvent {
  let known = { settings: settings(), urlOf: urlsOf(settings()) }
  const urlOf = (operation: OperationResult) => {
    if (known.settings !== settings()) known = { settings: settings(), urlOf: urlsOf(settings()) }
    return known.urlOf(operation)
  }
  return (event) => {
    if (event.kind === 'started') {
      const { root, contentRoot } = settings()
      return {
        ...event,
        target: toWatched(event.target),
        passedOver,
        content: relativePath(root, contentRoot) || '.',
        pages: preview?.url,
        portTaken: preview?.portTaken,
      }
    }
    if (event.kind !== 'sent') return event
    const operations = event.operations.map((operation) => ({ ...operation, url: urlOf(operation) }))
    return { ...event, operations }
  }
}

/** Returns a function for the URL of an article's page after an operation; undefined for anything else. */
function urlsOf(settings: Settings): (operation: OperationResult) => string | undefined {
  const { defaultLanguage } = settings
  const urls = createPageUrls(pageAddressesOf(settings), [defaultLanguage])
  return (operation) => {
    const { kind, slug, language } = operation
    return kind === 'article' && effectOf(operation) !== 'delete'
      ? urls.article({ slug, language: language ?? defaultLanguage })
      : undefined
  }
}

interface ChosenTarget {
  readonly target: TargetSettings
  /** The remote target of the configuration, if it is not used. */
  readonly passedOver: WatchedTarget | undefined
}

/**
 * Returns the target of a watch: a remote one only if requested by name or KB_URL. A watch sends every save, and
 * previewing a page while writing must not change what readers see.
 *
 * @throws KbError USAGE, TARGET_UNKNOWN, ENVIRONMENT_INVALID, CONFIG_INVALID
 */
export function chooseWatched(
  settings: Settings,
  name: string | undefined,
  environment: KbEnvironment,
): ChosenTarget {
  const isAskedFor = name !== undefined || environment.url !== undefined
  if (isAskedFor || settings.target.kind === 'builtin')
    return { target: resolveTarget(settings, name, environment), passedOver: undefined }
  return { target: resolveTarget(settings, 'builtin', environment), passedOver: toWatched(settings.target) }
}

/** Returns the target without its API key, which programs must not print. */
export function toWatched(target: TargetSettings): WatchedTarget {
  const { kind, name } = target
  return { kind, name, url: target.kind === 'remote' ? target.url : undefined }
}
