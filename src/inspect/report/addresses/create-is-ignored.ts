import { createMatches } from '../../check/external/web-address.ts'
import { plainAddress } from './address-key.ts'

/** Tells whether an address is left out of a report, in whichever way it is written. @param patterns see `createMatches` */
export function createIsLeftOut(patterns: readonly string[]): (url: string) => boolean {
  if (patterns.length === 0) return () => false
  const matches = createMatches(patterns)
  return (url) => matches(url) || matches(plainAddress(url))
}
