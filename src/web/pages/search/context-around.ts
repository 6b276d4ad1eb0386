import { cutAtWord } from '../../../core/code-points.ts'
import { readTextInSteps } from './plain-text.ts'
import type { Steps } from './steps.ts'
import { searchWords } from './words-of.ts'

/** Code points of a context. */
const LENGTH = 180

/** UTF-16 units of it that stand before the word. */
const BEFORE = 60

/** Units of HTML that are looked through: a page of results has many articles. */
export const LOOKED_THROUGH = 300_000

/** What must not stand at the beginning of a piece: the second half of something. */
const INSIDE = /^[\p{M}\p{Cs}\p{Join_Control}]/u

/**
 * A piece of the text of `html` around the first of `words`, plain and on one line, with `…` where it was cut; undefined
 * where none of them stands there, or far behind. In steps, each of which takes little time.
 *
 * @param words as a search found them
 */
export function* contextAround(html: string, words: readonly string[]): Steps<string | undefined> {
  const text = yield* readTextInSteps(html.slice(0, LOOKED_THROUGH), LOOKED_THROUGH)
  const wanted = new Set(words)
  for (const { folded, index } of searchWords(text)) {
    if (wanted.has(folded)) return cutAround(text, index)
    yield
  }
  return undefined
}

function cutAround(text: string, index: number): string {
  const start = index <= BEFORE ? 0 : startBefore(text, index)
  // A code point has two units at most.
  const piece = cutAtWord(text.slice(start, start + 2 * LENGTH + 2), LENGTH)
  return start === 0 ? piece : `…${piece}`
}

/** The beginning of a word in reach, else of a character. */
function startBefore(text: string, index: number): number {
  let start = index - BEFORE
  const space = text.indexOf(' ', start)
  if (space !== -1 && space < index) return space + 1
  while (start < index && INSIDE.test(text.charAt(start))) start++
  return start
}
