import type { LanguageWords } from './language-words.ts'
import type { TermOf } from './passage-in.ts'
import { finishInSlices, type Steps } from './steps.ts'
import { type ArticleEntries, LEVELS, type WordIndex, type WordQuery } from './word-index.ts'
import { searchWords } from './words-of.ts'

/** Maximum length of a query, since each word takes time. */
const LONGEST_QUERY = 400
const MOST_WORDS = 12

/** Maximum number of articles that are ranked; of more, those in which the words have the highest levels. */
export const MOST_RANKED = 300

/** A word in more articles than this counts as frequent as in these. */
const MOST_COUNTED = 5000

/** If fewer articles have all words of a query, those with some of them are results, too. */
const ENOUGH = 10

/** A word in an article that starts like one of the query, or differs in a letter, counts less. */
const INEXACT = 0.6

interface QueryWord {
  readonly folded: string
  readonly stem: string
  readonly isLast: boolean
}

/** What articles may have for a word of the query. */
export interface SearchTerm {
  readonly stems: ReadonlySet<string>
  /** Beginning of a word; undefined if only whole words match. */
  readonly prefix: string | undefined
  /** Number of articles that have it, counted up to MOST_COUNTED. */
  readonly count: number
  /** The higher, the fewer articles have it. */
  readonly importance: number
}

export interface SearchResults {
  /** Number of all matching articles. */
  readonly total: number
  /** Ids of the best, at most MOST_RANKED, best first. */
  readonly ranked: readonly string[]
  readonly terms: readonly SearchTerm[]
}

/** Searches by the words of a text: articles with all of them or, if there are few, with some. */
export async function searchByWords(
  index: WordIndex,
  text: string,
  language: LanguageWords,
): Promise<SearchResults> {
  const size = await index.size()
  const found = await Promise.all(
    queryWords(text, language).map((word) => findTerm(index, word, { language, size })),
  )
  const terms = found.flatMap((term) => term ?? [])
  if (terms.length === 0) return { total: 0, ranked: [], terms }
  const conditions = terms.map((term) => hasTerm(term, 1))
  // Few articles are read, which counts them, too.
  const areFew = terms.some(({ count }) => count < MOST_RANKED)
  const few = areFew ? await index.find(all(conditions), MOST_RANKED) : undefined
  const withAll = few?.length ?? (await index.count(all(conditions), Number.MAX_SAFE_INTEGER))
  const hasEnough = withAll >= ENOUGH || terms.length === 1
  const rareFirst = terms
    .toSorted((a, b) => a.count - b.count)
    .map((term) => ({ terms: [term], count: term.count }))
  const groups = [{ terms, count: withAll, articles: few }, ...(hasEnough ? [] : rareFirst)]
  const [total, candidates] = await Promise.all([
    hasEnough ? withAll : index.count(any(conditions), Number.MAX_SAFE_INTEGER),
    findCandidates(index, groups),
  ])
  return { total, ranked: await finishInSlices(rankArticles(candidates, terms)), terms }
}

/** The words of a query without stop words, unless there are no others. */
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
  readonly language: LanguageWords
  readonly size: number
}

/** The word itself; otherwise words that start like it, otherwise words that differ in a letter. */
async function findTerm(
  index: WordIndex,
  { folded, stem, isLast }: QueryWord,
  { language, size }: TermContext,
): Promise<SearchTerm | undefined> {
  const canStart = folded.length >= (WITHOUT_CASE.test(folded) ? 1 : 3)
  const attempts = [
    { stems: new Set([stem]), prefix: isLast && canStart ? folded : undefined },
    { stems: new Set([stem]), prefix: canStart ? folded : undefined },
  ]
  for (const attempt of attempts) {
    const count = await index.count(hasTerm(attempt, 1), MOST_COUNTED)
    if (count > 0) return { ...attempt, count, importance: importanceOf(count, size) }
  }
  return findMisspelled(index, folded, { language, size })
}

/** Scripts with short words. */
const WITHOUT_CASE = /^\p{Lo}/u

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz')

/** Shorter words are rarely misspelled, and resemble many others. */
const SHORTEST_MISSPELLED = 4

