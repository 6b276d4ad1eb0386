import { HttpError } from '../operations/responses.ts'
import type { CreateLimit } from './shared-limit.ts'

/** Counts a request of a key; returns the headers about the limit. @throws (when called) HttpError 429 */
export type RateLimit = (keyId: string) => Promise<Readonly<Record<string, string>>>

/** @param perMinute requests of a key in a minute; undefined: no limit */
export function createRateLimit(
  perMinute: number | undefined,
  createLimit: CreateLimit,
): RateLimit | undefined {
  if (perMinute === undefined) return undefined
  const limit = createLimit('requests', perMinute)
  return async (keyId) => {
    const { isWithin, remaining, resetSeconds } = await limit.count(keyId)
    const headers = {
      'RateLimit-Limit': String(perMinute),
      'RateLimit-Remaining': String(remaining),
      'RateLimit-Reset': String(resetSeconds),
    }
    if (isWithin) return headers
    throw new HttpError(
      429,
      `The API key has sent more than ${perMinute} requests in a minute: wait ${resetSeconds} seconds`,
      { ...headers, 'Retry-After': String(resetSeconds) },
    )
  }
}
