import type { Kysely } from 'kysely'
import { prepareQuery } from '../prepared-query.ts'
import type { Tables } from '../tables.ts'

/** The queries on sites that only administration runs. */
export function siteAdminQueries(db: Kysely<Tables>) {
  return {
    overview: prepareQuery(() =>
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
    rename: prepareQuery((is: { siteId: string; name: string }) =>
      db.updateTable('sites').set({ name: is.name }).where('id', '=', is.siteId),
    ),
    setLimit: prepareQuery((is: { siteId: string; limit: number | null }) =>
      db.updateTable('sites').set({ article_limit: is.limit }).where('id', '=', is.siteId),
    ),
    // Everything of a site refers to it, and goes with it.
    removeSite: prepareQuery((is: { siteId: string }) => db.deleteFrom('sites').where('id', '=', is.siteId)),
  }
}
