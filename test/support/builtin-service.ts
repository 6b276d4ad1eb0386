// The built-in server on a socket, as a target that a project of test/support/sync-project.ts is synced to.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  lenientListReviewDates,
  type LenientReadArticle,
  lenientReadArticle,
} from '../../src/api/contract/lenient.ts'
import { listen } from '../../src/server/http/listen.ts'
import { openKnowledgeBase } from '../../src/server/open-knowledge-base.ts'
import type { SeedCategory } from '../../src/server/store/seed-store.ts'
import { SERVICE_KEY } from './strict-service.ts'

export interface BuiltinService {
  readonly url: string
  readonly articles: () => Promise<readonly LenientReadArticle['data'][]>
  readonly close: () => Promise<void>
}

/** Starts a server with these categories and the languages en, fr and de. */
export async function startBuiltinService(
  categories: readonly SeedCategory[] = [{ name: 'Guides', slug: 'guides' }],
): Promise<BuiltinService> {
  const folder = mkdtempSync(join(tmpdir(), 'kb-builtin-'))
  const knowledgeBase = await openKnowledgeBase({
    db: join(folder, 'kb.db'),
    seed: { categories, tags: [] },
    languages: ['en', 'fr', 'de'],
    apiKey: SERVICE_KEY,
  })
  const server = await listen(knowledgeBase, { host: '127.0.0.1', port: 0, graceMs: 0 })
  const get = async (path: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${SERVICE_KEY}`, 'content-type': 'application/json' }
    return (await fetch(`${server.url}/api/v2/${path}`, { headers })).json()
  }
  return {
    url: server.url,
    articles: async () => {
      const { data } = lenientListReviewDates.parse(await get('tools/review_dates'))
      return Promise.all(
        data.map(async ({ id }) => lenientReadArticle.parse(await get(`articles/${id}`)).data),
      )
    },
    close: async () => {
      await server.close()
      rmSync(folder, { recursive: true })
    },
  }
}
