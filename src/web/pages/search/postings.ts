// Postings: the articles with a stem, and its level in each. Each article is one character, so that every database can
// store, extend and return the postings of a stem as a text. The number of an article determines its block.

/** Number of articles in a block. */
export const BLOCK_SIZE = 2048

export interface StemPostings {
  readonly stem: string
  readonly block: number
  readonly postings: string
}

/** The first character that is not a control character. With levels below 16, all postings are below the surrogates. */
const FIRST = 0xa0

const LEVEL_BITS = 4

/** @param level from 1 to 9; other levels could result in a text that databases cut or reject */
export function toPosting(offset: number, level: number): string {
  if (!(level >= 1 && level <= 9)) throw new RangeError(`A level from 1 to 9, not ${level}`)
  return String.fromCharCode(FIRST + (offset << LEVEL_BITS) + level)
}

/** Removes the postings of some articles. */
export function withoutOffsets(postings: string, offsets: ReadonlySet<number>): string {
  return Array.from(postings)
    .filter((posting) => !offsets.has((posting.charCodeAt(0) - FIRST) >> LEVEL_BITS))
    .join('')
}

/** Raises the value of each article in a block to its level times a weight, if it is lower. */
export function raiseLevels(values: Uint8Array, postings: string, weight: number): void {
  for (let at = 0; at < postings.length; at++) {
    const code = postings.charCodeAt(at) - FIRST
    const offset = code >> LEVEL_BITS
    const value = (code & ((1 << LEVEL_BITS) - 1)) * weight
    if (value > (values[offset] ?? 0)) values[offset] = value
  }
}
