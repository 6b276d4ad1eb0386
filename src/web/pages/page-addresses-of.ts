import { type PageAddresses, publicPath } from './page-addresses.ts'
import type { Settings } from '../../core/config/settings.ts'
import { createPageUrls } from './page-urls.ts'

type AddressOf = (link: { readonly slug: string; readonly language: string }) => string

interface Pattern {
  readonly path: string
  /** Undefined for a URL without a host. */
  readonly origin: string | undefined
}

// Placeholders that occur in no URL.
const SLUG = 'kb-slug-in-an-address'
const LANGUAGE = 'kb-language-in-an-address'
const NOWHERE = 'http://nowhere.invalid'

/**
 * Derives the paths of the pages from the links of articles, as far as possible.
 *
 * @param url the public URL of the pages
 */
export function pageAddressesOf(settings: Settings, { url } = settings.pages): PageAddresses {
  const read = (addressOf: AddressOf, fallback: string): Pattern =>
    readPattern(addressOf, settings.defaultLanguage) ?? { path: fallback, origin: undefined }
  const article = read(settings.articleUrl, '/articles/{slug}')
  const category = read(settings.categoryUrl, '/categories/{slug}')
  const tag = read(settings.tagUrl, '/tags/{slug}')
  const base = publicPath(url)
  const origins = [article, category, tag].flatMap(({ origin }) => origin ?? [])
  return {
    article: pathBelow(article.path, base),
    category: pathBelow(category.path, base),
    tag: pathBelow(tag.path, base),
    origins: [...new Set([...origins, ...(url === undefined ? [] : [new URL(url).origin])])],
    ...(url !== undefined && { url, base }),
  }
}

/** Returns the URLs of pages for use elsewhere: absolute if the URL of the pages is known. */
export function publicUrls(settings: Settings): Readonly<Record<'article' | 'category' | 'tag', AddressOf>> {
  const urls = createPageUrls(pageAddressesOf(settings), [settings.defaultLanguage])
  const publicUrl =
    (kind: 'article' | 'category' | 'tag'): AddressOf =>
    (link) => {
      const own = settings[`${kind}Url`](link)
      return urls.absolute === undefined || /^https?:/i.test(own) ? own : urls.absolute(urls[kind](link))
    }
  return { article: publicUrl('article'), category: publicUrl('category'), tag: publicUrl('tag') }
}

/** Removes the path of the public URL, with which links may start. */
function pathBelow(path: string, base: string): string {
  const prefix = `${decodeURI(base)}/`
  return path.startsWith(prefix) ? path.slice(prefix.length - 1) : path
}

/** The pattern of a function that creates URLs; undefined if there is none, for example because a language differs. */
function readPattern(addressOf: AddressOf, defaultLanguage: string): Pattern | undefined {
  try {
    const url = new URL(addressOf({ slug: SLUG, language: LANGUAGE }), NOWHERE)
    const path = decodeURI(url.pathname).replaceAll(SLUG, '{slug}').replaceAll(LANGUAGE, '{language}')
    const usual = new URL(addressOf({ slug: SLUG, language: defaultLanguage }), NOWHERE)
    const filled = path.replaceAll('{slug}', SLUG).replaceAll('{language}', defaultLanguage)
    const isPattern = path.includes('{slug}') && decodeURI(usual.pathname) === filled && url.search === ''
    return isPattern ? { path, origin: url.origin === NOWHERE ? undefined : url.origin } : undefined
  } catch {
    // A function of the configuration may accept only existing languages.
    return undefined
  }
}
