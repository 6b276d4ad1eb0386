import { onTestFinished } from 'vitest'
import { createSiteCatalog } from '../../../src/server/pages/site-catalog.ts'
import { createStoreSearch } from '../../../src/server/pages/store-search.ts'
import { createArticle, type TestServer } from '../../support/server.ts'

const CONTENT = '<p>zebra</p>'
/** As many as the update of the index lists at a time. */
export const CREATES = 20
/** As many as it removes the words of at a time. */
const DELETIONS = 100

/**
 * Counts what a search among `CREATES` articles finds that waits without a limit, while each step of its update of the
 * index is followed by as many creates or deletions as the step handles. It would never end if it included them.
 */
export async function foundWhileBusy(
  server: TestServer,
  runSql: (sql: string) => Promise<void>,
): Promise<number> {
  const { store } = server
  const siteId = store.defaultSiteId
  let count = 0
  const createMany = async () => {
    for (let at = 0; at < CREATES; at++)
      await createArticle(server, { slug: `a${count++}`, content: CONTENT })
  }
  const removeMany = async () => {
    const from = 1000 + count++ * DELETIONS
    const rows = Array.from(
      { length: DELETIONS },
      (_, at) => `(${from + at}, '${siteId}', '', 'published', 'ant=1')`,
    )
    await runSql(
      `insert into removed_words (number, site_id, language, status, entries) values ${rows.join(', ')}`,
    )
  }
  const busy: typeof store = {
    ...store,
    async postEntries(...about) {
      await store.postEntries(...about)
      await removeMany()
    },
    async listUnindexed(...about) {
      const listed = await store.listUnindexed(...about)
      await createMany()
      return listed
    },
  }
  await removeMany()
  await createMany()
  const catalog = createSiteCatalog(store, siteId)
  const search = createStoreSearch({ store: busy, siteId, catalog, patienceMs: 2 ** 31 - 1 })
  onTestFinished(() => search.close())
  const query = { viewer: 'reader', text: 'zebra', language: 'en', skip: 0, limit: 10 } as const
  return (await search.search(query)).total
}
