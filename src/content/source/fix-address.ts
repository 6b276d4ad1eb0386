import { posix } from 'node:path'
import type { Span, TextChange } from '../../core/model/diagnostic.ts'
import { decodeAddress } from './link-address.ts'

/** An address of which every character means itself, in Markdown as in HTML. */
const PLAIN = /^[\p{L}\p{M}\p{N}._~/#?=-]+$/u

/**
 * The change of an address where it is written. Undefined where the range is not that of the address alone, or where it
 * would have to be escaped.
 *
 * @param change makes the address that is wanted of the one that is written
 */
export function fixAddress(
  { url, definition, ...range }: Span & { readonly url: string; readonly definition?: Span },
  change: (written: string) => string,
): TextChange | undefined {
  const { line, column, end } = definition ?? range
  if (end?.line !== line) return undefined
  const before = [url, decodeAddress(url)].find(({ length }) => length === end.column - column)
  if (before === undefined || !PLAIN.test(before)) return undefined
  const text = change(before)
  return PLAIN.test(text) && text !== before ? { start: { line, column }, end, text, before } : undefined
}

/** An address with another path, as it was: from the root or from the file `from`, with `./`, and with its query and heading. */
export function withPath(written: string, source: string, from: string): string {
  const suffix = /[?#].*$/s.exec(written)?.[0] ?? ''
  if (written.startsWith('/')) return `/${source}${suffix}`
  const path = posix.relative(posix.dirname(from), source)
  return `${written.startsWith('./') && !path.startsWith('.') ? './' : ''}${path}${suffix}`
}

export function withFragment(written: string, fragment: string): string {
  return `${written.slice(0, written.indexOf('#') + 1)}${fragment}`
}
