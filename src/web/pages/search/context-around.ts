import { cutAtWord } from '../../../core/code-points.ts'
import { readTextInSteps } from './plain-text.ts'
import type { Steps } from './steps.ts'
import { searchWords } from './words-of.ts'

/** Length of a context, in code points. */
const LENGTH = 180

/** Number of UTF-16 code units before the word. */
const BEFORE = 60

/** Maximum length of HTML that is searched, in UTF-16 code units: a page of results has many articles. */
export const LOOKED_THROUGH = 300_000

/** Characters that must not start a context: the second part of a grapheme. */
const INSIDE = /^[\p{M}\p{Cs}\p{Join_Control}]/u

/**
 * The plain text of `html` around the first of `words`, on one line, with `…` where it was cut; undefined if none of
 * them occurs within the limit. In short steps.
 *
 * @param words from a search
 */
export function* contextAround(html: string, words: readonly string[]): Steps<string | undefined> {
  const text = yield* readTextInSteps(html.slice(0, LOOKED_THROUGH), LOOKED_THROUGH)
  const searched = new Set(words)
  for (const { folded, index } of searchWords(text)) {
    if (searched.has(folded)) return cutAround(text, index)
    yield
  }
  return undefined
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
