import { html } from 'hono/html'
import type { Html } from '../html.ts'
import { AFTER_PARAMETER, allArticles, linkToAllArticles, listedArticle } from './article-list.ts'
import type { PageBody } from './page-body.ts'
import type { SearchHit, SearchPage } from './page-source.ts'
import { withQuery } from './page-urls.ts'
import { inMessageLanguage } from './in-message-language.ts'
import type { Passage } from './search/passage-in.ts'
import type { Visit } from './visit.ts'

/** Maximum length of a query. */
const SEARCH_LIMIT_CHARACTERS = 200

/** Number of results on one page. */
const PAGE_LIMIT = 20

/** Maximum number of results while typing. */
const QUICK_LIMIT = 8

/** Parameter with the number of a page of results, from 1. */
const PAGE_PARAMETER = 'page'

/**
 * Renders the results, best first; all articles for an empty query.
 *
 * @param query of the URL: the text, and the start of a page of all articles or the number of a page of results
 */
export async function searchPage(visit: Visit, query: URLSearchParams): Promise<PageBody> {
  const { site, urls, words } = visit
  const text = cut(query.get('q') ?? '')
  const page = readPage(query.get(PAGE_PARAMETER) ?? '')
  const after = query.get(AFTER_PARAMETER) ?? undefined
  const content = text === '' ? await allArticles(visit, after) : await pageOfResults(visit, text, page)
  const title = text === '' ? words.allArticles : words.searchFor(text)
  return {
    title,
    searched: text,
    url: withQuery(urls.search(visit.language, text), {
      [AFTER_PARAMETER]: after,
      [PAGE_PARAMETER]: page === 1 ? undefined : String(page),
    }),
    // The listed articles are in categories, which search engines index.
    isUnlisted: true,
    languages: site.languages.map((language) => ({ language, url: urls.search(language, text) })),
    main: html`<h1>${inMessageLanguage(visit, title)}</h1>
      <div data-kb-results>${content}</div>`,
  }
}

/** Renders only the first results, for the list below the search box while typing. */
export async function searchPart(visit: Visit, searched: string): Promise<Html> {
  const text = cut(searched)
  if (text === '') return html``
  return results(visit, text, await find(visit, text, { skip: 0, limit: QUICK_LIMIT }))
}

async function pageOfResults(visit: Visit, text: string, page: number): Promise<Html> {
  const found = await find(visit, text, { skip: (page - 1) * PAGE_LIMIT, limit: PAGE_LIMIT })
  const last = Math.max(1, Math.ceil(found.ranked / PAGE_LIMIT))
  if (page > last) return pageOfResults(visit, text, last)
  if (found.total === 0) return html`${results(visit, text, found)}${linkToAllArticles(visit)}`
  return html`${results(visit, text, found)}${last === 1 ? '' : pageLinks(visit, text, page, last)}`
}

function find(visit: Visit, text: string, part: { readonly skip: number; readonly limit: number }) {
  const { source, viewer, language } = visit
  return source.search({ viewer, text, language, ...part })
}

function results(visit: Visit, text: string, { total, hits }: SearchPage): Html {
  const { words } = visit
  if (total === 0)
    return html`<p class="kb-empty" data-kb-said>${inMessageLanguage(visit, words.foundNothing(text))}</p>`
  return html`<p class="kb-note" data-kb-said>${inMessageLanguage(visit, words.found(total))}</p>
    <ul class="kb-list">
      ${hits.map((hit) => result(visit, hit))}
    </ul>`
}

function result(visit: Visit, hit: SearchHit): Html {
  const category = hit.category.map(({ name }) => name).join(' › ')
  return listedArticle(visit, hit, hit.passage.length === 0 ? '' : markMatches(hit.passage), category)
}

function markMatches(passage: Passage): Html {
  return html`${passage.map(({ text, isMatch }) => (isMatch ? html`<mark>${text}</mark>` : text))}`
}

/** Renders links to the previous and the next page of results. */
function pageLinks(visit: Visit, text: string, page: number, last: number): Html {
  const { urls, words, language } = visit
  const link = (rel: 'prev' | 'next', to: number, label: string) => {
    if (to < 1 || to > last) return ''
    const url = withQuery(urls.search(language, text), {
      [PAGE_PARAMETER]: to === 1 ? undefined : String(to),
    })
    return html`<a class="kb-button" rel="${rel}" href="${url}">${inMessageLanguage(visit, label)}</a>`
  }
  return html`<nav class="kb-more kb-pages" aria-label="${words.resultPages}">
    ${link('prev', page - 1, words.previous)}
    <span>${inMessageLanguage(visit, words.pageOf(page, last))}</span>
    ${link('next', page + 1, words.next)}
  </nav>`
}

/** Removes control characters, which HTML does not allow. */
function cut(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, SEARCH_LIMIT_CHARACTERS)
    .toWellFormed()
}

/** Parses the number of a page; 1 if it is invalid. */
function readPage(text: string): number {
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1
}
