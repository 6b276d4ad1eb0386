import { parseUrl } from '../../../core/parse-url.ts'
import { escapeControlInLine } from '../../../core/escape-control.ts'

// Parsing many URLs would take most of the time, so simple ones are matched instead.
const PLAIN = /^https?:\/\/((?:[a-z0-9-]+\.)+[a-z]+)(?:[/?#]|$)/
/** A path from the root of the site. A parser skips the spaces, so `/\t/` starts a host. */
const ROOT_RELATIVE = /^\/(?:[^/\\\s]|$)/
/** Prefix of names in another script, which need a parser. */
const ENCODED = 'xn--'

/** Base URL that represents the site. */
const SITE = 'https://site.invalid'

/**
 * Returns the host (with its port, if any) of a web URL, including `//example.com/a`; '' for a URL within the site and
 * for invalid ones.
 */
export function hostOf(address: string): string {
  const plain = PLAIN.exec(address)?.[1]
  if (plain !== undefined && !plain.includes(ENCODED)) return plain
  if (ROOT_RELATIVE.test(address)) return ''
  const url = parseUrl(address) ?? parseUrl(address, SITE)
  return url === undefined || url.origin === SITE ? '' : url.host
}

/** Returns a readable host. Links within the knowledge base have none. */
export function hostName(host: string): string {
  return host === '' ? 'this knowledge base' : escapeControlInLine(host)
}
