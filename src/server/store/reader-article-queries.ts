import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import { boundedContent } from './article-queries.ts'
import { defineQuery } from './query.ts'
import type { Sight } from './reader-data.ts'
import type { Tables } from './tables.ts'

export interface PlacedArguments extends Readonly<Record<string, string | number>> {
  readonly siteId: string
  readonly language: string
  readonly order: number
  readonly name: string
  readonly id: string
  readonly limit: number
}

interface TaxonId {
  readonly taxonId: string
}

interface TaxonArguments extends PlacedArguments {
  readonly taxonId: string
}

/** Which side of a place in a list. */
type Way = 'after' | 'before'

const DIRECTIONS = { after: 'asc', before: 'desc' } as const

type Articles = ExpressionBuilder<Tables & { a: Tables['articles'] }, 'a'>

const LISTED = ['a.id', 'a.name', 'a.slug', 'a.language', 'a.excerpt', 'a.order_by', 'a.status'] as const
const HEAD = [...LISTED, 'a.language_parent', 'a.article_parent', 'a.last_edited_date'] as const

/** Nothing has more; a query that is limited inside another is made for itself, and not mixed with the outer one. */
const ALL_OF_THEM = 1_000_000

/** The queries for articles as each kind of visitor sees them. */
export const readerArticleQueries: Readonly<Record<Sight, ReturnType<typeof queriesFor>>> = {
  published: queriesFor(isPublished),
  all: queriesFor(isLatest),
}

function queriesFor(isVisible: (eb: Articles) => Expression<SqlBool>) {
  const articles = (db: Kysely<Tables>) => db.selectFrom('articles as a').where(isVisible)

  const placed = (
    db: Kysely<Tables>,
    is: PlacedArguments,
    from = db.selectFrom('articles as a'),
    way: Way = 'after',
  ) =>
    from
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
  const inOrder = (...about: Parameters<typeof placed>) =>
    placed(...about)
      .select(LISTED)
      .limit(about[1].limit)
  const places = (db: Kysely<Tables>, is: PlacedArguments) =>
    placed(db, is).select(['a.order_by as order', 'a.name', 'a.id'])

  // Two ways to the same list. By the taxon: all its articles are looked at and sorted, which is right for few. By the
  // order: articles are looked at until enough of them have the taxon, which is right for many.
  const few = (ids: typeof idsInCategory | typeof idsWithTag, way: Way = 'after') =>
    defineQuery((db, is: TaxonArguments) => {
      const picked = db.selectFrom('articles').selectAll().where('id', 'in', ids(db, is)).limit(ALL_OF_THEM)
      return inOrder(db, is, db.selectFrom(picked.as('a')), way)
    })
  const many = (has: typeof hasCategory, way: Way = 'after') =>
    defineQuery((db, is: TaxonArguments) => inOrder(db, is, undefined, way).where(has(db, is)))

  return {
    all: defineQuery((db, is: PlacedArguments) => inOrder(db, is)),
    ofTaxon: {
      category: {
        few: few(idsInCategory),
        many: many(hasCategory),
      },
      tag: {
        few: few(idsWithTag),
        many: many(hasTag),
      },
    },
    /** The same list from its end. */
    beforeInCategory: { few: few(idsInCategory, 'before'), many: many(hasCategory, 'before') },
    listed: defineQuery((db, is: { siteId: string; id: string }) =>
      articles(db).select(LISTED).where('a.id', '=', is.id).where('a.site_id', '=', is.siteId),
    ),
    bySlug: defineQuery((db, is: { siteId: string; language: string; slug: string }) =>
      articles(db)
        .select(HEAD)
        .where('a.site_id', '=', is.siteId)
        .where('a.language', '=', is.language)
        .where('a.slug', '=', is.slug),
    ),
    content: defineQuery((db, is: { siteId: string; id: string; contentBytes: number }) =>
      articles(db)
        .select(boundedContent(is.contentBytes).as('content'))
        .where('a.id', '=', is.id)
        .where('a.site_id', '=', is.siteId),
    ),
    searched: defineQuery((db, is: { siteId: string; id: string; characters: number }) =>
      articles(db)
        .select([...HEAD, sql<string>`substr(a.content, 1, ${is.characters})`.as('content')])
        .where('a.id', '=', is.id)
        .where('a.site_id', '=', is.siteId)
        .where('a.hide_from_search', '=', 0),
    ),
    translations: defineQuery((db, is: { siteId: string; originalId: string }) =>
      articles(db).select(LISTED).where('a.id', 'in', idsOfFamily(db, is)).orderBy('a.id'),
    ),
    /** Of the articles after a place, no more than `limit`. */
    countByCategory: defineQuery((db, is: PlacedArguments) =>
      db
        .selectFrom(places(db, is).limit(is.limit).as('a'))
        .innerJoin('article_categories as relation', 'relation.article_id', 'a.id')
        .select((eb) => ['relation.category_id', eb.fn.countAll<number>().as('articles')])
        .groupBy('relation.category_id'),
    ),
    /** The place so many articles further. */
    placeBehind: defineQuery((db, is: PlacedArguments) => places(db, is).limit(1).offset(is.limit)),
    countInCategory: defineQuery((db, is: { siteId: string; language: string; taxonId: string }) =>
      articles(db)
        .select((eb) => eb.fn.countAll<number>().as('articles'))
        .where('a.id', 'in', idsInCategory(db, is))
        .where('a.site_id', '=', is.siteId)
        .where('a.language', '=', is.language),
    ),
  }
}

