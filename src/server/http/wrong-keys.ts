import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'

const WINDOW_SECONDS = 60

/** Counts wrong keys by the address that they come from. Both answer with seconds to wait; undefined where there were few. */
interface WrongKeys {
  /** Counts one more. */
  readonly count: (address: string) => Promise<number | undefined>
  readonly waitSeconds: (address: string) => Promise<number | undefined>
}

/**
 * Tells clients that try keys one after another to stop. Counted in this process alone: several processes on one database
 * each allow the whole number.
 *
 * Keys that are right still open the door where they cannot be guessed (see `isGuessable`): clients behind one proxy or
 * router share an address, and none of them can lock out the others.
 *
 * @param perMinute wrong keys of an address in a minute
 */
export function createWrongKeys(perMinute: number): WrongKeys {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS })
  return {
    count: async (address) => toWait(await limiter.penalty(address), perMinute + 1),
    waitSeconds: async (address) => toWait(await limiter.get(address), perMinute),
  }
}

/** @param from attempts from which on there is a wait */
function toWait(found: RateLimiterRes | null, from: number): number | undefined {
  if (found === null || found.consumedPoints < from) return undefined
  return Math.max(1, Math.ceil(found.msBeforeNext / 1000))
}
