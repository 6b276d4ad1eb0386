import type { Hono } from 'hono'
import { openApiDocument } from '../api/contract/openapi.ts'
import { KbError } from '../core/errors/kb-error.ts'
import type { FileLimits } from './files/receive-file.ts'
import { createAuthenticate, createKeyRing, type OutsideKey, createRateLimit } from './http/authenticate.ts'
import { createClientAddress } from './http/client-address.ts'
import { createApp } from './http/create-app.ts'
import { type AnswerKnownRead, createKnownReads } from './http/known-reads.ts'
import { createLargeCalls } from './http/large-calls.ts'
import type { CheckedLink } from './links/link-check-queue.ts'
import type { LinkCheckOptions } from './links/start-link-checker.ts'
import type { ServerMetrics } from './observe/create-metrics.ts'
import { logRequests, type ServerLog } from './observe/server-log.ts'
import type { PagesSettings, ServerPages, ServerPagesOptions } from './pages/create-server-pages.ts'
import { type CreateLimit, SharedLimit } from './http/shared-limit.ts'
import { BODY_LIMIT_BYTES } from './http/read-body.ts'
import type { RequestObserver, ServerEnv } from './http/handle-request.ts'
import { createAnswerCache } from './operations/answer-cache.ts'
import { runWhenIdle } from './run-when-idle.ts'
import { openStore, type Store } from './store/open-store.ts'
import type { Seed, SeededIds } from './store/seed-store.ts'

export interface FileSettings extends FileLimits {
  /** How long an unused file is kept, in milliseconds. */
  readonly graceMs: number
}

