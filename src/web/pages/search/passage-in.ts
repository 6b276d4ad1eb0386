import { cutAtWord } from '../../../core/code-points.ts'
import { readTextInSteps, type TextPiece, textPieces } from './plain-text.ts'
import type { Steps } from './steps.ts'
import { searchWords } from './words-of.ts'

/** Plain text on one line, in parts: search terms, and the text between them. */
export type Passage = readonly PassagePart[]

export interface PassagePart {
  readonly text: string
  readonly isMatch: boolean
}

/** Length of a passage, in code points. */
const LENGTH = 180

/** Number of UTF-16 code units before the first match. */
const BEFORE = 50

/** Length of a section whose matches are all in its passage. */
const REACH = LENGTH - BEFORE

/** Maximum length of HTML that is searched, in UTF-16 code units, because a page of results has many articles. */
export const MOST_SEARCHED = 300_000

/** The length of the parts in which it is searched. The first part with a match is sufficient. */
export const SEARCHED_AT_ONCE = 10_000

/** Length of HTML that is parsed for the passage, before and after the best match. */
const PARSED_BEFORE = 500
const PARSED_AFTER = 1500

/** Maximum number of matches that are compared, because the first ones of a text are as good as the last. */
const MOST_MATCHES = 200

/** Characters that must not start a passage, because they continue a grapheme. */
const INSIDE = /^[\p{M}\p{Cs}\p{Join_Control}]/u

export interface TermFinder {
  readonly terms: number
  /** Returns the number of the term that a normalised word matches; -1 if it matches none. */
  readonly termOf: (folded: string) => number
  /** The words that can match, see `tableOfStarts`; default: any. */
  readonly starts?: Uint8Array | undefined
}

interface Match {
  readonly term: number
  /** Position in the text. */
  readonly start: number
  readonly end: number
  /** Approximate position in the HTML. */
  readonly at: number
}

/**
 * Finds the passage of an article with the most search terms, with `…` where it was cut; undefined if the text has none
 * of them. Runs in short steps.
 */
export function* findPassage(html: string, finder: TermFinder): Steps<string | undefined> {
  if (html.length <= PARSED_BEFORE + PARSED_AFTER) return yield* passageOf(html, finder)
  const matches: Match[] = []
  let length = 0
  let partEnd = SEARCHED_AT_ONCE
  const pieces: TextPiece[] = []
  for (const piece of textPieces(html)) {
    yield
    const { text, at } = piece
    if (at > partEnd) {
      if (matches.length > 0 || at > MOST_SEARCHED) break
      partEnd += SEARCHED_AT_ONCE
    }
    pieces.push(piece)
    if (!addMatches(matches, text, finder, { length, at })) break
    length += text.length
  }
  const best = bestOf(matches)
  if (best === undefined) return undefined
  const start = startOfPart(html, best.at, pieces)
  return yield* passageOf(html.slice(start, endOfPart(html, best.at)), finder, start > 0)
}

/** Finds the passage of a short HTML text, which other text may precede. */
function* passageOf(html: string, finder: TermFinder, isCut = false): Steps<string | undefined> {
  const { text } = yield* readTextInSteps(html, MOST_SEARCHED, true)
  const matches: Match[] = []
  addMatches(matches, text, finder, { length: 0, at: 0 })
  const best = bestOf(matches)
  return best && cutAround(text, best.start, isCut)
}

/** Adds the matches in a text, which starts at this position. @returns false if no more are needed */
function addMatches(
  matches: Match[],
  text: string,
  { terms, termOf, starts }: TermFinder,
  from: { readonly length: number; readonly at: number },
): boolean {
  for (const { folded, start, end } of searchWords(text, starts)) {
    const term = termOf(folded)
    if (term === -1) continue
    matches.push({ term, start: from.length + start, end: from.length + end, at: from.at + start })
    if (matches.length === MOST_MATCHES || countTermsBefore(matches) === terms) return false
  }
  return true
}

/** Counts the different terms in the section that ends with the last match. */
function countTermsBefore(matches: readonly Match[]): number {
  const terms = new Set<number>()
  const { end } = matches.at(-1) as Match
  for (let at = matches.length - 1; at >= 0; at--) {
    const { term, start } = matches[at] as Match
    if (end > start + REACH) break
    terms.add(term)
  }
  return terms.size
}

/** Returns the match that begins the section with the most different terms. */
function bestOf(matches: readonly Match[]): Match | undefined {
  let best: Match | undefined
  let most = 0
  for (const [index, match] of matches.entries()) {
    const terms = new Set<number>()
    for (let next = index; next < matches.length; next++) {
      const { term, end } = matches[next] ?? match
      if (end > match.start + REACH && next > index) break
      terms.add(term)
    }
    if (terms.size <= most) continue
    most = terms.size
    best = match
  }
  return best
}

/** Returns where the HTML before a match can be cut: at the beginning of visible text, or between words. */
function startOfPart(html: string, at: number, pieces: readonly TextPiece[]): number {
  const from = at - PARSED_BEFORE
  if (from <= 0) return 0
  const before = pieces.findLastIndex((piece) => piece.at <= from)
  const space = html.slice(from, pieces[before]?.end ?? from).search(/\s/)
  const start = space === -1 ? (pieces[before + 1]?.at ?? at) : from + space
  return Math.min(start, at)
}

/** Returns where the HTML after a match can be cut: before a tag, if there is one soon. */
function endOfPart(html: string, at: number): number {
  const tagStart = html.indexOf('<', at + PARSED_AFTER)
  return Math.min(tagStart === -1 ? html.length : tagStart, at + 2 * PARSED_AFTER)
}

export function markTerms(text: string, { termOf }: TermFinder): Passage {
  const parts: PassagePart[] = []
  let at = 0
  let matchedTo = 0
  for (const { folded, start, end } of searchWords(text)) {
    if (termOf(folded) === -1) continue
    // Pairs of characters overlap.
    if (start > matchedTo) {
      parts.push(
        { text: text.slice(at, matchedTo), isMatch: true },
        { text: text.slice(matchedTo, start), isMatch: false },
      )
      at = start
    }
    matchedTo = Math.max(matchedTo, end)
  }
  parts.push(
    { text: text.slice(at, matchedTo), isMatch: true },
    { text: text.slice(matchedTo), isMatch: false },
  )
  return parts.filter((part) => part.text !== '')
}

function cutAround(text: string, index: number, isCut: boolean): string {
  const start = index <= BEFORE ? 0 : startBefore(text, index)
  // A code point has at most two code units.
  const piece = cutAtWord(text.slice(start, start + 2 * LENGTH + 2), LENGTH).replaceAll(/^· | ·(?=…$)/g, '')
  return start === 0 && !isCut ? piece : `…${piece}`
}

/** Returns the start of a word within reach, otherwise of a grapheme. */
function startBefore(text: string, index: number): number {
  let start = index - BEFORE
  const space = text.indexOf(' ', start)
  if (space !== -1 && space < index) return space + 1
  while (start < index && INSIDE.test(text.charAt(start))) start++
  return start
}
