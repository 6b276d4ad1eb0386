// The three writes of an article, each inside a transaction of its caller.
import { placeInLanguage } from './article-language.ts'
import { type ArticleHead, articleQueries, type ArticleRow } from './article-queries.ts'
import { writtenColumns } from './article-record.ts'
import { addRelations, replaceRelations } from './article-relations.ts'
import type { Session } from './session.ts'
import { siteQueries } from './site-queries.ts'
import type { ArticleDraft, ArticleRefusal, CreateOutcome, UpdateArticleOutcome } from './store.ts'
import { taxonQueries } from './taxon-queries.ts'

/** Where a written article stands, and what has its slug in the other status: its draft, or its published version. */
interface ExistingArticle {
  readonly kind: 'resolved'
  readonly language: string
  readonly languageParent: string | null
  readonly counterpart: string | undefined
}

/** @param articleLimit most articles of a site that has no limit of its own */
export async function insertArticle(
  session: Session,
  siteId: string,
  article: ArticleDraft,
  articleLimit: number,
): Promise<CreateOutcome> {
  const resolved = await resolveLanguage(session, siteId, article, undefined)
  if (resolved.kind !== 'resolved') return resolved
  // Counts and compares in one statement: two processes cannot both take the last place.
  const counted = await session.run(siteQueries.countArticle, { siteId, limit: articleLimit })
  if (counted === 0) {
    const own = await session.first(siteQueries.articleLimit, { siteId })
    return { kind: 'limit-reached', limit: own?.article_limit ?? articleLimit }
  }
  const row: ArticleRow = {
    ...writtenColumns(article, undefined),
    id: session.newId(),
    site_id: siteId,
    language: resolved.language,
    language_parent: resolved.languageParent,
    article_parent: parentOf(article, resolved),
    created_by: article.writtenBy,
    created_date: article.now,
    last_edited_date: article.now,
  }
  await session.run(articleQueries.insert, row)
  await adoptDraft(session, row, resolved)
  await addRelations(session, { siteId, articleId: row.id, now: article.now }, article)
  return { kind: 'created', id: row.id }
}

export async function changeArticle(
  session: Session,
  siteId: string,
  id: string,
  article: ArticleDraft,
): Promise<UpdateArticleOutcome> {
  const present = await session.first(articleQueries.byId, { siteId, id })
  if (present === undefined) return { kind: 'unknown' }
  const resolved = await resolveLanguage(session, siteId, article, present)
  if (resolved.kind !== 'resolved') return resolved
  const row: ArticleRow = {
    ...present,
    ...writtenColumns(article, present),
    language: resolved.language,
    language_parent: resolved.languageParent,
    article_parent: parentOf(article, resolved),
    last_edited_date: laterThan(present.last_edited_date, article.now),
  }
  // Whatever draft stood beside it may no longer: pairs are made again.
  await session.run(articleQueries.release, { parentId: id })
  await session.run(articleQueries.update, row)
  await adoptDraft(session, row, resolved)
  await replaceRelations(session, { siteId, articleId: id, now: article.now }, article)
  return { kind: 'updated' }
}

async function resolveLanguage(
  session: Session,
  siteId: string,
  article: ArticleDraft,
  present: ArticleHead | undefined,
): Promise<ExistingArticle | ArticleRefusal> {
  const unknown = await findUnknownItem(session, siteId, article)
  if (unknown !== undefined) return unknown
  const placed = await placeInLanguage(session, siteId, article, present)
  if (placed.kind !== 'placed') return placed
  const { language, languageParent } = placed
  const beside = await session.all(articleQueries.bySlug, { siteId, language, slug: article.slug })
  const others = beside.filter(({ id }) => id !== present?.id)
  const taken = others.find(({ status }) => status === article.status)
  if (taken !== undefined) return { kind: 'slug-taken', by: taken.name }
  return { kind: 'resolved', language, languageParent, counterpart: others[0]?.id }
}

async function findUnknownItem(
  session: Session,
  siteId: string,
  { categoryIds, tagIds = [] }: ArticleDraft,
): Promise<ArticleRefusal | undefined> {
  for (const [list, ids] of [
    ['categories', categoryIds],
    ['tags', tagIds],
  ] as const) {
    for (const id of new Set(ids)) {
      const known = await session.first(taxonQueries[list].exists, { siteId, id })
      if (known === undefined) return { kind: 'unknown-item', list, index: ids.indexOf(id) }
    }
  }
  return undefined
}

async function adoptDraft(
  session: Session,
  row: ArticleRow,
  { counterpart }: ExistingArticle,
): Promise<void> {
  if (counterpart === undefined || row.status === 'draft') return
  await session.run(articleQueries.adopt, { id: counterpart, parentId: row.id })
}

/** The name of the article that is gone. */
export async function removeArticle(
  session: Session,
  siteId: string,
  id: string,
): Promise<string | undefined> {
  const row = await session.first(articleQueries.byId, { siteId, id })
  if (row === undefined) return undefined
  // Links and relations go with it, translations and a draft stay without parent: the foreign keys say so.
  await session.run(articleQueries.remove, { id })
  await session.run(siteQueries.uncountArticle, { siteId })
  return row.name
}

/** A draft beside a published article names it as its parent. */
function parentOf({ status }: ArticleDraft, { counterpart }: ExistingArticle): string | null {
  return status === 'draft' ? (counterpart ?? null) : null
}

/** `now`, or the millisecond after `previous` where the clock has not moved on or was set back: an edit always shows. */
function laterThan(previous: string, now: string): string {
  return now > previous ? now : new Date(Date.parse(previous) + 1).toISOString()
}
