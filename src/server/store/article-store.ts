import { replaceRelations, toArticleRecord, writtenColumns } from './article-record.ts'
import { type ArticleHead, articleQueries, type ArticleRow } from './article-queries.ts'
import type { Database, ItemKey, ItemsWork, Session } from './query.ts'
import type {
  ArticleInput,
  CreateOutcome,
  DeleteArticleOutcome,
  IsExpected,
  ReadOutcome,
  StoredArticle,
  UpdateArticleOutcome,
} from './records.ts'
import { forgetSlug, leaveRedirect, replaceAliases } from './redirects.ts'
import { replaceFileUses } from './file-store.ts'
import { removeUnusedTargets, unscheduledTargets } from './link-rows.ts'
import { searchQueries } from './search-store.ts'
import { siteQueries } from './site-queries.ts'
import {
  findUnknownItem,
  placeInLanguage,
  readAtSlugs,
  pairWithCounterpart,
  adoptDraft,
  findLanguage,
  parentOf,
} from './place-article.ts'
import { insertArticles } from './insert-articles.ts'

type ReadArticleOutcome = ReadOutcome<StoredArticle> | { readonly kind: 'large' }
/** Without the content, if that is larger than requested. */
type ReadRow = ArticleHead & { readonly content: string | null }

/**
 * Reads, creates, updates and deletes articles.
 *
 * @param articleLimit maximum number of articles of a site without its own limit
 */
export function createArticleStore(database: Database, articleLimit: number) {
  const { reader } = database
  const create: ItemsWork<ArticleInput, CreateOutcome> = (session, siteId, articles) =>
    insertArticles(session, siteId, articles, articleLimit)

  /**
   * @param code language of the requested translation; undefined for the article itself
   * @param contentBytes larger content is not read: the outcome is `large`
   */
  async function readArticle(
    siteId: string,
    id: string,
    code?: string,
    contentBytes = Number.MAX_SAFE_INTEGER,
  ): Promise<ReadArticleOutcome> {
    const row = await reader.first(articleQueries.wholeById, { siteId, id, contentBytes })
    if (row === undefined) return { kind: 'unknown' }
    if (code === undefined) return found(reader, row, false)
    const asked = await findLanguage(reader, siteId, code)
    return asked.kind === 'unknown-language'
      ? asked
      : readTranslation(reader, row, { language: asked.language, contentBytes })
  }

  return {
    readArticle,
    createArticle: (siteId: string, article: ArticleInput) => database.writeItem(siteId, create, article),
    /** Updates an article in place: it keeps its id, creation date and translations. */
    updateArticle: (siteId: string, id: string, article: ArticleInput, isExpected?: IsExpected) =>
      database.write(siteId, (session) => changeArticle(session, { siteId, id }, { article, isExpected })),
    /** @param now the current time */
    deleteArticle: (siteId: string, id: string, now: string, isExpected?: IsExpected) =>
      database.write(siteId, (session) => removeArticle(session, { siteId, id }, { now, isExpected })),
  }
}

async function found(reader: Session, row: ReadRow, isCopy: boolean): Promise<ReadArticleOutcome> {
  const { content } = row
  if (content === null) return { kind: 'large' }
  const related = await reader.all(articleQueries.related, { articleId: row.id })
  const record = toArticleRecord({ ...row, content }, related)
  // A new article has neither a draft nor a published version yet.
  return { kind: 'found', record: isCopy ? { ...record, draftId: '' } : record, isCopy }
}

type TranslationRead = {
  /** In its form in the tables. */
  readonly language: string
  readonly contentBytes: number
}

async function readTranslation(
  reader: Session,
  row: ReadRow,
  { language, contentBytes }: TranslationRead,
): Promise<ReadArticleOutcome> {
  const originalId = row.language_parent ?? row.id
  const asked = { siteId: row.site_id, id: originalId, contentBytes }
  const original = (await reader.first(articleQueries.wholeById, asked)) ?? row
  const present = [row, original].find((member) => member.language === language)
  const member = present ?? (await findTranslation(reader, original, { language, contentBytes }))
  if (member !== undefined) return found(reader, member, false)
  return found(reader, { ...original, language, language_parent: originalId, article_parent: null }, true)
}

