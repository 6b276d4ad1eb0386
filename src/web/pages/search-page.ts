import { html } from 'hono/html'
import type { Html } from '../html.ts'
import { AFTER_PARAMETER, allArticles, LIST_LIMIT, listedArticle } from './article-list.ts'
import type { PageBody } from './page-body.ts'
import type { SearchHit } from './page-source.ts'
import { withQuery } from './page-urls.ts'
import { inMessageLanguage } from './in-message-language.ts'
import type { Visit } from './visit.ts'

/** Maximum length of a query. */
const SEARCH_LIMIT_CHARACTERS = 200

/** Maximum number of results while typing. */
const QUICK_LIMIT = 8

interface Searched {
  readonly text: string
  readonly after: string | undefined
}

/** The results, best first; all articles for an empty query. */
export async function searchPage(visit: Visit, searched: Searched): Promise<PageBody> {
  const { site, urls, words } = visit
  const text = cut(searched.text)
  const content =
    text === '' ? await allArticles(visit, searched.after) : results(visit, text, await find(visit, text))
  const title = text === '' ? words.allArticles : words.searchFor(text)
  return {
    title,
    searched: text,
    url: withQuery(urls.search(visit.language, text), { [AFTER_PARAMETER]: searched.after }),
    isUnlisted: text !== '',
    languages: site.languages.map((language) => ({ language, url: urls.search(language, text) })),
    main: html`<h1>${inMessageLanguage(visit, title)}</h1>
      <div data-kb-results>${content}</div>`,
  }
}

/** The first results only, for the list below the search box while typing. */
export async function searchPart(visit: Visit, searched: string): Promise<Html> {
  const text = cut(searched)
  if (text === '') return html``
  return results(visit, text, await find(visit, text, QUICK_LIMIT))
}

function find(visit: Visit, text: string, limit = LIST_LIMIT): Promise<readonly SearchHit[]> {
  const { source, viewer, language } = visit
  return source.search({ viewer, text, language, limit })
}

function results(visit: Visit, text: string, hits: readonly SearchHit[]): Html {
  const { words } = visit
  if (hits.length === 0)
    return html`<p class="kb-empty" data-kb-said>${inMessageLanguage(visit, words.foundNothing(text))}</p>`
  const entries = hits.map((hit) => listedArticle(visit, hit, markWords(hit.context, text)))
  return html`<p class="kb-note" data-kb-said>${inMessageLanguage(visit, words.found(hits.length))}</p>
    <ul class="kb-list">
      ${entries}
    </ul>`
}

function cut(text: string): string {
  return text.trim().slice(0, SEARCH_LIMIT_CHARACTERS).toWellFormed()
}

/** `text` with the words of `searched` marked, where they occur or start. */
export function markWords(text: string, searched: string): Html {
  const words = searched.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  if (words.length === 0) return html`${text}`
  const expression = new RegExp(`(?<![\\p{L}\\p{N}])(${words.join('|')})`, 'giu')
  // Captured groups are at odd positions.
  const parts = text
    .split(expression)
    .map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : part))
  return html`${parts}`
}
