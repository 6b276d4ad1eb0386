import { html } from 'hono/html'
import type { Html } from '../html.ts'
import type { PageBody } from './page-body.ts'
import type { PageLink } from './page-source.ts'
import { inMessageLanguage } from './in-message-language.ts'
import type { Visit } from './visit.ts'

/** Renders the path from the home page to the current page; `path` are the categories above it. */
export function breadcrumbs(visit: Visit, path: readonly PageLink[]): Html {
  const { words, urls, language } = visit
  return html`<nav class="kb-path" aria-label="${words.path}">
    <ol>
      <li><a href="${urls.home(language)}">${inMessageLanguage(visit, words.home)}</a></li>
      ${path.map(({ name, slug }) => html`<li><a href="${urls.category({ slug, language })}">${name}</a></li>`)}
    </ol>
  </nav>`
}

/** Returns the same path for search engines, including the current page. */
export function trailOf(
  { urls, language }: Visit,
  path: readonly PageLink[],
  page: NonNullable<PageBody['trail']>[number],
): NonNullable<PageBody['trail']> {
  return [...path.map(({ name, slug }) => ({ name, url: urls.category({ slug, language }) })), page]
}
