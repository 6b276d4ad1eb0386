import type { Kysely, Selectable } from 'kysely'
import { v7 as newId } from 'uuid'
import { type ArticleQueries, LINKS_PER_INSERT, articleQueries } from './article-queries.ts'
import type { Database, Session } from './session.ts'
import { siteQueries } from './site-queries.ts'
import type { ArticleRecord, CreateOutcome, ItemRelation, NewArticle, Store } from './store.ts'
import type { Tables } from './tables.ts'
import { taxonQueries } from './taxon-queries.ts'

type ArticleStore = Pick<Store, 'readArticle' | 'createArticle' | 'deleteArticle'>

/** The default language is '' in the tables. */
const DEFAULT_LANGUAGE = ''

/**
 * Reading, creating and deleting articles.
 *
 * @param articleLimit most articles a site may hold that has no limit of its own
 */
export function createArticleStore(
  database: Database,
  db: Kysely<Tables>,
  articleLimit: number,
): ArticleStore {
  const queries = articleQueries(db)
  const sites = siteQueries(db)
  const items = { categories: taxonQueries(db, 'categories'), tags: taxonQueries(db, 'tags') }

  async function readArticle(siteId: string, id: string): Promise<ArticleRecord | undefined> {
    const row = await database.reader.first(queries.byId, { siteId, id })
    if (row === undefined) return undefined
    return toRecord(row, await database.reader.all(queries.related, { articleId: id }))
  }

  async function create(session: Session, siteId: string, article: NewArticle): Promise<CreateOutcome> {
    for (const list of ['categories', 'tags'] as const) {
      const ids = list === 'categories' ? article.categoryIds : article.tagIds
      for (const [index, id] of ids.entries()) {
        const known = await session.first(items[list].exists, { siteId, id })
        if (known === undefined) return { kind: 'unknown-item', list, index }
      }
    }
    const beside = await session.all(queries.bySlug, {
      siteId,
      language: DEFAULT_LANGUAGE,
      slug: article.slug,
    })
    const taken = beside.find((other) => other.status === article.status)
    if (taken !== undefined) return { kind: 'slug-taken', by: taken.name }
    // Counts and compares in one statement: two processes cannot both take the last place.
    const counted = await session.run(sites.countArticle, { siteId, limit: articleLimit })
    if (counted === 0) {
      const own = await session.first(sites.articleLimit, { siteId })
      return { kind: 'limit-reached', limit: own?.article_limit ?? articleLimit }
    }
    const id = newId()
    const counterpart = beside[0]?.id
    const parentId = article.status === 'draft' ? counterpart : undefined
    await session.run(queries.insert, toRow(siteId, id, article, parentId ?? null))
    if (counterpart !== undefined && parentId === undefined) {
      await session.run(queries.adopt, { id: counterpart, parentId: id })
    }
    await relate(session, queries, siteId, id, article)
    return { kind: 'created', id }
  }

  async function remove(session: Session, siteId: string, id: string): Promise<string | undefined> {
    const row = await session.first(queries.byId, { siteId, id })
    if (row === undefined) return undefined
    // Links and relations go with it, translations and a draft stay without parent: the foreign keys say so.
    await session.run(queries.remove, { id })
    await session.run(sites.uncountArticle, { siteId })
    return row.name
  }

  return {
    readArticle,
    createArticle: (siteId, article) => database.write((session) => create(session, siteId, article)),
    deleteArticle: (siteId, id) => database.write((session) => remove(session, siteId, id)),
  }
}

async function relate(
  session: Session,
  queries: ArticleQueries,
  siteId: string,
  articleId: string,
  article: NewArticle,
): Promise<void> {
  const shared = { site_id: siteId, article_id: articleId }
  for (const category_id of new Set(article.categoryIds)) {
    await session.run(queries.insertCategory, {
      id: newId(),
      ...shared,
      category_id,
      added_date: article.now,
    })
  }
  for (const tag_id of new Set(article.tagIds)) {
    await session.run(queries.insertTag, { id: newId(), ...shared, tag_id })
  }
  await insertLinks(session, queries, { siteId, articleId, now: article.now }, article.links)
}

async function insertLinks(
  session: Session,
  queries: ArticleQueries,
  owner: { readonly siteId: string; readonly articleId: string; readonly now: string },
  links: readonly string[],
): Promise<void> {
  for (let start = 0; start < links.length; start += LINKS_PER_INSERT) {
    const some = links.slice(start, start + LINKS_PER_INSERT)
    const query = queries.insertLinks[some.length - 1]
    const named = some.flatMap((url, index) => [
      [`id${index}`, newId()] as const,
      [`url${index}`, url] as const,
    ])
    if (query !== undefined) await session.run(query, { ...Object.fromEntries(named), ...owner })
  }
}

function toRow(
  siteId: string,
  id: string,
  article: NewArticle,
  articleParent: string | null,
): Selectable<Tables['articles']> {
  return {
    id,
    site_id: siteId,
    name: article.title,
    slug: article.slug,
    excerpt: article.excerpt,
    content: article.content,
    order_by: article.order,
    status: article.status,
    hide_from_search: article.hideFromSearch ? 1 : 0,
    seo_banner_url: article.seoBannerUrl,
    review_date: article.reviewDate,
    language: DEFAULT_LANGUAGE,
    language_parent: null,
    article_parent: articleParent,
    created_by: article.createdBy,
    created_date: article.now,
    last_edited_date: article.now,
  }
}

type RelatedRow = ItemRelation & { readonly kind: string }

function toRecord(row: Selectable<Tables['articles']>, related: readonly RelatedRow[]): ArticleRecord {
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
    categories: related.filter(({ kind }) => kind === 'category'),
    tags: related.filter(({ kind }) => kind === 'tag'),
  }
}
