import pLimit from 'p-limit'
import type { RequestCounts } from '../../api/client/request-counter.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { type Operation, effectOf } from '../../core/model/plan.ts'
import type { TargetState } from '../../core/model/target-state.ts'
import { type ExecutedRun, type RunRecords, executeRun } from '../../sync/execute-run.ts'
import { readCapabilities } from '../../sync/plan/target-capabilities.ts'
import { type Run, planContent, planScope } from '../../sync/plan-content.ts'
import { seenBy, widenState } from '../../sync/planning/plan-scope.ts'
import type { PlannedRun, SeenTarget } from '../../sync/planning/planned-run.ts'
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
import { toResult } from '../../sync/sync-content.ts'
import { leaveOutUnresolved, withoutHeldOrphans, withoutReferences } from './hold-back.ts'
import { type BrokenLink, listBrokenLinks } from './list-broken-links.ts'
import { createLiveSession } from './live-session.ts'
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
  /** Sources of articles that are not to be sent, because of an error. */
  readonly held: ReadonlySet<string>
  /** Never while anything is held back. */
  readonly prune: boolean
  readonly signal?: AbortSignal | undefined
}

/** So many writes to articles are written down at once: after a kill, each would have to be asked for. */
const MUCH = 100

/**
 * A target that stays open while the files are edited. What was learned of it is kept in memory, so that one edited article
 * costs a read of that article and one write; state and journal on disk always suffice for the next run, whenever this
 * one is cut off. The lock is held only while something is sent: other commands may run in between, and what they
 * changed is noticed.
 *
 * Nothing is opened, read or locked before the first run. Calls are put in line.
 */
export class LiveTarget {
  readonly #options: LiveTargetOptions
  readonly #workspace: Workspace
  readonly #files: StateFiles
  readonly #cache: StateCache
  readonly #connection: ReturnType<typeof createLiveSession>
  readonly #inLine = pLimit(1)
  /** Undefined as long as no run about everything has gone well over the connection that stands. */
  #seen: SeenTarget | undefined

  constructor(options: LiveTargetOptions) {
    const { settings, target, connect, now } = options
    this.#options = options
    this.#workspace = workspaceOf(settings.root)
    this.#files = stateFiles(target, settings, this.#workspace)
    this.#cache = createStateCache(this.#files, { project: settings.project, now })
    this.#connection = createLiveSession(connect)
  }

  /**
   * Whether the target changes articles in place; undefined where it gives no answer now. Asks a remote target, once for
   * each call.
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
   * Makes the target equal to the content as `kb sync` would, those articles aside that are held back: these stay there
   * as they are. Articles that name a category or tag which the target lacks are skipped, with a diagnostic.
   *
   * @throws KbError where the run could not begin (LOCKED, TARGET_UNREACHABLE …); what fails later is in the result
   */
  syncAll(content: LoadedContent, options: LiveRunOptions): Promise<SyncResult> {
    return this.#inLine(() => this.#syncAll(content, options))
  }

