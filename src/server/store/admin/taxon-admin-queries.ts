import type { Kysely } from 'kysely'
import { prepareQuery } from '../prepared-query.ts'
import type { Tables } from '../tables.ts'
import type { TaxonTable } from '../taxon-queries.ts'

/** The queries on categories and tags that only administration runs. */
export function taxonAdminQueries(db: Kysely<Tables>, table: TaxonTable) {
  // Every column used here is in both tables; kysely is told the smaller of the two.
  const shared = table as 'tags'
  return {
    all: prepareQuery((is: { siteId: string }) =>
      db
        .selectFrom(shared)
        .select(['id', 'name', 'slug', 'description', 'language', 'language_parent'])
        .where('site_id', '=', is.siteId)
        .orderBy('id'),
    ),
    articleCounts: prepareQuery((is: { siteId: string }) => articleCounts(db, table, is.siteId)),
    remove: prepareQuery((is: { id: string }) => db.deleteFrom(shared).where('id', '=', is.id)),
    removeTranslations: prepareQuery((is: { id: string }) =>
      db.deleteFrom(shared).where('language_parent', '=', is.id),
    ),
  }
}

/** How many articles carry an item, or a translation of it, by the id of the original. */
function articleCounts(db: Kysely<Tables>, table: TaxonTable, siteId: string) {
  // Both relations have the same columns but for the name of the item's; kysely is told one of the two.
  const [relation, item] = (
    table === 'categories' ? ['article_categories', 'category_id'] : ['article_tags', 'tag_id']
  ) as ['article_tags', 'tag_id']
  return db
    .selectFrom(`${relation} as relation`)
    .innerJoin(`${table as 'tags'} as item`, 'item.id', `relation.${item}`)
    .select((eb) => [
      eb.fn.coalesce('item.language_parent', 'item.id').as('id'),
      eb.fn.count('relation.article_id').distinct().as('articles'),
    ])
    .where('item.site_id', '=', siteId)
    .groupBy((eb) => eb.fn.coalesce('item.language_parent', 'item.id'))
}

/** Where the categories of a site stand. */
export function categoryPlaces(db: Kysely<Tables>) {
  return prepareQuery((is: { siteId: string }) =>
    db.selectFrom('categories').select(['id', 'parent_id', 'order_by']).where('site_id', '=', is.siteId),
  )
}
