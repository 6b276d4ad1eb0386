import type { Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { parseUrl } from '../../core/parse-url.ts'
import type { Pages } from '../../web/pages/create-pages.ts'
import { isGuessable } from '../api-key.ts'
import { type KeyRing, createWrongKeys } from '../http/authenticate.ts'
import type { ClientAddress } from '../http/client-address.ts'
import type { ServerEnv, Handle } from '../http/request-trace.ts'
import type { Sessions } from './session.ts'
import { readReturnTo, RETURN_FIELD, SIGN_IN_PATH, SIGN_OUT_PATH, signInPage } from './sign-in-page.ts'

interface SignInParts {
  readonly app: Hono<ServerEnv>
  readonly handle: Handle
  readonly pages: Pages<ServerEnv>
  readonly keys: KeyRing
  /** The site of the pages: keys of others are not valid here. */
  readonly siteId: string
  readonly sessions: Sessions
  /** The path before all links of the pages. */
  readonly base: string
  readonly addressOf: ClientAddress
}

/** Maximum number of wrong keys from one address per minute: people type them. */
const WRONG_KEYS_PER_MINUTE = 10

const FORM_LIMIT_BYTES = 8192

const PROBLEMS = {
  unknown: 'This key is unknown or was revoked.',
  elsewhere: 'The form was not sent from this page. Please try again.',
  often: 'There were too many attempts. Please wait a minute.',
  large: 'This is not a key: it is too long.',
} as const

/** Adds two forms: signing in with a key, and signing out. */
export function mountSignIn(parts: SignInParts): void {
  const { app, handle, pages, keys, siteId, sessions, base, addressOf } = parts
  const wrongKeys = createWrongKeys(WRONG_KEYS_PER_MINUTE)
  const limited = bodyLimit({ maxSize: FORM_LIMIT_BYTES, onError: (c) => refuse(c, '/', 'large', 413) })

  function refuse(
    c: Context,
    returnTo: string,
    problem: keyof typeof PROBLEMS,
    status: number,
    headers = {},
  ): Promise<Response> {
    return pages.show(c, signInPage({ base, returnTo, problem: PROBLEMS[problem], status, headers }))
  }

  async function signIn(c: Context<ServerEnv>): Promise<Response> {
    const form = new URLSearchParams(await c.req.text())
    const returnTo = readReturnTo(form.get(RETURN_FIELD))
    if (!isSameOrigin(c)) return refuse(c, returnTo, 'elsewhere', 403)
    const key = form.get('key')?.trim() ?? ''
    const caller = await keys.find(key)
    const isWrong = caller?.siteId !== siteId
    if (isWrong || isGuessable(key)) {
      const waitSeconds = await wrongKeys[isWrong ? 'count' : 'waitSeconds'](addressOf(c))
      if (waitSeconds !== undefined) {
        return refuse(c, returnTo, 'often', 429, { 'Retry-After': String(waitSeconds) })
      }
    }
    if (isWrong) return refuse(c, returnTo, 'unknown', 401)
    c.get('trace').caller = caller
    await sessions.begin(c, keys.nameOf(key))
    return goTo(c, base + returnTo)
  }

  app.get(
    SIGN_IN_PATH,
    handle(SIGN_IN_PATH, (c) =>
      pages.show(c, signInPage({ base, returnTo: readReturnTo(c.req.query(RETURN_FIELD)) })),
    ),
  )
  app.post(
    SIGN_IN_PATH,
    handle(SIGN_IN_PATH, async (c) => {
      let answer: Response | undefined
      const refused = await limited(c, async () => {
        answer = await signIn(c)
      })
      return (answer ?? refused) as Response
    }),
  )
  app.post(
    SIGN_OUT_PATH,
    handle(SIGN_OUT_PATH, (c) => {
      if (!isSameOrigin(c)) return refuse(c, '/', 'elsewhere', 403)
      sessions.end(c)
      return goTo(c, `${base}/`)
    }),
  )
}

/** Redirects after a form, always to this host. */
function goTo(c: Context<ServerEnv>, path: string): Response {
  for (const [name, value] of Object.entries(c.get('trace').headers)) c.header(name, value)
  c.header('Cache-Control', 'no-store')
  return c.redirect(path, 303)
}

/**
 * Whether a form was sent from a page of this host. Browsers state that in one of two headers. A client that sends
 * neither is no browser and has no cookies of one.
 */
function isSameOrigin(c: Context): boolean {
  const site = c.req.header('Sec-Fetch-Site')
  if (site !== undefined) return site === 'same-origin'
  const origin = c.req.header('Origin')
  if (origin === undefined) return true
  const hosts = [c.req.header('Host'), c.req.header('X-Forwarded-Host'), new URL(c.req.url).host]
  const host = parseUrl(origin)?.host
  return host !== undefined && hosts.includes(host)
}
