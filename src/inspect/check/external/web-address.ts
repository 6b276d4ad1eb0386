import { escapePattern } from '../../../core/escape-pattern.ts'
import { normalizeUrl } from '../../../core/parse-url.ts'

/** The address that is asked for a link: complete, without its fragment; undefined where it is no valid one. */
export function toWebAddress(url: string): string | undefined {
  // A link from the host on takes the scheme of the page, which is https wherever it counts.
  const whole = /^[/\\]{2}/.test(url) ? `https:${url}` : url
  return normalizeUrl(whole)?.replace(/#.*$/, '')
}

/** Hosts that exist for examples only (RFC 2606): no one means them to work. */
const EXAMPLES = /(?:^|\.)(?:example|invalid|example\.(?:com|net|org))$/

/** Makes the test for addresses that are not to be asked; `*` in a pattern stands for anything, all else for itself. */
export function createIsIgnored(patterns: readonly string[]): (address: string) => boolean {
  const matches = createMatches(patterns)
  return (address) => EXAMPLES.test(new URL(address).hostname) || matches(address)
}

/** Makes the test for addresses, complete ones or others, that fit one of the patterns, see `createIsIgnored`. */
export function createMatches(patterns: readonly string[]): (address: string) => boolean {
  const tests = patterns.map(toPattern)
  return (address) => {
    // As people write it: the address of a host alone has no slash.
    const spellings = [address, address.replace(/\/$/, '')]
    return tests.some((test) => spellings.some((spelling) => test.test(spelling)))
  }
}

function toPattern(pattern: string): RegExp {
  const parts = pattern.split(/\*+/).map(escapePattern)
  return new RegExp(`^${parts.join('.*')}$`, 's')
}
