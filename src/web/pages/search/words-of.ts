interface Word {
  /** Normalised form. */
  readonly folded: string
  /** Start and end in UTF-16 code units. */
  readonly start: number
  readonly end: number
  /** True for the last character of a text in pairs, which is in the previous pair, too. */
  readonly isTail: boolean
}

/** Segmenting text without spaces takes time quadratic in its length. No sentence is longer than this. */
const LONGEST_RUN = 500
const RUN = new RegExp(`[\\p{L}\\p{N}\\p{M}]{1,${LONGEST_RUN}}`, 'uy')

/** Scripts without spaces between words, in which pairs of characters are used as words. */
const IN_PAIRS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\u3099\u309aﾞﾟ]+/gu

/** Other scripts without spaces between words. */
const WITHOUT_SPACES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Maximum length of a word. Longer ones, such as digests and encoded data, are never typed in full. */
const LONGEST_WORD = 64

// Words in these scripts are segmented by dictionary, in any locale.
const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/**
 * Finds the words of a text in order, including code and numbers, without the text in between.
 *
 * @param isStart by first letter: the words in ASCII to find, see `tableOfStarts`
 */
export function* searchWords(text: string, isStart: Uint8Array = IS_IN_WORD): Generator<Word> {
  let at = 0
  while ((at = nextCandidate(text, at, isStart)) < text.length) {
    let end = endOfAscii(text, at)
    if (end < text.length && text.charCodeAt(end) > LAST_ASCII && end - at < LONGEST_RUN) {
      RUN.lastIndex = at
      if (RUN.test(text)) end = RUN.lastIndex
      // A mark alone is not a word.
      for (const found of wordsInRun(text.slice(at, end), at)) if (found.folded !== '') yield found
    } else if (isStart[text.charCodeAt(at)] === 1) yield word(text.slice(at, end), at)
    at = Math.max(end, at + 1)
  }
}

// Loops over character codes, since regular expressions take much longer.

/** Finds the next ASCII word with one of these first letters, or the next non-ASCII character. */
function nextCandidate(text: string, from: number, isStart: Uint8Array): number {
  let start = from
  while (start < text.length) {
    const code = text.charCodeAt(start)
    if (code > LAST_ASCII || isStart[code] === 1) return start
    if (IS_IN_WORD[code] === 0) {
      start++
      continue
    }
    const end = endOfAscii(text, start)
    if (end < text.length && text.charCodeAt(end) > LAST_ASCII) return start
    start = end
  }
  return start
}

/** Returns the table of first letters for `searchWords`, in either case. */
export function tableOfStarts(examples: readonly string[]): Uint8Array {
  const table = new Uint8Array(LAST_ASCII + 1)
  for (const example of examples) {
    const first = example.slice(0, 1)
    for (const letter of [first, first.toUpperCase()])
      if (ASCII.test(letter) && letter !== '') table[letter.charCodeAt(0)] = 1
  }
  return table
}

function* wordsInRun(run: string, index: number): Generator<Word> {
  let at = 0
  for (const { 0: dense, index: start } of run.matchAll(IN_PAIRS)) {
    yield* spacedWords(run.slice(at, start), index + at)
    yield* pairsOf(dense, index + start)
    at = start + dense.length
  }
  yield* spacedWords(run.slice(at), index + at)
}

const LAST_ASCII = 0x7f

/** The ASCII characters of words. */
const IS_IN_WORD = Uint8Array.from({ length: LAST_ASCII + 1 }, (_, code) =>
  /[\dA-Za-z]/.test(String.fromCharCode(code)) ? 1 : 0,
)

/** Returns the end of the ASCII letters and digits that start at an index. */
function endOfAscii(text: string, start: number): number {
  const last = Math.min(text.length, start + LONGEST_RUN)
  let end = start
  while (end < last) {
    const code = text.charCodeAt(end)
    if (code > LAST_ASCII || IS_IN_WORD[code] === 0) break
    end++
  }
  return end
}

function* spacedWords(run: string, start: number): Generator<Word> {
  if (run === '') return
  if (!WITHOUT_SPACES.test(run)) yield word(run, start)
  else for (const { segment, index } of segmenter.segment(run)) yield word(segment, start + index)
}

/** A character of such a script with its marks. */
const CHARACTER = /.[\p{M}ﾞﾟ]*/gsu

/** Returns every two adjacent characters, and the last one alone. */
function* pairsOf(dense: string, start: number): Generator<Word> {
  const characters = dense.match(CHARACTER) ?? []
  let at = start
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1]
    yield next === undefined ? word(character, at, index > 0) : word(character + next, at)
    at += character.length
  }
}

function word(text: string, start: number, isTail = false): Word {
  return { folded: foldWord(text), start, end: start + text.length, isTail }
}

// Marks that are often omitted while typing: accents, the points of Hebrew, the vowel signs of Arabic. In other
// scripts, marks are letters. Also the spaces in the expansion of some letters, such as U+FDFA.
const OPTIONAL =
  /[\s\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640]/g

/** Letters that are typed instead of each other. */
const ALIKE: Readonly<Record<string, string>> = { ς: 'σ', ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه', ٱ: 'ا' }
const ALIKE_LETTERS = new RegExp(`[${Object.keys(ALIKE).join('')}]`, 'g')

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/

/** Normalises case, accents, width and ligatures, so that equivalent spellings of a word are equal. Cuts long words. */
export function foldWord(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().slice(0, LONGEST_WORD)
  const folded = text
    .normalize('NFKD')
    .replaceAll(OPTIONAL, '')
    // Upper case first, because some letters are equal only there (ß and ss).
    .toUpperCase()
    .toLowerCase()
    .replaceAll(ALIKE_LETTERS, (letter) => ALIKE[letter] ?? letter)
    .normalize('NFC')
  // Without an incomplete surrogate pair at the end.
  return folded.slice(0, LONGEST_WORD).replace(/[\ud800-\udbff]$/, '')
}
