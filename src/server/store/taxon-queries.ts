// Categories have a few more columns than tags. Otherwise both share the same queries.
import type { Selectable } from 'kysely'
import { pickColumns, defineQuery, type ItemKey } from './query.ts'
import type { Tables } from './tables.ts'

export type TaxonTable = 'categories' | 'tags'

const EDITED = ['name', 'slug', 'description', 'long_description', 'last_edited_date'] as const
/** Listed by name: a prepared statement for all columns fails once a later version adds one. */
const COLUMNS = [
  ...EDITED,
  ...(['id', 'site_id', 'language', 'language_parent', 'created_by', 'created_date'] as const),
]

export type TaxonRow = Selectable<Tables['tags']>

interface NewTaxonText {
  readonly name: string
  readonly slug: string
  readonly description?: string | undefined
  readonly longDescription?: string | undefined
  /** The current time. */
  readonly now: string
}

/** Returns the row of a new category or tag. @param place undefined for an original without an author */
export function newTaxonRow(
  { siteId, id }: ItemKey,
  { name, slug, description = '', longDescription = '', now }: NewTaxonText,
  place?: Partial<Pick<TaxonRow, 'language' | 'language_parent' | 'created_by'>>,
): TaxonRow {
  const origin = { language: '', language_parent: null, created_by: null, created_date: now, ...place }
  return {
    id,
    site_id: siteId,
    name,
    slug,
    description,
    long_description: longDescription,
    last_edited_date: now,
    ...origin,
  }
}

export const taxonQueries = { categories: queriesOf('categories'), tags: queriesOf('tags') } as const

function queriesOf(table: TaxonTable) {
  // Both tables have all columns used here. The types treat them as the smaller one.
  const shared = table as 'tags'
  return {
    exists: defineQuery((db, is: { siteId: string; id: string }) =>
      db.selectFrom(shared).select('id').where('id', '=', is.id).where('site_id', '=', is.siteId),
    ),
    byId: defineQuery((db, is: { siteId: string; id: string }) =>
      db.selectFrom(shared).select(COLUMNS).where('id', '=', is.id).where('site_id', '=', is.siteId),
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
        .select(COLUMNS)
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

const PLACE = ['order_by', 'parent_id', 'thumbnail_url', 'icon_url'] as const

/** Queries on categories only: order, parent, images and the list. */
export const categoryQueries = {
  placeOf: defineQuery((db, is: { siteId: string; id: string }) =>
    db
      .selectFrom('categories')
      .select(['parent_id', 'language_parent', 'thumbnail_url', 'icon_url'])
      .where('id', '=', is.id)
      .where('site_id', '=', is.siteId),
  ),
  place: defineQuery((db, row: Pick<Selectable<Tables['categories']>, 'id' | (typeof PLACE)[number]>) =>
    db.updateTable('categories').set(pickColumns(row, PLACE)).where('id', '=', row.id),
  ),
  page: defineQuery((db, is: { siteId: string; after: string; limit: number }) =>
    db
      .selectFrom('categories as item')
      .leftJoin('categories as parent', 'parent.id', 'item.parent_id')
      .leftJoin('users as creator', 'creator.id', 'item.created_by')
      .leftJoin('article_categories as latest', (join) =>
        join.on((eb) =>
          eb(
            'latest.id',
            '=',
            eb
              .selectFrom('article_categories as relation')
              .select((of) => of.fn.max('relation.id').as('id'))
              .whereRef('relation.category_id', '=', 'item.id'),
          ),
        ),
      )
      .select(['item.id', 'item.name', 'item.order_by', 'parent.name as parentName'])
      .select(['latest.id as latestId', 'latest.added_date as latestDate'])
      .select(['creator.username', 'creator.first_name', 'creator.last_name', 'creator.email_address'])
      .where('item.site_id', '=', is.siteId)
      .where('item.language_parent', 'is', null)
      .where('item.id', '>', is.after)
      .orderBy('item.id')
      .limit(is.limit),
  ),
  translations: defineQuery((db, is: { siteId: string; from: string; to: string }) =>
    db
      .selectFrom('categories')
      .select(['language_parent as originalId', 'language'])
      .where('site_id', '=', is.siteId)
      .where('language_parent', '>=', is.from)
      .where('language_parent', '<=', is.to)
      .orderBy('language_parent')
      .orderBy('language'),
  ),
}
