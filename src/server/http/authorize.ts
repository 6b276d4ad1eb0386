import type { Context } from 'hono'
import type { Authenticate } from './authenticate.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Caller, ServerEnv } from './request-trace.ts'

/** Lets in who has a valid key and requests left. */
export type Authorize = (c: Context<ServerEnv>) => Promise<Caller>

/** @throws (when called) Refusal 401, 429 */
export function createAuthorize(authenticate: Authenticate, rateLimit: RateLimit | undefined): Authorize {
  return async (c) => {
    const trace = c.get('trace')
    const caller = await authenticate(c)
    trace.caller = caller
    if (rateLimit !== undefined) trace.headers = { ...trace.headers, ...(await rateLimit(caller.keyId)) }
    return caller
  }
}
