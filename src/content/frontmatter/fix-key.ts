import type { Span, TextChange } from '../../core/model/diagnostic.ts'
import { nearest } from '../../core/nearest.ts'
import { distance } from 'fastest-levenshtein'

interface MisspeltKey {
  readonly key: string
  /** Where it stands. */
  readonly span: Span
  /** Keys that could stand there, without those that do. */
  readonly free: readonly string[]
  /** The other keys there that nobody knows. */
  readonly others: readonly string[]
  /** Whether the value is good under a key. */
  readonly fits: (key: string) => boolean
}

/**
 * The change that spells a key as it must be: only where there is one candidate, the key is a slip of the pen and no other
 * word, and its value is good under that.
 */
export function fixKey({ key, span, free, others, fits }: MisspeltKey): TextChange | undefined {
  const [meant, ...more] = free.filter((candidate) => isTypo(key, candidate))
  if (meant === undefined || more.length > 0 || !fits(meant)) return undefined
  if (others.some((other) => nearest(other, [meant]) !== undefined)) return undefined
  const { line, column, end } = span
  return end === undefined ? undefined : { start: { line, column }, end, text: meant }
}

/** Whether `written` is `meant` but for letter case, `-` and `_`, one letter, or two that changed places. */
export function isTypo(written: string, meant: string): boolean {
  const [a, b] = [fold(written), fold(meant)]
  return distance(a, b) <= 1 || hasSwap(a, b)
}

function fold(key: string): string {
  return key.toLowerCase().replaceAll(/[-_]/g, '')
}

function hasSwap(a: string, b: string): boolean {
  const at = Array.from(a).findIndex((char, index) => char !== b[index])
  return a.slice(0, at) + (a[at + 1] ?? '') + (a[at] ?? '') + a.slice(at + 2) === b
}
