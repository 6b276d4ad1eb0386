import { html } from 'hono/html'
import type { Html } from '../../web/html.ts'
import { inMessageLanguage } from '../../web/pages/in-message-language.ts'
import type { PageBody } from '../../web/pages/page-body.ts'
import { OWN_PATH } from '../../web/pages/page-headers.ts'
import { withQuery } from '../../web/pages/page-urls.ts'
import type { Visit } from '../../web/pages/visit.ts'
import { parseUrl } from '../../core/parse-url.ts'

export const SIGN_IN_PATH = `${OWN_PATH}/sign-in`
export const SIGN_OUT_PATH = `${OWN_PATH}/sign-out`

/** Name of the field with the path to return to. */
export const RETURN_FIELD = 'to'

/** The reason why a form was rejected. */
export type FormProblem = 'unknown' | 'elsewhere' | 'often' | 'large'

/** The state of a form, which may be shown again with a problem. */
export interface FormState {
  readonly returnTo: string
  readonly problem?: FormProblem
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

interface SecretFormTexts {
  readonly path: string
  readonly field: string
  readonly title: string
  readonly hint: string
  readonly label: string
  readonly button: string
  /** Message for a wrong secret. It reveals nothing about others. */
  readonly unknown: string
}

/** The page of a form with one secret; works without scripts. */
export function secretPage(
  { words, urls, language }: Visit,
  { path, field, title, hint, label, button, unknown }: SecretFormTexts,
  { returnTo, problem, status = 200, headers = {} }: FormState,
): PageBody {
  const problems = { unknown, large: unknown, elsewhere: words.passwordElsewhere, often: words.passwordOften }
  const said = problem && html`<p role="alert" id="_kb-problem">${problems[problem]}</p>`
  return {
    title,
    isUnlisted: true,
    language: words.language,
    status,
    headers: { 'Cache-Control': 'no-store', ...headers },
    main: html`<h1>${title}</h1>
      <p>${hint}</p>
      <form class="kb-form" method="post" action="${urls.inLanguage(path, language)}">
        ${said ?? ''}
        <input type="hidden" name="${RETURN_FIELD}" value="${returnTo}" />
        <label for="_kb-secret">${label}</label>
        <input
          id="_kb-secret"
          type="password"
          name="${field}"
          required
          maxlength="1000"
          autocomplete="current-password"
          spellcheck="false"
          autocapitalize="none"
          ${said && html` aria-invalid="true" aria-describedby="_kb-problem"`}
        />
        <button type="submit" class="kb-button">${button}</button>
      </form>`,
  }
}

/** The form for the key of an editor. */
export function signInPage(visit: Visit, state: FormState): PageBody {
  const { signIn, signInHint, apiKey, keyUnknown } = visit.words
  const texts = { title: signIn, hint: signInHint, label: apiKey, button: signIn, unknown: keyUnknown }
  return secretPage(visit, { path: SIGN_IN_PATH, field: 'key', ...texts }, state)
}

/** Renders the link to sign in, for the header. @param url of the current page, without the path prefix */
export function signInLink(visit: Visit, url: string): Html {
  const { urls, words, language } = visit
  const href = withQuery(urls.inLanguage(SIGN_IN_PATH, language), { [RETURN_FIELD]: url })
  return html`<a class="kb-account" rel="nofollow" href="${href}"
    >${inMessageLanguage(visit, words.signIn)}</a
  >`
}

/** Renders the header's menu of a signed-in user. @param hasSession true if there is a session to end */
export function accountMenu(visit: Visit, hasSession: boolean): Html {
  const { urls, words } = visit
  const out = hasSession
    ? html`<form class="kb-account" method="post" action="${urls.path(SIGN_OUT_PATH)}">
        <button type="submit">${inMessageLanguage(visit, words.signOut)}</button>
      </form>`
    : ''
  return html`<a class="kb-account" href="${urls.status}">${inMessageLanguage(visit, words.status)}</a>${out}`
}

/** Returns the path on this host in a URL or form field; the home page for anything else. */
export function readReturnTo(text: string | null | undefined): string {
  const base = 'http://here.invalid'
  const url = text?.startsWith('/') === true ? parseUrl(text, base) : undefined
  return url?.origin === base && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}` : '/'
}
