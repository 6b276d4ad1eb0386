import { setImmediate as turn } from 'node:timers/promises'
import type { PageSource, SearchHit } from '../../web/pages/page-source.ts'
import { contextAround, LOOKED_THROUGH } from '../../web/pages/search/context-around.ts'
import { createSearchIndex } from '../../web/pages/search/create-search-index.ts'
import { createSearcher } from '../../web/pages/search/create-searcher.ts'
import type { SearchIndex } from '../../web/pages/search/search-index.ts'
import { finishInSlices } from '../../web/pages/search/steps.ts'
import { type ArticleVersion, LIST_START, type VersionPlace } from '../store/reader-data.ts'
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
const VERSIONS_AT_ONCE = 1000

/** Larger articles are not shown on pages either. */
const CONTENT_BYTES = 20_000_000

/** Maximum time that indexing blocks everything else. */
const SLICE_MS = 10

/**
 * The search of one site. The index is built at the first search and updated after each change by any process: only
 * changed articles are read again. Results are checked in the database once more, so that no result is private or
 * deleted.
 */
export function createStoreSearch({ store, siteId, catalog, ...options }: StoreSearchOptions): StoreSearch {
  const index = createSearchIndex()
  const keeper = createIndexKeeper({ store, siteId, catalog, index })
  const searcher = createSearcher(() => index)

  async function upToDate(): Promise<void> {
    const patience = new AbortController()
    const given = setTimeout(() => patience.abort(), options.patienceMs ?? PATIENCE_MS)
    const lost = new Promise<void>((resolve) => {
      patience.signal.addEventListener('abort', () => resolve())
    })
    try {
      while (keeper.isBehind() && !patience.signal.aborted) await Promise.race([keeper.catchUp(), lost])
    } finally {
      clearTimeout(given)
    }
  }

  const search: StoreSearch['search'] = async ({ viewer, text, language, limit }) => {
    await upToDate()
    // An author sees either the draft or its published article.
    const wanted = viewer === 'author' ? 2 * limit : limit
    const hits: SearchHit[] = []
    for (const { id, words } of await searcher({ viewer, text, language, limit: wanted })) {
      const article = await store.findSearchedArticle({ siteId, sight: SIGHTS[viewer] }, id, LOOKED_THROUGH)
      if (article === undefined || hits.length === limit) continue
      hits.push({
        id,
        title: article.name,
        slug: article.slug,
        language: await catalog.toCode(article.language),
        excerpt: article.excerpt,
        isDraft: article.isDraft,
        context: (await finishInSlices(contextAround(article.content, words))) ?? article.excerpt,
      })
      // Reading one may have taken a while.
      await turn()
    }
    return hits
  }

  return { search, close: () => keeper.close() }
}

interface KeeperParts {
  readonly store: Store
  readonly siteId: string
  readonly catalog: SiteCatalog
  readonly index: SearchIndex
}

/** Keeps an index up to date with the database. */
function createIndexKeeper({ store, siteId, catalog, index }: KeeperParts) {
  const versions = new Map<string, string>()
  let seenMark: number | undefined
  let seenRevision: number | undefined
  let running: Promise<void> | undefined
  let isClosed = false

  async function compare(): Promise<void> {
    const mark = store.changeMark()
    const revision = await store.revision(siteId)
    // Results of link checks change the mark, too, but no article.
    if (revision !== seenRevision) await takeOver()
    if (isClosed) return
    seenMark = mark
    seenRevision = revision
  }

  async function takeOver(): Promise<void> {
    const gone = new Set(versions.keys())
    let sliceEnd = performance.now() + SLICE_MS
    for await (const article of articleVersions(store, siteId)) {
      if (isClosed) return
      if (!article.hideFromSearch) gone.delete(article.id)
      await take(article)
      if (performance.now() < sliceEnd) continue
      await turn()
      sliceEnd = performance.now() + SLICE_MS
    }
    for (const id of gone) {
      index.remove(id)
      versions.delete(id)
    }
  }

  async function take({ id, language, isDraft, hideFromSearch, editedDate }: ArticleVersion): Promise<void> {
    const version = `${editedDate} ${isDraft} ${language}`
    if (hideFromSearch || versions.get(id) === version) return
    const text = await store.readSearchText(siteId, id, CONTENT_BYTES)
    if (text === undefined) return
    const entry = { id, language: await catalog.toCode(language), isDraft, title: text.name }
    await turn()
    await finishInSlices(index.putInSteps({ ...entry, html: text.content ?? '' }))
    versions.set(id, version)
  }

  return {
    isBehind: () => !isClosed && store.changeMark() !== seenMark,
    /** One comparison with the database, shared by concurrent calls. */
    catchUp(): Promise<void> {
      running ??= compare().finally(() => (running = undefined))
      return running
    },
    async close(): Promise<void> {
      isClosed = true
      await running?.catch(() => undefined)
    },
  }
}

async function* articleVersions(store: Store, siteId: string): AsyncGenerator<ArticleVersion> {
  let place: VersionPlace | undefined = { ...LIST_START, language: '' }
  while (place !== undefined) {
    const some: readonly ArticleVersion[] = await store.listArticleVersions(siteId, place, VERSIONS_AT_ONCE)
    yield* some
    place = some.length < VERSIONS_AT_ONCE ? undefined : some.at(-1)
    await turn()
  }
}
