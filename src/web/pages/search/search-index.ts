import type { Viewer } from '../page-source.ts'
import type { Steps } from './steps.ts'

/** What of an article is searched. */
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
  /** The words of the article that matched, in the form in which they are compared. */
  readonly words: readonly string[]
}

export interface SearchQuery {
  readonly viewer: Viewer
  /** As typed: any text. */
  readonly text: string
  /** Only articles in this language are found. */
  readonly language: string
  readonly limit: number
}

/** Finds articles by words of their title and text. Lives in memory, and keeps no text. */
export interface SearchIndex {
  /** Takes an article in, in place of the one that has its id. */
  readonly put: (entry: SearchEntry) => void
  /** The same in steps, each of which takes little time. Until the last one, what was there is found. */
  readonly putInSteps: (entry: SearchEntry) => Steps<void>
  readonly remove: (id: string) => void
  /**
   * Best first. A word finds those that begin with it and those that differ from it in a letter or two; an article has
   * all of the words or, where none has all, some. In steps, each of which takes little time: what is found so far, at
   * the end all.
   */
  readonly search: (query: SearchQuery) => Iterable<readonly FoundEntry[]>
}
