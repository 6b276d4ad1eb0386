import MiniSearch, { type SearchOptions, type SearchResult } from 'minisearch'
import { readTextInSteps } from './plain-text.ts'
import type { FoundEntry, SearchEntry, SearchIndex } from './search-index.ts'
import { finish, type Steps } from './steps.ts'
import { searchWords } from './words-of.ts'
import type { SearchQuery } from '../page-source.ts'

/** Maximum length of a query, since each word takes time. */
const LONGEST_QUERY = 400
const MOST_WORDS = 12

/** Maximum number of times that a word of an article counts: more occurrences mean nothing. */
const MOST_REPEATS = 3

/** Maximum number of characters of a text that are searched. */
const TEXT_LIMIT = 300_000

/** Maximum number of words kept of a text, including repeats. A text of 200 kB rarely has 12,000. */
const TEXT_WORD_LIMIT = 15_000

/**
 * Maximum number of words kept of all articles, counted once per article, at about 40 bytes each: the text of some
 * 40,000 articles of usual length.
 */
const WORD_LIMIT = 8_000_000

/** Number of words kept of a text beyond that limit. */
const FIRST_WORDS = 30

/** From this number of articles on, fuzzy search needs more letters, since there is more to compare. */
const MANY_ARTICLES = 20_000

/**
 * Maximum number of articles on one shelf. Searching one takes at most some 30 ms, during which everything else waits.
 */
const SHELF_ARTICLES = 1000

/** Maximum number of words on one shelf, for the same reason: twice as many as in articles of usual length. */
const SHELF_WORDS = 400_000

const FIELDS = ['title', 'text'] as const

/** An article on its shelf. */
interface ShelvedEntry {
  readonly id: string
  readonly title: readonly string[]
  readonly text: readonly string[]
}

/**
 * Articles of one language, either published ones or drafts, so that results for readers reveal nothing about drafts.
 */
interface Shelf {
  readonly articles: MiniSearch<ShelvedEntry>
  words: number
}

interface SearchIndexOptions {
  /**
   * Maximum number of words kept, to limit memory: of later articles, only the title and the first words of the text
   * are searched. Default 8 million, some 350 MB.
   */
  readonly wordLimit?: number
  /** Maximum number of words on a shelf; searching one is one step. */
  readonly shelfWords?: number
}

export function createSearchIndex({
  wordLimit = WORD_LIMIT,
  shelfWords = SHELF_WORDS,
}: SearchIndexOptions = {}): SearchIndex {
  const shelves = new Map<string, Shelf[]>()
  const places = new Map<string, { readonly shelf: Shelf; readonly words: number }>()
  let kept = 0

  function shelfFor({ language, isDraft }: Pick<SearchEntry, 'language' | 'isDraft'>): Shelf {
    const key = shelfKey(language, isDraft)
    const row = shelves.get(key) ?? []
    shelves.set(key, row)
    const isFree = ({ articles, words }: Shelf) =>
      articles.documentCount < SHELF_ARTICLES && words < shelfWords
    const shelf = row.find(isFree) ?? createShelf()
    if (!row.includes(shelf)) row.push(shelf)
    return shelf
  }

  function remove(id: string): void {
    const place = places.get(id)
    if (place === undefined) return
    place.shelf.articles.discard(id)
    place.shelf.words -= place.words
    places.delete(id)
    kept -= place.words
  }

  function* putInSteps(entry: SearchEntry): Steps<void> {
    const { id } = entry
    const limit = kept < wordLimit ? TEXT_WORD_LIMIT : FIRST_WORDS
    const title = yield* indexedWords(entry.title, limit)
    const text = yield* indexedWords(yield* readTextInSteps(entry.html, TEXT_LIMIT), limit)
    remove(id)
    const shelf = shelfFor(entry)
    const words = new Set(title).size + new Set(text).size
    shelf.words += words
    places.set(id, { shelf, words })
    kept += words
    yield* addInSteps(shelf.articles, { id, title, text })
  }

  function* search({ viewer, text, language, limit }: SearchQuery): Generator<readonly FoundEntry[]> {
    const words = queryWords(text)
    if (words.length === 0) return
    const found = (viewer === 'author' ? [false, true] : [false]).flatMap(
      (isDraft) => shelves.get(shelfKey(language, isDraft)) ?? [],
    )
    for (const combineWith of words.length === 1 ? (['AND'] as const) : (['AND', 'OR'] as const)) {
      let best: readonly SearchResult[] = []
      for (const results of searchEach(found, words, combineWith)) {
        best = [...best, ...results].toSorted((one, other) => other.score - one.score).slice(0, limit)
        yield best.map(({ id, terms }) => ({ id: id as string, words: terms }))
      }
      if (best.length > 0) return
    }
  }

  return { putInSteps, put: (entry) => finish(putInSteps(entry)), remove, search }
}

