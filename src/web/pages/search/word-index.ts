import type { LanguageWords } from './language-words.ts'
import { readTextInSteps } from './plain-text.ts'
import type { Steps } from './steps.ts'
import { searchWords } from './words-of.ts'

// An article is indexed by its entries: the stems of its words, each with a level from 1 to 9 that says how much the
// article is about it, such as `password=7`. A level depends on that article alone, so that databases only need to find
// entries and sets of them: the ranking is ours, and the same everywhere.

/** The levels, highest first. */
export const LEVELS = [9, 8, 7, 6, 5, 4, 3, 2, 1] as const

/** A condition on the entries of an article. */
export type WordQuery =
  | { readonly kind: 'entry'; readonly entry: string }
  /** An entry that starts so. */
  | { readonly kind: 'prefix'; readonly prefix: string }
  | { readonly kind: 'all' | 'any'; readonly of: readonly WordQuery[] }

/** The indexed articles of a language that a viewer may find. */
export interface WordIndex {
  readonly size: () => Promise<number>
  /** Number of articles that meet a condition, counted up to `limit`. */
  readonly count: (query: WordQuery, limit: number) => Promise<number>
  /** Those that are stored first, with their entries: in any order, separated by spaces. */
  readonly find: (query: WordQuery, limit: number) => Promise<readonly ArticleEntries[]>
}

export interface ArticleEntries {
  readonly id: string
  readonly entries: string
}

/** Maximum number of characters of a text that are searched. */
const TEXT_LIMIT = 300_000

/** Maximum number of different words of an article. A text of 200 kB rarely has 12,000. */
const WORD_LIMIT = 15_000

/** Maximum size of all entries of an article: PostgreSQL stores up to 1 MB. */
const ENTRIES_LIMIT_BYTES = 600_000

interface Occurrences {
  title: number
  headings: number
  text: number
}

/** The entries of an article, separated by spaces. In short steps. */
export function* searchEntriesOf(
  { title, html }: { readonly title: string; readonly html: string },
  { stem }: LanguageWords,
): Steps<string> {
  const read = yield* readTextInSteps(html, TEXT_LIMIT)
  const words = new Map<string, Occurrences>()
  const lengths = { title: 0, headings: 0, text: 0 }
  for (const [part, text] of [
    ['title', title],
    ['headings', read.headings],
    ['text', read.text],
  ] as const) {
    for (const { folded } of searchWords(text)) {
      yield
      lengths[part]++
      const occurrences = words.get(folded) ?? { title: 0, headings: 0, text: 0 }
      if (words.size < WORD_LIMIT) words.set(folded, occurrences)
      occurrences[part]++
    }
  }
  const stems = new Map<string, Occurrences>()
  for (const [word, { title: inTitle, headings, text }] of words) {
    yield
    const name = stem(word)
    const known = stems.get(name) ?? { title: 0, headings: 0, text: 0 }
    stems.set(name, {
      title: known.title + inTitle,
      headings: known.headings + headings,
      text: known.text + text,
    })
  }
  return joinEntries(stems, lengths)
}

function joinEntries(stems: ReadonlyMap<string, Occurrences>, lengths: Readonly<Occurrences>): string {
  let bytes = 0
  const entries: string[] = []
  for (const [stem, occurrences] of stems) {
    const entry = `${stem}=${levelOf(occurrences, lengths)}`
    bytes += Buffer.byteLength(entry) + 1
    if (bytes > ENTRIES_LIMIT_BYTES) break
    entries.push(entry)
  }
  return entries.join(' ')
}

/** Number of words of a usual article: in longer ones, a word means less. */
const USUAL_LENGTH = 300

// As in BM25F: the parts of an article are weighted and added up before the sum is limited. The numbers were chosen by
// the judged questions in test/web/pages/search/judged/.
function levelOf({ title, headings, text }: Occurrences, lengths: Readonly<Occurrences>): number {
  const weight =
    (title > 0 ? 14 / (0.7 + 0.1 * lengths.title) : 0) +
    (headings > 0 ? 3 : 0) +
    text / (0.4 + (0.6 * lengths.text) / USUAL_LENGTH)
  return Math.max(1, Math.round((9 * weight) / (weight + 6)))
}
