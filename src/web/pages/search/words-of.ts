/** A word of a text. */
interface Word {
  /** As it is compared. */
  readonly folded: string
  /** Where it begins, in UTF-16 units. */
  readonly index: number
}

// The time to find the words of a run without spaces grows with the square of its length: no sentence is as long as this.
const RUN = /[\p{L}\p{N}\p{M}]{1,500}/gu

/** Scripts that put no space between words. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Longer ones are no words that anyone types whole: digests, encoded data. */
const LONGEST_WORD = 64

// Where words end in these scripts is found by dictionary, whichever language is named.
const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** The words of a text in their order, code and numbers among them; what stands between words is left out. */
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

// Scripts in which marks are often left out when one types: accents, the points of Hebrew, the vowel signs of Arabic.
// Those of other scripts are letters of their own.
const OPTIONAL_MARKS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640]/g

/** Letters that are typed one for the other. */
const ALIKE: Readonly<Record<string, string>> = { ς: 'σ', ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه', ٱ: 'ا' }
const ALIKE_LETTERS = new RegExp(`[${Object.keys(ALIKE).join('')}]`, 'g')

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/

/** The form in which two spellings of a word that readers take for the same are equal: case, accents, width, ligatures. */
function foldWord(word: string): string {
  if (ASCII.test(word)) return word.toLowerCase()
  return (
    word
      .normalize('NFKD')
      .replaceAll(OPTIONAL_MARKS, '')
      // Upper case first: some letters meet only there (ß and ss).
      .toUpperCase()
      .toLowerCase()
      .replaceAll(ALIKE_LETTERS, (letter) => ALIKE[letter] ?? letter)
      .normalize('NFC')
  )
}
