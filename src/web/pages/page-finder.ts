import type { CleanPage } from './article-html/create-cleaner.ts'
import { AFTER_PARAMETER } from './article-list.ts'
import { articlePage } from './article-page.ts'
import { categoryPage } from './category-page.ts'
import { homePage } from './home-page.ts'
import type { LivePages } from './live-pages.ts'
import type { PageAddresses } from './page-addresses.ts'
import type { PageBody } from './page-body.ts'
import { LANGUAGE_PARAMETER } from './page-urls.ts'
import { forbiddenPage, missingPage } from './problem-pages.ts'
import { createAddressReader, type Place } from './read-address.ts'
import { searchPage } from './search-page.ts'
import type { StatusPage } from './status/status-page.ts'
import { tagPage } from './tag-page.ts'
import type { Visit } from './visit.ts'

export type Found =
  /** With the visit in the language that the page turned out to have. */
  | { readonly kind: 'page'; readonly visit: Visit; readonly body: PageBody }
  /** The article has another address by now. */
  | { readonly kind: 'moved'; readonly url: string }

export interface PageFinder {
  /** Never without an answer: what does not exist has a page that says so. */
  readonly find: (visit: Visit, url: URL) => Promise<Found>
  /** The pattern that a path (as in a URL) fits, for logs; '*' where it fits none. */
  readonly routeOf: (path: string) => string
}

export interface PageFinderOptions {
  readonly addresses: PageAddresses
  readonly clean: CleanPage
  readonly live: LivePages | undefined
}

/** Knows which page stands at which address. */
export function createPageFinder(options: PageFinderOptions): PageFinder {
  const { addresses } = options
  const readAddress = createAddressReader(addresses)
  const showStatus = createStatusShower(options.live)

  async function find(visit: Visit, url: URL): Promise<Found> {
    const after = url.searchParams.get(AFTER_PARAMETER) ?? undefined
    switch (url.pathname) {
      case '/':
        return pageOf(visit, await homePage(visit))
      case '/search':
        return pageOf(visit, await searchPage(visit, { text: url.searchParams.get('q') ?? '', after }))
      case '/status':
        return pageOf(visit, await showStatus(visit, url.searchParams))
      default:
    }
    for (const place of readAddress(url.pathname)) {
      const found = await (place.kind === 'article'
        ? findArticle(visit, place, url)
        : findTaxon(visit, place, after))
      if (found !== undefined) return found
    }
    return pageOf(visit, missingPage(visit))
  }

  async function findArticle(visit: Visit, asked: Place, url: URL): Promise<Found | undefined> {
    const { slug } = asked
    const language = asked.language ?? url.searchParams.get(LANGUAGE_PARAMETER) ?? undefined
    const article = await visit.source.findArticle({ slug, language }, visit.viewer)
    if (article === undefined) return undefined
    const isElsewhere = article.slug !== slug || (language !== undefined && article.language !== language)
    if (isElsewhere) return { kind: 'moved', url: visit.urls.article(article) }
    const own = visit.in(article.language)
    return pageOf(own, await articlePage(own, article, options))
  }

  return {
    find,
    routeOf: (path) => {
      const [place] = readAddress(path)
      return place === undefined ? '*' : addresses[place.kind]
    },
  }
}

function pageOf(visit: Visit, body: PageBody): Found {
  return { kind: 'page', visit, body }
}

async function findTaxon(visit: Visit, { kind, slug, language }: Place, after: string | undefined) {
  if (language !== undefined && !visit.site.languages.includes(language)) return undefined
  const own = language === undefined ? visit : visit.in(language)
  const body = await (kind === 'tag' ? tagPage : categoryPage)(own, slug, after)
  return body === undefined ? undefined : pageOf(own, body)
}

/** Loaded with the first request: what draws its charts is large. One page serves all, since it keeps what it drew. */
function createStatusShower(live: LivePages | undefined) {
  let page: StatusPage | undefined
  return async (visit: Visit, query: URLSearchParams): Promise<PageBody> => {
    if (visit.viewer !== 'author') return forbiddenPage(visit)
    const { createStatusPage } = await import('./status/status-page.ts')
    page ??= createStatusPage(visit.source.status, live)
    return page(query)
  }
}
