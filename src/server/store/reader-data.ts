// The store as the pages use it. Languages are as in the tables: '' is the default one. Everything takes a `site`, and
// finds nothing of other sites.

/**
 * Who reads: a reader sees published articles, an author also drafts. If a published article has a draft, an author
 * sees the draft.
 */
export type Sight = 'published' | 'all'

/** Whose view of which articles. */
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

/** An article without its text. */
export interface ReadArticle extends ReaderArticle {
  readonly languageParent: string | null
  readonly articleParent: string | null
  readonly editedDate: string
}

/** An article with the beginning of its text. */
interface SearchedArticle extends ReadArticle {
  readonly content: string
}

/** A place in a list of articles: what comes after it is meant. */
export interface ListPlace {
  readonly order: number
  readonly name: string
  readonly id: string
}

/** Before any article. */
export const LIST_START: ListPlace = { order: -Number.MAX_VALUE, name: '', id: '' }

/** Which articles hang on a category or tag, or on one of its translations. */
export interface TaxonFilter {
  readonly kind: 'category' | 'tag'
  /** Of the original. */
  readonly id: string
}

export interface ListArguments extends ReaderScope {
  readonly language: string
  /** Undefined for all. */
  readonly taxon: TaxonFilter | undefined
  readonly after: ListPlace
  readonly limit: number
}

/** A category or a translation of one. */
export interface ReadCategory {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly language: string
  readonly languageParent: string | null
  readonly order: number
  readonly parentId: string | null
}

/** A tag in a language, by the id of its original. */
interface ReadTag {
  readonly id: string
  readonly name: string
  readonly slug: string
}

export interface FoundTag extends ReadTag {
  /** By language, as far as it is translated. */
  readonly slugs: ReadonlyMap<string, string>
}

/** What decides whether a search has to read an article again. */
export interface ArticleVersion extends ListPlace {
  readonly language: string
  readonly isDraft: boolean
  readonly hideFromSearch: boolean
  readonly editedDate: string
}

/** A place in the list of versions. */
export type VersionPlace = Pick<ArticleVersion, 'language' | 'order' | 'name' | 'id'>

/** How many articles have a date `YYYY-MM-DD`; '' for none. */
interface DayCount {
  readonly date: string
  readonly count: number
}

/** An article by the day of its review. */
interface ReviewedArticle {
  /** '' for none. */
  readonly date: string
  readonly name: string
  readonly slug: string
  readonly language: string
  readonly isDraft: boolean
}

/** Articles of a category, those of its translations included. */
interface CategoryLoad {
  readonly categoryId: string
  readonly articles: number
  readonly overdue: number
  readonly due: number
}

/** A link that does not work, what its last check met, and the article that it stands in. */
export interface BrokenLinkRecord extends BrokenLinkPlace {
  readonly url: string
  readonly status: number | null
  /** '' where nothing is known. */
  readonly reason: string
  readonly name: string
  readonly slug: string
  readonly language: string
  /** Of categories or of translations of them. */
  readonly categoryIds: readonly string[]
}

/** A place in the list of broken links. */
export interface BrokenLinkPlace {
  readonly target: string
  readonly id: string
}

/** What stands around an article of a category. */
export interface AroundArguments extends ReaderScope {
  readonly language: string
  readonly categoryId: string
  readonly id: string
  /** Articles on each side. */
  readonly limit: number
}

/** What readers' pages ask a store. Lists come in pieces: those after a place. */
export interface ReaderStore {
  /** Sorted by order, name (by code point), id. */
  listReaderArticles(list: ListArguments): Promise<readonly ReaderArticle[]>
  /** In the same order, itself between them; empty where the scope does not show it. */
  listReaderArticlesAround(around: AroundArguments): Promise<readonly ReaderArticle[]>
  findReaderArticle(scope: ReaderScope, language: string, slug: string): Promise<ReadArticle | undefined>
  /** By id; undefined where the scope does not show it, or its text is larger. */
  readReaderContent(scope: ReaderScope, id: string, limitBytes: number): Promise<string | undefined>
  /** By id, with the beginning of its text: only where the scope shows it and it does not hide from search. */
  findSearchedArticle(
    scope: ReaderScope,
    id: string,
    characters: number,
  ): Promise<SearchedArticle | undefined>
  /** The original of `article` and its translations, those aside that are in its own language. */
  listReaderTranslations(scope: ReaderScope, article: ReadArticle): Promise<readonly ReaderArticle[]>
  /** All categories of a site with all translations. */
  listReaderCategories(siteId: string): Promise<readonly ReadCategory[]>
  /** Number of articles by the id of the category, or translation of one, that they are right in. In slices. */
  countReaderArticles(scope: ReaderScope, language: string): Promise<ReadonlyMap<string, number>>
  /** Number of articles that are right in a category or in a translation of it, each counted once. */
  countInCategory(scope: ReaderScope, language: string, categoryId: string): Promise<number>
  /** Ids of the originals of an article's categories. */
  listCategoryIds(articleId: string): Promise<readonly string[]>
  /** An article's tags, named in `language` where they are translated. */
  listReaderTags(articleId: string, language: string): Promise<readonly ReadTag[]>
  /** By its slug in `language` or, where none has it there, in the default one. */
  findReaderTag(siteId: string, slug: string, language: string): Promise<FoundTag | undefined>
  countByStatus(siteId: string): Promise<{ readonly published: number; readonly drafts: number }>
  /** '' where there is no article. */
  lastChange(siteId: string): Promise<string>
  countReviewDays(siteId: string): Promise<readonly DayCount[]>
  countEditDays(siteId: string): Promise<readonly DayCount[]>
  /** Those with a review from a day on and before another, or those without one; by its moment, then by name. */
  listFirstReviews(
    siteId: string,
    days: { readonly from: string; readonly before: string } | undefined,
    limit: number,
  ): Promise<readonly ReviewedArticle[]>
  /** In slices. What is due on `today` is not overdue; what is due on `before` or later is neither. */
  countCategoryLoads(
    siteId: string,
    days: { readonly today: string; readonly before: string },
  ): Promise<readonly CategoryLoad[]>
  /** Of one site, those to the same target together. */
  listBrokenLinks(siteId: string, after: BrokenLinkPlace, limit: number): Promise<readonly BrokenLinkRecord[]>
  /** All links, and those that no one has checked yet. */
  countLinks(siteId: string): Promise<{ readonly links: number; readonly unchecked: number }>
  listArticleVersions(siteId: string, after: VersionPlace, limit: number): Promise<readonly ArticleVersion[]>
  /** What a search reads of an article; undefined where there is none any more. A larger content is null. */
  readSearchText(
    siteId: string,
    id: string,
    contentBytes: number,
  ): Promise<{ readonly name: string; readonly content: string | null } | undefined>
}
