import { closest, distance } from 'fastest-levenshtein'

/** The candidate a writer most likely meant by `word`, or undefined where none is near enough to suggest. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0) return undefined
  const lower = word.toLowerCase()
  const sameLetters = candidates.find((candidate) => candidate.toLowerCase() === lower)
  if (sameLetters !== undefined) return sameLetters
  const lowered = candidates.map((candidate) => candidate.toLowerCase())
  const best = closest(lower, lowered)
  // A third, and two letters that changed places in a word of five.
  const allowed = Math.max(1, Math.floor((Math.max(word.length, best.length) + 1) / 3))
  const found = distance(lower, best)
  // Of a short word, every letter may be among the allowed ones: then nothing is alike.
  if (found > allowed || found >= Math.max(word.length, best.length)) return undefined
  return closest(
    word,
    candidates.filter((_, index) => lowered[index] === best),
  )
}
