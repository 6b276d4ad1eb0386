import { html } from 'hono/html'
import type { Html } from '../../web/html.ts'
import type { PageBody } from '../../web/pages/page-body.ts'
import { OWN_PATH } from '../../web/pages/page-headers.ts'
import { parseUrl } from '../../core/parse-url.ts'

export const SIGN_IN_PATH = `${OWN_PATH}/sign-in`
export const SIGN_OUT_PATH = `${OWN_PATH}/sign-out`

/** Name of the field with the path to return to. */
export const RETURN_FIELD = 'to'

interface SignInState {
  /** The path before all links of the pages. */
  readonly base: string
  readonly returnTo: string
  /** The problem, without information about any key. */
  readonly problem?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** The form for the key; works without scripts. */
export function signInPage({ base, returnTo, problem, status = 200, headers = {} }: SignInState): PageBody {
  const said = problem === undefined ? '' : html`<p role="alert" id="_kb-problem">${problem}</p>`
  const described = problem === undefined ? '' : html` aria-invalid="true" aria-describedby="_kb-problem"`
  return {
    title: 'Sign in',
    isUnlisted: true,
    language: 'en',
    status,
    headers: { 'Cache-Control': 'no-store', ...headers },
    main: html`<h1>Sign in</h1>
      <p>With an API key of this knowledge base, you can see drafts and the status page.</p>
      <form class="kb-form" method="post" action="${base}${SIGN_IN_PATH}">
        ${said}
        <input type="hidden" name="${RETURN_FIELD}" value="${returnTo}" />
        <label for="_kb-key">API key</label>
        <input
          id="_kb-key"
          type="password"
          name="key"
          required
          maxlength="1000"
          autocomplete="current-password"
          spellcheck="false"
          autocapitalize="none"
          ${described}
        />
        <button type="submit" class="kb-button">Sign in</button>
      </form>`,
  }
}

/** For the header: the link to sign in. @param url of the current page, without `base` */
export function signInLink(base: string, url: string): Html {
  return html`<a
    class="kb-account"
    rel="nofollow"
    href="${base}${SIGN_IN_PATH}?${new URLSearchParams({ [RETURN_FIELD]: url })}"
    >Sign in</a
  >`
}

/** For the header of a signed-in user. @param hasSession whether there is a session to end */
export function accountMenu(base: string, hasSession: boolean): Html {
  const out = hasSession
    ? html`<form class="kb-account" method="post" action="${base}${SIGN_OUT_PATH}">
        <button type="submit">Sign out</button>
      </form>`
    : ''
  return html`<a class="kb-account" href="${base}/status">Status</a>${out}`
}

/** The path of this host in a URL or form field; the home page for anything else. */
export function readReturnTo(text: string | null | undefined): string {
  const base = 'http://here.invalid'
  const url = text?.startsWith('/') === true ? parseUrl(text, base) : undefined
  return url?.origin === base && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}` : '/'
}
