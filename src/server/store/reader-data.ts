// The store for the pages. Languages are as in the tables: '' is the default one. All methods take a site, and find
// nothing of other sites.

/**
 * What a viewer sees: a reader sees published articles, an author also drafts. If a published article has a draft, an
 * author sees the draft.
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

/** A category or tag with its slugs, by language. */
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

/** Number of articles that a sitemap or feed skips in one slice. */
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
  /** '' for an article without a review date. */
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

/** The queries of the readers' pages. Lists are read in pages of entries after a position. */
export interface ReaderStore {
  /** Sorted by order, name (by code point), id. */
  listReaderArticles(list: ListArguments): Promise<readonly ReaderArticle[]>
  /** In the same order, including the article itself; empty if it is not visible. */
  listReaderArticlesAround(around: AroundArguments): Promise<readonly ReaderArticle[]>
  findReaderArticle(scope: ReaderScope, language: string, slug: string): Promise<ReadArticle | undefined>
  /** Returns the visible articles that a slug redirects to, by the language of the slug. */
  findRedirects(scope: ReaderScope, slug: string): Promise<ReadonlyMap<string, ReadArticle>>
  /** Sorted by kind, slug and language. Omits slugs that a published article, a category or a tag has now. */
  listRedirects(siteId: string, after: RedirectPlace, limit: number): Promise<readonly RedirectRecord[]>
  addRedirectHits(siteId: string, hits: readonly RedirectHit[], now: string): Promise<void>
  /** Stores the files of articles. Ignores unknown articles, and those of other sites. */
  setSources(siteId: string, sources: readonly ArticleSource[]): Promise<void>
  /** Returns the file of an article; undefined if it is unknown. */
  findSource(siteId: string, id: string): Promise<string | undefined>
  /** Returns a content by id; undefined if it is not visible or larger. */
  readReaderContent(scope: ReaderScope, id: string, limitBytes: number): Promise<string | undefined>
  /** Returns articles by id, with the beginnings of their contents, if they are visible and not hidden from search. */
  listSearchedArticles(
    scope: ReaderScope,
    ids: readonly string[],
    characters: number,
  ): Promise<ReadonlyMap<string, SearchedArticle>>
  /** Returns the original of `article` and its translations, except those in its own language. */
  listReaderTranslations(scope: ReaderScope, article: ReadArticle): Promise<readonly ReaderArticle[]>
  listReaderCategories(siteId: string): Promise<readonly ReadCategory[]>
  /** Returns the HTML of the translation of a category, or else of the category itself; '' without one. */
  readLongDescription(siteId: string, id: string, language: string): Promise<string>
  /** Counts the articles directly in each category, or translation of one, by its id. Works in slices. */
  countReaderArticles(scope: ReaderScope, language: string): Promise<ReadonlyMap<string, number>>
  /** Counts the articles directly in a category or in a translation of it, each once. */
  countInCategory(scope: ReaderScope, language: string, categoryId: string): Promise<number>
  /** Returns the ids of the originals of the categories of articles, in their order, by the id of the article. */
  listCategoryIds(articleIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>>
  /** Returns an article's tags, with names in `language` if they are translated. */
  listReaderTags(articleId: string, language: string): Promise<readonly ReadTag[]>
  /** Finds a tag by its slug in `language`, otherwise in the default language. */
  findReaderTag(siteId: string, slug: string, language: string): Promise<FoundTag | undefined>
  /** Returns items that have or had a slug, with the language of the slug, and their slugs by language. */
  findMovedTaxa(siteId: string, taxa: MovedTaxa): Promise<readonly MovedTaxon[]>
  countByStatus(siteId: string): Promise<{ readonly published: number; readonly drafts: number }>
  /** '' if there are no articles. */
  lastChange(siteId: string): Promise<string>
  countReviewDays(siteId: string): Promise<readonly DayCount[]>
  countEditDays(siteId: string): Promise<readonly DayCount[]>
  /** Returns articles with a review date in a range of days, or without one, sorted by date, then name. */
  listFirstReviews(
    siteId: string,
    days: { readonly from: string; readonly before: string } | undefined,
    limit: number,
  ): Promise<readonly ReviewedArticle[]>
  /** Works in slices. An article due on `today` is not overdue; one due on `before` or later is neither. */
  countCategoryLoads(
    siteId: string,
    days: { readonly today: string; readonly before: string },
  ): Promise<readonly CategoryLoad[]>
  /** Returns the broken links of one site, grouped by target. */
  listBrokenLinks(siteId: string, after: BrokenLinkPlace, limit: number): Promise<readonly BrokenLinkRecord[]>
  countLinks(siteId: string): Promise<{ readonly links: number; readonly unchecked: number }>
  /**
   * Counts the published articles that are not hidden from search, and returns the position before each SITEMAP_SLICE
   * of them. Reads all of them, in slices.
   */
  surveyIndexed(siteId: string): Promise<{ readonly count: number; readonly starts: readonly SitePlace[] }>
  /** Returns these articles, in the order of positions. */
  listIndexed(siteId: string, after: SitePlace, limit: number): Promise<readonly SitemapArticle[]>
  /** Returns the position of the last of `count` of them after a position; undefined if there are fewer. */
  findIndexedPlace(siteId: string, after: SitePlace, count: number): Promise<SitePlace | undefined>
  /** Returns the articles of a language that were edited last. */
  listLatest(
    siteId: string,
    language: string,
    limit: number,
  ): Promise<readonly (ReaderArticle & Pick<ReadArticle, 'editedDate'>)[]>
}
