import type { Hono } from 'hono'
import { openApiDocument } from '../api/contract/openapi.ts'
import { createAuthenticate, createKeyRing, type KeyRing, type OutsideKey } from './http/authenticate.ts'
import { type ClientAddress, createClientAddress } from './http/client-address.ts'
import { createApp } from './http/create-app.ts'
import { createLargeCalls } from './http/large-calls.ts'
import type { CheckedLink } from './links/link-check-queue.ts'
import type { LinkCheckOptions } from './links/start-link-checker.ts'
import type { ServerMetrics } from './observe/create-metrics.ts'
import { logRequests, type ServerLog } from './observe/server-log.ts'
import type { PagesSettings, ServerPages } from './pages/create-server-pages.ts'
import type { RateLimit } from './http/rate-limit.ts'
import { BODY_LIMIT_BYTES } from './http/read-body.ts'
import type { RequestObserver, ServerEnv } from './http/request-trace.ts'
import { openStore } from './store/open-store.ts'
import type { Seed, SeededIds } from './store/seed-data.ts'
import type { Store } from './store/store.ts'

export interface KnowledgeBaseOptions {
  /** SQLite file; made, with its folder, where there is none. */
  readonly db: string
  /** Enabled language codes, the default one first; `['en']` by default. */
  readonly languages?: readonly string[] | undefined
  /** Most articles; 1,000,000 by default. */
  readonly articleLimit?: number | undefined
  /** Categories and tags to be created where they are missing. */
  readonly seed?: Seed | undefined
  /** A key that is valid for the default site and is not stored, or what says at any time which one that is. */
  readonly apiKey?: string | OutsideKey | undefined
  /** Path of an article on the site, with `{slug}`: which relative links are articles; `/articles/{slug}` by default. */
  readonly articlePath?: string | undefined
  /** Version that the OpenAPI document names. */
  readonly version?: string | undefined
  /** Largest body that is read; 32 MB by default. */
  readonly bodyLimitBytes?: number | undefined
  /** Undefined: as many requests as come. */
  readonly rateLimit?: RateLimit | undefined
  /** Proxies whose word is mistaken for who is behind them (see `createClientAddress`); none by default. */
  readonly trustedProxies?: readonly string[] | undefined
  readonly log?: ServerLog | undefined
  /** Undefined: nothing is measured, and there is no /metrics. */
  readonly metrics?: ServerMetrics | undefined
  /** Folder with the files of Swagger UI; by default the one that the build put beside the program. */
  readonly docsFolder?: string | undefined
  /** Undefined: readers are shown nothing; there is only the interface. */
  readonly pages?: PagesSettings | undefined
  /** Undefined: links are not checked. */
  readonly linkChecks?: LinkCheckOptions | undefined
  readonly clock?: (() => Date) | undefined
  /** Told of every unexpected exception. */
  readonly onError?: ((error: unknown) => void) | undefined
}

export interface KnowledgeBase {
  /** Answers requests; `app.request()` needs no socket. */
  readonly app: Hono<ServerEnv>
  readonly store: Store
  /** Ids of what the seed named. */
  readonly seeded: SeededIds
  /** How often this server has raised the revision: what it rose beyond that was others' doing. */
  readonly ownRevisions: () => number
  /** Answers that it is not ready, and everything else as before. */
  readonly drain: () => void
  /** Stops checking links and reading for searches, waits for running writes and closes the database. */
  readonly close: () => Promise<void>
}

/**
 * Opens a knowledge base: its store, and the nine operations of /api/v2 on it.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER
 */
export async function openKnowledgeBase(options: KnowledgeBaseOptions): Promise<KnowledgeBase> {
  const { languages = ['en'], articleLimit = 1_000_000, clock = () => new Date() } = options
  const { articlePath = '/articles/{slug}' } = options
  const now = clock().toISOString()
  const storeOptions = { file: options.db, languages, articleLimit, now }
  const store = await openStore(storeOptions)
  try {
    const { apiKey } = options
    const outsideKey = typeof apiKey === 'function' ? apiKey : () => apiKey
    const keys = createKeyRing(store, outsideKey, clock)
    const addressOf = createClientAddress(options.trustedProxies ?? [])
    const pages = await openPages(store, { ...options, keys, outsideKey, addressOf, clock })
    const largeCalls = createLargeCalls({ store: storeOptions, articlePath })
    const seeded = await store.seed(store.defaultSiteId, options.seed ?? {}, now)
    const readiness = { draining: false }
    const app = createApp({
      readiness,
      store,
      authenticate: createAuthenticate(keys, addressOf),
      clock,
      articlePath,
      bodyLimitBytes: options.bodyLimitBytes ?? BODY_LIMIT_BYTES,
      largeCalls,
      rateLimit: options.rateLimit,
      metrics: options.metrics,
      observers: observersOf(options),
      docsFolder: options.docsFolder,
      pages,
      onError: (error, requestId) => {
        options.log?.write('error', 'a request failed with an internal error', { requestId, error })
        options.onError?.(error)
      },
      openApi: () => openApiDocument(options.version ?? '0.0.0'),
    })
    const stopChecking = await checkLinks(store, { ...options, articlePath }, clock)
    const closeAll = async () => {
      await stopChecking()
      await pages?.close()
      await largeCalls.close()
      await store.close()
    }
    let closing: Promise<void> | undefined
    const drain = () => void (readiness.draining = true)
    const ownRevisions = () => store.ownRevisions() + largeCalls.revisions()
    return { app, store, seeded, ownRevisions, drain, close: () => (closing ??= closeAll()) }
  } catch (error) {
    await store.close()
    throw error
  }
}

interface PagesOptions extends KnowledgeBaseOptions {
  readonly keys: KeyRing
  readonly outsideKey: OutsideKey
  readonly addressOf: ClientAddress
  readonly clock: () => Date
}

async function openPages(
  store: Store,
  { pages, outsideKey, linkChecks, keys, addressOf, clock }: PagesOptions,
): Promise<ServerPages | undefined> {
  if (pages === undefined) return undefined
  // Brings along what makes pages and searches, which a server without them need not load.
  const { createServerPages } = await import('./pages/create-server-pages.ts')
  const checksLinks = linkChecks !== undefined
  return createServerPages({ ...pages, store, keys, outsideKey, addressOf, checksLinks, clock })
}

interface CheckingOptions extends KnowledgeBaseOptions {
  readonly articlePath: string
}

/** @returns what stops it */
async function checkLinks(
  store: Store,
  { linkChecks, articlePath, version = '0.0.0', log, metrics, onError }: CheckingOptions,
  clock: () => Date,
): Promise<() => Promise<void>> {
  if (linkChecks === undefined) return async () => undefined
  // Brings a network client along, which a server that checks nothing need not load.
  const { startLinkChecker } = await import('./links/start-link-checker.ts')
  const fault = (error: unknown) => {
    log?.write('error', 'a link check failed with an internal error', { error })
    onError?.(error)
  }
  const onChecked = (checked: CheckedLink) => {
    metrics?.countLinkCheck(checked.kind)
    linkChecks.onChecked?.(checked)
  }
  const checker = startLinkChecker({
    ...linkChecks,
    store,
    articlePath,
    version,
    clock,
    onChecked,
    onError: fault,
  })
  return () => checker.close()
}

function observersOf({ log, metrics }: KnowledgeBaseOptions): readonly RequestObserver[] {
  return [...(metrics ? [metrics] : []), ...(log?.isOn('error') ? [logRequests(log)] : [])]
}
