import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Settings } from '../core/config/settings.ts'
import { KbError } from '../core/errors/kb-error.ts'
import type { LocalArticle } from '../core/model/document.ts'
import { withRunSignal } from '../core/with-run-signal.ts'
import { type ProjectWatcher, watchProject } from './files/watch-project.ts'
import type { LiveContent } from './live-content/live-content.ts'
import type { LiveTarget } from './live-sync/live-target.ts'
import { resultOf, type WatchResult } from './reducer/announce.ts'
import {
  type WatchTask,
  createWatchState,
  type Pauses,
  type WatchedProject,
  type WatchState,
} from './reducer/watch-state.ts'
import type { TimedTouch } from './reducer/pending-changes.ts'
import { isSameProject, reduce, type WatchInput } from './reducer/reduce.ts'
import { filesInQuestion, mayCancelScan } from './reducer/reduce-scan.ts'
import type { SyncJobResult } from './reducer/reduce-sync.ts'
import type { WatchEvent, WatchView } from './reducer/watch-event.ts'

/** Called with the files of a configuration (absolute paths), even if it could not be loaded. */
export type OnConfigFiles = (files: readonly string[]) => void

export interface RunWatchOptions extends WatchedProject {
  /** The files that the configuration was loaded from, including imports; absolute paths. */
  readonly configFiles: readonly string[]
  /**
   * Reads the configuration again and chooses the target as at the start.
   *
   * @throws KbError CONFIG_UNREADABLE, CONFIG_INVALID, ENVIRONMENT_INVALID, USAGE …: then the last valid one stays in
   *   use
   */
  readonly reload: (onFiles: OnConfigFiles) => Promise<WatchedProject>
  /** Called at the start, and after a change of the configuration. */
  readonly openContent: (settings: Settings) => LiveContent | Promise<LiveContent>
  /** Opens a target in the same way. Retried if it fails. */
  readonly openTarget: (project: WatchedProject) => LiveTarget | Promise<LiveTarget>
  /** Undefined: the configured value. */
  readonly prune: boolean | undefined
  readonly now: () => Date
  /** Resolves early, without an error, when `signal` is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Default: `PAUSES`. */
  readonly pauses?: Pauses | undefined
  /** Ends the watch after running operations are finished and the state is written. */
  readonly signal: AbortSignal
  readonly onEvent: (event: WatchEvent) => void
  /** Called after each change of the view; `touched` are the files with changes, undefined for any. */
  readonly onView?: ((view: WatchView, touched: readonly string[] | undefined) => void) | undefined
}

/**
 * Keeps the target equal to the files until the signal is aborted: first with a sync, then with each change. Failures
 * are reported and retried.
 *
 * @throws KbError WATCH_FAILED, and CONTENT_UNREADABLE at the start
 */
export async function runWatch(options: RunWatchOptions): Promise<WatchResult> {
  return new WatchLoop(options, await options.openContent(options.settings)).run()
}

/** A sync that runs beside the loop. */
interface RunningSync {
  /** Undefined while the sync is running. */
  end: { readonly result: SyncJobResult } | { readonly error: unknown } | undefined
  /** Resolves when it has ended; never rejects. */
  readonly over: Promise<void>
}

/** Executes the tasks that `reduce` returns, and passes their results to it. */
class WatchLoop {
  readonly #options: RunWatchOptions
  readonly #wakeSignal: ReturnType<typeof createWakeSignal>
  #state: WatchState
  #content: LiveContent
  /** Undefined until something must be sent. */
  #target: LiveTarget | undefined
  #running: RunningSync | undefined
  /** Touches that were not processed yet, collected because a checkout touches thousands of files at once. */
  #touches: TimedTouch[] = []
  #configFiles: readonly string[]
  /** Cancels the running scan if a save is more urgent. */
  #cancelScan: (() => void) | undefined
  /** The reason why files can no longer be watched. */
  #watchFailure: Error | undefined

  constructor(options: RunWatchOptions, content: LiveContent) {
    const { settings, target, pauses, prune, signal } = options
    this.#options = options
    this.#content = content
    this.#configFiles = options.configFiles
    this.#wakeSignal = createWakeSignal(options.sleep)
    this.#state = createWatchState({ settings, target }, prune, this.#nowMs(), pauses)
    if (signal.aborted) this.#take({ kind: 'stop' })
  }

