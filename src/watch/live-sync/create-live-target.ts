import pLimit from 'p-limit'
import type { ApiClient } from '../../api/client/create-client.ts'
import type { RequestCounts } from '../../api/client/request-counter.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import { documentKey } from '../../core/model/document-key.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { TargetState } from '../../core/model/target-state.ts'
import { readCapabilities } from '../../sync/plan/target-capabilities.ts'
import type { RemoteEntry } from '../../sync/plan/remote-entry.ts'
import type { PlannedRun } from '../../sync/planning/planned-run.ts'
import { removeCleanMark } from '../../sync/state/clean-mark.ts'
import { prepareWorkspace, workspaceOf } from '../../sync/state/workspace.ts'
import { type ExecutedRun, executeRun } from '../../sync/execute-run.ts'
import { planContent, type Run } from '../../sync/plan-content.ts'
import type { RunRecords } from '../../sync/run-records.ts'
import { stateFiles } from '../../sync/state-files.ts'
import type { SyncContentOptions, SyncResult } from '../../sync/sync-options.ts'
import type { TargetSession } from '../../sync/target-session.ts'
import { toResult } from '../../sync/to-result.ts'
import { leaveOutUnresolved } from './leave-out-unresolved.ts'
import { listBrokenLinks } from './list-broken-links.ts'
import { createLiveSession } from './live-session.ts'
import type { LiveRunOptions, LiveTarget } from './live-target.ts'
import { type LiveTargetOptions, toSyncOptions } from './live-target-options.ts'
import { widenState } from './narrow-state.ts'
import { planEdited } from './plan-edited.ts'
import { type TargetCache, cacheTarget } from './target-cache.ts'
import { createStateCache } from './state-cache.ts'

/** So many writes to articles are written down at once: after a kill, each would have to be asked for. */
const MUCH = 100

/** Nothing is opened, read or locked before the first run. Calls are put in line. */
export function createLiveTarget(options: LiveTargetOptions): LiveTarget {
  const { settings, concurrency } = options
  const workspace = workspaceOf(settings.root)
  const files = stateFiles(options.target, settings, workspace)
  const memory = createStateCache(files, { project: settings.project, now: options.now })
  const connection = createLiveSession(options.connect)
  const inLine = pLimit(1)
  /** Undefined as long as no run about everything has gone well over the connection that stands. */
  let recollection: TargetCache | undefined

  const keepAs = (toState: (next: Parameters<RunRecords['keep']>[0]) => typeof next): RunRecords => ({
    openJournal: memory.openJournal,
    keep: (next, journal, unreplaced) => {
      journal.close()
      memory.remember(toState(next), unreplaced)
      return Promise.resolve()
    },
  })

  async function syncAll(content: LoadedContent, { held, ...run }: LiveRunOptions): Promise<SyncResult> {
    const isSelected = held.size === 0 ? undefined : (source: string) => !held.has(source)
    const runOptions = toSyncOptions(options, { ...run, isSelected })
    const last = connection.isOpen() ? recollection : undefined
    recollection = undefined
    return begin(async (session) => {
      const state = memory.load()
      const articles = withoutReferences(content.articles, held)
      const all = await planContent({ ...content, articles }, { session, state }, runOptions)
      const { planned, problems } = leaveOutUnresolved(all.planned, articles)
      const planning = { ...all, planned: setHeldAside(planned, held, state) }
      const { result, isCalm } = await execute(
        content,
        planning,
        keepAs((next) => next),
        runOptions,
      )
      if (isCalm) recollection = cacheTarget(planning, last, options.now().getTime())
      return { ...result, diagnostics: [...result.diagnostics, ...problems] }
    }, run.signal)
  }

  async function syncEdited(
    content: LoadedContent,
    articles: Parameters<LiveTarget['syncEdited']>[1],
    { signal }: Pick<LiveRunOptions, 'signal'>,
  ): Promise<SyncResult | undefined> {
    const runOptions = toSyncOptions(options, { signal, prune: false })
    if (articles.length > concurrency) return undefined
    if (recollection === undefined || !connection.isOpen()) return undefined
    const known = recollection
    return begin(async (open) => {
      const state = memory.remembered()
      if (state === undefined) return undefined
      // Between plan and write of these few comes nothing that takes time.
      const session = { ...open, client: readOnce(open.client) }
      const run = await planEdited(content, articles, { session, state, recollection: known }, runOptions)
      if (run === undefined) return undefined
      const records = keepAs((next) => widenState(state, run.state, next))
      return (await execute(content, run, records, runOptions)).result
    }, signal)
  }

  /** Runs with lock and connection. After a failure the next run asks files and target, over a new connection. */
  function begin<T extends SyncResult | undefined>(
    work: (session: TargetSession) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    prepareWorkspace(workspace)
    return memory.locked(async () => {
      try {
        return await connection.use((session) => countRequests(session, work), signal)
      } catch (error) {
        // What earlier runs have learned still holds; what a fault of the program has left behind may not.
        if (error instanceof KbError) await memory.write().catch(() => undefined)
        await startAnew()
        throw error
      }
    })
  }

  async function startAnew(): Promise<void> {
    forgetDoubtful()
    // Why the connection is of no use any more is known.
    await connection.drop().catch(() => undefined)
  }

  async function execute(
    content: LoadedContent,
    run: Run,
    records: RunRecords,
    runOptions: SyncContentOptions,
  ): Promise<{ readonly result: SyncResult; readonly isCalm: boolean }> {
    // It vouches for a target that nothing is sent to.
    if (run.planned.plan.operations.length > 0) removeCleanMark(files.mark)
    const executed = await executeRun(content, run, records, runOptions)
    const isCalm = leavesNoDoubt(executed)
    if (!isCalm || memory.unwritten() >= MUCH) await writeDown(executed)
    if (executed.ledger.failure !== undefined) await startAnew()
    else if (!isCalm) forgetDoubtful()
    const result = toResult(content, run, executed, options)
    return { result, isCalm: isCalm && result.failure === undefined }
  }

  function forgetDoubtful(): void {
    memory.forget()
    recollection = undefined
  }

  async function writeDown({ ledger }: ExecutedRun): Promise<void> {
    try {
      await memory.write()
    } catch (error) {
      if (!(error instanceof KbError)) throw error
      ledger.failure ??= error
    }
  }

  async function updatesInPlace(signal: AbortSignal | undefined): Promise<boolean | undefined> {
    if (options.target.kind === 'builtin') return true
    const names = await connection.use(({ client }) => client.fetchExtensions(), signal)
    return names && readCapabilities(names).update
  }

  return {
    updatesInPlace: ({ signal } = {}) => inLine(() => updatesInPlace(signal)),
    syncAll: (content, run) => inLine(() => syncAll(content, run)),
    syncEdited: (content, articles, run) => inLine(() => syncEdited(content, articles, run)),
    // Beside the line: a page that shows them must not keep a save waiting.
    listBrokenLinks: async () => {
      const session = connection.current()
      return session === undefined ? [] : listBrokenLinks(session, memory.remembered())
    },
    flush: () => inLine(memory.flush),
    close: () =>
      inLine(async () => {
        await memory.flush()
        await connection.drop()
      }),
  }
}