  /**
   * Sends articles of which nothing but their own text, title, excerpt, dates, tags or status changed since the last
   * clean `syncAll`. Undefined where that is not enough to go by (no such run, the state changed on disk, an article
   * that has no id yet, another slug, a target that cannot change articles in place …): then `syncAll` is due.
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
   * The links that the target calls broken; none before the first run, or while the target cannot be reached. Beside the
   * line: a page that shows them must not keep a save waiting.
   *
   * @throws KbError TARGET_UNREACHABLE and what else a list request throws
   */
  async listBrokenLinks(): Promise<readonly BrokenLink[]> {
    const session = this.#connection.current()
    return session === undefined ? [] : listBrokenLinks(session, this.#cache.remembered())
  }

  /**
   * Writes down what is only in memory and ends the journal; cheap when there is nothing. Leaves it to the journal where
   * another process is at work.
   *
   * @throws KbError WORKSPACE_UNWRITABLE
   */
  flush(): Promise<void> {
    return this.#inLine(() => this.#cache.flush())
  }

  /** Flushes and closes the connection. */
  close(): Promise<void> {
    return this.#inLine(async () => {
      await this.#cache.flush()
      await this.#connection.drop()
    })
  }

  async #syncAll(content: LoadedContent, { held, ...run }: LiveRunOptions): Promise<SyncResult> {
    const isSelected = held.size === 0 ? undefined : (source: string) => !held.has(source)
    const options = this.#runOptions({ ...run, isSelected })
    const last = this.#connection.isOpen() ? this.#seen : undefined
    this.#seen = undefined
    return this.#begin(async (session) => {
      const state = this.#cache.load()
      const articles = withoutReferences(content.articles, held)
      const all = await planContent({ ...content, articles }, { session, state }, options)
      const { planned, problems } = leaveOutUnresolved(all.planned, articles)
      const planning = { ...all, planned: withoutHeldOrphans(planned, held, state) }
      const records = this.#recordsWith((next) => next)
      const { result, isCalm } = await this.#execute(content, planning, records, options)
      if (isCalm) this.#seen = seenBy(planning, last, this.#options.now().getTime())
      return { ...result, diagnostics: [...result.diagnostics, ...problems] }
    }, run.signal)
  }

  async #syncEdited(
    content: LoadedContent,
    articles: readonly LocalArticle[],
    { signal }: Pick<LiveRunOptions, 'signal'>,
  ): Promise<SyncResult | undefined> {
    const options = this.#runOptions({ signal, prune: false })
    const seen = this.#seen
    if (articles.length > this.#options.concurrency) return undefined
    if (seen === undefined || !this.#connection.isOpen()) return undefined
    return this.#begin(async (session) => {
      const state = this.#cache.remembered()
      if (state === undefined || !(await seen.extensions.ask()).update) return undefined
      const run = await planScope(content, { session, state }, { articles, seen }, options)
      if (run === undefined || !isPlain(run.planned)) return undefined
      const records = this.#recordsWith((next) => widenState(state, run.state, next))
      return (await this.#execute(content, run, records, options)).result
    }, signal)
  }

  /** Runs with lock and connection. After a failure the next run asks files and target, over a new connection. */
  #begin<T extends SyncResult | undefined>(
    work: (session: TargetSession) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    prepareWorkspace(this.#workspace)
    return this.#cache.locked(async () => {
      try {
        return await this.#connection.use((session) => countRequests(session, work), signal)
      } catch (error) {
        // What earlier runs have learned still holds; what a fault of the program has left behind may not.
        if (error instanceof KbError) await this.#cache.write().catch(() => undefined)
        await this.#startAgain()
        throw error
      }
    })
  }

  async #startAgain(): Promise<void> {
    this.#forgetDoubtful()
    // Why the connection is of no use any more is known.
    await this.#connection.drop().catch(() => undefined)
  }

  async #execute(
    content: LoadedContent,
    run: Run,
    records: RunRecords,
    options: SyncContentOptions,
  ): Promise<{ readonly result: SyncResult; readonly isCalm: boolean }> {
    // It vouches for a target that nothing is sent to.
    if (run.planned.plan.operations.length > 0) removeCleanMark(this.#files.mark)
    const executed = await executeRun(content, run, records, options)
    const isCalm = leavesNoDoubt(executed)
    if (!isCalm || this.#cache.unwritten() >= MUCH) await this.#writeDown(executed)
    if (executed.ledger.failure !== undefined) await this.#startAgain()
    else if (!isCalm) this.#forgetDoubtful()
    const result = toResult(content, run, executed, this.#options)
    return { result, isCalm: isCalm && result.failure === undefined }
  }

  #forgetDoubtful(): void {
    this.#cache.forget()
    this.#seen = undefined
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

  #runOptions(
    run: Omit<LiveRunOptions, 'held'> & Pick<SyncContentOptions, 'isSelected'>,
  ): SyncContentOptions {
    return { ...this.#options, ...run, mode: 'sync', verify: false }
  }
}

/** Anything but updates in place has to be checked together with all else. */
function isPlain({ plan }: PlannedRun): boolean {
  const isOfKind = (operation: Operation) => ['update', 'conflict'].includes(effectOf(operation))
  return plan.diagnostics.length === 0 && plan.operations.every(isOfKind)
}

function leavesNoDoubt({ ledger, results, isRejected }: ExecutedRun): boolean {
  const hasFailed = results.some(({ outcome }) => outcome === 'failed')
  return !isRejected && !hasFailed && ledger.failure === undefined && ledger.removed.size === 0
}

/** A connection that stays counts the requests of all runs; a result has its own. */
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
