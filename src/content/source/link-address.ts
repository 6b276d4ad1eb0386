import { posix } from 'node:path'
import type { Span, TextChange } from '../../core/model/diagnostic.ts'
import { tryTo } from '../../core/try-to.ts'

/** The parts of a relative URL. */
export type LinkAddress = ReturnType<typeof splitAddress>

export function splitAddress(url: string) {
  const cut = url.search(/[?#]/)
  const path = cut === -1 ? url : url.slice(0, cut)
  const suffix = cut === -1 ? '' : url.slice(cut)
  const hash = suffix.indexOf('#')
  return {
    /** Percent-decoded. */
    path: decodeAddress(path),
    /** `?query#fragment` as written. */
    suffix,
    /** As written, without `#`; undefined if there is none. */
    fragment: hash === -1 ? undefined : suffix.slice(hash + 1),
  }
}

/** Returns true if a URL, as written, is the path of a Markdown file. */
export function namesMarkdown(url: string): boolean {
  return /^[^?#]*\.mdx?(?:[?#]|$)/.test(url)
}

/** Percent-decodes a URL. One with a stray `%` is returned unchanged. */
export function decodeAddress(text: string): string {
  return text.includes('%') ? tryTo(() => decodeURIComponent(text), text) : text
}

/** Returns the source that `path` refers to in the file `from`, or undefined outside the content folder. */
export function joinSource(from: string, path: string): string | undefined {
  const joined = path.startsWith('/') ? posix.normalize(path.slice(1)) : posix.join(posix.dirname(from), path)
  return joined === '..' || joined.startsWith('../') || joined.startsWith('/') ? undefined : joined
}

/** A URL whose characters need no escaping in Markdown and HTML. */
const PLAIN = /^[\p{L}\p{M}\p{N}._~/#?=-]+$/u

/**
 * Returns the change of a URL where it is written. Returns undefined if the range is not that of the URL alone, or if
 * it would have to be escaped.
 *
 * @param change converts the written URL to the intended one
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

/**
 * Returns the change of the path alone, which may contain spaces where it is written without escapes.
 *
 * @param path of the URL, decoded
 */
export function fixPath(
  { url, definition, line, column, end }: Span & { readonly url: string; readonly definition?: Span },
  path: string,
  findText: () => string | undefined,
): TextChange | undefined {
  if (definition !== undefined || end?.line !== line) return undefined
  const length = end.column - column
  const isWritten = url.includes('#') ? url.startsWith(path) || length !== url.length : length === path.length
  const text = isWritten ? findText() : undefined
  if (text === undefined || (PLAIN.test(path) && !PLAIN.test(text))) return undefined
  const start = { line, column }
  return { start, end: { line, column: column + path.length }, text, before: path }
}

/** Replaces the path in a URL and keeps its form: root-relative or relative to `from`, `./`, query and fragment. */
export function withPath(written: string, source: string, from: string): string {
  const suffix = /[?#].*$/s.exec(written)?.[0] ?? ''
  if (written.startsWith('/')) return `/${source}${suffix}`
  const path = posix.relative(posix.dirname(from), source)
  return `${written.startsWith('./') && !path.startsWith('.') ? './' : ''}${path}${suffix}`
}

export function withFragment(written: string, fragment: string): string {
  return `${written.slice(0, written.indexOf('#') + 1)}${fragment}`
}
