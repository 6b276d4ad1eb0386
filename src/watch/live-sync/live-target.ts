import pLimit from 'p-limit'
import type { RequestCounts } from '../../api/client/request-counter.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { TargetState } from '../../core/model/target-state.ts'
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
import type { TargetSession, Connect } from '../../sync/target-session.ts'
import { type BrokenLink, listBrokenLinks } from './list-broken-links.ts'
import { type StateCache, createStateCache } from './state-cache.ts'

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
      return names && readCapabilities(names).update
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
      if (state === undefined || !(await reads.extensions.ask()).update) return undefined
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

interface Opened {
  readonly session: TargetSession
  /** Aborted with the signal of each run, because the connection outlives a run. */
  readonly interruption: AbortController
}

/** A connection that is opened on demand and stays open between runs. */
function createLiveSession(connect: Connect) {
  let opened: Opened | undefined

  const isOpen = () =>
    opened !== undefined && !opened.interruption.signal.aborted && opened.session.isCurrent?.() !== false

  async function drop(): Promise<void> {
    if (opened === undefined) return
    const { session } = opened
    const isLost = session.isCurrent?.() === false
    opened = undefined
    await session.close().catch((error: unknown) => {
      // A session that was already lost cannot be closed.
      if (!isLost) throw error
    })
  }

  async function open(): Promise<Opened> {
    if (opened !== undefined && isOpen()) return opened
    await drop()
    const interruption = new AbortController()
    const session = await connect({ readOnly: false, signal: interruption.signal })
    opened = { session, interruption }
    return opened
  }

  return {
    /** True if the session is open and still belongs to the target it was opened for. */
    isOpen,
    /** The session, if a run can use it. */
    current: () => (isOpen() ? opened?.session : undefined),
    /** Closes the session; the next use opens a new one. */
    drop,
    /**
     * Runs some work with the session. If the signal fires during the work, the session ends after it.
     *
     * @throws what connecting throws, and what the work throws
     */
    use: async <T>(work: (session: TargetSession) => Promise<T>, signal: AbortSignal | undefined) => {
      const { session, interruption } = await open()
      const interrupt = () => interruption.abort()
      signal?.addEventListener('abort', interrupt, { once: true })
      if (signal?.aborted === true) interrupt()
      try {
        return await work(session)
      } finally {
        signal?.removeEventListener('abort', interrupt)
      }
    },
  }
}
