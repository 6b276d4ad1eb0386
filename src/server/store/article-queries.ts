import type { Kysely, Selectable } from 'kysely'
import { prepareQuery } from './prepared-query.ts'
import type { Tables } from './tables.ts'

type ArticleRow = Selectable<Tables['articles']>
type Builder = Kysely<Tables>

/** Most links that one statement takes. */
export const LINKS_PER_INSERT = 16

/** The prepared queries around articles. */
export type ArticleQueries = ReturnType<typeof articleQueries>

export function articleQueries(db: Builder) {
  return {
    byId: prepareQuery((is: { siteId: string; id: string }) =>
      db.selectFrom('articles').selectAll().where('id', '=', is.id).where('site_id', '=', is.siteId),
    ),
    related: prepareQuery((is: { articleId: string }) => relatedItems(db, is.articleId)),
    bySlug: prepareQuery((is: { siteId: string; language: string; slug: string }) =>
      db
        .selectFrom('articles')
        .select(['id', 'name', 'status'])
        .where('site_id', '=', is.siteId)
        .where('language', '=', is.language)
        .where('slug', '=', is.slug),
    ),
    insert: prepareQuery((row: ArticleRow) => db.insertInto('articles').values({ ...columnsOf(row) })),
    adopt: prepareQuery((is: { id: string; parentId: string }) =>
      db.updateTable('articles').set({ article_parent: is.parentId }).where('id', '=', is.id),
    ),
    remove: prepareQuery((is: { id: string }) => db.deleteFrom('articles').where('id', '=', is.id)),
    insertCategory: prepareQuery((row: Selectable<Tables['article_categories']>) =>
      db.insertInto('article_categories').values({
        id: row.id,
        site_id: row.site_id,
        article_id: row.article_id,
        category_id: row.category_id,
        added_date: row.added_date,
      }),
    ),
    insertTag: prepareQuery((row: Selectable<Tables['article_tags']>) =>
      db
        .insertInto('article_tags')
        .values({ id: row.id, site_id: row.site_id, article_id: row.article_id, tag_id: row.tag_id }),
    ),
    insertLinks: Array.from({ length: LINKS_PER_INSERT }, (_, index) => insertLinks(db, index + 1)),
  }
}

// The placeholders stand behind a proxy that has no keys of its own, so every column is named.
function columnsOf(row: ArticleRow): ArticleRow {
  return {
    id: row.id,
    site_id: row.site_id,
    name: row.name,
    slug: row.slug,
    excerpt: row.excerpt,
    content: row.content,
    order_by: row.order_by,
    status: row.status,
    hide_from_search: row.hide_from_search,
    seo_banner_url: row.seo_banner_url,
    review_date: row.review_date,
    language: row.language,
    language_parent: row.language_parent,
    article_parent: row.article_parent,
    created_by: row.created_by,
    created_date: row.created_date,
    last_edited_date: row.last_edited_date,
  }
}

// Categories, tags and the draft of one article in one query: each query is a call into the native driver.
function relatedItems(db: Builder, articleId: string) {
  const categories = db
    .selectFrom('article_categories as relation')
    .innerJoin('categories as item', 'item.id', 'relation.category_id')
    .select((eb) => [
      eb.val('category').as('kind'),
      'relation.id',
      'item.id as itemId',
      'item.name as itemName',
    ])
    .where('relation.article_id', '=', articleId)
  const tags = db
    .selectFrom('article_tags as relation')
    .innerJoin('tags as item', 'item.id', 'relation.tag_id')
    .select((eb) => [eb.val('tag').as('kind'), 'relation.id', 'item.id as itemId', 'item.name as itemName'])
    .where('relation.article_id', '=', articleId)
  const drafts = db
    .selectFrom('articles as draft')
    .select((eb) => [eb.val('draft').as('kind'), 'draft.id', 'draft.id as itemId', 'draft.name as itemName'])
    .where('draft.article_parent', '=', articleId)
    .where('draft.status', '=', 'draft')
  return categories.unionAll(tags).unionAll(drafts).orderBy('id')
}

interface LinkOwner {
  readonly siteId: string
  readonly articleId: string
  readonly now: string
}

/** Arguments beside the owner: `id0`, `url0`, `id1`, `url1` and so on. */
type LinkArguments = LinkOwner & Readonly<Record<string, string>>

function insertLinks(db: Builder, count: number) {
  return prepareQuery((is: LinkArguments) =>
    db.insertInto('links').values(
      Array.from({ length: count }, (_, index) => ({
        id: is[`id${index}`] as string,
        site_id: is.siteId,
        article_id: is.articleId,
        url: is[`url${index}`] as string,
        created_date: is.now,
        working: 1,
        checked_date: null,
        failures: 0,
      })),
    ),
  )
}
