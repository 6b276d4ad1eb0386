export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/**
 * Cuts `text` to at most `limit` code points, including the final `…`: at a word in scripts with spaces, otherwise
 * between two graphemes. Shorter text is returned unchanged.
 */
export function cutAtWord(text: string, limit: number): string {
  const points = Array.from(text)
  if (points.length <= limit) return text
  const end = backToCharacter(points, limit - 1)
  const head = points.slice(0, end).join('')
  const boundary = head.search(/\s+\S*$/u)
  const isWhole = boundary <= 0 || /\s/u.test(points[end] ?? '') || WITHOUT_SPACES.test(head.slice(boundary))
  return `${(isWhole ? head : head.slice(0, boundary)).trimEnd()}…`
}

/** Scripts without spaces between words, where text between two spaces can be a whole sentence. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u

// Intl.Segmenter depends on the Unicode version of Node, and an excerpt must be the same on every machine. These rules
// are broader than those of any version: they may keep too much together, but never too little.
const JOINS_BEFORE = /[\u200d\p{M}\p{Emoji_Modifier}\u200c\u1160-\u11ff\u{e0020}-\u{e007f}]/u
const JOINS_AFTER =
  /[\u200d\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2\u1100-\u11a7]/u
const FLAG_LETTER = /\p{Regional_Indicator}/u

/** Returns the last position at or before `end` that is not inside a grapheme, or `end` if there is none. */
function backToCharacter(points: readonly string[], end: number): number {
  for (let at = end; at > 0; at--) {
    const next = points[at] ?? ''
    const before = points[at - 1] ?? ''
    const isJoined = JOINS_BEFORE.test(next) || JOINS_AFTER.test(before) || isInsideFlag(points, at)
    if (!isJoined) return at
  }
  return end
}

/** A flag is a pair of letters: a position is inside one if an odd number of letters precedes it. */
function isInsideFlag(points: readonly string[], at: number): boolean {
  if (!FLAG_LETTER.test(points[at] ?? '')) return false
  let letters = 0
  while (FLAG_LETTER.test(points[at - 1 - letters] ?? '')) letters++
  return letters % 2 === 1
}
