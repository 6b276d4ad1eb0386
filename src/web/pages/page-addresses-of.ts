import type { PageAddresses } from './page-addresses.ts'
import type { Settings } from '../../core/config/settings.ts'

interface Link {
  readonly slug: string
  readonly language: string
}

type AddressOf = (link: Link) => string

interface Pattern {
  readonly path: string
  /** Undefined for a URL without a host. */
  readonly origin: string | undefined
}

// Placeholders that no URL contains by itself.
const SLUG = 'kb-slug-in-an-address'
const LANGUAGE = 'kb-language-in-an-address'
const NOWHERE = 'http://nowhere.invalid'

/** Derives the paths of the pages from the links of articles, as far as possible. */
export function pageAddressesOf(settings: Settings): PageAddresses {
  const read = (addressOf: AddressOf, fallback: string): Pattern =>
    readPattern(addressOf, settings.defaultLanguage) ?? { path: fallback, origin: undefined }
  const article = read(settings.articleUrl, '/articles/{slug}')
  const category = read(settings.categoryUrl, '/categories/{slug}')
  const tag = read(settings.tagUrl, '/tags/{slug}')
  const origins = [article, category, tag].flatMap(({ origin }) => origin ?? [])
  return { article: article.path, category: category.path, tag: tag.path, origins: [...new Set(origins)] }
}

/**
 * The pattern of a function that creates URLs; undefined if there is none, for example because one language differs.
 */
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
