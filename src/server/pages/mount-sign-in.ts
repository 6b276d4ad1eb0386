import type { Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { parseUrl } from '../../core/parse-url.ts'
import type { Pages } from '../../web/pages/create-pages.ts'
import { isGuessable } from '../api-key.ts'
import { type KeyRing, createWrongKeys } from '../http/authenticate.ts'
import type { ClientAddress } from '../http/client-address.ts'
import type { ServerEnv, Handle } from '../http/handle-request.ts'
import type { CreateLimit } from '../http/shared-limit.ts'
import type { Sessions } from './session.ts'
import {
  type FormState,
  readReturnTo,
  RETURN_FIELD,
  SIGN_IN_PATH,
  SIGN_OUT_PATH,
  signInPage,
} from './sign-in-page.ts'

/** What the forms of the pages need from the server. */
export interface FormParts {
  readonly app: Hono<ServerEnv>
  readonly handle: Handle
  readonly pages: Pages<ServerEnv>
  /** Path prefix of all links of the pages. */
  readonly base: string
  readonly addressOf: ClientAddress
  readonly createLimit: CreateLimit
}

interface SignInParts extends FormParts {
  readonly keys: KeyRing
  /** The site of the pages. Keys of other sites are not valid here. */
  readonly siteId: string
  readonly sessions: Sessions
}

/** Maximum number of wrong keys or passwords from one address per minute: people type them. */
const WRONG_PER_MINUTE = 10

const FORM_LIMIT_BYTES = 8192

/** A form with a single secret. */
interface SecretForm {
  readonly path: string
  readonly field: string
  readonly show: (c: Context<ServerEnv>, state: FormState) => Promise<Response>
  /** Returns what a secret allows; undefined if it is wrong. */
  readonly check: (secret: string) => Promise<Admission | undefined> | Admission | undefined
}

interface Admission {
  /** True if the secret can be guessed, so that it must wait, too, after many wrong ones. */
  readonly isGuessable: boolean
  readonly begin: (c: Context<ServerEnv>) => Promise<void>
}

/** Adds two forms: signing in with a key, and signing out. */
export function mountSignIn(parts: SignInParts): void {
  const { app, handle, pages, keys, siteId, sessions, base } = parts

  const show = (c: Context<ServerEnv>, state: FormState) => pages.show(c, (visit) => signInPage(visit, state))

  app.get(
    SIGN_IN_PATH,
    handle(SIGN_IN_PATH, (c) => show(c, { returnTo: readReturnTo(c.req.query(RETURN_FIELD)) })),
  )
  mountSecretForm(parts, {
    path: SIGN_IN_PATH,
    field: 'key',
    show,
    async check(key) {
      const caller = await keys.find(key)
      if (caller?.siteId !== siteId) return undefined
      const begin = async (c: Context<ServerEnv>) => {
        c.get('trace').caller = caller
        await sessions.begin(c, await keys.nameOf(key))
      }
      return { isGuessable: isGuessable(key), begin }
    },
  })
  app.post(
    SIGN_OUT_PATH,
    handle(SIGN_OUT_PATH, async (c) => {
      if (!isSameOrigin(c)) return show(c, { returnTo: '/', problem: 'elsewhere', status: 403 })
      await sessions.end(c)
      return goTo(c, `${base}/`)
    }),
  )
}

/** Handles a form with a secret. The right one redirects to the page that was requested. */
export function mountSecretForm(
  { app, handle, base, addressOf, createLimit }: Omit<FormParts, 'pages'>,
  { path, field, show, check }: SecretForm,
): void {
  const wrongSecrets = createWrongKeys(createLimit(path, WRONG_PER_MINUTE))
  const limited = bodyLimit({
    maxSize: FORM_LIMIT_BYTES,
    onError: (c) => show(c, { returnTo: '/', problem: 'large', status: 413 }),
  })

  async function respond(c: Context<ServerEnv>): Promise<Response> {
    const form = new URLSearchParams(await c.req.text())
    const returnTo = readReturnTo(form.get(RETURN_FIELD))
    if (!isSameOrigin(c)) return show(c, { returnTo, problem: 'elsewhere', status: 403 })
    const admission = await check(form.get(field)?.trim() ?? '')
    if (admission === undefined || admission.isGuessable) {
      const isWrong = admission === undefined
      const waitSeconds = await wrongSecrets[isWrong ? 'count' : 'waitSeconds'](addressOf(c))
      if (waitSeconds !== undefined) {
        const headers = { 'Retry-After': String(waitSeconds) }
        return show(c, { returnTo, problem: 'often', status: 429, headers })
      }
    }
    if (admission === undefined) return show(c, { returnTo, problem: 'unknown', status: 401 })
    await admission.begin(c)
    return goTo(c, base + returnTo)
  }

  app.post(
    path,
    handle(path, async (c) => {
      let answer: Response | undefined
      const refused = await limited(c, async () => {
        answer = await respond(c)
      })
      return (answer ?? refused) as Response
    }),
  )
}

/** Redirects after a form, only within this host. */
function goTo(c: Context<ServerEnv>, path: string): Response {
  for (const [name, value] of Object.entries(c.get('trace').headers)) c.header(name, value)
  c.header('Cache-Control', 'no-store')
  return c.redirect(path, 303)
}

/**
 * True if a form was sent from a page of this host. Browsers state this in one of two headers. A client that sends
 * neither is not a browser and has no cookies of one.
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
