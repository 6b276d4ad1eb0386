// Categories and tags are alike but for a few columns of the category: one set of queries, made for either table.
import type { Kysely, Selectable } from 'kysely'
import { prepareQuery } from './prepared-query.ts'
import type { Tables } from './tables.ts'

export type TaxonTable = 'categories' | 'tags'

export type TaxonRow = Selectable<Tables['tags']>

type Builder = Kysely<Tables>

export type TaxonQueries = ReturnType<typeof taxonQueries>

/** The prepared queries that categories and tags share. */
export function taxonQueries(db: Builder, table: TaxonTable) {
  // Every column used here is in both tables; kysely is told the smaller of the two.
  const shared = table as 'tags'
  return {
    exists: prepareQuery((is: { siteId: string; id: string }) =>
      db.selectFrom(shared).select('id').where('id', '=', is.id).where('site_id', '=', is.siteId),
    ),
    byId: prepareQuery((is: { siteId: string; id: string }) =>
      db.selectFrom(shared).selectAll().where('id', '=', is.id).where('site_id', '=', is.siteId),
    ),
    bySlug: prepareQuery((is: { siteId: string; language: string; slug: string }) =>
      db
        .selectFrom(shared)
        .select(['id', 'name'])
        .where('site_id', '=', is.siteId)
        .where('language', '=', is.language)
        .where('slug', '=', is.slug),
    ),
    translation: prepareQuery((is: { originalId: string; language: string }) =>
      db
        .selectFrom(shared)
        .selectAll()
        .where('language_parent', '=', is.originalId)
        .where('language', '=', is.language),
    ),
    insert: prepareQuery((row: TaxonRow) => db.insertInto(shared).values(textColumns(row))),
    update: prepareQuery((row: TaxonRow) =>
      db
        .updateTable(shared)
        .set({
          name: row.name,
          slug: row.slug,
          description: row.description,
          long_description: row.long_description,
          last_edited_date: row.last_edited_date,
        })
        .where('id', '=', row.id),
    ),
    byName: prepareQuery((is: { siteId: string; name: string }) =>
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

// The placeholders stand behind a proxy that has no keys of its own, so every column is named.
function textColumns(row: TaxonRow): TaxonRow {
  return {
    id: row.id,
    site_id: row.site_id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    long_description: row.long_description,
    language: row.language,
    language_parent: row.language_parent,
    created_by: row.created_by,
    created_date: row.created_date,
    last_edited_date: row.last_edited_date,
  }
}