  async run(): Promise<WatchResult> {
    const { signal } = this.#options
    const stop = () => {
      this.#take({ kind: 'stop' })
      this.#wakeSignal.notify()
    }
    signal.addEventListener('abort', stop, { once: true })
    try {
      return await this.#watch()
    } finally {
      signal.removeEventListener('abort', stop)
      await closeTarget(this.#target)
      this.#content.close()
    }
  }

  async #watch(): Promise<WatchResult> {
    const watcher = await watchProject(
      this.#state.project.settings,
      this.#configFiles,
      (touch) => {
        this.#touches.push({ touch, atMs: this.#nowMs() })
        if (touch.kind === 'source') this.#cancelScan?.()
        this.#wakeSignal.notify()
      },
      (failure) => {
        this.#watchFailure = failure
        this.#wakeSignal.notify()
      },
    )
    try {
      let task = this.#take({ kind: 'started' })
      while (task?.kind !== 'stop') {
        if (task !== undefined) await this.#perform(task, watcher)
        // After each task, even a failed one, signals, timers and requests for pages are handled.
        await nextTurn()
        if (this.#watchFailure !== undefined) throw this.#watchFailure
        this.#endSync()
        task = this.#take({ kind: 'idle' })
      }
      // Completes running operations.
      await this.#running?.over
      this.#endSync()
      return resultOf(this.#state)
    } finally {
      await watcher.close()
    }
  }

  /** Processes an input, executes its immediate effects, and returns the remaining task. */
  #take(input: WatchInput): WatchTask | undefined {
    const touches = this.#touches
    this.#touches = []
    const inputs: readonly WatchInput[] = touches.length > 0 ? [{ kind: 'touched', touches }, input] : [input]
    let task: WatchTask | undefined
    for (const each of inputs) {
      const { state, effects } = reduce(this.#state, each, this.#nowMs())
      this.#state = state
      for (const effect of effects) {
        if (effect.kind === 'give-up') throw effect.failure
        if (effect.kind === 'report') this.#options.onEvent(effect.event)
        else if (effect.kind === 'show') this.#options.onView?.(effect.view, effect.touched)
        else task = effect
      }
    }
    return task
  }

  async #perform(
    task: Exclude<WatchTask, { readonly kind: 'stop' }>,
    watcher: ProjectWatcher,
  ): Promise<void> {
    switch (task.kind) {
      case 'reload-config':
        await this.#reloadConfig()
        return watcher.adjust(this.#state.project.settings, this.#configFiles)
      case 'edit':
        return this.#edit(task.sources)
      case 'scan':
        if (task.rewatches) await watcher.adjust(this.#state.project.settings, this.#configFiles)
        return this.#scan(task.isQuiet)
      case 'sync':
        return this.#startSync(task)
      case 'flush':
        return this.#flush(task.scannedMs)
      case 'wait':
        return this.#wakeSignal.wait(task.ms)
    }
  }

  async #edit(sources: ReadonlyMap<string, number>): Promise<void> {
    const articles: LocalArticle[] = []
    const declined = new Map<string, number>()
    for (const [source, sinceMs] of sources) {
      const edited = await this.#content.edit(source)
      if (edited === undefined) declined.set(source, sinceMs)
      else articles.push(edited.article)
    }
    this.#take({ kind: 'edited', content: this.#content.current(), articles, sources, declined })
  }

  async #scan(isQuiet: boolean): Promise<void> {
    this.#take({ kind: 'scan-begun', isQuiet })
    let isCancelled = false
    const refreshed = await orKbError(() =>
      withRunSignal(this.#options.signal, (signal, abort) => {
        const cancel = () => {
          isCancelled = true
          abort()
        }
        this.#cancelScan = mayCancelScan(this.#state) ? cancel : undefined
        return this.#content.refresh({ signal })
      }),
    )
    this.#cancelScan = undefined
    if (isCancelled && refreshed instanceof KbError && refreshed.code === 'INTERRUPTED') {
      this.#take({ kind: 'scan-cancelled' })
      return
    }
    if (refreshed instanceof KbError) {
      this.#take({ kind: 'scan-failed', failure: refreshed })
      return
    }
    const { content, touched } = refreshed
    const { root } = this.#state.project.settings
    const files = [...filesInQuestion(this.#state, content, touched)]
    this.#take({
      kind: 'scanned',
      content,
      touched,
      unsound: new Set([...this.#content.faulty(), ...this.#content.blocked()]),
      missing: new Set(files.filter((file) => !existsSync(join(root, file)))),
    })
  }

  /** Applies a valid configuration with the next scan. If it is invalid, the last valid one stays in use. */
  async #reloadConfig(): Promise<void> {
    const { project: before } = this.#state
    const reloaded = await orKbError(async () => {
      const project = await this.#options.reload((files) => {
        this.#configFiles = files
      })
      assertConfigIsThere(before, project)
      return {
        project,
        content: isSameProject(before, project) ? undefined : await this.#openReadable(project),
      }
    })
    if (reloaded instanceof KbError) {
      this.#take({ kind: 'config-failed', failure: reloaded })
      return
    }
    const { project, content } = reloaded
    if (content !== undefined) {
      this.#content.close()
      this.#content = content
      const target = this.#target
      this.#target = undefined
      await closeTarget(target)
    }
    this.#take({ kind: 'configured', project, content: content?.current() })
  }

  /** @throws KbError CONTENT_UNREADABLE …: a configuration whose files cannot be read is not used */
  async #openReadable({ settings }: WatchedProject): Promise<LiveContent> {
    const content = await this.#options.openContent(settings)
    try {
      await withRunSignal(this.#options.signal, (signal) => content.refresh({ signal }))
      return content
    } catch (error) {
      content.close()
      throw error
    }
  }

  #startSync(task: Extract<WatchTask, { readonly kind: 'sync' }>): void {
    const unpin = this.#content.pin()
    const sync: RunningSync = {
      end: undefined,
      over: this.#sync(task)
        .then(
          (result) => void (sync.end = { result }),
          (error: unknown) => void (sync.end = { error }),
        )
        .finally(() => {
          unpin()
          this.#wakeSignal.notify()
        }),
    }
    this.#running = sync
  }

  async #sync(task: Extract<WatchTask, { readonly kind: 'sync' }>): Promise<SyncJobResult> {
    const { sync, scope, asksOffer } = task
    const { content, held, prune } = sync
    const target = (this.#target ??= await this.#options.openTarget(this.#state.project))
    return withRunSignal(this.#options.signal, async (signal) => {
      if (scope.kind === 'edits') {
        const result = await target.syncEdited(content, scope.articles, { signal })
        if (result !== undefined) return { isWhole: false, result, updatesInPlace: undefined }
      }
      const result = await target.syncAll(content, { held, prune, signal })
      // Only a target that has just responded is asked.
      const isAsked = asksOffer && result.failure === undefined && !signal.aborted
      const updatesInPlace = isAsked ? await target.updatesInPlace({ signal }) : undefined
      return { isWhole: true, result, updatesInPlace }
    })
  }

  #endSync(): void {
    const end = this.#running?.end
    if (end === undefined) return
    this.#running = undefined
    if ('result' in end) this.#take({ kind: 'sync-ended', ...end.result })
    else if (end.error instanceof KbError) this.#take({ kind: 'sync-failed', failure: end.error })
    else throw end.error
  }

  async #flush(scannedMs: number): Promise<void> {
    const flushed = await orKbError(async () => this.#target?.flush())
    this.#take({ kind: 'flushed', scannedMs, failure: flushed instanceof KbError ? flushed : undefined })
  }

  #nowMs(): number {
    return this.#options.now().getTime()
  }
}

