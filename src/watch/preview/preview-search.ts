import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LocalArticle } from '../../core/model/document.ts'
import type { Viewer } from '../../web/pages/page-source.ts'
import { createSearchIndex } from '../../web/pages/search/create-search-index.ts'
import { createSearcher } from '../../web/pages/search/create-searcher.ts'
import type { FoundEntry } from '../../web/pages/search/search-index.ts'
import type { ContentIndex } from './content-index.ts'
import type { ArticleChange } from './preview-state.ts'

/** The search over live content: begun when a page is shown, and kept up with edits from then on. */
export interface PreviewSearch {
  /** Begins to read articles, in slices between which everything else has its turn. */
  readonly prepare: () => void
  /** Takes note of what changed; it is read with the next search. */
  readonly note: (changes: readonly ArticleChange[]) => void
  /** All are read again, such as in another language. */
  readonly forget: () => void
  readonly search: (query: {
    readonly viewer: Viewer
    readonly text: string
    readonly language: string
    readonly limit: number
  }) => Promise<readonly FoundEntry[]>
  readonly close: () => void
}

interface PreviewSearchOptions {
  readonly index: () => ContentIndex | undefined
  readonly languageOf: (article: LocalArticle) => string
  readonly onFailure: (error: unknown) => void
}

/** So long may a save have to wait for the reading of articles. */
const SLICE_MS = 8

export function createPreviewSearch({ index, languageOf, onFailure }: PreviewSearchOptions): PreviewSearch {
  let entries = createSearchIndex()
  const searcher = createSearcher(() => entries)
  /** Sources that wait to be read; undefined before the first search. */
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
    // What is noted while this reads is read by it, too: a set that grows is walked to its end.
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