async function findMisspelled(
  index: WordIndex,
  word: string,
  { language, size }: TermContext,
): Promise<SearchTerm | undefined> {
  if (word.length < SHORTEST_MISSPELLED || !/^\p{Ll}+$/u.test(word)) return undefined
  const similar = new Set(similarWords(word).map((each) => language.stem(each)))
  const query = hasTerm({ stems: similar, prefix: undefined }, 1)
  const articles = await index.find(query, MOST_RANKED)
  const stems = new Set(
    articles.flatMap(({ entries }) => stemsIn(entries)).filter((stem) => similar.has(stem)),
  )
  if (stems.size === 0) return undefined
  const count = articles.length
  return { stems, prefix: undefined, count, importance: INEXACT * importanceOf(count, size) }
}

/** All words that result from a wrong, missing, additional or moved letter. */
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

function stemsIn(entries: string): string[] {
  return entries.split(' ').map((entry) => entry.slice(0, entry.lastIndexOf('=')))
}

function importanceOf(count: number, size: number): number {
  return Math.log(1 + Math.max(size, count) / count)
}

/** Articles that have all of some terms. */
interface CandidateGroup {
  readonly terms: readonly SearchTerm[]
  /** Their number. */
  readonly count: number
  /** All of them, if they were read. */
  readonly articles?: readonly ArticleEntries[] | undefined
}

/** The articles of the first groups; of a large one, those in which the terms have the highest levels. */
async function findCandidates(
  index: WordIndex,
  groups: readonly CandidateGroup[],
): Promise<readonly ArticleEntries[]> {
  const found = new Map<string, ArticleEntries>()
  for (const { terms, count, articles } of groups) {
    for (const level of count > MOST_RANKED ? [7, 4, 1] : [1]) {
      const query = all(terms.map((term) => hasTerm(term, level)))
      for (const article of articles ?? (await index.find(query, MOST_RANKED)))
        if (found.size < MOST_RANKED) found.set(article.id, article)
      if (found.size === MOST_RANKED) return [...found.values()]
    }
  }
  return [...found.values()]
}

/** The articles with a term at this level or a higher one. */
function hasTerm({ stems, prefix }: Pick<SearchTerm, 'stems' | 'prefix'>, level: number): WordQuery {
  const entries = [...stems].flatMap((stem): WordQuery[] =>
    // Databases find single entries faster than prefixes, unless there are hundreds.
    level === 1 && stems.size > MANY_STEMS
      ? [{ kind: 'prefix', prefix: `${stem}=` }]
      : LEVELS.filter((each) => each >= level).map((each) => ({ kind: 'entry', entry: `${stem}=${each}` })),
  )
  return any(prefix === undefined || level > 1 ? entries : [...entries, { kind: 'prefix', prefix }])
}

const MANY_STEMS = 10

function all(of: readonly WordQuery[]): WordQuery {
  return of.length === 1 && of[0] !== undefined ? of[0] : { kind: 'all', of }
}

function any(of: readonly WordQuery[]): WordQuery {
  return of.length === 1 && of[0] !== undefined ? of[0] : { kind: 'any', of }
}

/** The ids of the articles, best first. In short steps, since articles may have thousands of entries. */
function* rankArticles(articles: readonly ArticleEntries[], terms: readonly SearchTerm[]): Steps<string[]> {
  const scorers = terms.map(createScorer)
  const scored: { readonly id: string; readonly score: number }[] = []
  for (const { id, entries } of articles) {
    scored.push({ id, score: scorers.reduce((sum, scoreOf) => sum + scoreOf(entries), 0) })
    yield
  }
  return scored.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).map(({ id }) => id)
}

/** Scores the entries of an article for a term. */
function createScorer({ stems, prefix, importance }: SearchTerm): (entries: string) => number {
  const starts = [...stems].map((stem) => `${stem}(?==)`)
  const expression = new RegExp(
    ` (?:${[...starts, ...(prefix === undefined ? [] : [prefix])].join('|')})([^ =]*)=(\\d)`,
    'g',
  )
  return (entries) => {
    let best = 0
    for (const [, rest, level] of ` ${entries}`.matchAll(expression))
      best = Math.max(best, Number(level) * (rest === '' ? 1 : INEXACT))
    return importance * best
  }
}

/** Finds the terms in texts. */
export function createTermFinder(terms: readonly SearchTerm[], { stem }: LanguageWords): TermOf {
  const known = new Map<string, number>()
  return (folded) => {
    let found = known.get(folded)
    if (found === undefined) {
      const name = stem(folded)
      const isOf = ({ stems, prefix }: SearchTerm) =>
        stems.has(name) || (prefix !== undefined && folded.startsWith(prefix))
      known.set(folded, (found = terms.findIndex(isOf)))
    }
    return found
  }
}
