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
    brokenTargets: prepareQuery((is: { after: string; limit: number }) =>
      db
        .selectFrom('link_checks')
        .select(['target', 'status', 'reason'])
        .where('working', '=', 0)
        .where('target', '>', is.after)
        .orderBy('target')
        .limit(is.limit),
    ),
    // Without the site: by it, all links would be looked at.
    linksTo: prepareQuery((is: { target: string; after: string; limit: number }) =>
      db
        .selectFrom('links as link')
        .innerJoin('articles as article', 'article.id', 'link.article_id')
        .select(['link.id', 'link.site_id', 'link.url', 'article.name', 'article.slug', 'article.language'])
        .where('link.target', '=', is.target)
        .where('link.id', '>', is.after)
        .orderBy('link.id')
        .limit(is.limit),
    ),
    linkCategories: prepareQuery((is: { target: string; after: string; last: string }) =>
      db
        .selectFrom('links as link')
        .innerJoin('article_categories as member', 'member.article_id', 'link.article_id')
        .select(['link.id', 'member.category_id'])
        .where('link.target', '=', is.target)
        .where('link.id', '>', is.after)
        .where('link.id', '<=', is.last),
    ),
    links: prepareQuery((is: { siteId: string }) =>
      db
        .selectFrom('links')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('site_id', '=', is.siteId),
    ),
    // The site is hidden in a function: by its index, all links would be looked at.
    uncheckedLinks: prepareQuery((is: { siteId: string }) =>
      db
        .selectFrom('links')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where(
          'target',
          'in',
          db.selectFrom('link_checks').select('target').where('checked_date', 'is', null),
        )
        .where((eb) => eb(eb.fn.coalesce('site_id', eb.val('')), '=', eb.val(is.siteId))),
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
