import pLimit from 'p-limit'
import type { RequestCounts } from '../../api/client/request-counter.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { TargetState, RemovedArticle } from '../../core/model/target-state.ts'
import { type ExecutedRun, type RunRecords, executeRun } from '../../sync/execute-run.ts'
import { readCapabilities } from '../../sync/plan/target-capabilities.ts'
import { planContent, toResult } from '../../sync/sync-content.ts'
import { isPlain, reusableReads, widenState, planScope } from '../../sync/plan-run/plan-scope.ts'
import type { Run, ReusableReads } from '../../sync/plan-run/planned-run.ts'
import { removeCleanMark } from '../../sync/state/clean-mark.ts'
import {
  type Workspace,
  prepareWorkspace,
  workspaceOf,
  type StateFiles,
  stateFiles,
} from '../../sync/state/workspace.ts'
import type { SyncContentOptions, SyncResult } from '../../sync/sync-options.ts'
import type { TargetSession } from '../../sync/target-session.ts'
import { createLiveSession } from './live-session.ts'
import { type BrokenLink, listBrokenLinks } from './list-broken-links.ts'
import { statSync } from 'node:fs'
import { type Journal, openJournal } from '../../sync/state/journal.ts'
import { takeLock } from '../../sync/state/lock.ts'
import { writeState } from '../../sync/state/state-file.ts'
import { loadPast } from '../../sync/state/load-past.ts'

export type LiveTargetOptions = Pick<
  SyncContentOptions,
  | 'settings'
  | 'target'
  | 'connect'
  | 'onConflict'
  | 'adopt'
  | 'maxDeletes'
  | 'yes'
  | 'wayPastGuards'
  | 'concurrency'
  | 'now'
  | 'sleep'
>

export interface LiveRunOptions {
  /** Sources of articles that must not be sent because of an error. */
  readonly held: ReadonlySet<string>
  /** False while anything is held back. */
  readonly prune: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * A target that stays open while files are edited. Its state stays in memory, so an edited article needs one read and
 * one write. State and journal on disk are always sufficient for the next run, even after a kill. The lock is held only
 * during writes: other commands may run in between, and their changes are noticed.
 *
 * Nothing is opened, read or locked before the first run. Calls are queued.
 */
export class LiveTarget {
  readonly #options: LiveTargetOptions
  readonly #workspace: Workspace
  readonly #files: StateFiles
  readonly #cache: StateCache
  readonly #connection: ReturnType<typeof createLiveSession>
  readonly #inLine = pLimit(1)
  /** Undefined until a full run has succeeded over the current connection. */
  #reads: ReusableReads | undefined

  constructor(options: LiveTargetOptions) {
    const { settings, target, connect, now } = options
    this.#options = options
    this.#workspace = workspaceOf(settings.root)
    this.#files = stateFiles(target, settings, this.#workspace)
    this.#cache = createStateCache(this.#files, settings.project, now)
    this.#connection = createLiveSession(connect)
  }

  /**
   * True if the target updates articles in place; undefined if it does not answer. Sends one request per call to a
   * remote target.
   *
   * @throws KbError INTERRUPTED, and what connecting throws
   */
  updatesInPlace({ signal }: Pick<LiveRunOptions, 'signal'> = {}): Promise<boolean | undefined> {
    return this.#inLine(async () => {
      if (this.#options.target.kind === 'builtin') return true
      const names = await this.#connection.use(({ client }) => client.fetchExtensions(), signal)
      return names && readCapabilities(names).updateInPlace
    })
  }

  /**
   * Sends all differences, like `kb sync`. Held-back articles stay unchanged on the target. Articles with a category or
   * tag that the target lacks are skipped, with a diagnostic.
   *
   * @throws KbError if the run cannot start (LOCKED, TARGET_UNREACHABLE …); later failures are in the result
   */
  syncAll(content: LoadedContent, options: LiveRunOptions): Promise<SyncResult> {
    return this.#inLine(() => this.#syncAll(content, options))
  }

  /**
   * Sends articles of which only the text, title, excerpt, dates, tags or status changed since the last successful
   * `syncAll`. Undefined if that is not sufficient (no such run, a changed state on disk, an article without id,
   * another slug, a target without updates in place …): then `syncAll` is necessary.
   *
   * @throws KbError as `syncAll`
   */
  syncEdited(
    content: LoadedContent,
    articles: readonly LocalArticle[],
    options: Pick<LiveRunOptions, 'signal'>,
  ): Promise<SyncResult | undefined> {
    return this.#inLine(() => this.#syncEdited(content, articles, options))
  }

