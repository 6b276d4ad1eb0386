import { hash } from 'node:crypto'
import type { ArticleHead, ArticleRow } from './article-queries.ts'
import type { ArticleInput, StoredArticle, ItemRelation } from './records.ts'
import { type Session, defineInsert, defineQuery } from './query.ts'
import type { Selectable } from 'kysely'
import { storedFileNamesIn } from '../../core/stored-file-names.ts'
import { addFileUses, replaceFileUses } from './file-store.ts'
import type { Tables } from './tables.ts'
import { DEFAULT_LANGUAGE } from './place-article.ts'

type RelatedRow = ItemRelation & { readonly kind: string; readonly articleId: string }

/** Converts the row of an article and its relations to the record that the service returns. */
export function toArticleRecord(row: ArticleRow, related: readonly RelatedRow[]): StoredArticle {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    excerpt: row.excerpt,
    content: row.content,
    order: row.order_by,
    status: row.status,
    hideFromSearch: row.hide_from_search === 1,
    seoBannerUrl: row.seo_banner_url,
    reviewDate: row.review_date ?? '',
    language: row.language === DEFAULT_LANGUAGE ? null : row.language,
    languageParent: row.language_parent,
    articleParent: row.article_parent ?? '',
    createdDate: row.created_date,
    editedDate: row.last_edited_date,
    draftId: related.find(({ kind }) => kind === 'draft')?.id ?? '',
    categories: relationsOf('category', related),
    tags: relationsOf('tag', related),
  }
}

function relationsOf(kind: string, related: readonly RelatedRow[]): ItemRelation[] {
  return related
    .filter((row) => row.kind === kind)
    .map(({ id, itemId, itemName }) => ({ id, itemId, itemName }))
}

/** Returns the columns of a row that a write sets. @param date of this edit */
export function writtenColumns(article: ArticleInput, date: string, present?: ArticleHead) {
  const { hideFromSearch, reviewDate } = article
  const { digest, comment } = summarizeContent(article.content)
  return {
    name: article.title,
    slug: article.slug,
    excerpt: article.excerpt,
    content: article.content,
    order_by: article.order,
    status: article.status,
    hide_from_search:
      hideFromSearch === undefined ? (present?.hide_from_search ?? 0) : Number(hideFromSearch),
    seo_banner_url: article.seoBannerUrl ?? present?.seo_banner_url ?? '',
    review_date: reviewDate === undefined ? (present?.review_date ?? null) : reviewDate,
    last_edited_date: date,
    content_digest: digest,
    content_comment: comment,
    digest_date: date,
  }
}

/** Maximum length of a stored comment; longer ones are cut, so that a page stays small. */
const LONGEST_COMMENT = 4000

const COMMENT_END = '-->'

/** Returns what a list shows of a content: its SHA-256 in hex, and its last HTML comment or ''. */
export function summarizeContent(content: string): { readonly digest: string; readonly comment: string } {
  // Searching all tags from the end takes longer, if there is no comment.
  const start = content.includes('!--') ? content.lastIndexOf('<!--') : -1
  const end = start === -1 ? -1 : content.indexOf(COMMENT_END, start)
  const comment = start === -1 ? '' : content.slice(start, end === -1 ? undefined : end + COMMENT_END.length)
  return {
    digest: hash('sha256', content),
    // Half of a surrogate pair cannot be stored.
    comment: comment.slice(0, LONGEST_COMMENT).toWellFormed(),
  }
}

// The categories, tags and files of an article. An update keeps unchanged rows, and with them the ids and dates of
// relations. For its links, see link-store.ts.

interface OwningArticle {
  readonly siteId: string
  readonly articleId: string
  readonly now: string
}

/** The relations of an article; an undefined list is not changed. */
type ArticleRelations = Pick<ArticleInput, 'categoryIds' | 'tagIds' | 'content' | 'seoBannerUrl'>

/** Adds relations to articles of a site that have none. */
export async function addRelations(
  session: Session,
  siteId: string,
  added: readonly (ArticleRelations & OwningArticle)[],
): Promise<void> {
  const uses = added.map((article) => ({
    id: article.articleId,
    names: new Set(storedFileNamesIn(textsWithFiles(article))),
  }))
  await Promise.all([addItems(session, added), addFileUses(session, siteId, 'article', uses)])
}

type AddedItems = OwningArticle & Pick<ArticleRelations, 'categoryIds' | 'tagIds'>

async function addItems(session: Session, added: readonly AddedItems[]): Promise<void> {
  const categories = added.flatMap(({ siteId, articleId, now, categoryIds }) =>
    [...new Set(categoryIds)].map((category_id) => ({
      id: session.newId(),
      site_id: siteId,
      article_id: articleId,
      category_id,
      added_date: now,
    })),
  )
  const tags = added.flatMap(({ siteId, articleId, tagIds }) =>
    [...new Set(tagIds)].map((tag_id) => ({
      id: session.newId(),
      site_id: siteId,
      article_id: articleId,
      tag_id,
    })),
  )
  await Promise.all([insertCategories(session, categories), insertTags(session, tags)])
}

/** Replaces relations: adds missing ones, and removes the others. */
export async function replaceRelations(
  session: Session,
  owner: OwningArticle,
  wanted: ArticleRelations,
): Promise<void> {
  const { siteId, articleId, now } = owner
  const categories = await session.all(relationQueries.categories, { articleId })
  const tags = await session.all(relationQueries.tags, { articleId })
  const unwanted = {
    removeCategory: categories.filter(({ itemId }) => !wanted.categoryIds.includes(itemId)),
    removeTag: tags.filter(({ itemId }) => wanted.tagIds?.includes(itemId) === false),
  }
  for (const [remove, rows] of Object.entries(unwanted) as [keyof typeof unwanted, { id: string }[]][]) {
    for (const { id } of rows) await session.run(relationQueries[remove], { id })
  }
  const categoryIds = without(wanted.categoryIds, categories)
  await addItems(session, [{ ...owner, categoryIds, tagIds: without(wanted.tagIds ?? [], tags) }])
  await replaceFileUses(session, { siteId, kind: 'article', id: articleId, now }, textsWithFiles(wanted))
}

function textsWithFiles({ content, seoBannerUrl = '' }: ArticleRelations): string {
  return seoBannerUrl === '' ? content : `${content} ${seoBannerUrl}`
}

function without(ids: readonly string[], present: readonly { readonly itemId: string }[]): string[] {
  return ids.filter((id) => !present.some(({ itemId }) => itemId === id))
}

const insertCategories = defineInsert<Selectable<Tables['article_categories']>>('article_categories', [
  'id',
  'site_id',
  'article_id',
  'category_id',
  'added_date',
])

const insertTags = defineInsert<Selectable<Tables['article_tags']>>('article_tags', [
  'id',
  'site_id',
  'article_id',
  'tag_id',
])

const relationQueries = {
  categories: defineQuery((db, is: { articleId: string }) =>
    db
      .selectFrom('article_categories')
      .select(['id', 'category_id as itemId'])
      .where('article_id', '=', is.articleId),
  ),
  tags: defineQuery((db, is: { articleId: string }) =>
    db.selectFrom('article_tags').select(['id', 'tag_id as itemId']).where('article_id', '=', is.articleId),
  ),
  removeCategory: defineQuery((db, is: { id: string }) =>
    db.deleteFrom('article_categories').where('id', '=', is.id),
  ),
  removeTag: defineQuery((db, is: { id: string }) => db.deleteFrom('article_tags').where('id', '=', is.id)),
}
