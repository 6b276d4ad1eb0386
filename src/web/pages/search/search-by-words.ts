import type { LanguageWords } from './language-words.ts'
import type { TermFinder } from './passage-in.ts'
import { BLOCK_SIZE, raiseLevels, type StemPostings } from './postings.ts'
import { runStepsInSlices, type Steps } from './steps.ts'
import type { WordIndex } from './word-index.ts'
import { searchWords, tableOfStarts } from './words-of.ts'

/** Maximum length of a query, since each word takes time. */
const LONGEST_QUERY = 400
const MOST_WORDS = 12

/** Maximum number of results that can be shown. */
export const MOST_RANKED = 300

/** Maximum number of articles with a word that are counted; a word in more is as frequent. */
const MOST_COUNTED = 5000

/** Minimum number of articles with all words of a query. If fewer have them, those with some are results, too. */
const ENOUGH = 10

/** Weight of a word in an article, in tenths: for an exact match, and for the same beginning. */
const EXACT = 10
const INEXACT = 6

interface QueryWord {
  readonly folded: string
  readonly stem: string
  readonly isLast: boolean
}

/** The alternatives that match a word of the query. */
interface SearchTerm {
  readonly stems: ReadonlySet<string>
  /** Beginning of a word; undefined if only whole words match. */
  readonly prefix: string | undefined
}

/** A term that occurs in articles. */
interface FoundTerm extends SearchTerm {
  /** Higher if fewer articles have it. */
  readonly importance: number
  /** The weight of the term in each article, in tenths of a level, by block. */
  readonly levels: ReadonlyMap<number, Uint8Array>
}

export interface SearchResults {
  /** Number of all matching articles. */
  readonly total: number
  /** Number of the best results, at most MOST_RANKED. */
  readonly ranked: number
  /** Ids of the results on the page, best first. */
  readonly ids: readonly string[]
  readonly terms: readonly SearchTerm[]
}

interface ResultPage {
  readonly skip: number
  readonly limit: number
}

const ALL_RANKED: ResultPage = { skip: 0, limit: MOST_RANKED }

/** Searches for the words of a text: returns articles with all of them or, if there are few, with some. */
export async function searchByWords(
  index: WordIndex,
  text: string,
  language: LanguageWords,
  page = ALL_RANKED,
): Promise<SearchResults> {
  const words = queryWords(text, language)
  const starting = words.find(({ isLast }) => isLast)
  const [size, hidden, found, started] = await Promise.all([
    index.size(),
    index.hidden(),
    index.find(words.map(({ stem }) => stem)),
    starting !== undefined && canStart(starting.folded) ? index.findStarting(starting.folded) : [],
  ])
  const context: TermContext = { index, language, size, hidden }
  const termOf = (word: QueryWord) => findTerm(context, word, found, word.isLast ? started : [])
  const terms = await correctTerms(context, words, await Promise.all(words.map(termOf)))
  if (terms.length === 0) return { total: 0, ranked: 0, ids: [], terms }
  const { total, best } = await runStepsInSlices(rankArticles(terms))
  return { total, ranked: best.length, ids: await idsOnPage(index, best, page), terms }
}

/**
 * Returns the ids on a page. Articles with equal scores are sorted by id, which databases look up slowly: numbers
 * depend on the order of indexing.
 */
async function idsOnPage(index: WordIndex, best: readonly RankedArticle[], { skip, limit }: ResultPage) {
  const first = best[skip]?.score
  const last = best[Math.min(skip + limit, best.length) - 1]?.score
  if (first === undefined || last === undefined) return []
  const start = best.findIndex(({ score }) => score === first)
  const near = best.slice(start).filter(({ score }) => score >= last)
  const ids = await index.idsOf(near.map(({ number }) => number))
  const found = near.flatMap(({ number, score }) => {
    const id = ids.get(number)
    return id === undefined ? [] : [{ id, score }]
  })
  found.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
  return found.slice(skip - start, skip - start + limit).map(({ id }) => id)
}

