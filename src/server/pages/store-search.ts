import { setImmediate as turn } from 'node:timers/promises'
import limitConcurrency from 'p-limit'
import type { PageSource, SearchHit } from '../../web/pages/page-source.ts'
import { LOOKED_THROUGH, passageIn } from '../../web/pages/search/passage-in.ts'
import { type LanguageWords, loadLanguageWords } from '../../web/pages/search/language-words.ts'
import { createTermFinder, searchByWords } from '../../web/pages/search/search-by-words.ts'
import { finishInSlices } from '../../web/pages/search/steps.ts'
import { searchEntriesOf } from '../../web/pages/search/word-index.ts'
import type { IndexedEntries, SearchScope, UnindexedArticle } from '../store/search-store.ts'
import type { Store } from '../store/store.ts'
import { SIGHTS, type SiteCatalog } from './site-catalog.ts'

export interface StoreSearch {
  readonly search: PageSource['search']
  /** Stops the indexing. */
  readonly close: () => Promise<void>
}

interface StoreSearchOptions {
  readonly store: Store
  readonly siteId: string
  readonly catalog: SiteCatalog
  /** Maximum time that a search waits for the index to be up to date; then it uses the current one. Default 3 s. */
  readonly patienceMs?: number | undefined
}

const PATIENCE_MS = 3000

/** Number of results that are read at the same time, from a database that is asked over a network. */
const HITS_AT_ONCE = 4

/** Larger articles are not shown on pages either. */
const CONTENT_BYTES = 20_000_000

/**
 * The search of one site. Its index is in the database and brought up to date in the background, and before each search.
 * Results are checked in the database once more, so that no result is private or deleted.
 */
export function createStoreSearch({ store, siteId, catalog, ...options }: StoreSearchOptions): StoreSearch {
  const wordsIn = createWordsMemory()
  const keeper = createIndexKeeper({ store, siteId, catalog, wordsIn })

  async function upToDate(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, options.patienceMs ?? PATIENCE_MS)
    })
    try {
      await Promise.race([keeper.catchUp(), patience])
    } finally {
      clearTimeout(timer)
    }
  }

  const search: StoreSearch['search'] = async ({ viewer, text, language, skip, limit }) => {
    await upToDate()
    const sight = SIGHTS[viewer]
    const scope: SearchScope = { siteId, sight, language: await catalog.toStored(language) }
    const rules = await wordsIn(language)
    const index = {
      size: () => store.countArticles(siteId),
      count: store.countByEntries.bind(store, scope),
      find: store.findByEntries.bind(store, scope),
    }
    const { total, ranked, terms } = await searchByWords(index, text, rules)
    const termOf = createTermFinder(terms, rules)
    const readHit = async (id: string): Promise<SearchHit[]> => {
      const article = await store.findSearchedArticle({ siteId, sight }, id, LOOKED_THROUGH)
      if (article === undefined) return []
      const [categoryId] = await store.listCategoryIds(id)
      const hit = {
        id,
        title: article.name,
        slug: article.slug,
        language,
        excerpt: article.excerpt,
        isDraft: article.isDraft,
        category: categoryId === undefined ? [] : await catalog.pathTo(categoryId, language),
        passage: await finishInSlices(passageIn(article.content, termOf, article.excerpt)),
      }
      // Reading one may have taken a while.
      await turn()
      return [hit]
    }
    const atOnce = limitConcurrency(HITS_AT_ONCE)
    const hits = await Promise.all(ranked.slice(skip, skip + limit).map((id) => atOnce(() => readHit(id))))
    return { total, ranked: ranked.length, hits: hits.flat() }
  }

  return { search, close: () => keeper.close() }
}

type WordsMemory = ReturnType<typeof createWordsMemory>

/** Keeps the rules of languages, with the stems that they remember. */
function createWordsMemory() {
  const known = new Map<string, Promise<LanguageWords>>()
  return (language: string): Promise<LanguageWords> => {
    const words = known.get(language) ?? loadLanguageWords(language)
    known.set(language, words)
    return words
  }
}

interface IndexKeeperParts extends Omit<StoreSearchOptions, 'patienceMs'> {
  readonly wordsIn: WordsMemory
}

/** Articles that are indexed in one transaction. */
const INDEXED_AT_ONCE = 20

/** Pause before it checks again if there is something to index, which costs next to nothing. */
const PAUSE_MS = 500

/** Indexes articles that any process has written. */
function createIndexKeeper({ store, siteId, catalog, wordsIn }: IndexKeeperParts) {
  let running: Promise<void> | undefined
  let seenMark: number | undefined
  let isClosed = false

  async function indexAll(): Promise<void> {
    for (;;) {
      const articles = await store.listUnindexed(siteId, INDEXED_AT_ONCE, CONTENT_BYTES)
      if (articles.length === 0) return
      const indexed: IndexedEntries[] = []
      for (const article of articles) {
        if (isClosed) return
        indexed.push(await indexArticle(article))
      }
      await store.storeEntries(siteId, indexed)
    }
  }

  async function indexArticle(article: UnindexedArticle): Promise<IndexedEntries> {
    const { id, name, content, language, status, hideFromSearch, editedDate } = article
    const shared = { id, language, status, editedDate }
    if (hideFromSearch) return { ...shared, entries: undefined }
    const rules = await wordsIn(await catalog.toCode(language))
    await turn()
    const entries = await finishInSlices(searchEntriesOf({ title: name, html: content ?? '' }, rules))
    return { ...shared, entries }
  }

  async function catchUp(): Promise<void> {
    // What runs already may have looked before the last write.
    await running
    if (isClosed) return
    running ??= indexAll().finally(() => (running = undefined))
    await running
  }

  const timer = setInterval(() => {
    const mark = store.changeMark()
    if (mark === seenMark) return
    seenMark = mark
    // The next search runs into the same problem and reports it.
    catchUp().catch(() => undefined)
  }, PAUSE_MS).unref()

  return {
    catchUp,
    async close(): Promise<void> {
      isClosed = true
      clearInterval(timer)
      await running?.catch(() => undefined)
    },
  }
}
