import { escapePattern } from '../../../core/escape-pattern.ts'
import { normalizeUrl } from '../../../core/parse-url.ts'

/** Returns the URL to request for a link: absolute, without its fragment; undefined if it is invalid. */
export function toWebAddress(url: string): string | undefined {
  // A protocol-relative link has the scheme of the page, which is almost always https.
  const whole = /^[/\\]{2}/.test(url) ? `https:${url}` : url
  return normalizeUrl(whole)?.replace(/#.*$/, '')
}

/** Hosts reserved for examples (RFC 2606), which are not expected to work. */
const EXAMPLES = /(?:^|\.)(?:example|invalid|example\.(?:com|net|org))$/

/** Creates a test for URLs that are not requested; `*` in a pattern matches any text, all else itself. */
export function createIsIgnored(patterns: readonly string[]): (address: string) => boolean {
  const matches = createMatches(patterns)
  return (address) => EXAMPLES.test(new URL(address).hostname) || matches(address)
}

/** Creates a test for URLs, absolute or not, that match one of the patterns, see `createIsIgnored`. */
export function createMatches(patterns: readonly string[]): (address: string) => boolean {
  const tests = patterns.map(toPattern)
  return (address) => {
    // People write the URL of a host without the trailing slash.
    const spellings = [address, address.replace(/\/$/, '')]
    return tests.some((test) => spellings.some((spelling) => test.test(spelling)))
  }
}

function toPattern(pattern: string): RegExp {
  const parts = pattern.split(/\*+/).map(escapePattern)
  return new RegExp(`^${parts.join('.*')}$`, 's')
}