/** Returns the words of a query without stop words, unless there are no others. */
function queryWords(text: string, { isStop, stem }: LanguageWords): QueryWord[] {
  const words = [...searchWords(text.slice(0, LONGEST_QUERY))].filter(({ isTail }) => !isTail)
  const last = words.at(-1)
  const meaningful = words.filter((word) => !isStop(word.folded))
  const stems = new Map<string, QueryWord>()
  for (const word of meaningful.length > 0 ? meaningful : words) {
    const { folded } = word
    const name = stem(folded)
    if (stems.size < MOST_WORDS || stems.has(name))
      stems.set(name, { folded, stem: name, isLast: word === last })
  }
  return [...stems.values()]
}

interface TermContext {
  readonly index: WordIndex
  readonly language: LanguageWords
  readonly size: number
  readonly hidden: readonly number[]
}

/** Finds the word itself, otherwise words that start with it. */
async function findTerm(
  context: TermContext,
  { folded, stem, isLast }: QueryWord,
  found: readonly StemPostings[],
  started: readonly StemPostings[],
): Promise<FoundTerm | undefined> {
  const { index } = context
  const exact = new Set([stem])
  const prefix = canStart(folded) ? folded : undefined
  const rows = [...found.filter((row) => row.stem === stem), ...started]
  const term = await weigh(context, { stems: exact, prefix: isLast ? prefix : undefined }, rows)
  if (term !== undefined) return term
  if (prefix === undefined || isLast) return undefined
  return weigh(context, { stems: exact, prefix }, await index.findStarting(prefix))
}

/** Maximum number of corrected words. Each takes milliseconds in which nothing else runs. */
const MOST_CORRECTED = 4

/** Finds the terms of words. For the first words without one, tries words that differ in one letter. */
async function correctTerms(
  context: TermContext,
  words: readonly QueryWord[],
  found: readonly (FoundTerm | undefined)[],
): Promise<readonly FoundTerm[]> {
  const misspelled = words.filter(
    ({ folded }, at) =>
      found[at] === undefined && folded.length >= SHORTEST_MISSPELLED && /^\p{Ll}+$/u.test(folded),
  )
  const corrected = new Map<QueryWord, FoundTerm | undefined>()
  for (const word of misspelled.slice(0, MOST_CORRECTED))
    corrected.set(word, await findSimilar(context, word))
  return words.flatMap((word, at) => found[at] ?? corrected.get(word) ?? [])
}

async function findSimilar(context: TermContext, { folded }: QueryWord): Promise<FoundTerm | undefined> {
  const { index, language } = context
  const similar = new Set(similarWords(folded).map((each) => language.stem(each)))
  const stems = await index.known([...similar])
  if (stems.length === 0) return undefined
  const misspelled = { stems: new Set(stems), prefix: undefined }
  const near = await weigh(context, misspelled, await index.find(stems))
  return near && { ...near, importance: (near.importance * INEXACT) / EXACT }
}

/** Undefined if no article has the term. */
function weigh({ size, hidden }: TermContext, term: SearchTerm, rows: readonly StemPostings[]) {
  return runStepsInSlices(weighInSteps(term, rows, size, hidden))
}

function* weighInSteps(
  { stems, prefix }: SearchTerm,
  rows: readonly StemPostings[],
  size: number,
  hidden: readonly number[],
): Steps<FoundTerm | undefined> {
  const levels = new Map<number, Uint8Array>()
  for (const { stem, block, postings } of rows) {
    yield
    const values = levels.get(block) ?? new Uint8Array(BLOCK_SIZE)
    levels.set(block, values)
    raiseLevels(values, postings, stems.has(stem) || stem === prefix ? EXACT : INEXACT)
  }
  for (const number of hidden) {
    const values = levels.get(Math.floor(number / BLOCK_SIZE))
    if (values !== undefined) values[number % BLOCK_SIZE] = 0
  }
  let count = 0
  for (const values of levels.values()) {
    yield
    for (const value of values) if (value > 0) count++
  }
  return count === 0
    ? undefined
    : { stems, prefix, levels, importance: importanceOf(Math.min(count, MOST_COUNTED), size) }
}

function canStart(folded: string): boolean {
  return folded.length >= (WITHOUT_CASE.test(folded) ? 1 : 3)
}

