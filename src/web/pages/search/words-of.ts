interface Word {
  /** Normalised form. */
  readonly folded: string
  /** Start, in UTF-16 code units. */
  readonly index: number
}

// Segmenting text without spaces takes time quadratic in its length: no sentence is as long as this.
const RUN = /[\p{L}\p{N}\p{M}]{1,500}/gu

/** Scripts without spaces between words. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Longer ones, such as digests and encoded data, are never typed in full. */
const LONGEST_WORD = 64

// Words in these scripts are segmented by dictionary, in any locale.
const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** The words of a text in order, including code and numbers, without what is between them. */
export function* searchWords(text: string): Generator<Word> {
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (!WITHOUT_SPACES.test(run)) yield { folded: foldWord(run).slice(0, LONGEST_WORD), index }
    else for (const word of segmentsOf(run, index)) yield word
  }
}

function* segmentsOf(run: string, start: number): Generator<Word> {
  for (const { segment, index } of segmenter.segment(run)) {
    yield { folded: foldWord(segment).slice(0, LONGEST_WORD), index: start + index }
  }
}

// Scripts whose marks are often omitted while typing: accents, the points of Hebrew, the vowel signs of Arabic. Marks
// of other scripts are letters of their own.
const OPTIONAL_MARKS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640]/g

/** Letters that are typed for each other. */
const ALIKE: Readonly<Record<string, string>> = { ς: 'σ', ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه', ٱ: 'ا' }
const ALIKE_LETTERS = new RegExp(`[${Object.keys(ALIKE).join('')}]`, 'g')

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/

/** Normalises case, accents, width and ligatures, so that equivalent spellings of a word are equal. */
function foldWord(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase()
  return (
    word
      .normalize('NFKD')
      .replaceAll(OPTIONAL_MARKS, '')
      // Upper case first: some letters are equal only there (ß and ss).
      .toUpperCase()
      .toLowerCase()
      .replaceAll(ALIKE_LETTERS, (letter) => ALIKE[letter] ?? letter)
      .normalize('NFC')
  )
}
