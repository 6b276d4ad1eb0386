import type { PageAddresses } from './page-addresses.ts'
import { OWN_PATH } from './page-headers.ts'

interface Placed {
  readonly slug: string
  /** Language code. */
  readonly language: string
}

/** URL paths of all pages, for attributes: percent-encoded, not escaped. */
export type PageUrls = ReturnType<typeof createPageUrls>

export const FEED_PATH = '/feed.xml'
export const SITEMAP_PATH = '/sitemap.xml'

/** Parameter for the language, if the path has none. */
export const LANGUAGE_PARAMETER = 'lang'

/** Parameter with the language of a URL that redirected to another language for lack of a translation. */
export const UNTRANSLATED_PARAMETER = 'from'

/** @param languages enabled languages; the first one is the default, which needs no parameter */
export function createPageUrls(addresses: PageAddresses, languages: readonly string[]) {
  const { base = '', url } = addresses
  const inLanguage = (path: string, language: string): string =>
    base + (language === languages[0] ? path : withQuery(path, { [LANGUAGE_PARAMETER]: language }))
  const fill =
    (pattern: string) =>
    ({ slug, language }: Placed): string => {
      const path = encodeURI(pattern)
        .replaceAll('%7B', '{')
        .replaceAll('%7D', '}')
        .replaceAll('{slug}', () => encodeURIComponent(slug.toWellFormed()))
        .replaceAll('{language}', () => encodeURIComponent(language.toWellFormed()))
      return pattern.includes('{language}') ? base + path : inLanguage(path, language)
    }
  return {
    home: (language: string) => inLanguage('/', language),
    article: fill(addresses.article),
    category: fill(addresses.category),
    tag: fill(addresses.tag),
    search: (language: string, text = '') =>
      inLanguage(text === '' ? '/search' : withQuery('/search', { q: text }), language),
    status: `${base}/status`,
    feed: (language: string) => inLanguage(FEED_PATH, language),
    /** Returns a path of the pages that has no language, such as that of a form, in a language. */
    inLanguage,
    /** Returns a path of the pages, such as `/search`. */
    path: (path: string) => base + path,
    /** Returns the path of a file or action of the pages that is not a page. */
    own: (path: string) => `${base}${OWN_PATH}${path}`,
    /** Returns the public URL of one of these paths; undefined if it is unknown. */
    absolute: url === undefined ? undefined : (path: string) => url + path.slice(base.length),
  }
}

/** Adds parameters to `path`, except undefined ones. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const [before = '', query = ''] = path.split('?', 2)
  const all = new URLSearchParams(query)
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) all.set(name, value)
  return all.size === 0 ? before : `${before}?${all.toString()}`
}
