import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LocalArticle } from '../../core/model/document.ts'
import type { SearchQuery } from '../../web/pages/page-source.ts'
import { createMemoryIndex, type MemoryIndex } from '../../web/pages/search/create-memory-index.ts'
import { type LanguageWords, loadLanguageWords } from '../../web/pages/search/language-words.ts'
import type { TermFinder } from '../../web/pages/search/passage-in.ts'
import {
  createTermFinder,
  type SearchResults,
  searchByWords,
} from '../../web/pages/search/search-by-words.ts'
import { runSteps } from '../../web/pages/search/steps.ts'
import { searchEntriesOf } from '../../web/pages/search/word-index.ts'
import type { ContentIndex } from './content-index.ts'
import type { ArticleChange } from './preview-state.ts'

/** The search in live content, including drafts. It starts when a page is shown, and is updated with each edit. */
export interface PreviewSearch {
  /** Starts to read articles in slices, so that other work is not delayed. */
  readonly prepare: () => void
  /** Records changes, which the next search reads. */
  readonly note: (changes: readonly ArticleChange[]) => void
  /** Reads all articles again, for example in another language. */
  readonly forget: () => void
  /** Searches. The ids in the results are sources of articles. */
  readonly search: (query: SearchQuery) => Promise<PreviewResults>
  readonly close: () => void
}

export interface PreviewResults extends Omit<SearchResults, 'terms'> {
  readonly finder: TermFinder
}

interface IndexedLanguage {
  readonly articles: MemoryIndex
  readonly words: LanguageWords
}

async function openLanguage(
  languages: Map<string, IndexedLanguage>,
  language: string,
): Promise<IndexedLanguage> {
  const words = languages.get(language)?.words ?? (await loadLanguageWords(language))
  const known = languages.get(language) ?? { articles: createMemoryIndex(), words }
  languages.set(language, known)
  return known
}

/** Maximum length of a slice of reading, for which a save may have to wait. */
const SLICE_MS = 8

interface PreviewSearchOptions {
  readonly index: () => ContentIndex | undefined
  readonly languageOf: (article: LocalArticle) => string
  readonly onFailure: (error: unknown) => void
}

export function createPreviewSearch({ index, languageOf, onFailure }: PreviewSearchOptions): PreviewSearch {
  let languages = new Map<string, IndexedLanguage>()
  /** Sources to read; undefined before the first search. */
  let waiting: Set<string> | undefined
  let reading: Promise<void> | undefined
  let isClosed = false

  async function readOne(source: string): Promise<void> {
    for (const { articles } of languages.values()) articles.remove(source)
    const content = index()
    const article = content?.bySource(source)
    if (content === undefined || article === undefined || article.hideFromSearch) return
    const html = content.content.readHtml(article)
    const { articles, words } = await openLanguage(languages, languageOf(article))
    articles.put({ id: source, entries: runSteps(searchEntriesOf({ title: article.title, html }, words)) })
  }

  async function readWaiting(queue: Set<string>): Promise<void> {
    let sliceEnd = performance.now() + SLICE_MS
    for (const source of queue) {
      if (isClosed || queue !== waiting) return
      queue.delete(source)
      await readOne(source)
      if (performance.now() < sliceEnd) continue
      await nextTurn()
      sliceEnd = performance.now() + SLICE_MS
    }
  }

  function catchUp(): Promise<void> {
    const content = index()
    if (content === undefined) return Promise.resolve()
    const queue = (waiting ??= new Set(content.content.articles.map(({ source }) => source)))
    // The loop also reads sources that are added during it: iterating a set includes new elements.
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
      languages = new Map()
      waiting = undefined
    },
    search: async ({ text, language, skip, limit }) => {
      await catchUp()
      const { articles, words } = await openLanguage(languages, language)
      const { terms, ...found } = await searchByWords(articles, text, words, { skip, limit })
      return { ...found, finder: createTermFinder(terms, words) }
    },
    close: () => {
      isClosed = true
    },
  }
}
