import { createHash, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Context } from 'hono'
import { deleteCookie, getCookie, getSignedCookie, setCookie, setSignedCookie } from 'hono/cookie'
import type { GuardStore } from '../store/guard-store.ts'

/** How a session is stored in the browser. */
interface SessionKind {
  readonly cookie: string
  readonly lastsMs: number
  readonly sameSite: 'Strict' | 'Lax'
}

interface SessionOptions {
  /** Decides when a session ends. */
  readonly clock: () => Date
  /** The path below which the browser finds the pages. */
  readonly base: string
}

/** Sessions of people signed in with a key. */
export type Sessions = ReturnType<typeof createStoredSessions>

interface StoredSessionOptions extends SessionOptions {
  readonly store: GuardStore
  readonly siteId: string
}

const SIGNED_IN: SessionKind = { cookie: 'kb_session', lastsMs: 12 * 60 * 60 * 1000, sameSite: 'Strict' }
const TOKEN_BYTES = 32

/** The cookie is a random token. The database has its hash, so that all processes know the session and its end. */
export function createStoredSessions({ store, siteId, ...options }: StoredSessionOptions) {
  const { clock } = options
  const { lastsMs } = SIGNED_IN
  const cookie = cookieOf(SIGNED_IN, options)
  const attributesOf = createAttributes({ ...options, ...SIGNED_IN })
  return {
    /** Returns the name in a request's session; undefined if there is no session, or if it has ended. */
    async read(c: Context) {
      const token = getCookie(c, cookie)
      return token ? store.readSession(hashOf(token), siteId, clock().toISOString()) : undefined
    },
    async begin(c: Context, name: string) {
      const token = randomBytes(TOKEN_BYTES).toString('base64url')
      const endsDate = new Date(clock().getTime() + lastsMs).toISOString()
      await store.beginSession({ hash: hashOf(token), siteId, name, endsDate }, clock().toISOString())
      setCookie(c, cookie, token, { ...attributesOf(c), maxAge: lastsMs / 1000 })
    },
    /** Ends the session for everyone who has its cookie. */
    async end(c: Context) {
      const token = deleteCookie(c, cookie, attributesOf(c))
      if (token) await store.endSession(hashOf(token))
    },
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/**
 * Stores sessions only in the cookie, with a signature, for readers, of whom there may be many.
 *
 * @param content the content of the cookie
 * @param secret signs sessions; processes with the same secret share them
 */
export function createSignedSessions(
  options: SessionOptions & SessionKind,
  content: string,
  secret: () => Promise<Buffer>,
) {
  const { clock, lastsMs } = options
  const cookie = cookieOf(options, options)
  const attributesOf = createAttributes(options)
  return {
    /** True if the request has a session that has not ended. */
    async isOpen(c: Context): Promise<boolean> {
      // Most requests have no session, and do not need the secret.
      if (c.req.header('Cookie')?.includes(`${cookie}=`) !== true) return false
      const value = await getSignedCookie(c, await secret(), cookie)
      const [, ends, said] = /^(\d+)\.(\w+)$/.exec(value || '') ?? []
      return said === content && Number(ends) > clock().getTime()
    },
    async begin(c: Context): Promise<void> {
      const value = `${clock().getTime() + lastsMs}.${content}`
      await setSignedCookie(c, cookie, value, await secret(), { ...attributesOf(c), maxAge: lastsMs / 1000 })
    },
  }
}

/**
 * Derives a secret that is the same in all processes with the same password. This is deliberately slow, so that the
 * password cannot be guessed from a cookie.
 */
export function createSessionSecret(password: string, salt: string): () => Promise<Buffer> {
  let made: Promise<Buffer> | undefined
  return () => (made ??= promisify(scrypt)(password, `kb-sync pages ${salt}`, TOKEN_BYTES) as Promise<Buffer>)
}

/** A browser also sends the cookies of a site at a parent path, so the name contains the path. */
function cookieOf({ cookie }: SessionKind, { base }: SessionOptions): string {
  return `${cookie}${base.replaceAll('/', '.')}`
}

function createAttributes({ base, sameSite }: SessionOptions & SessionKind) {
  return (c: Context) => ({ path: `${base}/`, httpOnly: true, sameSite, secure: isSecure(c) }) as const
}

/** True if the browser uses TLS, according to a proxy in front. */
function isSecure(c: Context): boolean {
  const forwarded = c.req.header('X-Forwarded-Proto')?.split(',', 1)[0]?.trim().toLowerCase()
  return forwarded === 'https' || c.req.url.startsWith('https:')
}
