import { parseUrl } from '../../../core/parse-url.ts'
import { escapeControlInLine } from '../../../core/escape-control.ts'

// Of lists with many addresses most of the time would go into parsing: what is plainly written needs none.
const PLAIN = /^https?:\/\/((?:[a-z0-9-]+\.)+[a-z]+)(?:[/?#]|$)/
/** What a parser checks more closely: names in another script. */
const ENCODED = 'xn--'

/** Stands for the site, wherever it is. */
const SITE = 'https://site.invalid'

/**
 * Host (with its port, if it names one) of a web address, `//example.com/a` included; '' for one within the site and for
 * what is no address.
 */
export function hostOf(address: string): string {
  const plain = PLAIN.exec(address)?.[1]
  if (plain !== undefined && !plain.includes(ENCODED)) return plain
  const url = parseUrl(address) ?? parseUrl(address, SITE)
  return url === undefined || url.origin === SITE ? '' : url.host
}

/** A host as people read it; links within the knowledge base have none. */
export function hostName(host: string): string {
  return host === '' ? 'this knowledge base' : escapeControlInLine(host)
}
