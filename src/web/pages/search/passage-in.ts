import { cutAtWord } from '../../../core/code-points.ts'
import { readTextInSteps } from './plain-text.ts'
import type { Steps } from './steps.ts'
import { searchWords } from './words-of.ts'

/** Plain text on one line, in parts: the words that were searched, and what is between them. */
export type Passage = readonly PassagePart[]

export interface PassagePart {
  readonly text: string
  readonly isMatch: boolean
}

/** Length of a passage, in code points. */
const LENGTH = 180

/** Number of UTF-16 code units before the first match. */
const BEFORE = 50

/** Maximum length of HTML that is searched, in UTF-16 code units: a page of results has many articles. */
export const LOOKED_THROUGH = 300_000

/** The part of it that usually suffices. */
const BEGINNING = 30_000

/** Maximum number of matches that are compared: the first ones of a text are as good as the last. */
const MOST_MATCHES = 200

/** Characters that must not start a passage: the second part of a grapheme. */
const INSIDE = /^[\p{M}\p{Cs}\p{Join_Control}]/u

/** The number of the searched term that a normalised word matches; -1 if it matches none. */
export type TermOf = (folded: string) => number

interface Match {
  readonly term: number
  readonly start: number
  readonly end: number
}

/**
 * The passage of an article with the most of the terms that were searched, with `…` where it was cut; the excerpt if
 * the text has none of them. In short steps.
 */
export function* passageIn(html: string, termOf: TermOf, excerpt: string): Steps<Passage> {
  const beginning = yield* findPassage(html.slice(0, BEGINNING), termOf)
  const rest = html.length > BEGINNING && beginning === undefined
  const passage = rest ? yield* findPassage(html.slice(0, LOOKED_THROUGH), termOf) : beginning
  return markIn(passage ?? excerpt, termOf)
}

function* findPassage(html: string, termOf: TermOf): Steps<string | undefined> {
  const { text } = yield* readTextInSteps(html, LOOKED_THROUGH)
  const matches: Match[] = []
  for (const { folded, start, end } of searchWords(text)) {
    yield
    const term = termOf(folded)
    if (term !== -1 && matches.push({ term, start, end }) === MOST_MATCHES) break
  }
  const best = bestOf(matches)
  return best && cutAround(text, best.start)
}

/** The match that begins the stretch with the most different terms. */
function bestOf(matches: readonly Match[]): Match | undefined {
  let best: { readonly match: Match; readonly terms: number } | undefined
  for (const [index, match] of matches.entries()) {
    const reach = matches.slice(index).filter(({ end }) => end <= match.start + LENGTH - BEFORE)
    const terms = new Set(reach.map(({ term }) => term)).size
    if (terms > (best?.terms ?? 0)) best = { match, terms }
  }
  return best?.match
}

function markIn(text: string, termOf: TermOf): Passage {
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

function cutAround(text: string, index: number): string {
  const start = index <= BEFORE ? 0 : startBefore(text, index)
  // A code point has at most two code units.
  const piece = cutAtWord(text.slice(start, start + 2 * LENGTH + 2), LENGTH)
  return start === 0 ? piece : `…${piece}`
}

/** The start of a word within reach, else of a grapheme. */
function startBefore(text: string, index: number): number {
  let start = index - BEFORE
  const space = text.indexOf(' ', start)
  if (space !== -1 && space < index) return space + 1
  while (start < index && INSIDE.test(text.charAt(start))) start++
  return start
}