function isPublished(eb: Articles): Expression<SqlBool> {
  return eb('a.status', '=', 'published')
}

/** Not the published article beside which there is a draft. */
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

/** An original, its translations, and the draft beside it. */
function idsOfFamily(db: Kysely<Tables>, is: { siteId: string; originalId: string }) {
  const members = (column: 'id' | 'language_parent' | 'article_parent') =>
    db
      .selectFrom('articles')
      .select('articles.id')
      .where(`articles.${column}`, '=', is.originalId)
      .where('articles.site_id', '=', is.siteId)
  return members('id').unionAll(members('language_parent')).unionAll(members('article_parent'))
}

/** The category and its translations: an article may hang on any of them. */
function categoryIds(db: Kysely<Tables>, { taxonId }: TaxonId) {
  return db
    .selectFrom('categories as category')
    .select('category.id')
    .where('category.id', '=', taxonId)
    .unionAll(
      db
        .selectFrom('categories as translated')
        .select('translated.id')
        .where('translated.language_parent', '=', taxonId),
    )
}

function tagIds(db: Kysely<Tables>, { taxonId }: TaxonId) {
  return db
    .selectFrom('tags as tag')
    .select('tag.id')
    .where('tag.id', '=', taxonId)
    .unionAll(
      db
        .selectFrom('tags as translated')
        .select('translated.id')
        .where('translated.language_parent', '=', taxonId),
    )
}

function idsInCategory(db: Kysely<Tables>, is: TaxonId) {
  return db
    .selectFrom('article_categories as relation')
    .select('relation.article_id')
    .where('relation.category_id', 'in', categoryIds(db, is))
}

function idsWithTag(db: Kysely<Tables>, is: TaxonId) {
  return db
    .selectFrom('article_tags as relation')
    .select('relation.article_id')
    .where('relation.tag_id', 'in', tagIds(db, is))
}

function hasCategory(db: Kysely<Tables>, is: TaxonArguments) {
  return (eb: Articles) => eb.exists(idsInCategory(db, is).where('relation.article_id', '=', eb.ref('a.id')))
}

function hasTag(db: Kysely<Tables>, is: TaxonArguments) {
  return (eb: Articles) => eb.exists(idsWithTag(db, is).where('relation.article_id', '=', eb.ref('a.id')))
}
