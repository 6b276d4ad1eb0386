import { cutAtWord } from '../../../../core/code-points.ts'
import { escapeControlInLine } from '../../../../core/escape-control.ts'

/** Characters of one text that are shown: a report must not grow with the longest title that a target lists. */
const SHOWN_LIMIT = 400

/**
 * A text from files or target on one line, nothing in it hidden, cut where it is very long.
 *
 * @param limit characters
 */
export function shortText(text: string, limit = SHOWN_LIMIT): string {
  // Of a text without end, so much is looked at as may be needed.
  const start = text.slice(0, 2 * limit + 2).toWellFormed()
  return escapeControlInLine(cutAtWord(start, limit)).trim()
}
