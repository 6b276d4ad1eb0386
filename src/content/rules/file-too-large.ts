import type { Problem } from '../../core/model/diagnostic.ts'
import type { SourcePlaces } from '../markdown/source-places.ts'

// About 40,000 words of English: three hours of reading, a short book. What is larger is a changelog, a log or data,
// which search, browsers on phones and whoever reviews the text all do better with in parts.
const LIMIT_BYTES = 250_000

/** A text that nobody reads as one article. */
export function fileTooLarge(body: string, places: SourcePlaces): Problem[] {
  // No text has more bytes than three per code unit, so most need not be measured.
  if (body.length * 3 <= LIMIT_BYTES) return []
  const bytes = Buffer.byteLength(body)
  if (bytes <= LIMIT_BYTES) return []
  const { line, column } = places.of({})
  const message = `The text has ${Math.round(bytes / 1000)} kB; an article should not have more than ${LIMIT_BYTES / 1000} kB.`
  return [{ code: 'file-too-large', line, column, message, hint: 'Make several articles of it.' }]
}
