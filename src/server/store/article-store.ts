import type { Kysely } from 'kysely'
import { createArticleWriter } from './article-writer.ts'
import { createLanguageRules } from './article-language.ts'
import { type ArticleRow, articleQueries } from './article-queries.ts'
import { toArticleRecord } from './article-record.ts'
import type { Database } from './session.ts'
import { siteQueries } from './site-queries.ts'
import type { ArticleRecord, ReadOutcome, Store } from './store.ts'
import type { Tables } from './tables.ts'

type ArticleStore = Pick<Store, 'readArticle' | 'createArticle' | 'updateArticle' | 'deleteArticle'>

/**
 * Reading, creating, updating and deleting articles.
 *
 * @param articleLimit most articles a site may hold that has no limit of its own
 */
export function createArticleStore(
  database: Database,
  db: Kysely<Tables>,
  articleLimit: number,
): ArticleStore {
  const { reader } = database
  const queries = articleQueries(db)
  const sites = siteQueries(db)
  const languages = createLanguageRules(queries, sites)
  const writer = createArticleWriter(db, { queries, sites, languages, articleLimit })

  const load = async (row: ArticleRow): Promise<ArticleRecord> =>
    toArticleRecord(row, await reader.all(queries.related, { articleId: row.id }))

  async function readArticle(siteId: string, id: string, code?: string): Promise<ReadOutcome<ArticleRecord>> {
    const row = await reader.first(queries.byId, { siteId, id })
    if (row === undefined) return { kind: 'unknown' }
    if (code === undefined) return { kind: 'found', record: await load(row), isCopy: false }
    const found = await languages.find(reader, siteId, code)
    if (found.kind === 'unknown-language') return found
    return readTranslation(siteId, row, found.language)
  }

  async function readTranslation(
    siteId: string,
    row: ArticleRow,
    language: string,
  ): Promise<ReadOutcome<ArticleRecord>> {
    const originalId = row.language_parent ?? row.id
    const original = (await reader.first(queries.byId, { siteId, id: originalId })) ?? row
    const present = [row, original].find((member) => member.language === language)
    const member = present ?? (await findTranslation(original, language))
    if (member !== undefined) return { kind: 'found', record: await load(member), isCopy: false }
    // What is not there yet has neither a draft nor a published version beside it.
    const copy = { ...original, language, language_parent: originalId, article_parent: null }
    return { kind: 'found', record: { ...(await load(copy)), draftId: '' }, isCopy: true }
  }

  /** A draft beside a published article shares the translations of that one. */
  async function findTranslation(original: ArticleRow, language: string): Promise<ArticleRow | undefined> {
    const own = await reader.first(queries.translationInto, { originalId: original.id, language })
    if (own !== undefined || original.article_parent === null) return own
    return reader.first(queries.translationInto, { originalId: original.article_parent, language })
  }

  return {
    readArticle,
    createArticle: (siteId, article) => database.write((session) => writer.create(session, siteId, article)),
    updateArticle: (siteId, id, article) =>
      database.write((session) => writer.update(session, siteId, id, article)),
    deleteArticle: (siteId, id) => database.write((session) => writer.remove(session, siteId, id)),
  }
}
