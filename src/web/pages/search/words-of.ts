import { foldWord } from './fold-word.ts'

/** A word of a text. */
export interface Word {
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

/** Longer ones are no words that anybody types whole: digests, encoded data. */
const LONGEST_WORD = 64

// Where words end in these scripts is found by dictionary, whichever language is named.
const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** The words of a text in their order, code and numbers among them; what stands between words is left out. */
export function* wordsOf(text: string): Generator<Word> {
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
