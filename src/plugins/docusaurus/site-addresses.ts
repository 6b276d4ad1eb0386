import type { LoadContext } from './docusaurus-types.ts'

interface Linked {
  readonly slug: string
  readonly language: string
}

/** URLs of the articles' pages, in each locale of a site. */
export type DocusaurusAddresses = Readonly<ReturnType<typeof createAddresses>>

/** @param routeBasePath with or without leading and trailing slashes; `/` is the root of the site */
export function createAddresses({ baseUrl, siteConfig, i18n }: LoadContext, routeBasePath: string) {
  const path = routeBasePath.replaceAll(/^\/+|\/+$/g, '')
  const folderBelow = (base: string) => `${base.replace(/\/*$/, '/')}${path === '' ? '' : `${path}/`}`
  const here = folderBelow(baseUrl)
  const baseOf = (locale: string): string => {
    if (locale === i18n.currentLocale) return baseUrl
    const known = i18n.localeConfigs[locale]?.baseUrl
    if (known !== undefined) return known
    // Before Docusaurus 3.9: the base URL of the current locale ends with its name, unless it is the default one.
    const suffix = `/${i18n.currentLocale}/`
    const root = baseUrl.endsWith(suffix) ? baseUrl.slice(0, 1 - suffix.length) : siteConfig.baseUrl
    return locale === i18n.defaultLocale ? root : `${root}${locale}/`
  }
  const folderOf = (language: string) =>
    folderBelow(baseOf(localeOf(language, i18n.locales) ?? i18n.defaultLocale))
  return {
    /** For the whole content. Every link leads to the locale of its language. */
    links: {
      article: ({ slug, language }: Linked) => `${folderOf(language)}${pathOf(slug)}`,
      category: ({ slug, language }: Linked) => `${folderOf(language)}categories/${pathOf(slug)}`,
      tag: ({ slug, language }: Linked) => `${folderOf(language)}tags/${pathOf(slug)}`,
    },
    /** For the current locale. */
    article: (slug: string) => `${here}${pathOf(slug)}`,
    category: (slug: string) => `${here}categories/${pathOf(slug)}`,
    tag: (slug: string) => `${here}tags/${pathOf(slug)}`,
    index: here,
  }
}

/**
 * Encodes a slug as part of a path. Docusaurus uses the same text as a file name, a URL and a React Router pattern:
 * characters with a special meaning in one of them (`(a)`, `:a`, `what's`) are encoded by their bytes, as `~28a~29`.
 */
function pathOf(slug: string): string {
  return slug.replaceAll(/^\.|[^\p{L}\p{M}\p{N}._+-]/gu, (char) =>
    Buffer.from(char).reduce((text, byte) => `${text}~${byte.toString(16).padStart(2, '0')}`, ''),
  )
}

/** Returns the locale for a language: the same code, otherwise the first one of the same language. */
export function localeOf(language: string, locales: readonly string[]): string | undefined {
  const [same, akin] = [
    (code: string) => code.toLowerCase(),
    (code: string) => same(code).split(/[-_]/)[0] ?? '',
  ]
  return (
    locales.find((locale) => same(locale) === same(language)) ??
    locales.find((locale) => akin(locale) === akin(language))
  )
}
