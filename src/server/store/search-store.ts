// The words by which articles are found. A write of an article only marks it as unindexed, in the same transaction:
// reading its words takes longer than all other steps of a write, and a first sync has thousands. Servers with pages
// index the marked articles, see store-search.ts.
import { sql } from 'kysely'
import type { WordIndex } from '../../web/pages/search/word-index.ts'
import { boundedContent } from './article-queries.ts'
import { isOneOf } from './json-lists.ts'
import { changePostings, createPostingReader, type PostedWords } from './posting-store.ts'
import { type Database, defineInsert, defineQuery, type Session } from './query.ts'
import type { Visibility } from './reader-data.ts'
import type { Tables } from './tables.ts'

/** The articles that a search may find. */
export interface SearchScope {
  readonly siteId: string
  readonly visibility: Visibility
  /** Language code in its form in the tables. */
  readonly language: string
}

/** An article whose words must be indexed. */
export interface UnindexedArticle {
  readonly id: string
  readonly name: string
  /** null if it is larger than requested. */
  readonly content: string | null
  readonly language: string
  readonly status: 'draft' | 'published'
  readonly hideFromSearch: boolean
  readonly editedDate: string
}

export type IdRange = Readonly<Record<'after' | 'upTo', string>>

export interface IndexedEntries extends Pick<UnindexedArticle, 'id' | 'language' | 'status' | 'editedDate'> {
  /** Separated by spaces; undefined if the search must not find the article. */
  readonly entries: string | undefined
}

export function createSearchStore(database: Database) {
  const { reader } = database
  return {
    /** Counts the words to be posted or removed by `postEntries`, and finds the last id that `listUnindexed` lists. */
    async findBacklog(siteId: string) {
      const row = await reader.first(searchQueries.backlog, { siteId })
      const postings = Math.max(Number(row?.unposted ?? 0), Number(row?.removed ?? 0))
      return { postings, lastId: row?.lastId ?? undefined }
    },
    /** Lists articles after an id and up to another, in the order of ids. */
    async listUnindexed(siteId: string, ids: IdRange, limit: number, contentBytes: number) {
      const rows = await reader.all(searchQueries.unindexed, { siteId, ...ids, limit, contentBytes })
      return rows.map(({ hide_from_search, last_edited_date, ...row }) => ({
        ...row,
        hideFromSearch: hide_from_search === 1,
        editedDate: last_edited_date,
      }))
    },
    /** Stores entries of articles, except for articles that were edited since they were read. */
    storeEntries: (siteId: string, articles: readonly IndexedEntries[]) =>
      database.writeWithoutRevision(siteId, (session) => storeEntries(session, siteId, articles)),
    /** Updates the postings with entries that another version has stored, and with deletions, at most `limit` each. */
    postEntries: (siteId: string, limit: number) =>
      database.writeWithoutRevision(siteId, (session) => postEntries(session, siteId, limit)),
    /** Opens an index of the articles that a search may find. */
    openIndex: ({ siteId, visibility, language }: SearchScope): WordIndex => ({
      size: async () => (await reader.first(searchQueries.size, { siteId }))?.article_count ?? 0,
      ...createPostingReader(reader, { siteId, language, visibility }),
    }),
  }
}

/** Marks new articles as unindexed. */
export const insertUnindexed = defineInsert<Tables['unindexed_articles']>('unindexed_articles', [
  'article_id',
  'site_id',
])

async function storeEntries(session: Session, siteId: string, articles: readonly IndexedEntries[]) {
  const isTaken = await Promise.all(
    articles.map(({ id, editedDate }) => session.run(searchQueries.take, { id, editedDate })),
  )
  // Another process may already have done it.
  const taken = articles.filter((_, index) => isTaken[index] !== 0)
  const ids = JSON.stringify(taken.map(({ id }) => id))
  const before = await listWords(session, ids)
  await Promise.all(
    taken.map(({ id, language, status, entries }) =>
      entries === undefined
        ? session.run(searchQueries.removeEntries, { id })
        : session.run(before.has(id) ? searchQueries.replace : searchQueries.add, {
            id,
            siteId,
            language,
            status,
            entries,
          }),
    ),
  )
  const after = await listWords(session, ids)
  const changes = [...after].map(([id, words]) => changeBetween(before.get(id), words))
  await changePostings(
    session,
    siteId,
    changes.flatMap(({ removed }) => removed),
    changes.map(({ added }) => added),
  )
}

/** Compares the words before and after an edit, which keeps most of them: writing all their postings takes longer. */
function changeBetween(
  before: (PostedWords & { readonly isPosted: boolean }) | undefined,
  after: PostedWords,
): { readonly removed: readonly PostedWords[]; readonly added: PostedWords } {
  if (before === undefined || !before.isPosted) return { removed: [], added: after }
  if (before.language !== after.language || before.status !== after.status)
    return { removed: [before], added: after }
  const [old, current] = [new Set(before.entries), new Set(after.entries)]
  return {
    removed: [{ ...before, entries: before.entries.filter((entry) => !current.has(entry)) }],
    added: { ...after, entries: after.entries.filter((entry) => !old.has(entry)) },
  }
}

async function postEntries(session: Session, siteId: string, limit: number): Promise<void> {
  const rows = await session.all(searchQueries.unposted, { siteId, limit })
  const added = await listWords(session, JSON.stringify(rows.map(({ id }) => id)))
  const removed = await session.all(searchQueries.removed, { siteId, limit })
  await changePostings(session, siteId, removed.map(toWords), [...added.values()])
  await session.run(searchQueries.markPosted, { ids: JSON.stringify([...added.keys()]) })
  await session.run(searchQueries.forget, {
    numbers: JSON.stringify(removed.map(({ number }) => String(number))),
  })
}

