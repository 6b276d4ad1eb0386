import type { LanguageWords } from './language-words.ts'
import { readTextInSteps } from './plain-text.ts'
import type { StemPostings } from './postings.ts'
import type { Steps } from './steps.ts'
import { searchWords } from './words-of.ts'

// An article is indexed by its entries: the stems of its words, each with a level from 1 to 9 for its weight in the
// article, such as `password=7`. A level depends only on that article, so databases only need to store the postings of
// stems: the search is our own, and gives the same results everywhere.

/** The indexed articles of a language that a viewer may find, each with a number. */
export interface WordIndex {
  readonly size: () => Promise<number>
  readonly find: (stems: readonly string[]) => Promise<readonly StemPostings[]>
  /** Returns the postings of all stems with a prefix. */
  readonly findStarting: (prefix: string) => Promise<readonly StemPostings[]>
  /** Returns at least the stems that an article has. */
  readonly known: (stems: readonly string[]) => Promise<readonly string[]>
  /** Returns numbers of articles to exclude: they were deleted, or the viewer sees another version. */
  readonly hidden: () => Promise<readonly number[]>
  /** Returns the ids of existing articles, by number. */
  readonly idsOf: (numbers: readonly number[]) => Promise<ReadonlyMap<number, string>>
}

/** Maximum number of characters of a text that are indexed. */
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

/** Returns the entries of an article, separated by spaces. Runs in short steps. */
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

/** Number of words in a typical article. In longer ones, each word has less weight. */
const USUAL_LENGTH = 300

// Like BM25F: the parts of an article are weighted and added up before the sum is limited. The numbers are tuned with
// the judged questions in test/web/pages/search/judged/.
function levelOf({ title, headings, text }: Occurrences, lengths: Readonly<Occurrences>): number {
  const weight =
    (title > 0 ? 14 / (0.7 + 0.1 * lengths.title) : 0) +
    (headings > 0 ? 3 : 0) +
    text / (0.4 + (0.6 * lengths.text) / USUAL_LENGTH)
  return Math.max(1, Math.round((9 * weight) / (weight + 6)))
}

export function readEntry(entry: string): readonly [stem: string, level: number] {
  const end = entry.lastIndexOf('=')
  return [entry.slice(0, end), Number(entry.slice(end + 1))]
}
