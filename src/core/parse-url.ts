import { tryTo } from './try-to.ts'

// Most of what is parsed has no scheme, and an exception takes ten times as long as a match. A parser skips the spaces.
// eslint-disable-next-line no-control-regex
const SCHEME = /^[\0-\x20]*[a-z][a-z\d+.\-\t\n\r]*:/i

/**
 * Parses a URL; undefined if it is invalid. Not with `URL.canParse`: once V8 has optimised the call, it rejects hosts
 * with letters such as `ü` (Node 20 and 22).
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  if (base === undefined && !SCHEME.test(text)) return undefined
  return tryTo(() => new URL(text, base))
}

// A host of letters with a top-level domain, no `.` at the start of a segment, and only characters that stay as they are.
const NORMAL =
  /^https?:\/\/(?!xn--)(?:[a-z\d-]+\.(?!xn--))+[a-z]+(?:\/(?!\.|%2[eE])[\w!$&'()*+,\-.:;=@~%]*)+(?:\?[\w!$&()*+,\-./:;=@~%?]*)?(?:#[\w!$&'()*+,\-./:;=@~%?]*)?$/

/** The normalised form of a URL; undefined if it is invalid. Faster than `parseUrl`, since most URLs are normalised. */
export function normalizeUrl(text: string): string | undefined {
  return NORMAL.test(text) ? text : parseUrl(text)?.href
}

/** A URL with its percent-encoding decoded where possible, for display. */
export function readableUrl(url: string): string {
  return tryTo(() => decodeURI(url), url)
}
