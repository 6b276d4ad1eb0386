import { closest, distance } from 'fastest-levenshtein'

/** Returns the candidate that `word` most likely means, for a hint; undefined if none is similar enough. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0) return undefined
  const lower = word.toLowerCase()
  const sameLetters = candidates.find((candidate) => candidate.toLowerCase() === lower)
  if (sameLetters !== undefined) return sameLetters
  const lowered = candidates.map((candidate) => candidate.toLowerCase())
  const best = closest(lower, lowered)
  if (!isSimilar(word, best)) return undefined
  return closest(
    word,
    candidates.filter((_, index) => lowered[index] === best),
  )
}

/** Returns a hint with the candidate that `word` most likely means, or undefined if none is similar enough. */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  const meant = nearest(word, candidates)
  return meant === undefined ? undefined : `Did you mean "${meant}"?`
}

/** The same for URLs in one folder, by their names alone: the folder they share would make all of them similar. */
export function didYouMeanUrl(url: string, candidates: readonly string[]): string | undefined {
  const nameOf = (each: string) => each.slice(each.lastIndexOf('/') + 1)
  const meant = nearest(nameOf(url), candidates.map(nameOf))
  return meant === undefined
    ? undefined
    : `Did you mean "${candidates.find((each) => nameOf(each) === meant)}"?`
}

/** Returns true if `nearest` may return the candidate when it is the only one. */
export function isSimilar(word: string, candidate: string): boolean {
  const [a, b] = [word.toLowerCase(), candidate.toLowerCase()]
  if (a === b) return true
  const longest = Math.max(word.length, b.length)
  // Allows a third of the letters, or two swapped letters in a word of five.
  const allowed = Math.max(1, Math.floor((longest + 1) / 3))
  if (Math.abs(a.length - b.length) > allowed) return false
  const found = distance(a, b)
  // In a short word, all letters may be within the limit: then it is not similar.
  return (found <= allowed && found < longest) || (longest >= SHORTEST && hasSwap(a, b))
}

/** Minimum length of a part of a path or id; shorter parts may differ on purpose although similar: `en`, `es`. */
const SHORTEST = 4

/**
 * Returns the candidate that `word` certainly means, for a fix; undefined if there is none: the only one that differs
 * only in case, else the only one with an edit distance of one. `v1` and `v2` are not typos of each other.
 */
export function onlyMeant(word: string, candidates: readonly string[]): string | undefined {
  const lower = word.toLowerCase()
  // Folders can hold thousands of files, and most names are not similar at all.
  const alike = candidates.filter((candidate) => differingLength(lower, candidate.toLowerCase()) <= 2)
  const sameLetters = alike.filter((candidate) => candidate.toLowerCase() === lower)
  const found =
    sameLetters.length > 0
      ? sameLetters
      : alike.filter((candidate) => isTypoOf(lower, candidate.toLowerCase()))
  return found.length === 1 ? found[0] : undefined
}

/** Returns the length of the part that remains without the common start and end. */
function differingLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let start = 0
  while (start < most && a.charCodeAt(start) === b.charCodeAt(start)) start++
  let end = 0
  while (end < most - start && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++
  return Math.max(a.length, b.length) - start - end
}

function isTypoOf(word: string, candidate: string): boolean {
  if (digitsOf(word) !== digitsOf(candidate)) return false
  const [parts, others] = [word, candidate].map((each) => each.split(/[/.]/))
  if (parts?.length !== others?.length) return false
  const pairs = (parts ?? []).map((part, index) => [part, others?.[index] ?? ''] as const)
  const [pair, ...more] = pairs.filter(([a, b]) => a !== b)
  return (
    pair !== undefined &&
    more.length === 0 &&
    pair.every((each) => each.length >= SHORTEST) &&
    isOneEdit(...pair)
  )
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '')
}

/** Returns true if the words differ by one replaced, missing or extra letter, or by two swapped letters. */
export function isOneEdit(a: string, b: string): boolean {
  return distance(a, b) <= 1 || hasSwap(a, b)
}

function hasSwap(a: string, b: string): boolean {
  const at = Array.from(a).findIndex((char, index) => char !== b[index])
  return a.slice(0, at) + (a[at + 1] ?? '') + (a[at] ?? '') + a.slice(at + 2) === b
}
