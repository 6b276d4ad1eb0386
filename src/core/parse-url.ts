import { tryTo } from './try-to.ts'

// Most input has no scheme, and an exception takes ten times as long as a match. URL parsers ignore leading spaces.
// eslint-disable-next-line no-control-regex
const SCHEME = /^[\0-\x20]*[a-z][a-z\d+.\-\t\n\r]*:/i

/**
 * Parses a URL; undefined if it is invalid. Does not use `URL.canParse`: once V8 has optimised the call, it rejects
 * hosts with letters such as `ü` (Node 20 and 22).
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  if (base === undefined && !SCHEME.test(text)) return undefined
  return tryTo(() => new URL(text, base))
}

// A host of letters with a top-level domain, no path segment that starts with `.`, and only unchanged characters.
const NORMAL =
  /^https?:\/\/(?!xn--)(?:[a-z\d-]+\.(?!xn--))+[a-z]+(?:\/(?!\.|%2[eE])[\w!$&'()*+,\-.:;=@~%]*)+(?:\?[\w!$&()*+,\-./:;=@~%?]*)?(?:#[\w!$&'()*+,\-./:;=@~%?]*)?$/

/** Returns the normalised form of a URL; undefined if it is invalid. Faster than `parseUrl` for normalised URLs. */
export function normalizeUrl(text: string): string | undefined {
  return NORMAL.test(text) ? text : parseUrl(text)?.href
}

/** Decodes the percent-encoding of a URL where possible, for display. */
export function readableUrl(url: string): string {
  return tryTo(() => decodeURI(url), url)
}

/** Matches the start of a URL that contains an image. Without flags, so that JSON Schema can use it. */
export const IMAGE_DATA_URL = /^[Dd][Aa][Tt][Aa]:[Ii][Mm][Aa][Gg][Ee]\//
