import { randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Context } from 'hono'
import type { OutsideKey } from '../http/authenticate.ts'
import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie'

/** Sessions of people signed in with a key, or of readers. The signed cookie contains a name, such as that of the key. */
export interface Sessions {
  /** The name from a request's session; undefined if there is no session, or if it has expired. */
  readonly read: (c: Context) => Promise<string | undefined>
  readonly begin: (c: Context, name: string) => Promise<void>
  readonly end: (c: Context) => void
}

/** How the browser keeps a session. */
interface SessionKind {
  readonly cookie: string
  readonly lastsMs: number
  readonly sameSite: 'Strict' | 'Lax'
}

const SIGNED_IN: SessionKind = { cookie: 'kb_session', lastsMs: 12 * 60 * 60 * 1000, sameSite: 'Strict' }
const SECRET_BYTES = 32

/**
 * @param clock decides when a session ends
 * @param secret signs sessions; processes with the same secret share them
 * @param base the path below which the browser finds the pages
 */
export function createSessions(
  clock: () => Date,
  secret: () => Promise<Buffer>,
  base: string,
  kind: SessionKind = SIGNED_IN,
): Sessions {
  const { lastsMs, sameSite } = kind
  // A browser also sends the cookies of a site above this one.
  const cookie = `${kind.cookie}${base.replaceAll('/', '.')}`
  const attributesOf = (c: Context) =>
    ({ path: `${base}/`, httpOnly: true, sameSite, secure: isSecure(c) }) as const
  return {
    async read(c) {
      // Most requests have no session and need no secret.
      if (c.req.header('Cookie')?.includes(`${cookie}=`) !== true) return undefined
      const value = await getSignedCookie(c, await secret(), cookie)
      const [, ends, name] = /^(\d+)\.(\w+)$/.exec(value || '') ?? []
      return Number(ends) > clock().getTime() ? name : undefined
    },
    async begin(c, name) {
      const value = `${clock().getTime() + lastsMs}.${name}`
      await setSignedCookie(c, cookie, value, await secret(), { ...attributesOf(c), maxAge: lastsMs / 1000 })
    },
    end: (c) => void deleteCookie(c, cookie, attributesOf(c)),
  }
}

/**
 * A secret that is the same in all processes with the same key in KB_API_KEY, or the same password; without one, it is random.
 * Deriving it is slow on purpose, so that the key cannot be guessed from a cookie.
 *
 * @param salt the same for all of these processes
 */
export function createSessionSecret(outsideKey: OutsideKey, salt: string): () => Promise<Buffer> {
  let made: { readonly key: string | undefined; readonly secret: Promise<Buffer> } | undefined
  const derive = async (key: string) =>
    (await promisify(scrypt)(key, `kb-sync pages ${salt}`, SECRET_BYTES)) as Buffer
  return () => {
    const key = outsideKey()
    // Another key ends all sessions.
    if (made === undefined || made.key !== key) {
      made = { key, secret: key === undefined ? Promise.resolve(randomBytes(SECRET_BYTES)) : derive(key) }
    }
    return made.secret
  }
}

/** Whether the browser uses TLS, according to a proxy in front. */
function isSecure(c: Context): boolean {
  const forwarded = c.req.header('X-Forwarded-Proto')?.split(',', 1)[0]?.trim().toLowerCase()
  return forwarded === 'https' || c.req.url.startsWith('https:')
}
