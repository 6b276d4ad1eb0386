import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import type { PageBody } from '../../web/pages/page-body.ts'
import { OWN_PATH } from '../../web/pages/page-headers.ts'
import type { Visit } from '../../web/pages/visit.ts'
import { requestPath } from '../../web/pages/create-pages.ts'
import type { ServerEnv } from '../http/handle-request.ts'
import { HttpError } from '../operations/responses.ts'
import { type FormParts, mountSecretForm } from './mount-sign-in.ts'
import { createSessionSecret, createSignedSessions } from './session.ts'
import { type FormState, secretPage } from './sign-in-page.ts'

const PASSWORD_PATH = `${OWN_PATH}/password`

interface PasswordGateOptions {
  readonly password: string
  readonly siteId: string
  readonly clock: () => Date
  /** Path prefix of all links of the pages. */
  readonly base: string
}

/** Readers enter the password once. Links from other sites then work as usual. */
const SESSION = { cookie: 'kb_reader', lastsMs: 30 * 24 * 60 * 60 * 1000, sameSite: 'Lax' } as const

const READER = 'reader'

/** Signs sessions with a key derived from the password, so that all processes accept them until it changes. */
export function createPasswordGate({ password, siteId, clock, base }: PasswordGateOptions) {
  const secret = createSessionSecret(password, `readers ${siteId}`)
  const sessions = createSignedSessions({ clock, base, ...SESSION }, READER, secret)
  const isRight = (given: string) => timingSafeEqual(digestOf(given), digestOf(password))

  return {
    /** Returns the page for a reader who has not entered the password; undefined for one who has. */
    closedPage: async (c: Context<ServerEnv>) =>
      (await sessions.isOpen(c))
        ? undefined
        : (visit: Visit) => passwordPage(visit, { returnTo: pathOf(c), status: 401 }),
    /**
     * Checks access to a file. Only the browser that requested it may cache it.
     *
     * @throws HttpError 401 for a reader who has not entered the password
     */
    async admitToFile(c: Context<ServerEnv>, isAuthor: boolean) {
      if (!isAuthor && !(await sessions.isOpen(c))) throw new HttpError(401, 'This site has a password')
      const trace = c.get('trace')
      const caching = { 'Cache-Control': 'private, max-age=31536000, immutable', Vary: 'Cookie' }
      trace.headers = { ...trace.headers, ...caching }
    },
    /** Headers of every page, which prevent search engines and shared caches from storing it. */
    headers: { 'Cache-Control': 'private, no-cache', 'X-Robots-Tag': 'noindex' },
    mount: (parts: FormParts) =>
      mountSecretForm(parts, {
        path: PASSWORD_PATH,
        field: 'password',
        show: (c, state) => parts.pages.show(c, (visit) => passwordPage(visit, state)),
        check: (given) =>
          isRight(given) ? { isGuessable: true, begin: (c) => sessions.begin(c) } : undefined,
      }),
  }
}

/** Returns the page to return to; the home page for a form that was opened as a page. */
function pathOf(c: Context): string {
  return c.req.path === PASSWORD_PATH ? '/' : requestPath(c)
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function passwordPage(visit: Visit, state: FormState): PageBody {
  const { closed, closedHint, password, enter, passwordUnknown } = visit.words
  const texts = { title: closed, hint: closedHint, label: password, button: enter, unknown: passwordUnknown }
  return { ...secretPage(visit, { path: PASSWORD_PATH, field: 'password', ...texts }, state), isBare: true }
}
