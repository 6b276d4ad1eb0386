import { changeArticle, insertArticle, removeArticle } from './article-writer.ts'
import { findLanguage } from './article-language.ts'
import { type ArticleHead, articleQueries } from './article-queries.ts'
import { toArticleRecord } from './article-record.ts'
import type { Database, Session } from './session.ts'
import type { Store } from './store.ts'

type ReadArticleOutcome = Awaited<ReturnType<Store['readArticle']>>
/** Without content where that is larger than was asked for. */
type ReadRow = ArticleHead & { readonly content: string | null }

type ArticleStore = Pick<Store, 'readArticle' | 'createArticle' | 'updateArticle' | 'deleteArticle'>

/**
 * Reading, creating, updating and deleting articles.
 *
 * @param articleLimit most articles a site may hold that has no limit of its own
 */
export function createArticleStore(database: Database, articleLimit: number): ArticleStore {
  const { reader } = database

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
      : readTranslation(reader, siteId, row, asked.language, contentBytes)
  }

  return {
    readArticle,
    createArticle: (siteId, article) =>
      database.write((session) => insertArticle(session, siteId, article, articleLimit)),
    updateArticle: (siteId, id, article) =>
      database.write((session) => changeArticle(session, siteId, id, article)),
    deleteArticle: (siteId, id) => database.write((session) => removeArticle(session, siteId, id)),
  }
}

async function found(reader: Session, row: ReadRow, isCopy: boolean): Promise<ReadArticleOutcome> {
  const { content } = row
  if (content === null) return { kind: 'large' }
  const related = await reader.all(articleQueries.related, { articleId: row.id })
  const record = toArticleRecord({ ...row, content }, related)
  // What is not there yet has neither a draft nor a published version beside it.
  return { kind: 'found', record: isCopy ? { ...record, draftId: '' } : record, isCopy }
}

async function readTranslation(
  reader: Session,
  siteId: string,
  row: ReadRow,
  language: string,
  contentBytes: number,
): Promise<ReadArticleOutcome> {
  const originalId = row.language_parent ?? row.id
  const original =
    (await reader.first(articleQueries.wholeById, { siteId, id: originalId, contentBytes })) ?? row
  const present = [row, original].find((member) => member.language === language)
  const member = present ?? (await findTranslation(reader, original, language, contentBytes))
  if (member !== undefined) return found(reader, member, false)
  return found(reader, { ...original, language, language_parent: originalId, article_parent: null }, true)
}

/** A draft beside a published article shares the translations of that one. */
async function findTranslation(
  reader: Session,
  original: ReadRow,
  language: string,
  contentBytes: number,
): Promise<ReadRow | undefined> {
  const of = { language, contentBytes }
  const own = await reader.first(articleQueries.translationInto, { ...of, originalId: original.id })
  if (own !== undefined || original.article_parent === null) return own
  return reader.first(articleQueries.translationInto, { ...of, originalId: original.article_parent })
}
