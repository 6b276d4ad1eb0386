// The postings of stems, by blocks of articles. Articles that are written together are in the same blocks, whose
// postings the database stores together: a write of many articles changes few pages, and a search reads one row for
// each word and block.
import { sql } from 'kysely'
import { BLOCK_SIZE, toPosting, withoutOffsets } from '../../web/pages/search/postings.ts'
import { readEntry, type WordIndex } from '../../web/pages/search/word-index.ts'
import { isOneOf, rowsOf, textsOf } from './json-lists.ts'
import { defineQuery, type Session } from './query.ts'
import type { ReaderScope, Visibility } from './reader-data.ts'

/** The words of an article, from which its postings are derived. */
export interface PostedWords {
  readonly number: number
  readonly language: string
  readonly status: string
  /** Consist of letters, digits and marks, with `=` before the level. */
  readonly entries: readonly string[]
}

const STATUSES: Readonly<Record<Visibility, string>> = {
  published: JSON.stringify(['published']),
  all: JSON.stringify(['draft', 'published']),
}

export function createPostingReader(
  reader: Session,
  { siteId, language, visibility }: ReaderScope & { readonly language: string },
): Omit<WordIndex, 'size'> {
  let listed: Promise<ReadonlyMap<number, number>> | undefined

  async function listBlocks() {
    const rows = await reader.all(postingQueries.blocks, { siteId, language, statuses: STATUSES[visibility] })
    return new Map(rows.map(({ id, block }) => [id, block]))
  }

  /** Returns the blocks by their ids, and the ids for a query. */
  async function inBlocks() {
    const blocks = await (listed ??= listBlocks())
    const withBlocks = (rows: readonly { block_id: number; stem: string; postings: string }[]) =>
      rows.map(({ block_id, stem, postings }) => {
        const block = blocks.get(block_id)
        if (block === undefined) throw new Error(`Postings of block ${block_id}, which was not asked for`)
        return { stem, postings, block }
      })
    return { blocks: toTexts(blocks.keys()), withBlocks }
  }

  return {
    async find(stems) {
      const { blocks, withBlocks } = await inBlocks()
      return withBlocks(await reader.all(postingQueries.find, { blocks, stems: JSON.stringify(stems) }))
    },
    async findStarting(prefix) {
      const { blocks, withBlocks } = await inBlocks()
      const before = `${prefix}\u{10ffff}`
      return withBlocks(await reader.all(postingQueries.findStarting, { blocks, from: prefix, before }))
    },
    async known(stems) {
      const rows = await reader.all(postingQueries.known, { stems: JSON.stringify(stems) })
      return rows.map(({ stem }) => stem)
    },
    async hidden() {
      const rows = await reader.all(postingQueries.hidden[visibility], { siteId, language })
      return rows.map(({ number }) => number)
    },
    async idsOf(numbers) {
      const rows = await reader.all(postingQueries.ids, { numbers: toTexts(numbers) })
      return new Map(rows.map(({ number, article_id }) => [number, article_id]))
    },
  }
}

function toTexts(numbers: Iterable<number>): string {
  return JSON.stringify(Array.from(numbers, String))
}

interface BlockChange {
  readonly language: string
  readonly status: string
  readonly block: number
  /** By stem: the offsets of articles that no longer have it. */
  readonly removed: Map<string, Set<number>>
  /** By stem: the postings of articles that have it. */
  readonly added: Map<string, string>
}

/** Number of stems that one statement writes. On SQLite, it blocks everything else. */
const WRITTEN_AT_ONCE = 500

/** Removes the words of some articles from the postings, and adds those of others, or of the same articles. */
export async function changePostings(
  session: Session,
  siteId: string,
  removed: readonly PostedWords[],
  added: readonly PostedWords[],
): Promise<void> {
  const changes = collectChanges(removed, added)
  // Sorted, because transactions of other sites add the same stems.
  const stems = new Set(changes.flatMap((change) => [...change.added.keys()]))
  for (const part of partsOf([...stems].toSorted()))
    await session.run(postingQueries.noteStems, { stems: JSON.stringify(part) })
  for (const change of changes) {
    const { language, status, block } = change
    const place = { siteId, language, status, block }
    await session.run(postingQueries.addBlock, place)
    const found = await session.first(postingQueries.blockAt, place)
    if (found === undefined) throw new Error(`No block ${block} of '${language}' after it was added`)
    await removePostings(session, found.id, change.removed)
    for (const part of partsOf([...change.added].toSorted(([a], [b]) => (a < b ? -1 : 1))))
      await session.run(postingQueries.append, { blockId: found.id, rows: JSON.stringify(part) })
  }
}

async function removePostings(session: Session, blockId: number, removed: BlockChange['removed']) {
  for (const part of partsOf([...removed.keys()])) {
    const stems = JSON.stringify(part)
    const rows = await session.all(postingQueries.find, { blocks: toTexts([blockId]), stems })
    const kept = rows.map(
      ({ stem, postings }) => [stem, withoutOffsets(postings, removed.get(stem) ?? new Set())] as const,
    )
    await session.run(postingQueries.replace, { blockId, rows: JSON.stringify(kept) })
    await session.run(postingQueries.removeEmpty, { blockId, stems })
  }
}

