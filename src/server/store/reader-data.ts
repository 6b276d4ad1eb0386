// The store as the pages use it. Languages are as in the tables: '' is the default one. Everything takes a `site`, and
// finds nothing of other sites.

/**
 * Who reads: a reader sees published articles, an author also drafts. If a published article has a draft, an author
 * sees the draft.
 */
export type Sight = 'published' | 'all'

/** The viewer and the site of a query. */
export interface ReaderScope {
  readonly siteId: string
  readonly sight: Sight
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

/** A position in a list of articles; reading continues after it. */
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

/** Categories or tags that have, or had, a slug. */
export interface MovedTaxa extends Pick<TaxonFilter, 'kind'> {
  readonly slug: string
  /** The slugs of the first language come first. */
  readonly languages: readonly string[]
}

/** A category or tag, with its slugs by language. */
export interface MovedTaxon {
  /** The language in which it has, or had, the slug. */
  readonly from: string
  readonly slugs: ReadonlyMap<string, string>
  /** False if it still has the slug. */
  readonly isMoved: boolean
}

/** A position in the list of all articles of a site. */
export interface SitePlace extends ListPlace {
  readonly language: string
}

/** Number of articles that a sitemap or feed is read past in one slice. */
export const SITEMAP_SLICE = 5000

/** A published article that is not hidden from search. */
export interface SitemapArticle extends SitePlace {
  readonly slug: string
  readonly editedDate: string
  /** In other languages. */
  readonly translations: readonly Pick<ReaderArticle, 'slug' | 'language'>[]
}

/** Number of articles with a date `YYYY-MM-DD`; '' without one. */
interface DayCount {
  readonly date: string
  readonly count: number
}

interface ReviewedArticle {
  /** '' if there is none. */
  readonly date: string
  readonly name: string
  readonly slug: string
  readonly language: string
  readonly isDraft: boolean
}

/** Article counts of a category, including its translations. */
interface CategoryLoad {
  readonly categoryId: string
  readonly articles: number
  readonly overdue: number
  readonly due: number
}

/** A broken link, the result of its last check, and its article. */
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

/** The neighbours of an article in a category. */
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

/** How often readers followed a redirect since they were counted last. */
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

/** The file of an article, as a path in the folder of the content. */
export interface ArticleSource {
  readonly id: string
  readonly path: string
}

/** The queries of the readers' pages. Lists are read in pages: the entries after a position. */
export interface ReaderStore {
  /** Sorted by order, name (by code point), id. */
  listReaderArticles(list: ListArguments): Promise<readonly ReaderArticle[]>
  /** In the same order, including itself; empty if it is not visible. */
  listReaderArticlesAround(around: AroundArguments): Promise<readonly ReaderArticle[]>
  findReaderArticle(scope: ReaderScope, language: string, slug: string): Promise<ReadArticle | undefined>
  /** The visible articles that a slug leads to, by the language in which it does. */
  findRedirects(scope: ReaderScope, slug: string): Promise<ReadonlyMap<string, ReadArticle>>
  /** By kind, slug and language, without those whose slug a published article, or a category or tag, has. */
  listRedirects(siteId: string, after: RedirectPlace, limit: number): Promise<readonly RedirectRecord[]>
  addRedirectHits(siteId: string, hits: readonly RedirectHit[], now: string): Promise<void>
  /** Stores the files of articles; those of other sites, and unknown ones, are left out. */
  setSources(siteId: string, sources: readonly ArticleSource[]): Promise<void>
  /** The file of an article; undefined if it is unknown. */
  findSource(siteId: string, id: string): Promise<string | undefined>
  /** By id; undefined if it is not visible or its content is larger. */
  readReaderContent(scope: ReaderScope, id: string, limitBytes: number): Promise<string | undefined>
  /** By id, with the beginnings of their contents: only those that are visible and not hidden from search. */
  listSearchedArticles(
    scope: ReaderScope,
    ids: readonly string[],
    characters: number,
  ): Promise<ReadonlyMap<string, SearchedArticle>>
  /** The original of `article` and its translations, except those in its own language. */
  listReaderTranslations(scope: ReaderScope, article: ReadArticle): Promise<readonly ReaderArticle[]>
  listReaderCategories(siteId: string): Promise<readonly ReadCategory[]>
  /** Number of articles by the id of the category, or translation of one, that they are directly in. In slices. */
  countReaderArticles(scope: ReaderScope, language: string): Promise<ReadonlyMap<string, number>>
  /** Number of articles directly in a category or in a translation of it, each counted once. */
  countInCategory(scope: ReaderScope, language: string, categoryId: string): Promise<number>
  /** Ids of the originals of the categories of articles, in their order, by the id of the article. */
  listCategoryIds(articleIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>>
  /** An article's tags, with names in `language` if they are translated. */
  listReaderTags(articleId: string, language: string): Promise<readonly ReadTag[]>
  /** By its slug in `language`, else in the default language. */
  findReaderTag(siteId: string, slug: string, language: string): Promise<FoundTag | undefined>
  /** The language in which each has or had the slug, and its slugs by language. */
  findMovedTaxa(siteId: string, taxa: MovedTaxa): Promise<readonly MovedTaxon[]>
  countByStatus(siteId: string): Promise<{ readonly published: number; readonly drafts: number }>
  /** '' if there are no articles. */
  lastChange(siteId: string): Promise<string>
  countReviewDays(siteId: string): Promise<readonly DayCount[]>
  countEditDays(siteId: string): Promise<readonly DayCount[]>
  /** Articles with a review date in a range of days, or without one; by date, then by name. */
  listFirstReviews(
    siteId: string,
    days: { readonly from: string; readonly before: string } | undefined,
    limit: number,
  ): Promise<readonly ReviewedArticle[]>
  /** In slices. An article due on `today` is not overdue; one due on `before` or later is neither. */
  countCategoryLoads(
    siteId: string,
    days: { readonly today: string; readonly before: string },
  ): Promise<readonly CategoryLoad[]>
  /** The broken links of one site, grouped by target. */
  listBrokenLinks(siteId: string, after: BrokenLinkPlace, limit: number): Promise<readonly BrokenLinkRecord[]>
  countLinks(siteId: string): Promise<{ readonly links: number; readonly unchecked: number }>
  /**
   * Number of published articles that are not hidden from search, and the position before each SITEMAP_SLICE of them.
   * Reads them all, in slices.
   */
  surveyIndexed(siteId: string): Promise<{ readonly count: number; readonly starts: readonly SitePlace[] }>
  /** These articles, in the order of positions. */
  listIndexed(siteId: string, after: SitePlace, limit: number): Promise<readonly SitemapArticle[]>
  /** The position of the last of `count` of them after a position; undefined if there are fewer. */
  findIndexedPlace(siteId: string, after: SitePlace, count: number): Promise<SitePlace | undefined>
  /** The ones of a language that were edited last. */
  listLatest(
    siteId: string,
    language: string,
    limit: number,
  ): Promise<readonly (ReaderArticle & Pick<ReadArticle, 'editedDate'>)[]>
}
