// Assigns articles to a locale of the site. As in Docusaurus' docs, untranslated articles are shown in the default
// language.
import type { SiteArticle, SiteCategory, SiteTag, SiteView } from '../../index.ts'
import { compareTexts } from '../../core/compare-texts.ts'
import { localeOf, type DocusaurusAddresses } from './site-addresses.ts'

export interface PlacedArticle {
  readonly article: SiteArticle
  /** Its path in the locale. */
  readonly path: string
}

/** A category or tag with its texts in the locale's language, if translated. */
export interface PlacedTerm {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly path: string
  /** Id of the parent category; null for tags. */
  readonly parent: string | null
}

export type Placed = ReturnType<typeof assignRoutes>

/** Pure. */
export function assignRoutes(view: SiteView, locale: string, addresses: DocusaurusAddresses) {
  const language = localeOf(locale, view.languages) ?? view.defaultLanguage
  const articles = shownIn(language, view).map((article) => ({
    article,
    path: addresses.article(article.slug),
  }))
  const categories = view.categories.map((each) => placeTerm(each, language, each.parent, addresses.category))
  const tags = view.tags.map((each) => placeTerm(each, language, null, addresses.tag))
  const paths = new Map(articles.map(({ article, path }) => [article.url, path]))
  for (const [index, term] of view.categories.entries()) addUrls(paths, term, categories[index]?.path)
  for (const [index, term] of view.tags.entries()) addUrls(paths, term, tags[index]?.path)
  const elsewhere = new Set(view.articles.map(({ url }) => url))
  return {
    language,
    articles,
    categories,
    tags,
    /** The path in this locale for a URL of the content; undefined for other URLs. */
    localPath: (url: string) => paths.get(url),
    /** Whether a URL is that of an article, category or tag, in any locale. */
    isOurs: (url: string) => paths.has(url) || elsewhere.has(url),
  }
}

function shownIn(language: string, { articles, defaultLanguage }: SiteView): SiteArticle[] {
  const own = articles.filter((article) => article.language === language)
  if (language === defaultLanguage) return own
  const taken = new Set(own.map(({ slug }) => slug))
  const untranslated = articles.filter(
    (article) =>
      article.language === defaultLanguage &&
      article.translations[language] === undefined &&
      !taken.has(article.slug),
  )
  return [...own, ...untranslated].toSorted((a, b) => a.order - b.order || compareTexts(a.title, b.title))
}

function placeTerm(
  term: SiteCategory | SiteTag,
  language: string,
  parent: string | null,
  pathOf: (slug: string) => string,
): PlacedTerm {
  const { name, slug, description } = term.translations[language] ?? term
  return { id: term.id, name, description, path: pathOf(slug), parent }
}

function addUrls(paths: Map<string, string>, term: SiteCategory | SiteTag, path: string | undefined): void {
  if (path === undefined) return
  for (const { url } of [term, ...Object.values(term.translations)]) paths.set(url, path)
}
