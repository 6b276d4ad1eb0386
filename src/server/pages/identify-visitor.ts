import type { Context } from 'hono'
import type { Viewer } from '../../web/pages/page-source.ts'
import type { Admit } from '../http/admit.ts'
import { type KeyRing, unknownKey } from '../http/authenticate.ts'
import type { ServerEnv } from '../http/request-trace.ts'
import type { Sessions } from './session.ts'

interface VisitorParts {
  /** The site that is shown: keys of others open nothing here. */
  readonly siteId: string
  readonly admit: Admit
  readonly keys: KeyRing
  readonly sessions: Sessions
}

/** Whether a request brings a key of its own. What a proxy in front asks for, such as a password, is none. */
export function hasKey(c: Context): boolean {
  return /^Bearer(?: |$)/i.test(c.req.header('Authorization') ?? '')
}

/**
 * Finds out who looks, once for each request: a key in the header or a session makes an author, anybody else is a
 * reader. A key is asked for anew each time, so that a revoked one opens nothing from that moment on.
 *
 * @throws (when called) Refusal 401 where the header has a key that is of no use here, 429
 */
export function createVisitors({ siteId, admit, keys, sessions }: VisitorParts) {
  return {
    async identify(c: Context<ServerEnv>): Promise<void> {
      if (hasKey(c)) {
        if ((await admit(c)).siteId === siteId) return
        throw unknownKey()
      }
      const name = await sessions.read(c)
      const caller = name === undefined ? undefined : await keys.findNamed(name)
      if (caller?.siteId === siteId) c.get('trace').caller = caller
    },
    viewerOf: (c: Context<ServerEnv>): Viewer => (c.get('trace').caller === undefined ? 'reader' : 'author'),
  }
}