/** Whether all that was begun has come to an end that is known. */
function leavesNoDoubt({ ledger, results, isRejected }: ExecutedRun): boolean {
  const hasFailed = results.some(({ outcome }) => outcome === 'failed')
  return !isRejected && !hasFailed && ledger.failure === undefined && ledger.removed.size === 0
}

/**
 * The articles as a run may ask for them: those that are held back keep their place on the target, but what they name
 * need not be there. Pure.
 */
function withoutReferences(
  articles: readonly LocalArticle[],
  held: ReadonlySet<string>,
): readonly LocalArticle[] {
  if (held.size === 0) return articles
  return articles.map((article) =>
    held.has(article.source) ? { ...article, categories: [], tags: [] } : article,
  )
}

/** Articles whose files cannot be read for now are wanted all the same: they are no orphans. Pure. */
function setHeldAside(
  planned: PlannedRun,
  held: ReadonlySet<string>,
  { articles }: Pick<TargetState, 'articles'>,
): PlannedRun {
  const { orphans } = planned.matches
  if (held.size === 0 || orphans.length === 0) return planned
  const knownIds = new Set(articles.flatMap(({ id, source }) => (held.has(source) ? [id] : [])))
  const isHeld = ({ id, language, ours }: RemoteEntry) =>
    knownIds.has(id) || [...held].some((source) => documentKey(source, language) === ours?.key)
  const heldIds = new Set(orphans.filter(isHeld).map(({ id }) => id))
  const { plan } = planned
  return { ...planned, plan: { ...plan, orphans: plan.orphans.filter(({ id }) => !heldIds.has(id)) } }
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

/** What was asked between two counts. */
function countSince(before: RequestCounts, after: RequestCounts): RequestCounts {
  return Object.fromEntries(
    Object.entries(after)
      .map(([method, count]) => [method, count - (before[method] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  )
}

/**
 * A client that hands out what it has read of an article once more instead of reading it again, and then reads anew.
 * Plan and write look at an article one after the other; where nothing comes in between, one look is enough.
 */
function readOnce(client: ApiClient): ApiClient {
  const fresh = new Map<string, ReturnType<ApiClient['readArticle']>>()
  const used = new Set<string>()
  return {
    ...client,
    readArticle: (id) => {
      const last = fresh.get(id)
      fresh.delete(id)
      if (last !== undefined) return last
      const read = client.readArticle(id)
      if (!used.has(id)) fresh.set(id, read)
      used.add(id)
      return read
    },
  }
}
