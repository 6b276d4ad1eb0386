import type { CleanPage } from './article-html/create-cleaner.ts'
import { AFTER_PARAMETER } from './article-list.ts'
import { articlePage } from './article-page.ts'
import { categoryPage, tagPage } from './taxonomy-pages.ts'
import type { LivePages } from './live-pages.ts'
import type { PageAddresses } from './page-addresses.ts'
import { homePage } from './home-page.ts'
import type { PageBody } from './page-body.ts'
import { LANGUAGE_PARAMETER, UNTRANSLATED_PARAMETER, withQuery } from './page-urls.ts'
import { forbiddenPage, missingPage } from './problem-pages.ts'
import { createAddressReader, type PagePath } from './read-address.ts'
import { searchPage } from './search-page.ts'
import type { StatusPage } from './status/status-page.ts'
import type { Visit } from './visit.ts'

type Found =
  /** The visit has the language of the page. */
  | { readonly kind: 'page'; readonly visit: Visit; readonly body: PageBody }
  /** The article has another URL: 302 for a temporary redirect, 301 for a permanent one. */
  | { readonly kind: 'moved'; readonly url: string; readonly status: 301 | 302 }

interface PageFinderOptions {
  readonly addresses: PageAddresses
  readonly clean: CleanPage
  readonly live: LivePages | undefined
}

export function createPageFinder(options: PageFinderOptions) {
  const { addresses } = options
  const readAddress = createAddressReader(addresses)
  const showStatus = createStatusShower(options.live)

  async function find(visit: Visit, url: URL, isCounted: boolean): Promise<Found> {
    const found = await findPage(visit, url, isCounted)
    const from = url.searchParams.get(UNTRANSLATED_PARAMETER)
    if (found.kind === 'moved' || from === null || !visit.site.languages.includes(from)) return found
    const { languages } = found.body
    const isMissing = languages?.some(({ language }) => language === from) === false
    return isMissing ? { ...found, body: { ...found.body, missingIn: from } } : found
  }

  async function findPage(visit: Visit, url: URL, isCounted: boolean): Promise<Found> {
    const after = url.searchParams.get(AFTER_PARAMETER) ?? undefined
    switch (url.pathname) {
      case '/':
        return pageOf(visit, await homePage(visit))
      case '/search':
        return pageOf(visit, await searchPage(visit, url.searchParams))
      case '/status':
        return pageOf(visit, await showStatus(visit, url.searchParams))
      default:
    }
    const places = readAddress(url.pathname)
    for (const place of places) {
      const found = await (place.kind === 'article'
        ? findArticle(visit, place, url, options)
        : findTaxon(visit, place, after, options))
      if (found !== undefined) return found
    }
    // Existing pages take precedence over redirects.
    for (const { kind, slug, language = languageIn(url) } of places) {
      if (kind !== 'article') {
        const found = await findMovedTaxa(visit, { kind, slug, language }, isCounted, options)
        if (found !== undefined) return found
        continue
      }
      const place = await visit.source.findRedirect({ slug, language }, visit.viewer, isCounted)
      if (place !== undefined) return { kind: 'moved', url: visit.urls.article(place), status: 301 }
    }
    return (await findUntranslated(visit, places, url)) ?? pageOf(visit, missingPage(visit))
  }

  return {
    /** Always returns a page, since there is one for missing pages. */
    find,
    /** Returns the pattern that a path (as in a URL) matches, for logs; '*' if none. */
    routeOf: (path: string) => {
      const [place] = readAddress(path)
      return place === undefined ? '*' : addresses[place.kind]
    },
  }
}

async function findArticle(
  visit: Visit,
  asked: PagePath,
  url: URL,
  options: PageFinderOptions,
): Promise<Found | undefined> {
  const { slug, language = languageIn(url) } = asked
  const article = await visit.source.findArticle({ slug, language }, visit.viewer)
  if (article === undefined) return undefined
  const isElsewhere = article.slug !== slug || (language !== undefined && article.language !== language)
  if (isElsewhere) return { kind: 'moved', url: visit.urls.article(article), status: 302 }
  const own = visit.in(article.language)
  return pageOf(own, await articlePage(own, article, options))
}

/** Finds the original of an article that is not translated into the language of the URL. */
async function findUntranslated(
  { site, source, viewer, urls }: Visit,
  places: readonly PagePath[],
  url: URL,
): Promise<Found | undefined> {
  for (const { kind, slug, language = languageIn(url) } of places) {
    if (kind !== 'article' || language === undefined || !site.languages.includes(language)) continue
    const article = await source.findArticle({ slug, language: undefined }, viewer)
    if (article !== undefined) return ledFrom(language, urls.article(article))
  }
  return undefined
}

/** Redirects to a page in another language, which says that there is none in this one. */
function ledFrom(language: string, url: string): Found {
  return { kind: 'moved', url: withQuery(url, { [UNTRANSLATED_PARAMETER]: language }), status: 302 }
}

function languageIn(url: URL): string | undefined {
  return url.searchParams.get(LANGUAGE_PARAMETER) ?? undefined
}

function pageOf(visit: Visit, body: PageBody): Found {
  return { kind: 'page', visit, body }
}

async function findTaxon(
  visit: Visit,
  { kind, slug, language }: PagePath,
  after: string | undefined,
  { clean }: Pick<PageFinderOptions, 'clean'>,
) {
  if (language !== undefined && !visit.site.languages.includes(language)) return undefined
  const own = language === undefined ? visit : visit.in(language)
  const body = await (kind === 'tag' ? tagPage(own, slug, after) : categoryPage(own, slug, after, clean))
  return body === undefined ? undefined : pageOf(own, body)
}

/** Finds the page of a category or tag that has another URL, in the language of this one if it has articles there. */
async function findMovedTaxa(
  visit: Visit,
  { kind, slug, language }: PagePath & { readonly kind: 'category' | 'tag' },
  isCounted: boolean,
  options: PageFinderOptions,
): Promise<Found | undefined> {
  const { site, source, urls } = visit
  if (language !== undefined && !site.languages.includes(language)) return undefined
  for (const { from, slugs, countHit } of await source.findMovedTaxa({ kind, slug, language })) {
    const wanted = language ?? from
    for (const each of new Set([wanted, ...site.languages])) {
      const place = { kind, slug: slugs.get(each) ?? '', language: each }
      if ((await findTaxon(visit, place, undefined, options)) === undefined) continue
      const target = urls[kind](place)
      if (isCounted) countHit?.()
      return each === wanted ? { kind: 'moved', url: target, status: 301 } : ledFrom(wanted, target)
    }
  }
  return undefined
}

/**
 * Loads the page with the first request, since the code for charts is large. One page serves all requests, since it
 * caches its charts.
 */
function createStatusShower(live: LivePages | undefined) {
  let page: StatusPage | undefined
  return async (visit: Visit, query: URLSearchParams): Promise<PageBody> => {
    if (visit.viewer !== 'author') return forbiddenPage(visit)
    const { createStatusPage } = await import('./status/status-page.ts')
    page ??= createStatusPage(visit.source.status, live)
    return page(query)
  }
}
