import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import { boundedContent } from './article-queries.ts'
import { isOneOf } from './json-lists.ts'
import { defineQuery } from './query.ts'
import type { Visibility } from './reader-data.ts'
import type { Tables } from './tables.ts'

export interface PlacedArguments extends Readonly<Record<string, string | number>> {
  readonly siteId: string
  readonly language: string
  readonly order: number
  readonly name: string
  readonly id: string
  readonly limit: number
}

type SiteItem = { siteId: string; id: string }

interface TaxonArguments extends PlacedArguments {
  readonly taxonId: string
}

type Way = 'after' | 'before'

const DIRECTIONS = { after: 'asc', before: 'desc' } as const

type Articles = ExpressionBuilder<Tables & { a: Tables['articles'] }, 'a'>

type IsVisible = (eb: Articles) => Expression<SqlBool>

const LISTED = ['a.id', 'a.name', 'a.slug', 'a.language', 'a.excerpt', 'a.order_by', 'a.status'] as const
const HEAD = [
  ...LISTED,
  'a.language_parent',
  'a.article_parent',
  'a.last_edited_date',
  'a.hide_from_search',
  'a.seo_banner_url',
] as const

/** Exceeds the length of any list. A nested query with a limit is evaluated alone, not merged with the outer one. */
const ALL_OF_THEM = 1_000_000

/** Queries on articles for each kind of visitor. */
export const readerArticleQueries: Readonly<Record<Visibility, ReturnType<typeof queriesFor>>> = {
  published: queriesFor((eb) => eb('a.status', '=', 'published')),
  all: queriesFor(isLatest),
}

/** Selects the articles that a slug redirects to, in any status, with the language of the slug. */
export const redirectedArticles = defineQuery((db, is: { siteId: string; slug: string }) =>
  db
    .selectFrom('article_redirects as redirect')
    .innerJoin('articles as a', 'a.id', 'redirect.article_id')
    .select([...HEAD, 'redirect.language as from'])
    .where('redirect.site_id', '=', is.siteId)
    .where('redirect.slug', '=', is.slug),
)

/** Queries on the files of articles. */
export const sourceQueries = {
  set: defineQuery((db, is: SiteItem & { path: string }) =>
    db
      .insertInto('article_sources')
      .columns(['article_id', 'path'])
      .expression((eb) =>
        eb
          .selectFrom('articles as a')
          .select(['a.id', eb.val(is.path).as('path')])
          .where('a.id', '=', is.id)
          .where('a.site_id', '=', is.siteId),
      )
      .onConflict((conflict) => conflict.column('article_id').doUpdateSet({ path: is.path })),
  ),
  find: defineQuery((db, is: SiteItem) =>
    db
      .selectFrom('article_sources as source')
      .innerJoin('articles as a', 'a.id', 'source.article_id')
      .select('source.path')
      .where('a.id', '=', is.id)
      .where('a.site_id', '=', is.siteId),
  ),
}

function queriesFor(isVisible: IsVisible) {
  const articles = (db: Kysely<Tables>) => db.selectFrom('articles as a').where(isVisible)
  const one = (db: Kysely<Tables>, is: SiteItem) =>
    articles(db).where('a.id', '=', is.id).where('a.site_id', '=', is.siteId)
  const places = (db: Kysely<Tables>, is: PlacedArguments) =>
    beyond(isVisible, db, is).select(['a.order_by as order', 'a.name', 'a.id'])
  return {
    all: defineQuery((db, is: PlacedArguments) => listBeyond(isVisible, db, is)),
    ofTaxon: { category: taxonQueries(isVisible, 'category'), tag: taxonQueries(isVisible, 'tag') },
    /** The same list in reverse. */
    beforeInCategory: taxonQueries(isVisible, 'category', 'before'),
    listed: defineQuery((db, is: SiteItem) => one(db, is).select(LISTED)),
    bySlug: defineQuery((db, is: { siteId: string; language: string; slug: string }) =>
      articles(db)
        .select(HEAD)
        .where('a.site_id', '=', is.siteId)
        .where('a.language', '=', is.language)
        .where('a.slug', '=', is.slug),
    ),
    content: defineQuery((db, is: SiteItem & { contentBytes: number }) =>
      one(db, is).select(boundedContent(is.contentBytes).as('content')),
    ),
    /** Covers all sites, because SQLite would read all articles of one. @param ids a JSON array */
    searched: defineQuery((db, is: { ids: string; characters: number }, dialect) =>
      articles(db)
        .select([...HEAD, 'a.site_id', sql<string>`substr(a.content, 1, ${is.characters})`.as('content')])
        .where(isOneOf('a.id', is.ids, dialect))
        .where('a.hide_from_search', '=', 0),
    ),
    translations: defineQuery((db, is: { siteId: string; originalId: string }) =>
      articles(db)
        .select(LISTED)
        .where('a.id', 'in', idsOfFamily(db, is))
        // An expression: otherwise SQLite would read all articles of the site with an index that begins with it.
        .where(sql<string>`a.site_id || ''`, '=', is.siteId)
        .orderBy('a.id'),
    ),
    /** Counts the articles after a position, at most `limit`. */
    countByCategory: defineQuery((db, is: PlacedArguments) =>
      db
        .selectFrom(places(db, is).limit(is.limit).as('a'))
        .innerJoin('article_categories as relation', 'relation.article_id', 'a.id')
        .select((eb) => ['relation.category_id', eb.fn.countAll<number>().as('articles')])
        .groupBy('relation.category_id'),
    ),
    /** Returns the position `limit` articles further. */
    placeBehind: defineQuery((db, is: PlacedArguments) => places(db, is).limit(1).offset(is.limit)),
    countInCategory: defineQuery((db, is: { siteId: string; language: string; taxonId: string }) =>
      articles(db)
        .select((eb) => eb.fn.countAll<number>().as('articles'))
        .where('a.id', 'in', idsWith('category', db, is))
        .where('a.site_id', '=', is.siteId)
        .where('a.language', '=', is.language),
    ),
  }
}

