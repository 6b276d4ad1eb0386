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

/** Maximum number of matches that are compared: the first ones of a text are as good as the last. */
const MOST_MATCHES = 500

/** Characters that must not start a passage: the second part of a grapheme. */
const INSIDE = /^[\p{M}\p{Cs}\p{Join_Control}]/u

interface Match {
  readonly word: string
  readonly start: number
  readonly end: number
}

/**
 * The passage of an article with the most of the words that were searched, with `…` where it was cut; the excerpt if
 * the text has none of them. In short steps.
 *
 * @param isMatch whether a normalised word was searched
 */
export function* passageIn(
  html: string,
  isMatch: (folded: string) => boolean,
  excerpt: string,
): Steps<Passage> {
  const { text } = yield* readTextInSteps(html.slice(0, LOOKED_THROUGH), LOOKED_THROUGH)
  const known = new Map<string, boolean>()
  const matches: Match[] = []
  for (const { folded, start, end } of searchWords(text)) {
    yield
    let matched = known.get(folded)
    if (matched === undefined) known.set(folded, (matched = isMatch(folded)))
    if (matched && matches.push({ word: folded, start, end }) === MOST_MATCHES) break
  }
  const best = bestOf(matches)
  const passage = best === undefined ? excerpt : cutAround(text, best.start)
  return markIn(passage, isMatch)
}

/** The match that begins the stretch with the most different words. */
function bestOf(matches: readonly Match[]): Match | undefined {
  let best: { readonly match: Match; readonly words: number } | undefined
  for (const [index, match] of matches.entries()) {
    const words = new Set<string>()
    for (let at = index; at < matches.length; at++) {
      const { word, end } = matches[at] as Match
      if (end > match.start + LENGTH - BEFORE) break
      words.add(word)
    }
    if (words.size > (best?.words ?? 0)) best = { match, words: words.size }
  }
  return best?.match
}

function markIn(text: string, isMatch: (folded: string) => boolean): Passage {
  const parts: PassagePart[] = []
  let at = 0
  let matchedTo = 0
  for (const { folded, start, end } of searchWords(text)) {
    if (!isMatch(folded)) continue
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
