import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { HttpError } from '../operations/http-error.ts'

type Headers = Readonly<Record<string, string>>

/** Counts a request of a key; returns the headers about the limit. */
export type RateLimit = (keyId: string) => Promise<Headers>

const WINDOW_SECONDS = 60

/**
 * Allows each key `perMinute` requests. Each process counts on its own, so several processes on one database each allow
 * the full number.
 *
 * @throws (when called) HttpError 429
 */
export function createRateLimit(perMinute: number): RateLimit {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS })
  return async (keyId) => {
    try {
      return describe(perMinute, await limiter.consume(keyId))
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      const headers = describe(perMinute, error)
      const seconds = headers['RateLimit-Reset']
      throw new HttpError(
        429,
        `The API key has sent more than ${perMinute} requests in a minute: wait ${seconds} seconds`,
        { ...headers, 'Retry-After': seconds },
      )
    }
  }
}

function describe(limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes) {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remainingPoints),
    'RateLimit-Reset': String(Math.max(1, Math.ceil(msBeforeNext / 1000))),
  }
}
