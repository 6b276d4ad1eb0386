import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

/** Failed attempts of one address in a minute. */
const ATTEMPTS = 10
const WINDOW_SECONDS = 60

export interface SignInLimit {
  /** Counts a failed attempt. @returns seconds to wait; undefined where there were few */
  readonly take: (address: string) => Promise<number | undefined>
}

/**
 * Tells who tries keys by the dozen to stop. Counted in this process alone, and failures only: behind a proxy all have one
 * address, and nobody shall shut the door for those who have a key. No key can be guessed: each has 256 random bits.
 */
export function createSignInLimit(): SignInLimit {
  const limiter = new RateLimiterMemory({ points: ATTEMPTS, duration: WINDOW_SECONDS })
  return {
    async take(address) {
      try {
        await limiter.consume(address)
        return undefined
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error
        return Math.max(1, Math.ceil(error.msBeforeNext / 1000))
      }
    },
  }
}