/** Converts external failures to results. Bugs are thrown. */
async function orKbError<Result>(work: () => Promise<Result>): Promise<Result | KbError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof KbError) return error
    throw error
  }
}

async function closeTarget(target: LiveTarget | undefined): Promise<void> {
  await orKbError(async () => target?.close())
}

/** Without its file, a project would have other articles and another target, so the watch waits for the file. */
function assertConfigIsThere({ settings: before }: WatchedProject, { settings: now }: WatchedProject): void {
  if (before.configFile === undefined || now.configFile !== undefined) return
  throw new KbError('CONFIG_UNREADABLE', `${relative(before.root, before.configFile)} is gone.`, {
    hint: 'Restore it, or restart kb watch to continue without it.',
  })
}

function createWakeSignal(sleep: (ms: number, signal: AbortSignal) => Promise<void>) {
  let isNotified = false
  let wake: (() => void) | undefined
  return {
    /** Ends the current wait, or the next one immediately. */
    notify: () => {
      isNotified = true
      wake?.()
    },
    /** Resolves when notified, or after this number of milliseconds; undefined: no limit. */
    wait: async (ms: number | undefined) => {
      if (!isNotified) {
        const nap = new AbortController()
        const notified = new Promise<void>((resolve) => {
          wake = resolve
        })
        await (ms === undefined ? notified : Promise.race([notified, sleep(ms, nap.signal)]))
        wake = undefined
        nap.abort()
      }
      isNotified = false
    },
  }
}
