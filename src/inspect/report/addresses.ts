import { readableAddress } from '../../content/link-occurrences/decode-address.ts'
import { normalizeUrl } from '../../core/parse-url.ts'
import { createMatches } from '../check/external/web-address.ts'
import { tryTo } from '../../core/try-to.ts'

/** An address as its reader means it: HTML entities resolved; one from the host on takes the scheme of most pages. */
export function plainAddress(url: string): string {
  const text = readableAddress(url)
  return /^[/\\]{2}/.test(text) ? `https:${text}` : text
}

/**
 * What two spellings of one address have in common: entities, percent-encoding (but of what parts an address, such as
 * `%2F`), case of scheme and host, the final slash of a bare host and an empty fragment make no difference. For looking
 * up only.
 */
export function addressKey(url: string): string {
  const text = plainAddress(url)
  return decodeUnreserved(normalizeUrl(text) ?? text).replace(/#$/, '')
}

/** The key without what stands behind `#`. */
export function keyWithoutFragment(key: string): string {
  return key.replace(/#.*$/s, '')
}

// An escaped percent sign stays: without it, `%252F` would look like `%2F`.
const ESCAPES = /(?:%(?!25)[\da-f]{2})+/gi

function decodeUnreserved(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(ESCAPES, (escapes) => {
    return tryTo(() => decodeURI(escapes.toUpperCase()), escapes.toUpperCase())
  })
}

/** Tells whether an address is left out of a report, in whichever way it is written. @param patterns see `createMatches` */
export function createIsLeftOut(patterns: readonly string[]): (url: string) => boolean {
  if (patterns.length === 0) return () => false
  const matches = createMatches(patterns)
  return (url) => matches(url) || matches(plainAddress(url))
}
