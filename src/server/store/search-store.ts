// The words by which articles are found. A write of an article only notes that its words are not indexed, in the same
// transaction: reading them takes longer than everything else of a write, and a first sync has thousands. Servers with
// pages index what is noted, see store-search.ts.
import { type Kysely, sql } from 'kysely'
import type { WordQuery } from '../../web/pages/search/word-index.ts'
import { boundedContent } from './article-queries.ts'
import { type Database, defineInsert, defineQuery, type Session, type SqlDialect } from './query.ts'
import type { Sight } from './reader-data.ts'
import type { Tables } from './tables.ts'

/** The articles that a search may find. */
export interface SearchScope {
  readonly siteId: string
  readonly sight: Sight
  /** As in the tables. */
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

export interface IndexedEntries extends Pick<UnindexedArticle, 'id' | 'language' | 'status' | 'editedDate'> {
  /** Separated by spaces; undefined if the search must not find the article. */
  readonly entries: string | undefined
}

/** Entries consist of letters, digits and marks, with `=` between a word and its level: they need no quoting. */
export type SearchStore = ReturnType<typeof createSearchStore>

export function createSearchStore(database: Database) {
  const { reader } = database
  return {
    async listUnindexed(siteId: string, limit: number, contentBytes: number) {
      const rows = await reader.all(searchQueries.unindexed, { siteId, limit, contentBytes })
      return rows.map(({ hide_from_search, last_edited_date, ...row }) => ({
        ...row,
        hideFromSearch: hide_from_search === 1,
        editedDate: last_edited_date,
      }))
    },
    /** Stores entries of articles, except those that were edited in the meantime. */
    storeEntries: (siteId: string, articles: readonly IndexedEntries[]) =>
      database.writeWithoutRevision(siteId, async (session) => {
        for (const article of articles) await storeEntries(session, siteId, article)
      }),
    /** Number of articles that meet a condition, counted up to `limit`. */
    async countByEntries(scope: SearchScope, query: WordQuery, limit: number) {
      const found = await reader.first(searchQueries.count[scope.sight], argumentsOf(scope, query, limit))
      return found?.articles ?? 0
    },
    /** Those that are stored first: usually, they were indexed first. */
    async findByEntries(scope: SearchScope, query: WordQuery, limit: number) {
      const rows = await reader.all(searchQueries.find[scope.sight], argumentsOf(scope, query, limit))
      // As text, PostgreSQL quotes them.
      return rows.map(({ id, entries }) => ({ id, entries: entries.replaceAll("'", '') }))
    },
    async countArticles(siteId: string) {
      return (await reader.first(searchQueries.size, { siteId }))?.article_count ?? 0
    },
  }
}

/** Notes that the words of an article are to be indexed, in the transaction that writes it. */
export async function noteUnindexed(session: Session, siteId: string, articleId: string): Promise<void> {
  await session.run(searchQueries.note, { siteId, articleId })
}

/** The same for new articles. */
export const noteNew = defineInsert<Tables['unindexed_articles']>('unindexed_articles', [
  'article_id',
  'site_id',
])

async function storeEntries(session: Session, siteId: string, article: IndexedEntries): Promise<void> {
  const { id, editedDate, language, status, entries } = article
  // Another process may have done it.
  if ((await session.run(searchQueries.take, { id, editedDate })) === 0) return
  await session.run(searchQueries.removeEntries, { id })
  if (entries !== undefined) await session.run(searchQueries.add, { id, siteId, language, status, entries })
}

interface EntryArguments extends Readonly<Record<string, string | number>> {
  readonly siteId: string
  readonly language: string
  /** The query in the language of each database. */
  readonly fts5: string
  readonly tsquery: string
  readonly limit: number
}

function argumentsOf(
  { siteId, sight, language }: SearchScope,
  query: WordQuery,
  limit: number,
): EntryArguments {
  const statuses = sight === 'published' ? ['published'] : ['draft', 'published']
  const scope = statuses.map(
    (status) => ({ kind: 'entry', entry: `=${siteId}=${language}=${status}` }) as const,
  )
  const inScope: WordQuery = { kind: 'all', of: [{ kind: 'any', of: scope }, query] }
  return { siteId, language, limit, fts5: toFts5(inScope), tsquery: toTsquery(query) }
}

function toFts5(query: WordQuery): string {
  if (query.kind === 'entry') return `"${query.entry}"`
  if (query.kind === 'prefix') return `"${query.prefix}"*`
  return `(${query.of.map(toFts5).join(query.kind === 'all' ? ' AND ' : ' OR ')})`
}

function toTsquery(query: WordQuery): string {
  if (query.kind === 'entry') return `'${query.entry}'`
  if (query.kind === 'prefix') return `'${query.prefix}':*`
  return `(${query.of.map(toTsquery).join(query.kind === 'all' ? ' & ' : ' | ')})`
}

/** Numbers of the matching articles, at most `limit`. */
function matching(order: 'any' | 'sorted', sight: Sight) {
  return (db: Kysely<Tables>, is: EntryArguments, { textQuery }: SqlDialect) => {
    const withDraft = publishedWithDraft(db)
    const numbers =
      textQuery === 'fts5'
        ? sql`select rowid as number from article_index
            where article_index match ${is.fts5}
            ${sight === 'all' ? sql`and rowid not in (${withDraft})` : sql``}`
        : sql`select number from kb_find_words(${is.siteId}, ${is.language}, ${is.tsquery}::tsquery,
              ${sight === 'all' ? sql`true, null` : sql`false, ${is.limit}::bigint`}) as found (number)
            ${sight === 'all' ? sql`where number not in (${withDraft})` : sql``}`
    const ordered = order === 'sorted' ? sql`${numbers} order by number` : numbers
    return sql<{ number: number }>`(${ordered} limit ${is.limit})`.as<'found'>('found')
  }
}

/** An author sees the draft in place of its published article. Of all sites, since a site's index has all its articles. */
function publishedWithDraft(db: Kysely<Tables>) {
  return db
    .selectFrom('articles as draft')
    .innerJoin('article_words as published', 'published.article_id', 'draft.article_parent')
    .select('published.number')
    .where('draft.status', '=', 'draft')
    .where('draft.article_parent', 'is not', null)
}

function countQuery(sight: Sight) {
  return defineQuery((db, is: EntryArguments, dialect) =>
    db
      .selectFrom(matching('any', sight)(db, is, dialect))
      .select((eb) => eb.fn.countAll<number>().as('articles')),
  )
}

function findQuery(sight: Sight) {
  return defineQuery((db, is: EntryArguments, dialect) =>
    db
      .selectFrom(matching('sorted', sight)(db, is, dialect))
      .innerJoin('article_words as words', 'words.number', 'found.number')
      .select(['words.article_id as id', sql<string>`cast(words.entries as text)`.as('entries')]),
  )
}

/** Queries on words, and on articles whose words are to be indexed. */
export const searchQueries = {
  count: { published: countQuery('published'), all: countQuery('all') },
  find: { published: findQuery('published'), all: findQuery('all') },
  size: defineQuery((db, is: { siteId: string }) =>
    db.selectFrom('sites').select('article_count').where('id', '=', is.siteId),
  ),
  note: defineQuery((db, is: { siteId: string; articleId: string }) =>
    db
      .insertInto('unindexed_articles')
      .values({ article_id: is.articleId, site_id: is.siteId })
      .onConflict((conflict) => conflict.doNothing()),
  ),
  unindexed: defineQuery((db, is: { siteId: string; limit: number; contentBytes: number }) =>
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
  add: defineQuery(
    (db, is: { id: string; siteId: string; language: string; status: string; entries: string }) =>
      db
        .insertInto('article_words')
        .values({
          article_id: is.id,
          site_id: is.siteId,
          language: is.language,
          status: is.status,
          entries: is.entries,
        }),
  ),
}
