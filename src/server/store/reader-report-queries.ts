import { type Kysely, type RawBuilder, sql } from 'kysely'
import { defineQuery } from './query.ts'
import type { PlacedArguments } from './reader-article-queries.ts'
import type { Tables } from './tables.ts'

/** Selects a page of all articles of a site: those after a position. */
function slice(db: Kysely<Tables>, is: PlacedArguments) {
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

/** Restricts it to articles that search engines may index. */
function indexedSlice(db: Kysely<Tables>, is: PlacedArguments) {
  return slice(db, is).where('status', '=', 'published').where('hide_from_search', '=', 0)
}

const REVIEW_DAY = sql<string>`coalesce(substr(review_date, 1, 10), '')`
const EDIT_DAY = sql<string>`substr(last_edited_date, 1, 10)`

export interface DueAfter extends Readonly<Record<string, string | number>> {
  readonly siteId: string
  readonly today: string
  /** The day after the last due date. */
  readonly before: string
  /** The page starts after this article. */
  readonly date: string
  readonly id: string
  readonly limit: number
}

/** Selects a page of the due and overdue articles: those after a position. */
function dueSlice(db: Kysely<Tables>, is: DueAfter) {
  return db
    .selectFrom('articles')
    .where('site_id', '=', is.siteId)
    .where((eb) =>
      eb(eb.refTuple('review_date', 'id'), '>', eb.tuple(eb.val<string | null>(is.date), eb.val(is.id))),
    )
    .where('review_date', '<', is.before)
    .orderBy('review_date')
    .orderBy('id')
    .limit(is.limit)
}

function countByDay(db: Kysely<Tables>, siteId: string, day: RawBuilder<string>) {
  return db
    .selectFrom('articles')
    .select((eb) => [day.as('date'), eb.fn.countAll<number>().as('count')])
    .where('site_id', '=', siteId)
    .groupBy(day)
}

/** Selects articles by review date, the oldest of the same date first. */
function reviewed(db: Kysely<Tables>, is: { readonly siteId: string; readonly limit: number }) {
  return db
    .selectFrom('articles')
    .select([REVIEW_DAY.as('date'), 'name', 'slug', 'language', 'status'])
    .where('site_id', '=', is.siteId)
    .orderBy('review_date')
    .orderBy('id')
    .limit(is.limit)
}

interface BrokenAfter extends Readonly<Record<string, string | number>> {
  readonly siteId: string
  readonly target: string
  readonly number: number
  readonly limit: number
}

/** Selects a page of the broken links of a site: those after a position, with an index. */
function brokenSlice(db: Kysely<Tables>, is: BrokenAfter) {
  return db
    .selectFrom('link_targets as known')
    .innerJoin('links as link', 'link.target_id', 'known.id')
    .where('known.site_id', '=', is.siteId)
    .where((eb) => eb('known.working', '=', eb.lit(0)))
    .where('known.target', '>=', is.target)
    .where((eb) => eb.or([eb('known.target', '>', is.target), eb('link.number', '>', is.number)]))
    .orderBy('known.target')
    .orderBy('link.number')
    .limit(is.limit)
}

/** Queries over all articles of a site, including drafts, for its authors and for indexing. */
export const readerReportQueries = {
  byStatus: defineQuery((db, is: { siteId: string }) =>
    db
      .selectFrom('articles')
      .select((eb) => ['status', eb.fn.countAll<number>().as('articles')])
      .where('site_id', '=', is.siteId)
      .groupBy('status'),
  ),
  lastChange: defineQuery((db, is: { siteId: string }) =>
    db
      .selectFrom('articles')
      .select((eb) => eb.fn.max('last_edited_date').as('date'))
      .where('site_id', '=', is.siteId),
  ),
  reviewDays: defineQuery((db, is: { siteId: string }) => countByDay(db, is.siteId, REVIEW_DAY)),
  editDays: defineQuery((db, is: { siteId: string }) => countByDay(db, is.siteId, EDIT_DAY)),
  firstReviews: defineQuery((db, is: { siteId: string; from: string; before: string; limit: number }) =>
    reviewed(db, is).where('review_date', '>=', is.from).where('review_date', '<', is.before),
  ),
  firstUndated: defineQuery((db, is: { siteId: string; limit: number }) =>
    reviewed(db, is).where('review_date', 'is', null),
  ),
  // There are few categories, and an index counts the articles of each.
  categorySizes: defineQuery((db, is: { siteId: string }) =>
    db
      .selectFrom('categories as category')
      .select((eb) => [
        'category.id',
        'category.language_parent',
        eb
          .selectFrom('article_categories as member')
          .select((counted) => counted.fn.countAll<number>().as('count'))
          .whereRef('member.category_id', '=', 'category.id')
          .as('articles'),
      ])
      .where('category.site_id', '=', is.siteId),
  ),
  // Articles in a category and in a translation of it, which are counted twice above.
  twiceMembers: defineQuery((db, is: { siteId: string }) =>
    db
      .selectFrom('categories as translation')
      .innerJoin('article_categories as member', 'member.category_id', 'translation.id')
      .innerJoin('articles as article', 'article.id', 'member.article_id')
      .select(['article.review_date', 'translation.language_parent as original'])
      .where('translation.site_id', '=', is.siteId)
      .where('translation.language_parent', 'is not', null)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('article_categories as other')
            .innerJoin('categories as sibling', 'sibling.id', 'other.category_id')
            .select('other.id')
            .whereRef('other.article_id', '=', 'member.article_id')
            .whereRef('other.category_id', '!=', 'member.category_id')
            .where((of) =>
              of.or([
                of('sibling.id', '=', of.ref('translation.language_parent')),
                of.and([
                  of('sibling.language_parent', '=', of.ref('translation.language_parent')),
                  of('sibling.id', '<', of.ref('translation.id')),
                ]),
              ]),
            ),
        ),
      ),
  ),
  dueMembers: defineQuery((db, is: DueAfter) =>
    db
      .selectFrom(
        dueSlice(db, is)
          .select((eb) => ['id', eb('review_date', '<', is.today).as('overdue')])
          .as('article'),
      )
      .innerJoin('article_categories as member', 'member.article_id', 'article.id')
      .select((eb) => ['member.category_id', 'article.overdue', eb.fn.countAll<number>().as('articles')])
      .groupBy(['member.category_id', 'article.overdue']),
  ),
  /** Returns the last entry of a page, unless it is the last page. */
  dueEnd: defineQuery((db, is: DueAfter & { readonly skip: number }) =>
    dueSlice(db, is).select(['review_date as date', 'id']).limit(1).offset(is.skip),
  ),
  brokenLinks: defineQuery((db, is: BrokenAfter) =>
    brokenSlice(db, is)
      .innerJoin('articles as article', 'article.id', 'link.article_id')
      .select(['known.target', 'link.number', 'link.url', 'link.article_id', 'known.status', 'known.reason'])
      .select(['article.name', 'article.slug', 'article.language']),
  ),
  brokenLinkCategories: defineQuery((db, is: BrokenAfter) =>
    db
      .selectFrom('article_categories')
      .select(['article_id', 'category_id'])
      .where('article_id', 'in', brokenSlice(db, is).select('link.article_id')),
  ),
  links: defineQuery((db, is: { siteId: string }) =>
    db
      .selectFrom('links')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('site_id', '=', is.siteId),
  ),
  uncheckedLinks: defineQuery((db, is: { siteId: string }) =>
    db
      .selectFrom('link_targets as known')
      .innerJoin('links as link', 'link.target_id', 'known.id')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('known.site_id', '=', is.siteId)
      .where('known.checked_date', 'is', null)
      .where('known.next_check_date', 'is not', null),
  ),
  /** Counts at most `limit`. */
  indexedCount: defineQuery((db, is: PlacedArguments) =>
    db
      .selectFrom(indexedSlice(db, is).select('id').as('article'))
      .select((eb) => eb.fn.countAll<number>().as('count')),
  ),
  indexed: defineQuery((db, is: PlacedArguments) =>
    indexedSlice(db, is).select([
      'id',
      'language',
      'order_by',
      'name',
      'slug',
      'language_parent',
      'last_edited_date',
    ]),
  ),
  /** Returns the originals and translations of the same articles, each with its original. */
  indexedFamilies: defineQuery((db, is: PlacedArguments) => {
    const members = (column: 'id' | 'language_parent') =>
      db
        .selectFrom(
          indexedSlice(db, is)
            .select((eb) => eb.fn.coalesce('language_parent', 'id').as('original'))
            .as('article'),
        )
        .innerJoin('articles as member', `member.${column}`, 'article.original')
        .select(['member.id', 'member.slug', 'member.language', 'member.language_parent'])
        .where('member.status', '=', 'published')
        .where('member.hide_from_search', '=', 0)
    // Contains each article of a family once.
    return members('id').union(members('language_parent'))
  }),
  /** Returns the position `skip` articles further. */
  indexedPlace: defineQuery((db, is: PlacedArguments & { readonly skip: number }) =>
    indexedSlice(db, is).select(['language', 'order_by as order', 'name', 'id']).limit(1).offset(is.skip),
  ),
  /** Returns the `most` articles that were edited last, of a slice of `limit`, which may end in another language. */
  latest: defineQuery((db, is: PlacedArguments & { readonly most: number }) =>
    db
      .selectFrom(
        indexedSlice(db, is).select(['id', 'language', 'last_edited_date as editedDate']).as('article'),
      )
      .select(['id', 'editedDate'])
      .where('language', '=', is.language)
      .orderBy('editedDate', 'desc')
      .orderBy('id')
      .limit(is.most),
  ),
}