export interface KnowledgeBaseOptions {
  /** SQLite file, created with its folder if missing, or the URL of a PostgreSQL database. */
  readonly db: string
  /** Enabled language codes, the default one first; default `['en']`. */
  readonly languages?: readonly string[] | undefined
  /** Maximum number of articles; default 1,000,000. */
  readonly articleLimit?: number | undefined
  /** Categories and tags to create if missing. */
  readonly seed?: Seed | undefined
  /** A key for the default site that is not stored, or a function that returns the current one. */
  readonly apiKey?: string | OutsideKey | undefined
  /**
   * Path of an article on the site, with `{slug}`, to recognise relative links to articles; default `/articles/{slug}`.
   */
  readonly articlePath?: string | undefined
  /** Version in the OpenAPI document. */
  readonly version?: string | undefined
  /** Maximum size of a body; default 32 MB. */
  readonly bodyLimitBytes?: number | undefined
  /** The files of articles; default 25 MB for one, 5 GB for all of a site, 24 hours without use. */
  readonly files?: FileSettings | undefined
  /** Maximum number of requests per key and minute, for all servers on the database; undefined: no limit. */
  readonly rateLimit?: number | undefined
  /** Proxies that are trusted to state the client (see `createClientAddress`); default none. */
  readonly trustedProxies?: readonly string[] | undefined
  readonly log?: ServerLog | undefined
  /** Undefined: no metrics and no /metrics. */
  readonly metrics?: ServerMetrics | undefined
  /** Folder with the files of Swagger UI; default: the one that the build adds to the program. */
  readonly docsFolder?: string | undefined
  /** Undefined: no pages for readers, only the API. */
  readonly pages?: PagesSettings | undefined
  /** The pages of other sites by name, in addition to `pages`; each has a public URL. */
  readonly otherPages?: ReadonlyMap<string, PagesSettings> | undefined
  /** Undefined: links are not checked. */
  readonly linkChecks?: LinkCheckOptions | undefined
  readonly clock?: (() => Date) | undefined
  /** Called with every unexpected exception. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** The same values as in the configuration. */
const DEFAULT_FILES: FileSettings = { fileBytes: 25_000_000, siteBytes: 5_000_000_000, graceMs: 86_400_000 }

export interface KnowledgeBase {
  /** Handles requests; `app.request()` needs no socket. */
  readonly app: Hono<ServerEnv>
  /** Answers some requests without the app, with identical responses. */
  readonly answerKnownRead: AnswerKnownRead
  readonly store: Store
  /** Ids of the seed's categories and tags. */
  readonly seeded: SeededIds
  /** Number of times that this server has raised the revision. Any further increase is from other processes. */
  readonly ownRevisions: () => number
  /** Makes the server report that it is not ready. It still handles requests. */
  readonly drain: () => void
  /** Stops link checks and indexing, completes writes in progress and closes the database. */
  readonly close: () => Promise<void>
}

/**
 * Opens a knowledge base: its store, and the operations of /api/v2 on it.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER; CONFIG_INVALID for the pages of a site that does not exist
 */
export async function openKnowledgeBase(options: KnowledgeBaseOptions): Promise<KnowledgeBase> {
  const { languages = ['en'], articleLimit = 1_000_000, clock = () => new Date() } = options
  const { articlePath, files = DEFAULT_FILES } = options
  const now = clock().toISOString()
  const storeOptions = { db: options.db, languages, articleLimit, articlePath, now }
  const store = await openStore(storeOptions)
  try {
    const { apiKey } = options
    const outsideKey = typeof apiKey === 'function' ? apiKey : () => apiKey
    const keys = createKeyRing(store, outsideKey, clock)
    const addressOf = createClientAddress(options.trustedProxies ?? [])
    const createLimit: CreateLimit = (name, perMinute) => new SharedLimit({ name, perMinute, store, clock })
    const pages = await openPages(store, { ...options, keys, addressOf, createLimit, clock })
    const largeCalls = createLargeCalls({ store: storeOptions, fileLimits: files })
    const seeded = await store.seed(store.defaultSiteId, options.seed ?? {}, now)
    const readiness = { draining: false }
    const answers = createAnswerCache()
    const observers = observersOf(options)
    const app = createApp({
      answers,
      readiness,
      store,
      authenticate: createAuthenticate(keys, addressOf, createLimit),
      clock,
      fileLimits: files,
      bodyLimitBytes: options.bodyLimitBytes ?? BODY_LIMIT_BYTES,
      largeCalls,
      rateLimit: createRateLimit(options.rateLimit, createLimit),
      metrics: options.metrics,
      observers,
      docsFolder: options.docsFolder,
      pages,
      onError: (error, requestId) => {
        options.log?.write('error', 'a request failed with an internal error', { requestId, error })
        options.onError?.(error)
      },
      openApi: () => openApiDocument(options.version ?? '0.0.0'),
    })
    // Counting the requests of a key would need another turn.
    const answerKnownRead =
      options.rateLimit === undefined ? createKnownReads({ store, keys, answers, observers }) : () => false
    const stopWork = await startWork(store, { ...options, files, clock })
    const closeAll = async () => {
      await stopWork()
      await pages?.close()
      await largeCalls.close()
      await store.close()
    }
    let closing: Promise<void> | undefined
    const drain = () => void (readiness.draining = true)
    const ownRevisions = () => store.ownRevisions() + largeCalls.revisions()
    return { app, answerKnownRead, store, seeded, ownRevisions, drain, close: () => (closing ??= closeAll()) }
  } catch (error) {
    await store.close()
    throw error
  }
}

type PagesOptions = KnowledgeBaseOptions &
  Pick<ServerPagesOptions, 'keys' | 'addressOf' | 'createLimit' | 'clock'>

async function openPages(store: Store, options: PagesOptions): Promise<ServerPages | undefined> {
  const { pages, otherPages = new Map(), linkChecks, keys, addressOf, createLimit, clock } = options
  if (pages === undefined) return undefined
  // Loaded on demand: a server without pages does not need the code of pages and searches.
  const { createServerPages } = await import('./pages/create-server-pages.ts')
  const checksLinks = linkChecks !== undefined
  const sites = [{ siteId: store.defaultSiteId, pages }]
  for (const [name, own] of otherPages) sites.push({ siteId: await siteNamed(store, name), pages: own })
  return createServerPages(sites, { store, keys, addressOf, createLimit, checksLinks, clock })
}

async function siteNamed(store: Store, name: string): Promise<string> {
  const id = await store.findSite(name)
  if (id !== undefined) return id
  throw new KbError('CONFIG_INVALID', `pages.sites.${name}: the server has no site "${name}".`, {
    hint: `Create it with kb admin sites add ${name}, or correct the name: kb admin sites list shows all.`,
  })
}

/** Starts background work. @returns a function that stops it */
async function startWork(store: Store, options: WorkOptions): Promise<() => Promise<void>> {
  const stopChecking = await checkLinks(store, options)
  const onError = onErrorOf(options, 'storing the links of articles failed')
  const stopLinking = runWhenIdle(store, () => store.catchUpLinks(), onError)
  const stopCollecting = collectFiles(store, options)
  return async () => {
    stopLinking()
    // Otherwise the link checker would first complete them.
    await store.leaveLinks()
    await stopCollecting()
    await stopChecking()
  }
}

interface WorkOptions extends KnowledgeBaseOptions {
  readonly files: FileSettings
  readonly clock: () => Date
}

/** @returns a function that stops the checks */
async function checkLinks(store: Store, options: WorkOptions): Promise<() => Promise<void>> {
  const { linkChecks, version = '0.0.0', metrics, clock, ...observers } = options
  if (linkChecks === undefined) return async () => undefined
  // Loaded on demand: a server that checks no links does not need a network client.
  const { startLinkChecker } = await import('./links/start-link-checker.ts')
  const onChecked = (checked: CheckedLink) => {
    metrics?.countLinkCheck(checked.kind)
    linkChecks.onChecked?.(checked)
  }
  const checker = startLinkChecker({
    ...linkChecks,
    store,
    version,
    clock,
    onChecked,
    onError: onErrorOf(observers, 'a link check failed with an internal error'),
  })
  return () => checker.close()
}

const HOUR_MS = 3_600_000

/** Maximum time of an upload: 180 MB at the lowest rate. */
const UPLOAD_MS = 6 * HOUR_MS

/**
 * Removes unused files at start, and then at intervals. Several processes may do so on one database. Does not keep the
 * process alive.
 *
 * @returns a function that stops it, after the removal in progress
 */
function collectFiles(store: Store, { files, clock, ...observers }: WorkOptions): () => Promise<void> {
  const onError = onErrorOf(observers, 'removing unused files failed')
  const collect = async () => {
    const before = (ms: number) => new Date(clock().getTime() - ms).toISOString()
    await store.removeUnusedFiles(before(files.graceMs), before(UPLOAD_MS)).catch(onError)
  }
  let running = collect()
  const timer = setInterval(() => void (running = running.then(collect)), HOUR_MS).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

function onErrorOf({ log, onError }: Pick<KnowledgeBaseOptions, 'log' | 'onError'>, message: string) {
  return (error: unknown) => {
    log?.write('error', message, { error })
    onError?.(error)
  }
}

function observersOf({ log, metrics }: KnowledgeBaseOptions): readonly RequestObserver[] {
  return [...(metrics ? [metrics] : []), ...(log?.isOn('error') ? [logRequests(log)] : [])]
}