/** Returns the words of articles, by their ids. */
async function listWords(session: Session, ids: string) {
  const rows = await session.all(searchQueries.words, { ids })
  return new Map(rows.map((row) => [row.id, { ...toWords(row), isPosted: row.is_posted === 1 }]))
}

const ENTRY = /.=[1-9]$/

function toWords({ number, language, status, entries }: Omit<PostedWords, 'entries'> & { entries: string }) {
  // In text form, PostgreSQL quotes words. An earlier version stored parts of words, without a level.
  const words = entries.replaceAll("'", '').split(' ')
  return { number, language, status, entries: words.filter((entry) => ENTRY.test(entry)) }
}

/** Queries on words, and on unindexed articles. */
export const searchQueries = {
  size: defineQuery((db, is: { siteId: string }) =>
    db.selectFrom('sites').select('article_count').where('id', '=', is.siteId),
  ),
  /** Marks an article as unindexed, in the transaction that writes it. */
  markUnindexed: defineQuery((db, is: { siteId: string; articleId: string }) =>
    db
      .insertInto('unindexed_articles')
      .values({ article_id: is.articleId, site_id: is.siteId })
      .onConflict((conflict) => conflict.doNothing()),
  ),
  backlog: defineQuery((db, is: { siteId: string }) =>
    db
      .selectFrom('sites')
      .select((eb) => [
        eb
          .selectFrom('article_words')
          .select(eb.fn.countAll().as('n'))
          .where('site_id', '=', is.siteId)
          .where('is_posted', '=', sql.lit(0))
          .as('unposted'),
        eb
          .selectFrom('removed_words')
          .select(eb.fn.countAll().as('n'))
          .where('site_id', '=', is.siteId)
          .as('removed'),
        eb
          .selectFrom('unindexed_articles')
          .select('article_id')
          .where('site_id', '=', is.siteId)
          .orderBy('article_id', 'desc')
          .limit(sql.lit(1))
          .as('lastId'),
      ])
      .where('id', '=', is.siteId),
  ),
  unindexed: defineQuery((db, is: IdRange & { siteId: string; limit: number; contentBytes: number }) =>
    db
      .selectFrom('unindexed_articles as noted')
      .innerJoin('articles', 'articles.id', 'noted.article_id')
      .select([
        'articles.id',
        'name',
        'language',
        'status',
        'hide_from_search',
        'last_edited_date',
        boundedContent(is.contentBytes).as('content'),
      ])
      .where('noted.site_id', '=', is.siteId)
      .where('noted.article_id', '>', is.after)
      .where('noted.article_id', '<=', is.upTo)
      .orderBy('noted.article_id')
      .limit(is.limit),
  ),
  take: defineQuery((db, is: { id: string; editedDate: string }) =>
    db
      .deleteFrom('unindexed_articles')
      .where('article_id', '=', is.id)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('articles')
            .select('id')
            .where('id', '=', is.id)
            .where('last_edited_date', '=', is.editedDate),
        ),
      ),
  ),
  removeEntries: defineQuery((db, is: { id: string }) =>
    db.deleteFrom('article_words').where('article_id', '=', is.id),
  ),
  words: defineQuery((db, is: { ids: string }, dialect) =>
    db
      .selectFrom('article_words')
      .select(['article_id as id', 'number', 'language', 'status', 'is_posted'])
      .select(sql<string>`cast(entries as text)`.as('entries'))
      .where(isOneOf('article_id', is.ids, dialect)),
  ),
  add: defineQuery((db, is: StoredWords, { jsonElements }) => {
    const row = {
      article_id: is.id,
      site_id: is.siteId,
      language: is.language,
      status: is.status,
      entries: is.entries,
      is_posted: 1,
    }
    // SQLite would reuse the number of the last article, whose postings may still exist.
    const number = sql<number>`(select 1 + max(
      coalesce((select max(number) from article_words), 0),
      coalesce((select max(number) from removed_words), 0)))`
    return db.insertInto('article_words').values(jsonElements === 'json_each' ? { ...row, number } : row)
  }),
  replace: defineQuery((db, is: StoredWords) =>
    db
      .updateTable('article_words')
      .set({ language: is.language, status: is.status, entries: is.entries, is_posted: 1 })
      .where('article_id', '=', is.id),
  ),
  unposted: defineQuery((db, is: { siteId: string; limit: number }) =>
    db
      .selectFrom('article_words')
      .select('article_id as id')
      .where('site_id', '=', is.siteId)
      .where('is_posted', '=', sql.lit(0))
      .limit(is.limit),
  ),
  markPosted: defineQuery((db, is: { ids: string }, dialect) =>
    db
      .updateTable('article_words')
      .set({ is_posted: 1 })
      .where(isOneOf('article_id', is.ids, dialect)),
  ),
  removed: defineQuery((db, is: { siteId: string; limit: number }) =>
    db
      .selectFrom('removed_words')
      .select(['number', 'language', 'status', 'entries'])
      .where('site_id', '=', is.siteId)
      .limit(is.limit),
  ),
  forget: defineQuery((db, is: { numbers: string }, dialect) =>
    db.deleteFrom('removed_words').where(isOneOf('number', is.numbers, dialect, { type: 'bigint' })),
  ),
}

type StoredWords = Record<'id' | 'siteId' | 'language' | 'status' | 'entries', string>
