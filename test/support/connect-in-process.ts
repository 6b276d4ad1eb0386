// The built-in target as `kb sync` has it, but for the thread: its server runs beside the test, from the sources.
import { createClient } from '../../src/api/client/create-client.ts'
import type { Settings } from '../../src/core/config/settings.ts'
import { listen } from '../../src/server/http/listen.ts'
import { openKnowledgeBase } from '../../src/server/open-knowledge-base.ts'
import type { Connect } from '../../src/sync/target-session.ts'
import { articlePathOf } from '../../src/kb/target/article-path.ts'
import { toSeed } from '../../src/kb/target/taxonomy-seed.ts'
import { API_KEY } from './server.ts'

export function connectInProcess(settings: Settings): Connect {
  return async ({ signal }) => {
    const { languages, articleLimit, bodyLimitBytes, files, db } = settings.server
    const knowledgeBase = await openKnowledgeBase({
      db,
      languages,
      articleLimit,
      articlePath: articlePathOf(settings),
      bodyLimitBytes,
      files,
      apiKey: API_KEY,
    })
    const { store } = knowledgeBase
    const server = await listen(knowledgeBase, { host: '127.0.0.1', port: 0, graceMs: 0 })
    const { timeoutMs, retries } = settings.sync
    const client = createClient({
      url: server.url,
      apiKey: API_KEY,
      timeoutMs,
      retries,
      concurrency: 8,
      ...(signal && { signal }),
    })
    return {
      name: 'builtin',
      client,
      duplicateSlugs: 'refused',
      storesAsSent: true,
      createTaxonomy: async (taxonomy) => {
        const seed = toSeed(taxonomy)
        const seeded = await store.seed(store.defaultSiteId, seed, new Date().toISOString())
        const tagIds = seed.tags.flatMap(({ name, slug }) => {
          const id = seeded.tags[slug]
          return id === undefined ? [] : [[name, id] as const, [slug, id] as const]
        })
        return { ...seeded.created, categoryIds: seeded.categories, tagIds: Object.fromEntries(tagIds) }
      },
      close: async () => {
        await client.close()
        await server.close()
        return { ownRevisions: store.ownRevisions() }
      },
    }
  }
}
