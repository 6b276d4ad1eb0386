import { html } from 'hono/html'
import type { Html } from '../html.ts'
import type { PageInLanguage } from './page-body.ts'
import type { ListedPage, PageList } from './page-source.ts'
import { withQuery } from './page-urls.ts'
import { inMessageLanguage } from './in-message-language.ts'
import { textDirection } from './text-direction.ts'
import type { Visit } from './visit.ts'

/** Articles on one page of a list. */
export const LIST_LIMIT = 50

/** Parameter with the position where a page of a list starts. */
export const AFTER_PARAMETER = 'after'

/** Length of a description for search engines. */
const DESCRIPTION_CHARACTERS = 160

/** Describes a page, for search engines and previews, by the names of the listed items. */
export function describeByNames(names: readonly string[]): string {
  let text = ''
  for (const name of names) {
    const longer = text === '' ? name : `${text} · ${name}`
    if (longer.length > DESCRIPTION_CHARACTERS) break
    text = longer
  }
  return text
}

/** Renders one page of a list, with a link to the next. @param url URL of the first page */
export function articleList(visit: Visit, { articles, next }: PageList, url: string): Html {
  const { words } = visit
  if (articles.length === 0)
    return html`<p class="kb-empty">${inMessageLanguage(visit, words.noArticles)}</p>`
  const more = next === undefined ? '' : withQuery(url, { [AFTER_PARAMETER]: next })
  return html`<ul class="kb-list">
      ${articles.map((article) => listedArticle(visit, article, article.excerpt))}
    </ul>
    ${more === '' ? '' : html`<p class="kb-more"><a class="kb-button" rel="next" href="${more}">${inMessageLanguage(visit, words.more)}</a></p>`}`
}

export async function allArticles(visit: Visit, after?: string): Promise<Html> {
  const { source, viewer, language, urls } = visit
  const list = await source.listArticles({ viewer, language, after, limit: LIST_LIMIT })
  return articleList(visit, list, urls.search(language))
}

export function linkToAllArticles(visit: Visit): Html {
  const { urls, words, language } = visit
  return html`<p class="kb-more">
    <a class="kb-button" href="${urls.search(language)}">${inMessageLanguage(visit, words.allArticles)}</a>
  </p>`
}

/** Lists the home page in the default language, and in all others that have articles. */
export async function listHomes({ source, site, viewer, urls }: Visit): Promise<PageInLanguage[]> {
  const homes = site.languages.map(async (language, index) => {
    const isShown =
      index === 0 || (await source.listArticles({ viewer, language, limit: 1 })).articles.length > 0
    return isShown ? [{ language, url: urls.home(language) }] : []
  })
  return (await Promise.all(homes)).flat()
}

/**
 * @param text shown below the title
 * @param category shown between them; '' for none
 */
export function listedArticle(
  visit: Visit,
  article: ListedPage,
  text: string | Html,
  category: string = '',
): Html {
  const { words, urls } = visit
  const { title, language, isDraft } = article
  const mark = isDraft
    ? html` <span class="kb-badge">${inMessageLanguage({ words, language }, words.draft)}</span>`
    : ''
  return html`<li lang="${language}" dir="${textDirection(language)}">
    <a href="${urls.article(article)}">${title}</a
    >${mark}${category === '' ? '' : html`<p class="kb-where">${category}</p>`}${text === '' ? '' : html`<p>${text}</p>`}
  </li>`
}
