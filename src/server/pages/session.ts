import { randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Context } from 'hono'
import type { OutsideKey } from '../http/authenticate.ts'
import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie'

/** Sessions of people signed in with a key. The signed cookie contains the name of the key, not the key. */
export interface Sessions {
  /** The key's name from a request's session; undefined if there is no session, or if it has expired. */
  readonly read: (c: Context) => Promise<string | undefined>
  readonly begin: (c: Context, keyName: string) => Promise<void>
  readonly end: (c: Context) => void
}

const COOKIE = 'kb_session'
const LASTS_MS = 12 * 60 * 60 * 1000
const SECRET_BYTES = 32

/**
 * @param clock decides when a session ends
 * @param secret signs sessions; processes with the same secret share them
 * @param base the path below which the browser finds the pages
 */
export function createSessions(clock: () => Date, secret: () => Promise<Buffer>, base: string): Sessions {
  const attributesOf = (c: Context) =>
    ({ path: `${base}/`, httpOnly: true, sameSite: 'Strict', secure: isSecure(c) }) as const
  return {
    async read(c) {
      // Most requests have no session and need no secret.
      if (c.req.header('Cookie')?.includes(`${COOKIE}=`) !== true) return undefined
      const value = await getSignedCookie(c, await secret(), COOKIE)
      const [, ends, keyName] = /^(\d+)\.(\w+)$/.exec(value || '') ?? []
      return Number(ends) > clock().getTime() ? keyName : undefined
    },
    async begin(c, keyName) {
      const value = `${clock().getTime() + LASTS_MS}.${keyName}`
      await setSignedCookie(c, COOKIE, value, await secret(), { ...attributesOf(c), maxAge: LASTS_MS / 1000 })
    },
    end: (c) => void deleteCookie(c, COOKIE, attributesOf(c)),
  }
}

/**
 * A secret that is the same in all processes with the same key in KB_API_KEY; without such a key, it is random.
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