function collectChanges(removed: readonly PostedWords[], added: readonly PostedWords[]): BlockChange[] {
  const changes = new Map<string, BlockChange>()
  const changeOf = ({ number, language, status }: PostedWords) => {
    const block = Math.floor(number / BLOCK_SIZE)
    const key = `${status} ${block} ${language}`
    const known = changes.get(key) ?? { language, status, block, removed: new Map(), added: new Map() }
    changes.set(key, known)
    return known
  }
  for (const words of removed) {
    const change = changeOf(words)
    for (const [stem] of words.entries.map(readEntry))
      change.removed.set(stem, (change.removed.get(stem) ?? new Set()).add(words.number % BLOCK_SIZE))
  }
  for (const words of added) {
    const change = changeOf(words)
    for (const [stem, level] of words.entries.map(readEntry))
      change.added.set(stem, (change.added.get(stem) ?? '') + toPosting(words.number % BLOCK_SIZE, level))
  }
  return [...changes.values()]
}

function* partsOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += WRITTEN_AT_ONCE)
    yield items.slice(start, start + WRITTEN_AT_ONCE)
}

const COLUMNS = { stem: 'text', postings: 'text' } as const

type Place = { siteId: string; language: string; status: string; block: number }

/** Sets the postings of stems in a block; `rows` is a JSON array. */
function writeQuery(way: 'append' | 'replace') {
  const postings =
    way === 'append'
      ? sql<string>`word_postings.postings || excluded.postings`
      : sql<string>`excluded.postings`
  return defineQuery((db, is: { blockId: number; rows: string }, dialect) =>
    db
      .insertInto('word_postings')
      .columns(['block_id', 'stem', 'postings'])
      .expression(
        db
          .selectFrom(rowsOf(is.rows, COLUMNS, dialect))
          .select([sql<number>`cast(${is.blockId} as bigint)`.as('block_id'), 'row.stem', 'row.postings'])
          .where(sql<boolean>`true`),
      )
      .onConflict((conflict) => conflict.columns(['block_id', 'stem']).doUpdateSet({ postings })),
  )
}

function hiddenQuery(visibility: Visibility) {
  return defineQuery((db, is: { siteId: string; language: string }) => {
    const removed = db
      .selectFrom('removed_words')
      .select('number')
      .where('site_id', '=', is.siteId)
      .where('language', '=', is.language)
    if (visibility === 'published') return removed
    // An author sees the draft instead of its published article. Includes all sites, since the index has no site.
    const withDraft = db
      .selectFrom('articles as draft')
      .innerJoin('article_words as published', 'published.article_id', 'draft.article_parent')
      .select('published.number')
      .where('draft.status', '=', 'draft')
      .where('draft.article_parent', 'is not', null)
    return removed.unionAll(withDraft)
  })
}

export const postingQueries = {
  hidden: { published: hiddenQuery('published'), all: hiddenQuery('all') },
  append: writeQuery('append'),
  replace: writeQuery('replace'),
  blocks: defineQuery((db, is: { siteId: string; language: string; statuses: string }, dialect) =>
    db
      .selectFrom('word_blocks')
      .select(['id', 'block'])
      .where('site_id', '=', is.siteId)
      .where('language', '=', is.language)
      .where(isOneOf('status', is.statuses, dialect)),
  ),
  blockAt: defineQuery((db, is: Place) =>
    db
      .selectFrom('word_blocks')
      .select('id')
      .where('site_id', '=', is.siteId)
      .where('language', '=', is.language)
      .where('status', '=', is.status)
      .where('block', '=', is.block),
  ),
  addBlock: defineQuery((db, is: Place) =>
    db
      .insertInto('word_blocks')
      .values({ site_id: is.siteId, language: is.language, status: is.status, block: is.block })
      .onConflict((conflict) => conflict.doNothing()),
  ),
  find: defineQuery((db, is: { blocks: string; stems: string }, dialect) =>
    db
      .selectFrom('word_postings')
      .select(['block_id', 'stem', 'postings'])
      .where(isOneOf('block_id', is.blocks, dialect, { type: 'bigint' }))
      .where(isOneOf('stem', is.stems, dialect)),
  ),
  findStarting: defineQuery((db, is: { blocks: string; from: string; before: string }, dialect) =>
    db
      .selectFrom('word_postings')
      .select(['block_id', 'stem', 'postings'])
      .where(isOneOf('block_id', is.blocks, dialect, { type: 'bigint' }))
      .where('stem', '>=', is.from)
      .where('stem', '<', is.before),
  ),
  removeEmpty: defineQuery((db, is: { blockId: number; stems: string }, dialect) =>
    db
      .deleteFrom('word_postings')
      .where('block_id', '=', is.blockId)
      .where(isOneOf('stem', is.stems, dialect))
      .where('postings', '=', ''),
  ),
  known: defineQuery((db, is: { stems: string }, dialect) =>
    db
      .selectFrom('word_stems')
      .select('stem')
      .where(isOneOf('stem', is.stems, dialect)),
  ),
  noteStems: defineQuery((db, is: { stems: string }, dialect) =>
    db
      .insertInto('word_stems')
      .columns(['stem'])
      .expression(
        db
          .selectFrom(textsOf(is.stems, dialect))
          .select('text.value as stem')
          .where(sql<boolean>`true`),
      )
      .onConflict((conflict) => conflict.doNothing()),
  ),
  ids: defineQuery((db, is: { numbers: string }, dialect) =>
    db
      .selectFrom('article_words')
      .select(['number', 'article_id'])
      .where(isOneOf('number', is.numbers, dialect, { type: 'bigint' })),
  ),
}
