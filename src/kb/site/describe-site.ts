import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { AddressOf } from '../../content/links/resolved-link.ts'
import { type ContentLayout, layOut } from '../../content/category-tree/content-layout.ts'
import type { LocalArticle, Review } from '../../core/model/document.ts'
import { articleId, type SiteAddresses } from './site-addresses.ts'
import type { SiteArticle, SiteTag, SiteTranslation } from './site-data.ts'
import type { SiteView } from './site-view.ts'

export interface SiteMakings extends SiteAddresses {
  readonly defaultLanguage: string
  /** Whether drafts are part of the site. */
  readonly drafts: boolean
}

/** A view of the content, and the document behind each of its articles by id. */
export interface DescribedSite {
  readonly view: SiteView
  readonly documents: ReadonlyMap<string, LocalArticle>
}

/** What a site shows of the content. Pure. */
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

interface Term {
  readonly name: string
  readonly slug: string
  readonly description?: string | undefined
  readonly translations: Readonly<Record<string, Omit<Term, 'translations'>>>
}

function term(entry: Term, addressOf: AddressOf, language: string): Omit<SiteTag, 'id'> {
  const translations = Object.entries(entry.translations)
  return {
    ...texts(entry, addressOf, language),
    translations: Object.fromEntries(
      translations.map(([code, translated]) => [code, texts(translated, addressOf, code)]),
    ),
  }
}

function texts(
  { name, slug, description = '' }: Omit<Term, 'translations'>,
  addressOf: AddressOf,
  language: string,
): SiteTranslation {
  return { name, slug, description, url: addressOf({ slug, language }) }
}
