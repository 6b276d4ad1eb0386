import type { Hono } from 'hono'
import { openApiDocument } from '../contract/openapi.ts'
import { createAuthenticate } from './authenticate.ts'
import { createApp } from './create-app.ts'
import { BODY_LIMIT_BYTES } from './read-body.ts'
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
  /** A key that is valid for the default site and is not stored. */
  readonly apiKey?: string | undefined
  /** Path of an article on the site, with `{slug}`: which relative links are articles; `/articles/{slug}` by default. */
  readonly articlePath?: string | undefined
  /** Version that the OpenAPI document names. */
  readonly version?: string | undefined
  readonly bodyLimitBytes?: number | undefined
  readonly clock?: (() => Date) | undefined
  /** Told of every unexpected exception. */
  readonly onError?: ((error: unknown) => void) | undefined
}

export interface KnowledgeBase {
  /** Answers requests; `app.request()` needs no socket. */
  readonly app: Hono
  readonly store: Store
  /** Ids of what the seed named. */
  readonly seeded: SeededIds
  /** Waits for running writes and closes the database. */
  readonly close: () => Promise<void>
}

/**
 * Opens a knowledge base: its store, and the nine operations of /api/v2 on it.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER
 */
export async function openKnowledgeBase(options: KnowledgeBaseOptions): Promise<KnowledgeBase> {
  const { languages = ['en'], articleLimit = 1_000_000, clock = () => new Date() } = options
  const now = clock().toISOString()
  const store = await openStore({ file: options.db, languages, articleLimit, now })
  try {
    const seeded = await store.seed(store.defaultSiteId, options.seed ?? {}, now)
    const app = createApp({
      store,
      authenticate: createAuthenticate(store, options.apiKey),
      clock,
      articlePath: options.articlePath ?? '/articles/{slug}',
      bodyLimitBytes: options.bodyLimitBytes ?? BODY_LIMIT_BYTES,
      onError: options.onError ?? (() => undefined),
      openApi: () => openApiDocument(options.version ?? '0.0.0'),
    })
    return { app, store, seeded, close: () => store.close() }
  } catch (error) {
    await store.close()
    throw error
  }
}
