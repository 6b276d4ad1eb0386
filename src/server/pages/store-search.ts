import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { PageSource, SearchHit } from '../../web/pages/page-source.ts'
import {
  findPassage,
  SEARCHED_AT_ONCE,
  markTerms,
  MOST_SEARCHED,
  type TermFinder,
} from '../../web/pages/search/passage-in.ts'
import { loadLanguageWords } from '../../web/pages/search/language-words.ts'
import { createTermFinder, searchByWords } from '../../web/pages/search/search-by-words.ts'
import { runStepsInSlices } from '../../web/pages/search/steps.ts'
import { searchEntriesOf } from '../../web/pages/search/word-index.ts'
import type { ReaderScope, SearchedArticle } from '../store/reader-data.ts'
import type { IdRange, IndexedEntries, SearchScope, UnindexedArticle } from '../store/search-store.ts'
import type { Store } from '../store/open-store.ts'
import { VISIBILITY_OF, type SiteCatalog } from './site-catalog.ts'
import { memoize } from '../../core/memoize.ts'
import { runWhenIdle } from '../run-when-idle.ts'

export interface StoreSearch {
  readonly search: PageSource['search']
  /** Stops the indexing. */
  readonly close: () => Promise<void>
}

interface StoreSearchOptions {
  readonly store: Store
  readonly siteId: string
  readonly catalog: SiteCatalog
  /** Maximum time that a search waits for the index to be updated; then it uses the current one. Default 3 s. */
  readonly patienceMs?: number | undefined
}

const PATIENCE_MS = 3000

/** Lengths of the parts of articles that are searched for a passage, each if the previous one has none. */
const SEARCHED_LENGTHS = [SEARCHED_AT_ONCE, 3 * SEARCHED_AT_ONCE, MOST_SEARCHED]

/** Larger articles are not shown on pages, either. */
const CONTENT_BYTES = 20_000_000

/**
 * The search of one site. Its index is in the database. It is updated in the background and before each search. Results
 * are checked in the database again, so that no result is private or deleted.
 */
export function createStoreSearch({ store, siteId, catalog, ...options }: StoreSearchOptions): StoreSearch {
  const wordsIn = createWordsMemory()
  const keeper = createIndexKeeper({ store, siteId, catalog, wordsIn })
  const upToDate = createCatchUp(store, keeper.catchUp, options.patienceMs)

  const search: StoreSearch['search'] = async ({ viewer, text, language, skip, limit }) => {
    await upToDate()
    const visibility = VISIBILITY_OF[viewer]
    const scope: SearchScope = { siteId, visibility, language: await catalog.toStored(language) }
    const rules = await wordsIn(language)
    const page = { skip, limit }
    const { total, ranked, ids, terms } = await searchByWords(store.openIndex(scope), text, rules, page)
    const finder = createTermFinder(terms, rules)
    const [articles, categories] = await Promise.all([
      readArticles(store, { siteId, visibility }, ids, finder),
      store.listCategoryIds(ids),
    ])
    const hits: SearchHit[] = []
    for (const id of ids) {
      const article = articles.get(id)
      if (article === undefined) continue
      const [categoryId] = categories.get(id) ?? []
      hits.push({
        id,
        title: article.name,
        slug: article.slug,
        language,
        excerpt: article.excerpt,
        isDraft: article.isDraft,
        category: categoryId === undefined ? [] : await catalog.pathTo(categoryId, language),
        passage: markTerms(article.passage ?? article.excerpt, finder),
      })
    }
    return { total, ranked, hits }
  }

  return { search, close: () => keeper.close() }
}

/** Updates the index before a search, which waits only for a limited time. */
function createCatchUp(
  store: Pick<Store, 'changeMark'>,
  indexAll: () => Promise<void>,
  patienceMs = PATIENCE_MS,
): () => Promise<void> {
  /** The last check after which everything was indexed. */
  let last: { readonly mark: number; readonly at: number } | undefined

  async function catchUp(): Promise<void> {
    const look = { mark: store.changeMark(), at: performance.now() }
    await indexAll()
    last = look
  }

  return async () => {
    if (last?.mark === store.changeMark()) {
      // Only a process of another version may have indexed something since.
      if (performance.now() - last.at > LOOK_AGAIN_MS) catchUp().catch(() => undefined)
      return
    }
    await Promise.race([catchUp(), sleep(patienceMs, undefined, { ref: false })])
  }
}

