// A project that is watched in this process: real files, real watching, and the built-in server or another target.
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { loadConfig } from '../../src/core/config/load-config.ts'
import { readEnvironment, resolveTarget } from '../../src/core/config/resolve-target.ts'
import type { OperationResult } from '../../src/core/model/plan.ts'
import { openLiveContent } from '../../src/kb/open-live-content.ts'
import { defaultConcurrency, openTarget as openSession } from '../../src/kb/open-target.ts'
import type { Environment } from '../../src/kb/project.ts'
import { LiveTarget } from '../../src/watch/live-sync/live-target.ts'
import type { WatchResult } from '../../src/watch/reducer/announce.ts'
import type { Pauses, WatchedProject as Watched } from '../../src/watch/reducer/watch-state.ts'
import { type OnConfigFiles, runWatch, type RunWatchOptions } from '../../src/watch/run-watch.ts'
import type { WatchEvent, WatchView } from '../../src/watch/reducer/watch-event.ts'
import { connectInProcess } from './connect-in-process.ts'
import { configFile, createProject, type Files, type TestProject } from './project.ts'

type Kind = WatchEvent['kind']
type EventOf<K extends Kind> = Extract<WatchEvent, { readonly kind: K }>

export interface RunningWatch {
  readonly events: readonly WatchEvent[]
  /** The next event of that kind that was not taken by an earlier call. */
  readonly next: <K extends Kind>(kind: K, fits?: (event: EventOf<K>) => boolean) => Promise<EventOf<K>>
  /** When all files have been looked at in a quiet moment after `sinceMs` (default: now); the last write comes before. */
  readonly settled: (sinceMs?: number) => Promise<void>
  /** Kinds of the events since the last call, standings aside. */
  readonly told: () => readonly string[]
  readonly view: () => WatchView | undefined
  readonly stop: () => Promise<WatchResult>
}

export interface WatchedProject extends TestProject {
  readonly watch: (options?: StartOptions) => RunningWatch
}

export interface StartOptions extends Partial<RunWatchOptions> {
  readonly env?: Environment
}

/**
 * Longer than what chokidar tells late, and than the pause after which a mistake is looked at again. What users wait for
 * is `PAUSES`.
 */
const SHORT: Pauses = { quietMs: 300, retryMs: 100, lockedMs: 300 }

export const CATEGORIES = '- name: Guides\n  slug: guides\n'

/** A project with one category and these files. */
export function createWatchedProject(files: Files, config: object = {}): WatchedProject {
  const project = createProject({
    'kb.config.ts': configFile({ project: 'demo', defaults: { status: 'published' }, ...config }),
    'content/_categories.yml': CATEGORIES,
    ...files,
  })
  return { ...project, watch: (options) => startWatch(project.root, options) }
}

/** Watches a project until there is nothing to do; what was told until then is forgotten. */
export async function startWatching(project: WatchedProject, options?: StartOptions): Promise<RunningWatch> {
  const watch = project.watch(options)
  await watch.next('ready')
  await watch.next('settled')
  watch.told()
  return watch
}

function startWatch(root: string, { env = {}, ...options }: StartOptions = {}): RunningWatch {
  const controller = new AbortController()
  const log = createEventLog()
  let view: WatchView | undefined
  const run = async () => {
    const load = async (onFiles: OnConfigFiles) => {
      const settings = await loadConfig({ cwd: root, onFiles })
      return { settings, target: resolveTarget(settings, undefined, readEnvironment(env)) }
    }
    let configFiles: readonly string[] = []
    const first = await load((files) => {
      configFiles = files
    })
    return runWatch({
      ...first,
      configFiles,
      reload: load,
      openContent: openLiveContent,
      openTarget: (watched) => openTarget(watched, env),
      prune: undefined,
      now: () => new Date(),
      sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
      pauses: SHORT,
      signal: controller.signal,
      onEvent: log.add,
      onView: (shown) => {
        view = shown
      },
      ...options,
    })
  }
  const ended = run()
  ended.catch(log.fail)
  const stop = () => {
    controller.abort()
    return ended
  }
  onTestFinished(async () => void (await stop().catch(() => undefined)))
  return { ...log, view: () => view, stop }
}

function openTarget({ settings, target }: Watched, env: Environment): LiveTarget {
  const concurrency = defaultConcurrency(target, settings)
  return new LiveTarget({
    settings,
    target,
    connect:
      target.kind === 'builtin'
        ? connectInProcess(settings)
        : openSession(target, settings, { concurrency, env }),
    onConflict: settings.sync.onConflict,
    adopt: [],
    maxDeletes: settings.sync.maxDeletes,
    yes: false,
    concurrency,
    now: () => new Date(),
    sleep: (ms) => sleep(ms),
  })
}

function createEventLog() {
  const events: WatchEvent[] = []
  const taken = new Map<Kind, number>()
  let told = 0
  let failure: { readonly error: unknown } | undefined
  let wake: (() => void)[] = []
  const wakeAll = () => {
    const sleepers = wake
    wake = []
    for (const one of sleepers) one()
  }
  const find = <K extends Kind>(kind: K, fits: (event: EventOf<K>) => boolean) =>
    events.findIndex(
      (event, index) => index >= (taken.get(kind) ?? 0) && event.kind === kind && fits(event as EventOf<K>),
    )
  const next = async <K extends Kind>(kind: K, fits: (event: EventOf<K>) => boolean = () => true) => {
    for (let index = find(kind, fits); ; index = find(kind, fits)) {
      if (index !== -1) {
        taken.set(kind, index + 1)
        return events[index] as EventOf<K>
      }
      if (failure !== undefined) throw failure.error
      await new Promise<void>((resolve) => wake.push(resolve))
    }
  }
  return {
    events,
    next,
    settled: async (sinceMs = Date.now()) => {
      await next('settled', ({ lookedAtMs }) => lookedAtMs > sinceMs)
    },
    told: () => {
      const since = told
      told = events.length
      return events.slice(since).flatMap((event) => (event.kind === 'standing' ? [] : [nameOf(event)]))
    },
    add: (event: WatchEvent) => {
      events.push(event)
      wakeAll()
    },
    fail: (error: unknown) => {
      failure = { error }
      wakeAll()
    },
  }
}

/** An event in few words. */
function nameOf(event: WatchEvent): string {
  switch (event.kind) {
    case 'sent':
      return `sent ${event.operations.map(describeOperation).join(', ')}`
    case 'unchanged':
      return `unchanged ${event.sources.join(', ')}`
    case 'orphaned':
      return `orphaned ${event.source}${event.isDelayed === true ? ' delayed' : ''}`
    case 'problems':
      return [
        'problems',
        ...event.appeared.map(({ code, file }) => `${code} ${file}`),
        ...event.fixed.map((file) => `fixed ${file}`),
      ].join(' ')
    case 'offline':
      return `offline ${event.failure.code}`
    case 'configured':
      return `configured${event.failure === undefined ? '' : ` ${event.failure.code}`}`
    case 'held':
      return `held ${event.sources.join(', ')}`
    case 'moved':
      return `moved ${event.files.map(({ from, to }) => `${from} to ${to}`).join(', ')}`
    case 'gone':
      return `gone ${event.sources.join(', ')}`
    case 'unreadable':
      return `unreadable ${event.failure.code}`
    case 'offers':
    case 'readable':
    case 'guarded':
    case 'online':
    case 'ready':
    case 'settled':
    case 'standing':
    case 'started':
      return event.kind
  }
}

export function describeOperation({ action, source, slug, outcome }: OperationResult): string {
  return `${action} ${source ?? slug}${outcome === 'done' ? '' : ` ${outcome}`}`
}
