import type { SearchQuery } from '../page-source.ts'
import type { Steps } from './steps.ts'

/** The searchable parts of an article. */
export interface SearchEntry {
  readonly id: string
  /** Language code. */
  readonly language: string
  readonly isDraft: boolean
  readonly title: string
  readonly html: string
}

export interface FoundEntry {
  readonly id: string
  /** The matching words of the article, in their normalised form. */
  readonly words: readonly string[]
}

/** Finds articles by words of their title and text. In memory, without the texts. */
export interface SearchIndex {
  /** Adds an article, or replaces the one with its id. */
  readonly put: (entry: SearchEntry) => void
  /** The same in short steps. Until the last one, the old article is found. */
  readonly putInSteps: (entry: SearchEntry) => Steps<void>
  readonly remove: (id: string) => void
  /**
   * Results, best first. A word matches words that start with it or differ in a letter or two; articles have all words
   * or, if none has all, some. In short steps: the results so far, at the end all.
   */
  readonly search: (query: SearchQuery) => Iterable<readonly FoundEntry[]>
}
