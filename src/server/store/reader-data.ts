// The store for the pages. Languages are as in the tables: '' is the default one. All methods take a site, and find
// nothing of other sites.

/**
 * What a viewer sees: a reader sees published articles, an author also drafts. If a published article has a draft, an
 * author sees the draft.
 */
export type Visibility = 'published' | 'all'

/** The viewer and the site of a query. */
export interface ReaderScope {
  readonly siteId: string
  readonly visibility: Visibility
}

export interface ReaderArticle {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly language: string
  readonly excerpt: string
  readonly order: number
  readonly isDraft: boolean
}

/** An article without its content. */
export interface ReadArticle extends ReaderArticle {
  readonly languageParent: string | null
  readonly articleParent: string | null
  readonly editedDate: string
  readonly hideFromSearch: boolean
  readonly seoBannerUrl: string
}

/** An article with the beginning of its content. */
export interface SearchedArticle extends ReadArticle {
  readonly content: string
}

/** A position in a list of articles. Reading continues after it. */
export interface ListPlace {
  readonly order: number
  readonly name: string
  readonly id: string
}

/** The position before all articles. */
export const LIST_START: ListPlace = { order: -Number.MAX_VALUE, name: '', id: '' }

/** The articles with a category or tag, or with one of its translations. */
export interface TaxonFilter {
  readonly kind: 'category' | 'tag'
  /** Id of the original. */
  readonly id: string
}

export interface ListArguments extends ReaderScope {
  readonly language: string
  /** Undefined: all articles. */
  readonly taxon: TaxonFilter | undefined
  readonly after: ListPlace
  readonly limit: number
}

/** A category or a translation of it. */
export interface ReadCategory {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly icon: string
  readonly thumbnail: string
  readonly language: string
  readonly languageParent: string | null
  readonly order: number
  readonly parentId: string | null
}

/** A tag in a language, with the id of its original. */
interface ReadTag {
  readonly id: string
  readonly name: string
  readonly slug: string
}

export interface FoundTag extends ReadTag {
  /** By language, for each translation. */
  readonly slugs: ReadonlyMap<string, string>
}

/** A slug that categories or tags have, or had. */
export interface MovedTaxa extends Pick<TaxonFilter, 'kind'> {
  readonly slug: string
  /** The slugs of the first language come first. */
  readonly languages: readonly string[]
}

/** A position in the list of all articles of a site. */
export interface SitePlace extends ListPlace {
  readonly language: string
}

/** Number of articles that a sitemap or feed skips in one slice. */
export const SITEMAP_SLICE = 5000

/** A published article that is not hidden from search. */
export interface SitemapArticle extends SitePlace {
  readonly slug: string
  readonly editedDate: string
  /** In other languages. */
  readonly translations: readonly Pick<ReaderArticle, 'slug' | 'language'>[]
}

/** A broken link with the result of its last check and its article. */
export interface BrokenLinkRecord extends BrokenLinkPlace {
  readonly url: string
  readonly status: number | null
  /** '' if unknown. */
  readonly reason: string
  readonly name: string
  readonly slug: string
  readonly language: string
  /** Ids of categories or of their translations. */
  readonly categoryIds: readonly string[]
}

/** A position in the list of broken links. */
export interface BrokenLinkPlace {
  readonly target: string
  readonly number: number
}

/** Selects the neighbours of an article in a category. */
export interface AroundArguments extends ReaderScope {
  readonly language: string
  readonly categoryId: string
  readonly id: string
  /** Number of articles on each side. */
  readonly limit: number
}

/** A position in the list of redirects. */
export interface RedirectPlace {
  readonly kind: 'article' | 'category' | 'tag'
  readonly slug: string
  readonly language: string
}

export const REDIRECTS_START: RedirectPlace = { kind: 'article', slug: '', language: '' }

/** Number of times that readers followed a redirect since the last call. */
export interface RedirectHit extends RedirectPlace {
  readonly hits: number
}

/** A slug that leads to an article, a category or a tag. */
export interface RedirectRecord extends RedirectHit {
  readonly isDeclared: boolean
  readonly createdDate: string
  /** '' if it was never followed. */
  readonly lastHitDate: string
  readonly leadsTo: { readonly id: string; readonly name: string }
}

/** The file of an article, as a path in the content folder. */
export interface ArticleSource {
  readonly id: string
  readonly path: string
}
