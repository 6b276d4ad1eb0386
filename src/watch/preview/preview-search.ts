import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LocalArticle } from '../../core/model/document.ts'
import type { SearchQuery } from '../../web/pages/page-source.ts'
import { createSearchIndex } from '../../web/pages/search/create-search-index.ts'
import { createSearcher } from '../../web/pages/search/create-searcher.ts'
import type { FoundEntry } from '../../web/pages/search/search-index.ts'
import type { ContentIndex } from './content-index.ts'
import type { ArticleChange } from './preview-state.ts'

/** The search over live content: started when a page is shown, and updated with each edit. */
export interface PreviewSearch {
  /** Starts to read articles in slices, so that other work is not delayed. */
  readonly prepare: () => void
  /** Records changes; they are read with the next search. */
  readonly note: (changes: readonly ArticleChange[]) => void
  /** Reads all articles again, for example in another language. */
  readonly forget: () => void
  readonly search: (query: SearchQuery) => Promise<readonly FoundEntry[]>
  readonly close: () => void
}

interface PreviewSearchOptions {
  readonly index: () => ContentIndex | undefined
  readonly languageOf: (article: LocalArticle) => string
  readonly onFailure: (error: unknown) => void
}

/** Longest slice of reading, which a save may have to wait for. */
const SLICE_MS = 8

export function createPreviewSearch({ index, languageOf, onFailure }: PreviewSearchOptions): PreviewSearch {
  let entries = createSearchIndex()
  const searcher = createSearcher(() => entries)
  /** Sources to read; undefined before the first search. */
  let waiting: Set<string> | undefined
  let reading: Promise<void> | undefined
  let isClosed = false

  function readOne(source: string): void {
    const content = index()
    const article = content?.bySource(source)
    if (content === undefined || article === undefined || article.hideFromSearch) entries.remove(source)
    else {
      const { title, status } = article
      const html = content.content.readHtml(article)
      entries.put({ id: source, language: languageOf(article), isDraft: status === 'draft', title, html })
    }
  }

  async function readWaiting(queue: Set<string>): Promise<void> {
    let sliceEnd = performance.now() + SLICE_MS
    for (const source of queue) {
      if (isClosed || queue !== waiting) return
      queue.delete(source)
      readOne(source)
      if (performance.now() < sliceEnd) continue
      await nextTurn()
      sliceEnd = performance.now() + SLICE_MS
    }
  }

  function catchUp(): Promise<void> {
    const content = index()
    if (content === undefined) return Promise.resolve()
    const queue = (waiting ??= new Set(content.content.articles.map(({ source }) => source)))
    // Sources that are added during the loop are read by it, too: iterating a set includes new elements.
    return (reading ??= readWaiting(queue).finally(() => {
      reading = undefined
    }))
  }

  return {
    prepare: () => void catchUp().catch(onFailure),
    note: (changes) => {
      for (const { source } of changes) waiting?.add(source)
    },
    forget: () => {
      entries = createSearchIndex()
      waiting = undefined
    },
    search: async (query) => {
      await catchUp()
      return searcher(query)
    },
    close: () => {
      isClosed = true
    },
  }
}
