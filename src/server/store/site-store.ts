import type { Kysely } from 'kysely'
import type { Database } from './session.ts'
import { siteQueries } from './site-queries.ts'
import type { Store } from './store.ts'
import type { Tables } from './tables.ts'

type SiteStore = Pick<
  Store,
  'findApiKey' | 'addApiKey' | 'revokeApiKey' | 'addUser' | 'siteSettings' | 'revision'
>

/** Sites, and who may work on them. */
export function createSiteStore(database: Database, db: Kysely<Tables>, articleLimit: number): SiteStore {
  const queries = siteQueries(db)
  const { reader } = database
  return {
    async findApiKey(hash) {
      const row = await reader.first(queries.keyByHash, { hash })
      return row && { siteId: row.site_id, userId: row.user_id, readOnly: row.read_only === 1 }
    },
    async addApiKey({ hash, siteId, userId, readOnly, label, now }) {
      const row = {
        hash,
        site_id: siteId,
        user_id: userId,
        label,
        read_only: readOnly ? 1 : 0,
        created_date: now,
      }
      await database.write((session) => session.run(queries.insertKey, row))
    },
    async revokeApiKey(hash, now) {
      return (await database.write((session) => session.run(queries.revokeKey, { hash, now }))) === 1
    },
    async addUser(siteId, user) {
      return database.write(async (session) => {
        const id = session.newId()
        await session.run(queries.insertUser, { id, site_id: siteId, ...user })
        return id
      })
    },
    async siteSettings(siteId) {
      const languages = await reader.all(queries.languages, { siteId })
      const site = await reader.first(queries.articleLimit, { siteId })
      return {
        languages: languages.map(({ code }) => code),
        articleLimit: site?.article_limit ?? articleLimit,
      }
    },
    async revision() {
      return (await reader.first(queries.revision, {}))?.revision ?? 0
    },
  }
}