/** Scripts with short words. */
const WITHOUT_CASE = /^\p{Lo}/u

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz')

/** Minimum length of corrected words. Shorter ones are rarely misspelled, and resemble many others. */
const SHORTEST_MISSPELLED = 4

/** Returns all words that result from a wrong, missing, additional or transposed letter. */
function similarWords(word: string): string[] {
  const letters = Array.from(word)
  return letters.concat('').flatMap((letter, at) => {
    const [before, rest] = [letters.slice(0, at).join(''), letters.slice(at + 1).join('')]
    const next = letters[at + 1]
    return [
      ...LETTERS.map((other) => before + other + letter + rest),
      ...(letter === '' ? [] : [before + rest, ...LETTERS.map((other) => before + other + rest)]),
      ...(next === undefined ? [] : [before + next + letter + letters.slice(at + 2).join('')]),
    ]
  })
}

function importanceOf(count: number, size: number): number {
  return Math.log(1 + Math.max(size, count) / count)
}

interface RankedArticle {
  readonly number: number
  readonly score: number
}

interface BlockScores {
  readonly block: number
  readonly scores: Float64Array
  /** Number of terms that each article has. */
  readonly matched: Uint8Array
}

/** Returns the number of results, and the best of them, best first. Runs in short steps. */
function* rankArticles(
  terms: readonly FoundTerm[],
): Steps<{ readonly total: number; readonly best: readonly RankedArticle[] }> {
  const blocks: BlockScores[] = []
  const counts = Array.from({ length: terms.length + 1 }, () => 0)
  for (const block of new Set(terms.flatMap(({ levels }) => [...levels.keys()]))) {
    yield
    const scored = scoreBlock(block, terms)
    blocks.push(scored)
    for (const matched of scored.matched) counts[matched] = (counts[matched] ?? 0) + 1
  }
  const withAll = counts[terms.length] ?? 0
  const least = withAll >= ENOUGH ? terms.length : 1
  const best: RankedArticle[] = []
  for (const { block, scores, matched } of blocks) {
    yield
    for (let offset = 0; offset < scores.length; offset++)
      if ((matched[offset] as number) >= least)
        addRanked(best, block * BLOCK_SIZE + offset, scores[offset] as number)
  }
  return { total: counts.slice(least).reduce((sum, count) => sum + count, 0), best }
}

function scoreBlock(block: number, terms: readonly FoundTerm[]): BlockScores {
  const scores = new Float64Array(BLOCK_SIZE)
  const matched = new Uint8Array(BLOCK_SIZE)
  for (const { levels, importance } of terms) {
    const values = levels.get(block)
    if (values === undefined) continue
    for (let offset = 0; offset < values.length; offset++) {
      const value = values[offset] as number
      if (value === 0) continue
      scores[offset] = (scores[offset] as number) + (importance * value) / EXACT
      matched[offset] = (matched[offset] as number) + 1
    }
  }
  return { block, scores, matched }
}

/** Keeps the best articles in order; of equal ones, the first. */
function addRanked(best: RankedArticle[], number: number, score: number): void {
  if (best.length === MOST_RANKED && (best[MOST_RANKED - 1]?.score ?? 0) >= score) return
  let low = 0
  let high = best.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((best[middle]?.score ?? 0) >= score) low = middle + 1
    else high = middle
  }
  best.splice(low, 0, { number, score })
  if (best.length > MOST_RANKED) best.pop()
}

/** Finds the terms in texts. */
export function createTermFinder(terms: readonly SearchTerm[], words: LanguageWords): TermFinder {
  const known = new Map<string, number>()
  const starts = tableOfStarts(terms.flatMap(({ stems, prefix }) => [...stems, prefix ?? '']))
  return {
    terms: terms.length,
    starts: words.keepsStart ? starts : undefined,
    termOf: (folded) => {
      let found = known.get(folded)
      if (found === undefined) {
        const name = words.stem(folded)
        const isOf = ({ stems, prefix }: SearchTerm) =>
          stems.has(name) || (prefix !== undefined && folded.startsWith(prefix))
        known.set(folded, (found = terms.findIndex(isOf)))
      }
      return found
    },
  }
}
