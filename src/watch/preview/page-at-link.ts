import type { Settings } from '../../core/config/settings.ts'
import type { DesiredArticle } from '../../core/model/document.ts'
import type { PageAddresses } from '../../web/pages/page-addresses.ts'
import { createPageUrls } from '../../web/pages/page-urls.ts'
import type { PreviewState } from './preview-state.ts'
import { parseUrl } from '../../core/parse-url.ts'

/** Address of a page by the path (as in a URL) that links to it have. */
export type PageAtLink = (path: string) => string | undefined

type Pages = ReadonlyMap<string, string>

/**
 * Finds the page of the article whose links lead to a path, where a function of the configuration makes them so that no
 * pattern tells it; undefined where there is no such article, or the path is its page.
 */
export function createPageAtLink(state: PreviewState, addresses: PageAddresses): PageAtLink {
  let known: { readonly articles: readonly DesiredArticle[]; readonly pages: Pages } | undefined
  return (path) => {
    const settings = state.settings()
    const articles = state.index()?.content.articles
    if (!settings.hasFunctions || articles === undefined) return undefined
    if (known?.articles !== articles) known = { articles, pages: pagesOf(articles, settings, addresses) }
    return known.pages.get(path)
  }
}

function pagesOf(articles: readonly DesiredArticle[], settings: Settings, addresses: PageAddresses): Pages {
  const { articleUrl, defaultLanguage, server } = settings
  const urls = createPageUrls(addresses, [defaultLanguage, ...server.languages])
  const pages = new Map<string, string>()
  for (const { slug, language } of articles) {
    const place = { slug, language: language ?? defaultLanguage }
    const link = pathOf(articleUrl(place))
    const url = urls.article(place)
    if (link !== undefined && link !== pathOf(url) && !pages.has(link)) pages.set(link, url)
  }
  return pages
}

function pathOf(address: string): string | undefined {
  return parseUrl(address, 'http://nowhere.invalid')?.pathname
}