// Two queries for the same list. By taxon: filters and sorts all its articles, which is fast for few. By order: scans
// articles until enough of them have the taxon, which is fast for many.
function taxonQueries(isVisible: IsVisible, taxon: Taxon, way: Way = 'after') {
  return {
    few: defineQuery((db, is: TaxonArguments) => {
      const ids = idsWith(taxon, db, is)
      const picked = db.selectFrom('articles').selectAll().where('id', 'in', ids).limit(ALL_OF_THEM)
      return listBeyond(isVisible, db, is, db.selectFrom(picked.as('a')), way)
    }),
    many: defineQuery((db, is: TaxonArguments) =>
      listBeyond(isVisible, db, is, undefined, way).where((eb) =>
        eb.exists(idsWith(taxon, db, is).where('relation.article_id', '=', eb.ref('a.id'))),
      ),
    ),
  }
}

function beyond(
  isVisible: IsVisible,
  db: Kysely<Tables>,
  is: PlacedArguments,
  from = db.selectFrom('articles as a'),
  way: Way = 'after',
) {
  return from
    .where(isVisible)
    .where('a.site_id', '=', is.siteId)
    .where('a.language', '=', is.language)
    .where((eb) =>
      eb(
        eb.refTuple('a.order_by', 'a.name', 'a.id'),
        way === 'after' ? '>' : '<',
        eb.tuple(eb.val(is.order), eb.val(is.name), eb.val(is.id)),
      ),
    )
    .orderBy('a.order_by', DIRECTIONS[way])
    .orderBy('a.name', DIRECTIONS[way])
    .orderBy('a.id', DIRECTIONS[way])
}

function listBeyond(...about: Parameters<typeof beyond>) {
  return beyond(...about)
    .select(LISTED)
    .limit(about[2].limit)
}

/** Excludes a published article that has a draft. */
function isLatest(eb: Articles): Expression<SqlBool> {
  return eb.not(
    eb.exists(
      eb
        .selectFrom('articles as beside')
        .select(sql<number>`1`.as('one'))
        .whereRef('beside.article_parent', '=', 'a.id')
        .where('beside.status', '=', 'draft'),
    ),
  )
}

/** The ids of an original, its translations, and its draft. */
function idsOfFamily(db: Kysely<Tables>, is: { originalId: string }) {
  const members = (column: 'id' | 'language_parent' | 'article_parent') =>
    db.selectFrom('articles').select('articles.id').where(`articles.${column}`, '=', is.originalId)
  return members('id').unionAll(members('language_parent')).unionAll(members('article_parent'))
}

type Taxon = 'category' | 'tag'

const TABLES = {
  category: { items: 'categories', relations: 'article_categories' },
  tag: { items: 'tags', relations: 'article_tags' },
} as const

/** Ids of the articles with the category or tag, or with one of its translations. */
function idsWith(taxon: Taxon, db: Kysely<Tables>, { taxonId }: { readonly taxonId: string }) {
  const { items, relations } = TABLES[taxon]
  const members = (column: 'id' | 'language_parent') =>
    db.selectFrom(db.dynamic.table(items).as('item')).select('item.id').where(`item.${column}`, '=', taxonId)
  return db
    .selectFrom(db.dynamic.table(relations).as('relation'))
    .select('relation.article_id')
    .where(db.dynamic.ref(`relation.${taxon}_id`), 'in', members('id').unionAll(members('language_parent')))
}
