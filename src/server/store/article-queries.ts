import { type Expression, type Kysely, type Selectable, type SqlBool, sql } from 'kysely'
import { isOneOf } from './json-lists.ts'
import { pickColumns, defineInsert, defineQuery, type SqlDialect } from './query.ts'
import type { Tables } from './tables.ts'

export type ArticleRow = Selectable<Tables['articles']>
/** An article without its content, which may be large. */
export type ArticleHead = Omit<ArticleRow, 'content'>
type Builder = Kysely<Tables>
/** Changes of a site after a revision and, within it, an article. */
type ChangesPage = {
  readonly siteId: string
  readonly revision: number
  readonly id: string
  readonly limit: number
}

export const articleQueries = {
  byId: defineQuery((db, is: { siteId: string; id: string }) =>
    db.selectFrom('articles').select(HEAD).where('id', '=', is.id).where('site_id', '=', is.siteId),
  ),
  wholeById: defineQuery((db, is: { siteId: string; id: string; contentBytes: number }) =>
    selectWhole(db, is.contentBytes).where('id', '=', is.id).where('site_id', '=', is.siteId),
  ),
  related: defineQuery((db, is: { articleId: string }) =>
    relatedItems(db, (column) => sql<SqlBool>`${sql.ref(column)} = ${is.articleId}`),
  ),
  /** @param ids a JSON array of objects with an `id` */
  relatedOfAll: defineQuery((db, is: { ids: string }, dialect) =>
    relatedItems(db, (column) => sql<SqlBool>`${sql.ref(column)} in (${idsIn(is.ids, dialect)})`),
  ),
  contentOf: defineQuery((db, is: { id: string }) =>
    db.selectFrom('articles').select('content').where('id', '=', is.id),
  ),
  changes: defineQuery((db, is: ChangesPage & { deletedAfter: number }) =>
    selectChanges(db, is)
      .select(['change.article_id as changedId', 'change.revision', 'change.deleted_date'])
      .select(HEAD.map((name) => `articles.${name}` as const))
      .where((eb) =>
        eb.or([eb('change.deleted_date', 'is', null), eb('change.revision', '>', is.deletedAfter)]),
      ),
  ),
  /** Deleted articles have no slug, long ones no content. */
  changedContents: defineQuery((db, is: ChangesPage & Record<'upTo' | 'contentBytes', number>) =>
    selectChanges(db, is)
      .select(['change.article_id as id', 'change.revision', 'articles.slug'])
      .select(['articles.last_edited_date as date', boundedContent(is.contentBytes).as('content')])
      .where('change.revision', '<=', is.upTo),
  ),
  /** @param slugs a JSON array */
  bySlugs: defineQuery((db, is: { siteId: string; language: string; slugs: string }, dialect) =>
    db
      .selectFrom('articles')
      .select(['id', 'name', 'status', 'slug'])
      .where('site_id', '=', is.siteId)
      .where('language', '=', is.language)
      .where(isOneOf('slug', is.slugs, dialect)),
  ),
  translations: defineQuery((db, is: { originalId: string }) =>
    db
      .selectFrom('articles')
      .select(['id', 'name', 'language', 'status', 'slug'])
      .where('language_parent', '=', is.originalId),
  ),
  // Readers see the published version of an article that has a draft: `published` sorts after `draft`.
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
  'content_digest',
  'content_comment',
  'digest_date',
] as const satisfies readonly (keyof ArticleHead)[]
const HEAD = ['id', 'site_id', ...WRITTEN_HEAD] as const
const COLUMNS = [...HEAD, 'content'] as const
/** Excludes the id: if an update sets it, even to the same value, SQLite reads all rows that reference it. */
const WRITTEN = [...WRITTEN_HEAD, 'content'] as const

export const insertArticleRows = defineInsert<ArticleRow>('articles', COLUMNS)

/** @param contentBytes maximum size of a content that is read; larger content is null */
function selectWhole(db: Builder, contentBytes: number) {
  return db.selectFrom('articles').select([...HEAD, boundedContent(contentBytes).as('content')])
}

/** Selects the last changes of articles, in their order. A deleted article has no row in `articles`. */
function selectChanges(db: Builder, is: ChangesPage) {
  return db
    .selectFrom('article_changes as change')
    .leftJoin('articles', 'articles.id', 'change.article_id')
    .where('change.site_id', '=', is.siteId)
    .where((eb) =>
      eb(
        eb.refTuple('change.revision', 'change.article_id'),
        '>',
        eb.tuple(sql<number>`cast(${is.revision} as bigint)`, eb.val(is.id)),
      ),
    )
    .orderBy('change.revision')
    .orderBy('change.article_id')
    .limit(is.limit)
}

/** Selects the content of an article; null, without reading it, if it is larger. */
export function boundedContent(contentBytes: number) {
  return sql<
    string | null
  >`case when octet_length(content) <= cast(${contentBytes} as bigint) then content end`
}

function idsIn(json: string, { jsonElements }: SqlDialect) {
  return sql`select listed.value ->> 'id' from ${sql.raw(jsonElements)}(${json}) as listed`
}

/** Restricts a query to articles, by the column with their id. */
type OfArticles = (column: 'relation.article_id' | 'draft.article_parent') => Expression<SqlBool>

// Categories, tags and drafts in one query: each query is a call into the native driver.
function relatedItems(db: Builder, isOf: OfArticles) {
  const itemsOf = (kind: 'category' | 'tag', items: 'categories' | 'tags') =>
    db
      .selectFrom(`article_${items} as relation` as 'article_tags as relation')
      .innerJoin(`${items} as item` as 'tags as item', 'item.id', `relation.${kind}_id` as 'relation.tag_id')
      .select((eb) => [
        eb.val<string>(kind).as('kind'),
        'relation.id',
        'item.id as itemId',
        'item.name as itemName',
        'relation.article_id as articleId',
      ])
      .where(isOf('relation.article_id'))
  const drafts = db
    .selectFrom('articles as draft')
    .select((eb) => [
      eb.val('draft').as('kind'),
      'draft.id',
      'draft.id as itemId',
      'draft.name as itemName',
      eb.ref('draft.article_parent').$notNull().as('articleId'),
    ])
    .where(isOf('draft.article_parent'))
    .where('draft.status', '=', 'draft')
  return itemsOf('category', 'categories').unionAll(itemsOf('tag', 'tags')).unionAll(drafts).orderBy('id')
}