function shelfKey(language: string, isDraft: boolean): string {
  return `${language} ${isDraft}`
}

function createShelf(): Shelf {
  return { articles: new MiniSearch({ fields: [...FIELDS], processTerm: (word) => word }), words: 0 }
}

interface AddParts {
  readonly addDocumentId: (id: string) => number
  readonly addFieldLength: (document: number, field: number, others: number, length: number) => void
  readonly addTerm: (field: number, document: number, term: string) => void
}

// `add` indexes a document at once. If words start with thousands of different letters, as in Chinese, a large article
// would take a second.
function* addInSteps(articles: MiniSearch<ShelvedEntry>, { id, ...texts }: ShelvedEntry): Steps<void> {
  const parts = articles as unknown as AddParts
  const document = parts.addDocumentId(id)
  // Fields are numbered in order.
  const fields = FIELDS.map((name, field) => ({ field, words: texts[name] }))
  for (const { field, words } of fields)
    parts.addFieldLength(document, field, articles.documentCount - 1, new Set(words).size)
  for (const { field, words } of fields) {
    for (const word of words) {
      parts.addTerm(field, document, word)
      yield
    }
  }
}

/** The words of a text in order, each at most MOST_REPEATS times, and at most `limit`. */
function* indexedWords(text: string, limit: number): Steps<readonly string[]> {
  const counts = new Map<string, number>()
  const words: string[] = []
  for (const { folded } of searchWords(text)) {
    yield
    const count = counts.get(folded) ?? 0
    if (count === MOST_REPEATS) continue
    counts.set(folded, count + 1)
    if (words.push(folded) === limit) break
  }
  return words
}

function queryWords(text: string): readonly string[] {
  const words = new Set<string>()
  for (const { folded } of searchWords(text.slice(0, LONGEST_QUERY))) {
    if (words.size < MOST_WORDS) words.add(folded)
  }
  return [...words]
}

function* searchEach(
  shelves: readonly Shelf[],
  words: readonly string[],
  combineWith: 'AND' | 'OR',
): Generator<readonly SearchResult[]> {
  const count = shelves.reduce((sum, { articles }) => sum + articles.documentCount, 0)
  for (const { articles } of shelves) {
    const results = articles.search(words.join(' '), {
      combineWith,
      tokenize: (text) => text.split(' '),
      boost: { title: 4 },
      ...looseness(count),
    })
    yield results.map((result) => (hasTitle(result, words) ? { ...result, score: 3 * result.score } : result))
  }
}

/**
 * Whether the title contains all words of a query: that article is meant, whatever others say of it. Scores of shelves
 * differ with the words on them, so that a title alone might not come first.
 */
function hasTitle({ match }: SearchResult, words: readonly string[]): boolean {
  return words.every((word) => Object.hasOwn(match, word) && match[word]?.includes('title') === true)
}

/** Minimum number of letters for prefix and fuzzy matches. */
function looseness(articles: number): Pick<SearchOptions, 'prefix' | 'fuzzy'> {
  const more = articles > MANY_ARTICLES ? 1 : 0
  return {
    prefix: (word) => word.length >= (WITHOUT_CASE.test(word) ? 1 : 3 + more),
    fuzzy: (word) => (/\d/.test(word) || word.length < 4 + more ? false : word.length < 8 ? 1 : 2),
  }
}

/** Scripts with short words. */
const WITHOUT_CASE = /^\p{Lo}/u
