import type { Kysely } from 'kysely'
import type { Database } from './session.ts'
import { siteQueries } from './site-queries.ts'
import type { Store } from './store.ts'
import type { Tables } from './tables.ts'

type SiteStore = Pick<Store, 'findApiKey' | 'siteSettings' | 'revision' | 'assertWritable'>

/** Sites, and who may work on them. */
export function createSiteStore(database: Database, db: Kysely<Tables>, articleLimit: number): SiteStore {
  const queries = siteQueries(db)
  const { reader } = database
  return {
    async findApiKey(hash, now) {
      const row = await reader.first(queries.keyByHash, { hash, now })
      return row && { siteId: row.site_id, userId: row.user_id, readOnly: row.read_only === 1 }
    },
    async siteSettings(siteId) {
      const languages = await reader.all(queries.languages, { siteId })
      const site = await reader.first(queries.articleLimit, { siteId })
      return {
        languages: languages.map(({ code }) => code),
        articleLimit: site?.article_limit ?? articleLimit,
      }
    },
    async assertWritable() {
      database.assertInPlace()
      await database.writeAside((session) => session.run(queries.touch, {}))
    },
    async revision() {
      return (await reader.first(queries.revision, {}))?.revision ?? 0
    },
  }
}