/** A draft of a published article shares its translations. */
async function findTranslation(
  reader: Session,
  original: ReadRow,
  of: TranslationRead,
): Promise<ReadRow | undefined> {
  const own = await reader.first(articleQueries.translationInto, { ...of, originalId: original.id })
  if (own !== undefined || original.article_parent === null) return own
  return reader.first(articleQueries.translationInto, { ...of, originalId: original.article_parent })
}

// Updates and deletes of an article, each within a transaction of its caller. Triggers record them, as they record creates,
// in `article_changes`: see `sqlite/migrations.ts` and `postgres/postgres-migrations.ts`.

async function changeArticle(
  session: Session,
  key: ItemKey,
  { article, isExpected }: { readonly article: ArticleInput; readonly isExpected: IsExpected | undefined },
): Promise<UpdateArticleOutcome> {
  const { siteId, id } = key
  const present = await session.first(articleQueries.byId, key)
  if (present === undefined) return { kind: 'unknown' }
  if (!(await isAsExpected(session, present, isExpected))) return { kind: 'unexpected' }
  const unknown = await findUnknownItem(session, siteId, article)
  const placed = unknown ?? (await placeInLanguage(session, siteId, article, present))
  if (placed.kind !== 'placed') return placed
  const beside = await readAtSlugs(session, siteId, placed.language, [article.slug])
  const resolved = pairWithCounterpart(article, placed, beside, present)
  if (resolved.kind !== 'resolved') return resolved
  const row: ArticleRow = {
    ...present,
    ...writtenColumns(article, laterThan(present.last_edited_date, article.now), present),
    language: resolved.language,
    language_parent: resolved.languageParent,
    article_parent: parentOf(article, resolved),
  }
  // Its draft may no longer belong to it, so they are paired again.
  await session.run(articleQueries.release, { parentId: id })
  await session.run(articleQueries.update, row)
  await adoptDraft(session, row, resolved)
  const wanted = { ...article, seoBannerUrl: row.seo_banner_url }
  await replaceRelations(session, { siteId, articleId: id, now: article.now }, wanted)
  await leaveRedirect(session, 'article', present, row, article.now)
  await replaceAliases(session, row, article)
  await session.run(searchQueries.markUnindexed, { siteId, articleId: id })
  return { kind: 'updated' }
}

async function isAsExpected(session: Session, present: ArticleHead, isExpected: IsExpected | undefined) {
  if (isExpected === undefined) return true
  const related = await session.all(articleQueries.related, { articleId: present.id })
  return isExpected(toArticleRecord({ ...present, content: '' }, related))
}

async function removeArticle(
  session: Session,
  key: ItemKey,
  { now, isExpected }: { readonly now: string; readonly isExpected: IsExpected | undefined },
): Promise<DeleteArticleOutcome> {
  const { siteId, id } = key
  const row = await session.first(articleQueries.byId, key)
  if (row === undefined) return { kind: 'unknown' }
  if (!(await isAsExpected(session, row, isExpected))) return { kind: 'unexpected' }
  const targets = await unscheduledTargets(session, id)
  await forgetSlug(session, 'article', row)
  await replaceFileUses(session, { siteId, kind: 'article', id, now }, '')
  // Foreign keys delete its links, relations and redirects, and its translations and draft lose their parent.
  await session.run(articleQueries.remove, { id })
  await removeUnusedTargets(session, targets)
  await session.run(siteQueries.uncountArticle, { siteId })
  return { kind: 'deleted', name: row.name }
}

/** Returns `now`, or one millisecond after `previous` if the clock has not advanced, so that every edit is visible. */
function laterThan(previous: string, now: string): string {
  return now > previous ? now : new Date(Date.parse(previous) + 1).toISOString()
}
