import { type Kysely, type Selectable, sql } from 'kysely'
import { pickColumns, defineInsert, defineQuery } from './query.ts'
import type { Tables } from './tables.ts'

export type ArticleRow = Selectable<Tables['articles']>
/** An article without its content, which may be large. */
export type ArticleHead = Omit<ArticleRow, 'content'>
type Builder = Kysely<Tables>

/** Queries on the rows of articles. */
export const articleQueries = {
  byId: defineQuery((db, is: { siteId: string; id: string }) =>
    db.selectFrom('articles').select(HEAD).where('id', '=', is.id).where('site_id', '=', is.siteId),
  ),
  wholeById: defineQuery((db, is: { siteId: string; id: string; contentBytes: number }) =>
    selectWhole(db, is.contentBytes).where('id', '=', is.id).where('site_id', '=', is.siteId),
  ),
  related: defineQuery((db, is: { articleId: string }) => relatedItems(db, is.articleId)),
  bySlug: defineQuery((db, is: { siteId: string; language: string; slug: string }) =>
    db
      .selectFrom('articles')
      .select(['id', 'name', 'status'])
      .where('site_id', '=', is.siteId)
      .where('language', '=', is.language)
      .where('slug', '=', is.slug),
  ),
  translations: defineQuery((db, is: { originalId: string }) =>
    db
      .selectFrom('articles')
      .select(['id', 'name', 'language', 'status', 'slug'])
      .where('language_parent', '=', is.originalId),
  ),
  // If an article has a draft, readers see the published version.
  translationInto: defineQuery((db, is: { originalId: string; language: string; contentBytes: number }) =>
    selectWhole(db, is.contentBytes)
      .where('language_parent', '=', is.originalId)
      .where('language', '=', is.language)
      .orderBy('status', 'desc'),
  ),
  update: defineQuery((db, row: ArticleRow) =>
    db.updateTable('articles').set(pickColumns(row, WRITTEN)).where('id', '=', row.id),
  ),
  adopt: defineQuery((db, is: { id: string; parentId: string | null }) =>
    db.updateTable('articles').set({ article_parent: is.parentId }).where('id', '=', is.id),
  ),
  release: defineQuery((db, is: { parentId: string }) =>
    db.updateTable('articles').set({ article_parent: null }).where('article_parent', '=', is.parentId),
  ),
  remove: defineQuery((db, is: { id: string }) => db.deleteFrom('articles').where('id', '=', is.id)),
}

const WRITTEN_HEAD = [
  'name',
  'slug',
  'excerpt',
  'order_by',
  'status',
  'hide_from_search',
  'seo_banner_url',
  'review_date',
  'language',
  'language_parent',
  'article_parent',
  'created_by',
  'created_date',
  'last_edited_date',
] as const satisfies readonly (keyof ArticleHead)[]
const HEAD = ['id', 'site_id', ...WRITTEN_HEAD] as const
const COLUMNS = [...HEAD, 'content'] as const
/** Without the id: if an update sets it, even to the same value, SQLite reads all rows that refer to it. */
const WRITTEN = [...WRITTEN_HEAD, 'content'] as const

export const insertArticleRows = defineInsert<'articles', ArticleRow>('articles', COLUMNS)

/** @param contentBytes maximum size of a content that is read; a larger one is null */
function selectWhole(db: Builder, contentBytes: number) {
  return db.selectFrom('articles').select([...HEAD, boundedContent(contentBytes).as('content')])
}

/** The content of an article; null, without reading it, if it is larger. */
export function boundedContent(contentBytes: number) {
  return sql<
    string | null
  >`case when octet_length(content) <= cast(${contentBytes} as bigint) then content end`
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
