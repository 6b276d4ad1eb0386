import { readableAddress } from '../../content/link-occurrences/decode-written-url.ts'
import { normalizeUrl } from '../../core/parse-url.ts'
import { createMatches } from '../check/external/web-address.ts'
import { tryTo } from '../../core/try-to.ts'

/** Returns a URL with its HTML entities resolved. A protocol-relative one gets the scheme https. */
export function plainAddress(url: string): string {
  const text = readableAddress(url)
  return /^[/\\]{2}/.test(text) ? `https:${text}` : text
}

// Most links within a knowledge base need no change.
const USUAL = /^\/(?![/\\])[\w\-./:()=]*(?:#[\w\-.:()=]+)?$/

/**
 * Returns a key for comparing URLs, not for requests. It ignores differences in entities, percent-encoding (except for
 * reserved characters such as `%2F`), case of scheme and host, the trailing slash of a host and an empty fragment.
 */
export function addressKey(url: string): string {
  if (USUAL.test(url)) return url
  const text = plainAddress(url)
  return decodeUnreserved(normalizeUrl(text) ?? text).replace(/#$/, '')
}

export function keyWithoutFragment(key: string): string {
  return key.split('#', 1)[0] ?? ''
}

// An escaped percent sign is kept: decoded, `%252F` would look like `%2F`.
const ESCAPES = /(?:%(?!25)[\da-f]{2})+/gi

function decodeUnreserved(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(ESCAPES, (escapes) => {
    return tryTo(() => decodeURI(escapes.toUpperCase()), escapes.toUpperCase())
  })
}

/** Creates a test for URLs that the report omits, in any spelling. @param patterns see `createMatches` */
export function createIsLeftOut(patterns: readonly string[]): (url: string) => boolean {
  if (patterns.length === 0) return () => false
  const matches = createMatches(patterns)
  return (url) => matches(url) || matches(plainAddress(url))
}
