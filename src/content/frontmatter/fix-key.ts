import type { Span, TextChange } from '../../core/model/diagnostic.ts'
import { nearest } from '../../core/nearest.ts'
import { isTypo } from './is-typo.ts'

export interface MisspeltKey {
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
