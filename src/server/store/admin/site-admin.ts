import { DEFAULT_SITE } from '../ensure-default-site.ts'
import { ALL_SITES, defineQuery, type Database, type Session } from '../query.ts'
import { siteQueries } from '../site-queries.ts'
import { itemExists, itemInUse, noSuchItem } from './refuse.ts'

export interface SiteOverview {
  readonly id: string
  readonly name: string
  /** The site that the server creates on start. */
  readonly isDefault: boolean
  /** Enabled language codes, the default one first. */
  readonly languages: readonly string[]
  /** null: the limit of the configuration applies. */
  readonly articleLimit: number | null
  readonly articles: number
  readonly users: number
  readonly keys: number
  readonly createdDate: string
}

export interface NewSite extends Pick<SiteOverview, 'name' | 'languages' | 'articleLimit'> {
  /** The current time. */
  readonly now: string
}

/** Sites: several knowledge bases in one database. */
export function createSiteAdmin(database: Database) {
  return {
    list: () => list(database.reader),
    find: (name: string) => find(database.reader, name),
    add: ({ name, languages, articleLimit, now }: NewSite) =>
      database.write(ALL_SITES, async (session) => {
        await assertFree(session, name)
        const id = session.newId()
        await session.run(siteQueries.insertSite, { id, name, now })
        await session.run(siteAdminQueries.setLimit, { siteId: id, limit: articleLimit })
        for (const [position, code] of languages.entries())
          await session.run(siteQueries.insertLanguage, { siteId: id, code, position })
        return find(session, name)
      }),
    rename: (name: string, newName: string) =>
      database.write(ALL_SITES, async (session) => {
        const { id } = await findMovable(session, name)
        if (newName === name) return
        await assertFree(session, newName)
        await session.run(siteAdminQueries.rename, { siteId: id, name: newName })
      }),
    /** Removes a site with its contents. */
    remove: (name: string) =>
      database.write(ALL_SITES, async (session) => {
        const { id } = await findMovable(session, name)
        await session.run(siteAdminQueries.removeSite, { siteId: id })
      }),
    async setLimit(siteId: string, limit: number | null) {
      await database.write(siteId, (session) => session.run(siteAdminQueries.setLimit, { siteId, limit }))
    },
  }
}

const siteAdminQueries = {
  overview: defineQuery((db) =>
    db
      .selectFrom('sites')
      .select(['sites.id', 'sites.name', 'article_limit', 'article_count', 'sites.created_date'])
      .select((eb) => [
        eb
          .selectFrom('users')
          .select((of) => of.fn.countAll().as('n'))
          .whereRef('users.site_id', '=', 'sites.id')
          .as('users'),
        eb
          .selectFrom('api_keys')
          .select((of) => of.fn.countAll().as('n'))
          .whereRef('api_keys.site_id', '=', 'sites.id')
          .where('api_keys.revoked_at', 'is', null)
          .as('keys'),
      ])
      .orderBy('sites.id'),
  ),
  rename: defineQuery((db, is: { siteId: string; name: string }) =>
    db.updateTable('sites').set({ name: is.name }).where('id', '=', is.siteId),
  ),
  setLimit: defineQuery((db, is: { siteId: string; limit: number | null }) =>
    db.updateTable('sites').set({ article_limit: is.limit }).where('id', '=', is.siteId),
  ),
  // All rows of a site reference it and are deleted with it.
  removeSite: defineQuery((db, is: { siteId: string }) => db.deleteFrom('sites').where('id', '=', is.siteId)),
}

async function list(session: Session): Promise<SiteOverview[]> {
  const rows = await session.all(siteAdminQueries.overview, {})
  const sites: SiteOverview[] = []
  for (const row of rows) {
    const languages = await session.all(siteQueries.languages, { siteId: row.id })
    sites.push({
      id: row.id,
      name: row.name,
      isDefault: row.name === DEFAULT_SITE,
      languages: languages.map(({ code }) => code),
      articleLimit: row.article_limit,
      articles: row.article_count,
      users: Number(row.users),
      keys: Number(row.keys),
      createdDate: row.created_date,
    })
  }
  return sites
}

async function find(session: Session, name: string): Promise<SiteOverview> {
  const sites = await list(session)
  const found = sites.find((site) => site.name === name)
  if (found !== undefined) return found
  throw noSuchItem(
    'site',
    name,
    sites.map((site) => site.name),
  )
}

async function assertFree(session: Session, name: string): Promise<void> {
  if ((await session.first(siteQueries.siteByName, { name })) === undefined) return
  throw itemExists(`There is already a site "${name}".`)
}

async function findMovable(session: Session, name: string): Promise<SiteOverview> {
  const site = await find(session, name)
  if (!site.isDefault) return site
  throw itemInUse(
    'The default site cannot be renamed or removed: the server creates it on every start.',
    'Add another site, and use its keys.',
  )
}
