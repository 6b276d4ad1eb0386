// Categories and tags are alike except for a few columns of the category: one set of queries, made for either table.
import type { Selectable } from 'kysely'
import { pickColumns, defineQuery } from './query.ts'
import type { Tables } from './tables.ts'

export type TaxonTable = 'categories' | 'tags'

const EDITED = ['name', 'slug', 'description', 'long_description', 'last_edited_date'] as const
const COLUMNS = [
  ...EDITED,
  ...(['id', 'site_id', 'language', 'language_parent', 'created_by', 'created_date'] as const),
]

export type TaxonRow = Selectable<Tables['tags']>

/** The queries that categories and tags share. */
export const taxonQueries = { categories: queriesOf('categories'), tags: queriesOf('tags') } as const

function queriesOf(table: TaxonTable) {
  // Every column used here is in both tables; kysely is told the smaller of the two.
  const shared = table as 'tags'
  return {
    exists: defineQuery((db, is: { siteId: string; id: string }) =>
      db.selectFrom(shared).select('id').where('id', '=', is.id).where('site_id', '=', is.siteId),
    ),
    byId: defineQuery((db, is: { siteId: string; id: string }) =>
      db.selectFrom(shared).selectAll().where('id', '=', is.id).where('site_id', '=', is.siteId),
    ),
    bySlug: defineQuery((db, is: { siteId: string; language: string; slug: string }) =>
      db
        .selectFrom(shared)
        .select(['id', 'name'])
        .where('site_id', '=', is.siteId)
        .where('language', '=', is.language)
        .where('slug', '=', is.slug),
    ),
    translation: defineQuery((db, is: { originalId: string; language: string }) =>
      db
        .selectFrom(shared)
        .selectAll()
        .where('language_parent', '=', is.originalId)
        .where('language', '=', is.language),
    ),
    insert: defineQuery((db, row: TaxonRow) => db.insertInto(shared).values(pickColumns(row, COLUMNS))),
    update: defineQuery((db, row: TaxonRow) =>
      db.updateTable(shared).set(pickColumns(row, EDITED)).where('id', '=', row.id),
    ),
    byName: defineQuery((db, is: { siteId: string; name: string }) =>
      db
        .selectFrom(shared)
        .select('id')
        .where('site_id', '=', is.siteId)
        .where('language', '=', '')
        .where('name', '=', is.name)
        .orderBy('id'),
    ),
  }
}
