import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Settings } from '../config/settings.ts'
import { createClient } from '../client/create-client.ts'
import type { LocalTaxonomy } from '../model/taxonomy.ts'
import type { KnowledgeBase } from '../server/open-knowledge-base.ts'
import type { Connect, CreatedTaxonomy } from '../sync/target-session.ts'
import { toSeed } from './taxonomy-seed.ts'

/**
 * Starts the built-in server on a free loopback port and speaks HTTP to it like to any target. A key made for this
 * run alone opens it.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER
 */
export function connectBuiltin(settings: Settings, concurrency: number): Connect {
  return async ({ readOnly, signal }) => {
    const [{ openKnowledgeBase }, { listen }, { createApiKey }] = await Promise.all([
      import('../server/open-knowledge-base.ts'),
      import('../server/listen.ts'),
      import('../server/api-key.ts'),
    ])
    const apiKey = createApiKey()
    const { db, languages, articleLimit } = settings.server
    // Looking must not make a database: where there is none, an empty one elsewhere stands for it.
    const spare = readOnly && !existsSync(db) ? mkdtempSync(join(tmpdir(), 'kb-')) : undefined
    const file = spare === undefined ? db : join(spare, 'kb.db')
    const knowledgeBase = await openKnowledgeBase({ db: file, languages, articleLimit, apiKey })
    const listening = await listen(knowledgeBase, { host: '127.0.0.1', port: 0 })
    const { timeoutMs, retries } = settings.sync
    const client = createClient({
      url: listening.url,
      apiKey,
      timeoutMs,
      retries,
      concurrency,
      ...(signal && { signal }),
    })
    return {
      name: 'builtin',
      client,
      createTaxonomy: (taxonomy) => createTaxonomy(knowledgeBase, taxonomy),
      close: async () => {
        await client.close()
        await listening.close()
        if (spare !== undefined) rmSync(spare, { recursive: true, force: true })
      },
    }
  }
}

async function createTaxonomy({ store }: KnowledgeBase, taxonomy: LocalTaxonomy): Promise<CreatedTaxonomy> {
  const seed = toSeed(taxonomy)
  const seeded = await store.seed(store.defaultSiteId, seed, new Date().toISOString())
  const tagIds = seed.tags.flatMap(({ name, slug }) => {
    const id = seeded.tags[slug]
    return id === undefined ? [] : [[name, id] as const, [slug, id] as const]
  })
  return { ...seeded.created, tagIds: Object.fromEntries(tagIds) }
}