  /**
   * The links that the target reports as broken; none before the first run, or while the target is unreachable. Not
   * queued, so that a page with this list does not delay a save.
   *
   * @throws KbError TARGET_UNREACHABLE and other errors of a list request
   */
  async listBrokenLinks(): Promise<readonly BrokenLink[]> {
    const session = this.#connection.current()
    return session === undefined ? [] : listBrokenLinks(session, this.#cache.remembered())
  }

  /**
   * Writes the state and ends the journal; fast if there is nothing to write. Does nothing while another process has
   * the lock: the journal is sufficient.
   *
   * @throws KbError WORKSPACE_UNWRITABLE
   */
  flush(): Promise<void> {
    return this.#inLine(() => this.#cache.flush())
  }

  close(): Promise<void> {
    return this.#inLine(async () => {
      await this.#cache.flush()
      await this.#connection.drop()
    })
  }

  async #syncAll(content: LoadedContent, run: LiveRunOptions): Promise<SyncResult> {
    const options = this.#runOptions({ ...run, prune: run.prune && run.held.size === 0 })
    const last = this.#connection.isOpen() ? this.#reads : undefined
    this.#reads = undefined
    return this.#begin(async (session) => {
      const state = this.#cache.load()
      const planning = await planContent(content, { session, state }, options)
      const records = this.#recordsWith((next) => next)
      const { result, isCalm } = await this.#execute(content, planning, records, options)
      if (isCalm) this.#reads = reusableReads(planning, last, this.#options.now().getTime())
      return result
    }, run.signal)
  }

  async #syncEdited(
    content: LoadedContent,
    articles: readonly LocalArticle[],
    { signal }: Pick<LiveRunOptions, 'signal'>,
  ): Promise<SyncResult | undefined> {
    const options = this.#runOptions({ signal, prune: false })
    const reads = this.#reads
    if (articles.length > this.#options.concurrency) return undefined
    if (reads === undefined || !this.#connection.isOpen()) return undefined
    return this.#begin(async (session) => {
      const state = this.#cache.remembered()
      if (state === undefined || !(await reads.extensions.ask()).updateInPlace) return undefined
      const run = await planScope(content, { session, state }, { articles, reads }, options)
      if (run === undefined || !isPlain(run.planned)) return undefined
      const records = this.#recordsWith((next) => widenState(state, run.state, next))
      return (await this.#execute(content, run, records, options)).result
    }, signal)
  }

  /** Runs work with lock and connection. After a failure, the next run reads files and target again. */
  #begin<T extends SyncResult | undefined>(
    work: (session: TargetSession) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    prepareWorkspace(this.#workspace)
    return this.#cache.locked(async () => {
      try {
        return await this.#connection.use((session) => countRequests(session, work), signal)
      } catch (error) {
        // The results of earlier runs are still valid, but not necessarily those of a run that failed with a bug.
        if (error instanceof KbError) await this.#cache.write().catch(() => undefined)
        await this.#startAgain()
        throw error
      }
    })
  }

  async #startAgain(): Promise<void> {
    this.#forgetDoubtful()
    // It is already known why the connection is unusable.
    await this.#connection.drop().catch(() => undefined)
  }

  async #execute(content: LoadedContent, run: Run, records: RunRecords, options: SyncContentOptions) {
    // The mark is only valid for a target that has not changed.
    if (run.planned.plan.operations.length > 0) removeCleanMark(this.#files.mark)
    const executed = await executeRun(content, run, records, options)
    const isCalm = leavesNoDoubt(executed)
    if (!isCalm || this.#cache.isFull()) await this.#writeDown(executed)
    if (executed.ledger.failure !== undefined) await this.#startAgain()
    else if (!isCalm) this.#forgetDoubtful()
    const result = toResult(content, run, executed, this.#options)
    return { result, isCalm: isCalm && result.failure === undefined }
  }

  #forgetDoubtful(): void {
    this.#cache.forget()
    this.#reads = undefined
  }

  async #writeDown({ ledger }: ExecutedRun): Promise<void> {
    try {
      await this.#cache.write()
    } catch (error) {
      if (!(error instanceof KbError)) throw error
      ledger.failure ??= error
    }
  }

  #recordsWith(toState: (next: TargetState) => TargetState): RunRecords {
    return {
      openJournal: this.#cache.openJournal,
      keep: (next, journal, unreplaced) => {
        journal.close()
        this.#cache.remember(toState(next), unreplaced)
        return Promise.resolve()
      },
    }
  }

  #runOptions(run: Partial<LiveRunOptions> & Pick<LiveRunOptions, 'prune'>): SyncContentOptions {
    return { ...this.#options, ...run, mode: 'sync', verify: false }
  }
}