/** Reads articles and finds passages. Reads more only of those whose beginning has no match. */
async function readArticles(store: Store, scope: ReaderScope, ids: readonly string[], finder: TermFinder) {
  const found = new Map<string, SearchedArticle & { readonly passage: string | undefined }>()
  let left = ids
  for (const length of SEARCHED_LENGTHS) {
    const articles = await store.listSearchedArticles(scope, left, length)
    for (const [id, article] of articles)
      found.set(id, { ...article, passage: await runStepsInSlices(findPassage(article.content, finder)) })
    left = [...articles].flatMap(([id, { content }]) =>
      content.length < length || found.get(id)?.passage !== undefined ? [] : [id],
    )
    if (left.length === 0) break
  }
  return found
}

type WordsMemory = ReturnType<typeof createWordsMemory>

/** Caches the rules of languages, with the stems that they have computed. */
function createWordsMemory() {
  return memoize(loadLanguageWords)
}

interface IndexKeeperParts extends Omit<StoreSearchOptions, 'patienceMs'> {
  readonly wordsIn: WordsMemory
}

/** Number of articles that are read at a time. */
const INDEXED_AT_ONCE = 20

/** Number of articles that are stored in one transaction. Fewer transactions write the same postings less often. */
const STORED_AT_ONCE = 100

/** Maximum length of the entries stored in one transaction, excluding those of the last article. */
const LENGTH_STORED_AT_ONCE = 500_000

/** Maximum time until the articles that were read are stored. */
const COLLECTED_MS = 500

/** Age of the last check after which searches check again, although no change is known. */
const LOOK_AGAIN_MS = 10_000

/** Indexes articles that any process has written. */
function createIndexKeeper(parts: IndexKeeperParts) {
  const { store, siteId } = parts
  let running: Promise<void> | undefined
  let isClosed = false

  /** Indexes what is unindexed now. Later writes are left for the next run, so that constant ones do not prolong it. */
  async function indexAll(): Promise<void> {
    const { postings, lastId } = await store.findBacklog(siteId)
    for (let left = postings; left > 0; left -= STORED_AT_ONCE) {
      if (isClosed) return
      await store.postEntries(siteId, STORED_AT_ONCE)
    }
    let ids = lastId === undefined ? undefined : { after: '', upTo: lastId }
    while (ids !== undefined) {
      const { indexed, left } = await indexSome(parts, ids, () => isClosed)
      if (indexed.length > 0) await store.storeEntries(siteId, indexed)
      ids = left
    }
  }

  async function catchUp(): Promise<void> {
    // A run in progress may have checked before the last write.
    await running
    if (isClosed) return
    running ??= indexAll().finally(() => (running = undefined))
    await running
  }

  // The next search encounters and reports the same problem.
  const stop = runWhenIdle(store, catchUp, () => undefined)

  return {
    catchUp,
    async close(): Promise<void> {
      isClosed = true
      stop()
      await running?.catch(() => undefined)
    },
  }
}

/**
 * Indexes a few long or many short articles of a range, so that a search that cannot wait finds what is stored.
 *
 * @returns also the rest of the range; undefined if no article in it is unindexed
 */
async function indexSome(parts: IndexKeeperParts, ids: IdRange, isClosed: () => boolean) {
  const { store, siteId, catalog, wordsIn } = parts
  const indexed: IndexedEntries[] = []
  let left = ids
  let length = 0
  const storedBy = performance.now() + COLLECTED_MS
  while (indexed.length < STORED_AT_ONCE) {
    const articles = await store.listUnindexed(siteId, left, INDEXED_AT_ONCE, CONTENT_BYTES)
    for (const article of articles) {
      if (isClosed()) return { indexed: [], left: undefined }
      const words = await indexArticle(article, catalog, wordsIn)
      indexed.push(words)
      length += words.entries?.length ?? 0
      left = { after: article.id, upTo: ids.upTo }
      if (length >= LENGTH_STORED_AT_ONCE || performance.now() > storedBy) return { indexed, left }
    }
    if (articles.length < INDEXED_AT_ONCE) return { indexed, left: undefined }
  }
  return { indexed, left }
}

async function indexArticle(article: UnindexedArticle, catalog: SiteCatalog, wordsIn: WordsMemory) {
  const { id, name, content, language, status, hideFromSearch, editedDate } = article
  const shared = { id, language, status, editedDate }
  if (hideFromSearch) return { ...shared, entries: undefined }
  const rules = await wordsIn(await catalog.toCode(language))
  await turn()
  const entries = await runStepsInSlices(searchEntriesOf({ title: name, html: content ?? '' }, rules))
  return { ...shared, entries }
}
