import type { Kysely } from 'kysely'
import { prepareQuery } from './prepared-query.ts'
import type { Tables } from './tables.ts'

interface SliceAfter extends Readonly<Record<string, string | number>> {
  readonly siteId: string
  readonly language: string
  readonly order: number
  readonly name: string
  readonly id: string
  readonly limit: number
}

/** A piece of all articles of a site: those after a place. */
function slice(db: Kysely<Tables>, is: SliceAfter) {
  return db
    .selectFrom('articles')
    .where('site_id', '=', is.siteId)
    .where((eb) =>
      eb(
        eb.refTuple('language', 'order_by', 'name', 'id'),
        '>',
        eb.tuple(eb.val(is.language), eb.val(is.order), eb.val(is.name), eb.val(is.id)),
      ),
    )
    .orderBy('language')
    .orderBy('order_by')
    .orderBy('name')
    .orderBy('id')
    .limit(is.limit)
}

interface BrokenAfter extends Readonly<Record<string, string | number>> {
  readonly siteId: string
  readonly target: string
  readonly id: string
  readonly limit: number
}

/** A piece of the broken links of a site: those after a place. Written so that each piece begins where its index does. */
function brokenSlice(db: Kysely<Tables>, is: BrokenAfter) {
  return db
    .selectFrom('link_checks as known')
    .innerJoin('links as link', (join) =>
      join.onRef('link.site_id', '=', 'known.site_id').onRef('link.target', '=', 'known.target'),
    )
    .where('known.site_id', '=', is.siteId)
    .where('known.working', '=', 0)
    .where('known.target', '>=', is.target)
    .where((eb) => eb.or([eb('known.target', '>', is.target), eb('link.id', '>', is.id)]))
    .orderBy('known.target')
    .orderBy('link.id')
    .limit(is.limit)
}

/** The prepared queries over all articles of a site, drafts too: for its authors, and for what is searched. */
export function readerReportQueries(db: Kysely<Tables>) {
  return {
    byStatus: prepareQuery((is: { siteId: string }) =>
      db
        .selectFrom('articles')
        .select((eb) => ['status', eb.fn.countAll<number>().as('articles')])
        .where('site_id', '=', is.siteId)
        .groupBy('status'),
    ),
    lastChange: prepareQuery((is: { siteId: string }) =>
      db
        .selectFrom('articles')
        .select((eb) => eb.fn.max('last_edited_date').as('date'))
        .where('site_id', '=', is.siteId),
    ),
    standings: prepareQuery((is: SliceAfter) =>
      slice(db, is).select([
        'id',
        'language',
        'order_by',
        'name',
        'slug',
        'status',
        'review_date',
        'last_edited_date',
      ]),
    ),
    standingCategories: prepareQuery((is: SliceAfter) =>
      db
        .selectFrom('article_categories')
        .select(['article_id', 'category_id'])
        .where('article_id', 'in', slice(db, is).select('id')),
    ),
    brokenLinks: prepareQuery((is: BrokenAfter) =>
      brokenSlice(db, is)
        .innerJoin('articles as article', 'article.id', 'link.article_id')
        .select(['link.target', 'link.id', 'link.url', 'link.article_id', 'known.status', 'known.reason'])
        .select(['article.name', 'article.slug', 'article.language']),
    ),
    brokenLinkCategories: prepareQuery((is: BrokenAfter) =>
      db
        .selectFrom('article_categories')
        .select(['article_id', 'category_id'])
        .where('article_id', 'in', brokenSlice(db, is).select('link.article_id')),
    ),
    links: prepareQuery((is: { siteId: string }) =>
      db
        .selectFrom('links')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('site_id', '=', is.siteId),
    ),
    uncheckedLinks: prepareQuery((is: { siteId: string }) =>
      db
        .selectFrom('links')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where(
          'target',
          'in',
          db
            .selectFrom('link_checks')
            .select('target')
            .where('site_id', '=', is.siteId)
            .where('checked_date', 'is', null),
        )
        .where('site_id', '=', is.siteId),
    ),
    versions: prepareQuery((is: SliceAfter) =>
      slice(db, is).select([
        'id',
        'language',
        'order_by',
        'name',
        'status',
        'hide_from_search',
        'last_edited_date',
      ]),
    ),
    searchText: prepareQuery((is: { siteId: string; id: string }) =>
      db
        .selectFrom('articles')
        .select(['name', 'content'])
        .where('id', '=', is.id)
        .where('site_id', '=', is.siteId),
    ),
  }
}