function leavesNoDoubt({ ledger, results, isRejected }: ExecutedRun): boolean {
  const hasFailed = results.some(({ outcome }) => outcome === 'failed')
  return !isRejected && !hasFailed && ledger.failure === undefined && ledger.removed.size === 0
}

/** Counts the requests of a single run. A persistent connection counts those of all runs. */
async function countRequests<T extends SyncResult | undefined>(
  session: TargetSession,
  work: (session: TargetSession) => Promise<T>,
): Promise<T> {
  const before = session.client.countRequests()
  const result = await work(session)
  return result && { ...result, requests: countSince(before, result.requests) }
}

function countSince(before: RequestCounts, after: RequestCounts): RequestCounts {
  return Object.fromEntries(
    Object.entries(after)
      .map(([method, count]) => [method, count - (before[method] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  )
}

interface Remembered {
  readonly state: TargetState
  readonly unreplaced: readonly RemovedArticle[]
  readonly isWritten: boolean
}

/** Maximum number of unwritten writes: after a kill, the target must be asked about each of them. */
const MOST_UNWRITTEN = 100

type StateCache = ReturnType<typeof createStateCache>

/**
 * The state of a watched target, in memory between runs, and written at intervals. Until it is written, the journal
 * contains what the file lacks, as after a kill.
 */
function createStateCache(files: StateFiles, project: string, now: () => Date) {
  let memory: Remembered | undefined
  let stamps = ''
  let unwritten = 0

  function forget(): void {
    memory = undefined
    unwritten = 0
  }

  /**
   * Runs work with the lock. If other processes have written state or journal since, the cached state is dropped first.
   *
   * @throws KbError LOCKED, WORKSPACE_UNWRITABLE
   */
  async function locked<T>(work: () => Promise<T>): Promise<T> {
    const unlock = takeLock(files.lock, now())
    try {
      if (stampsOf(files) !== stamps) forget()
      return await work()
    } finally {
      stamps = stampsOf(files)
      unlock()
    }
  }

  /** Writes the cached state and ends the journal, if necessary. @throws KbError WORKSPACE_UNWRITABLE */
  async function write(): Promise<void> {
    if (memory === undefined || memory.isWritten) return
    await writeState(files.state, project, memory.state)
    await openJournal(files.journal).finish(memory.unreplaced)
    memory = { ...memory, isWritten: true }
    unwritten = 0
  }

  return {
    locked,
    forget,
    write,
    /** The cached state; undefined if it must be read from the files. */
    remembered: () => memory?.state,
    /** The cached state, otherwise that of the files. */
    load: () => memory?.state ?? loadPast(files, project),
    remember: (state: TargetState, unreplaced: readonly RemovedArticle[]) => {
      memory = { state, unreplaced, isWritten: false }
    },
    /** True if the journal contains so many writes of its own that the state should be written. */
    isFull: () => unwritten >= MOST_UNWRITTEN,
    /** Opens a journal that counts the writes that are not in the state file. */
    openJournal: () => countWrites(openJournal(files.journal), () => unwritten++),
    /** Like `write`, with the lock. Does nothing if another process holds the lock: the journal is sufficient. */
    flush: async () => {
      if (memory === undefined || memory.isWritten) return
      await locked(write).catch((error: unknown) => {
        if (!(error instanceof KbError) || error.code !== 'LOCKED') throw error
      })
    },
  }
}

function countWrites(journal: Journal, onWrite: () => void): Journal {
  const begin: Journal['begin'] = (noted) => {
    onWrite()
    return journal.begin(noted)
  }
  return { ...journal, begin }
}

/** Returns a text that changes when any process writes state or journal. */
function stampsOf({ state, journal }: StateFiles): string {
  return [state, journal].map(stampOf).join(' ')
}

function stampOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? 'none' : `${stats.ino}:${stats.size}:${stats.mtimeNs}`
}
