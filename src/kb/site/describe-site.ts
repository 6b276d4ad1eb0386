import type { ArticleLink } from '../../core/config/schema.ts'
import { addressMaker, type Settings } from '../../core/config/settings.ts'
import { encodePath } from '../../core/encode-path.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { UrlOf } from '../../content/links/resolved-link.ts'
import { type ContentLayout, layOut } from '../../content/category-tree/content-layout.ts'
import type { ListedTag } from '../../content/category-tree/tag-list.ts'
import type { TaxonomyTexts } from '../../core/model/taxonomy.ts'
import type { LocalArticle, Review } from '../../core/model/document.ts'
import type { SiteArticle, SiteCategory, SiteTag, SiteTranslation } from './site-data.ts'

/** All articles at one point in time, without their HTML. */
export interface SiteView {
  readonly defaultLanguage: string
  /** The default language comes first. */
  readonly languages: readonly string[]
  /** Sorted by language, order and title. */
  readonly articles: readonly SiteArticle[]
  /** Parents before children, siblings in display order. */
  readonly categories: readonly SiteCategory[]
  readonly tags: readonly SiteTag[]
  /**
   * All problems of the files, sorted by file and position. An invalid article is missing or in its last valid version;
   * a broken link stays in the HTML as written.
   */
  readonly diagnostics: readonly Diagnostic[]
}

/** URLs of the site's pages, like `links` in the configuration for those of the target. */
export interface SiteLinks {
  /**
   * A pattern with `{id}` (the slug, or `language/slug` in other languages), or `{slug}` and `{language}`; or a
   * function.
   */
  readonly article?: string | ((link: ArticleLink) => string) | undefined
  readonly category?: string | ((link: ArticleLink) => string) | undefined
  readonly tag?: string | ((link: ArticleLink) => string) | undefined
}

interface SiteMakings extends SiteAddresses {
  readonly defaultLanguage: string
  readonly drafts: boolean
}

/** A view of the content, and the document of each article by id. */
export interface DescribedSite {
  readonly view: SiteView
  readonly documents: ReadonlyMap<string, LocalArticle>
}

/** Returns the view of the content for a site. Pure. */
export function describeSite(content: LoadedContent, makings: SiteMakings): DescribedSite {
  const { defaultLanguage, drafts } = makings
  const articles = content.articles.filter(({ status }) => drafts || status === 'published')
  const layout = layOut({ ...content, articles }, defaultLanguage)
  const languages = [
    defaultLanguage,
    ...layout.languages.filter((each) => each !== defaultLanguage).toSorted(),
  ]
  const sorted = languages.flatMap((language) => layout.sorted(language))
  const describe = describer(layout, makings)
  return {
    view: {
      defaultLanguage,
      languages,
      articles: sorted.map(describe),
      categories: layout.tree.categories.map((category) => ({
        ...term(category, makings.categoryUrl, defaultLanguage),
        id: category.id,
        parent: category.parentId ?? null,
      })),
      tags: layout.tags.all.map((tag) => ({ ...term(tag, makings.tagUrl, defaultLanguage), id: tag.name })),
      diagnostics: content.diagnostics,
    },
    documents: new Map(sorted.map((article) => [idOf(article), article])),
  }
}

function idOf({ slug, language }: LocalArticle): string {
  return articleId(slug, language)
}

function describer(layout: ContentLayout, { articleUrl, defaultLanguage }: SiteMakings) {
  const languageOf = ({ language }: LocalArticle) => language ?? defaultLanguage
  return (article: LocalArticle): SiteArticle => {
    const family = layout.family(article)
    const original = family.find(({ source }) => source === article.original)
    return {
      id: idOf(article),
      source: article.source,
      title: article.title,
      slug: article.slug,
      language: languageOf(article),
      status: article.status,
      excerpt: article.excerpt,
      url: articleUrl({ slug: article.slug, language: languageOf(article) }),
      categories: layout.categoriesOf(article).map(({ id }) => id),
      tags: [...new Set(article.tags.flatMap((name) => layout.tags.find(name)?.name ?? []))],
      order: article.order,
      reviewDate: reviewDate(article.review),
      hideFromSearch: article.hideFromSearch,
      seoBannerUrl: article.seoBannerUrl === '' ? null : article.seoBannerUrl,
      translationOf: original === undefined ? null : idOf(original),
      translations:
        family.length < 2 ? {} : Object.fromEntries(family.map((each) => [languageOf(each), idOf(each)])),
    }
  }
}

function reviewDate(review: Review): string | null {
  if (review.kind === 'default') return null
  return review.kind === 'never' ? 'never' : review.date
}

function term(entry: ListedTag, urlOf: UrlOf, language: string): Omit<SiteTag, 'id'> {
  const translations = Object.entries(entry.translations)
  return {
    ...texts(entry, urlOf, language),
    translations: Object.fromEntries(
      translations.map(([code, translated]) => [code, texts(translated, urlOf, code)]),
    ),
  }
}

function texts(item: TaxonomyTexts, urlOf: UrlOf, language: string): SiteTranslation {
  const { name, slug, description = '' } = item
  return { name, slug, description, url: urlOf({ slug, language }) }
}

type SiteAddresses = ReturnType<typeof siteAddresses>

/** Returns URLs of the site's pages; by default, they are the same as on the target. */
export function siteAddresses(settings: Settings, links: SiteLinks) {
  return {
    articleUrl: links.article === undefined ? settings.articleUrl : articleAddress(links.article, settings),
    categoryUrl: links.category === undefined ? settings.categoryUrl : addressMaker(links.category),
    tagUrl: links.tag === undefined ? settings.tagUrl : addressMaker(links.tag),
  }
}

/** Returns the id of an article, unique in its site. `language` is null for the default language. */
function articleId(slug: string, language: string | null): string {
  return language === null ? slug : `${language}/${slug}`
}

function articleAddress(link: NonNullable<SiteLinks['article']>, { defaultLanguage }: Settings): UrlOf {
  if (typeof link === 'function') return link
  return ({ slug, language }) => {
    const id = articleId(slug, language === defaultLanguage ? null : language)
    return addressMaker(link.replaceAll('{id}', encodePath(id)))({ slug, language })
  }
}
