import type { Settings } from '../../core/config/settings.ts'
import type { LocalTaxonomy, TaxonomyTexts } from '../../core/model/taxonomy.ts'

interface Entry {
  readonly slug: string | undefined
  readonly translations: Readonly<Record<string, TaxonomyTexts>>
}

/**
 * Makes the inverse of what links to categories and tags become in an article of a language: by address, the link from
 * the content folder on, such as `_categories.yml#accounts`. Pure.
 */
export function createTaxonomyAddresses(
  { categories = [], tags = [] }: LocalTaxonomy,
  { categoryUrl, tagUrl, defaultLanguage }: Pick<Settings, 'categoryUrl' | 'tagUrl' | 'defaultLanguage'>,
): (language: string | null) => ReadonlyMap<string, string> {
  const known = new Map<string, ReadonlyMap<string, string>>()
  const linksIn = (language: string) => {
    const link = (entries: readonly Entry[], file: string, urlOf: Settings['categoryUrl']) =>
      entries.flatMap(({ slug, translations }) => {
        if (slug === undefined) return []
        const translated = translations[language]?.slug
        const address =
          translated === undefined
            ? urlOf({ slug, language: defaultLanguage })
            : urlOf({ slug: translated, language })
        return [[address, `${file}#${slug}`] as const]
      })
    return new Map([...link(tags, '_tags.yml', tagUrl), ...link(categories, '_categories.yml', categoryUrl)])
  }
  return (language) => {
    const code = language ?? defaultLanguage
    const links = known.get(code) ?? linksIn(code)
    known.set(code, links)
    return links
  }
}
