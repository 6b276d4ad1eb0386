// The data of the pages. The built-in server provides it from its database, a watch from the files; the pages do not
// depend on which.
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { PictureSize } from '../../core/stored-file-names.ts'
import type { StatusSource } from '../dashboard/status-source.ts'
import type { Passage } from './search/passage-in.ts'

/** The viewer: `reader` sees published articles, `author` drafts as well. */
export type Viewer = 'reader' | 'author'

export interface PageSite {
  /** Name of the knowledge base, for headings and titles. */
  readonly name: string
  /** Enabled language codes, the default one first. */
  readonly languages: readonly string[]
  /** True if only readers with a password see it. Default false. */
  readonly isClosed?: boolean
}

export interface PageCategory {
  readonly id: string
  /** Id of the parent category; undefined at the top level. */
  readonly parentId: string | undefined
  readonly name: string
  readonly slug: string
  readonly description: string
  /** URLs of images, possibly relative; '' without one. */
  readonly icon: string
  readonly thumbnail: string
  /** Number of articles directly in it that the viewer may see, in the requested language. */
  readonly articles: number
}

/** An article in lists. */
export interface ListedPage {
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly language: string
  readonly excerpt: string
  readonly isDraft: boolean
}

/** An entry of a category path or of a list of tags. */
export interface PageLink {
  readonly name: string
  readonly slug: string
}

export interface PageTag extends PageLink {
  /** Its slug in each language of the site: the default language's if it is not translated. */
  readonly slugs: ReadonlyMap<string, string>
}

export interface ArticlePage extends ListedPage {
  /** Changes whenever anything on the page changes. */
  readonly version: string
  /** Reads the HTML as stored or rendered, not sanitised. Undefined if it is larger than `limitBytes`. */
  readonly readHtml: (limitBytes: number) => Promise<string | undefined>
  /** The sizes of the pictures among these stored files; undefined without stored files. */
  readonly pictureSizes?: (names: readonly string[]) => Promise<ReadonlyMap<string, PictureSize>>
  /** Each from the root down. */
  readonly categoryPaths: readonly (readonly PageLink[])[]
  readonly tags: readonly PageLink[]
  /** The article in other languages that the viewer may see. */
  readonly translations: readonly Pick<ListedPage, 'slug' | 'language' | 'title'>[]
  /** Last change, ISO 8601; undefined if only the file has it. */
  readonly editedDate: string | undefined
  /** True if neither the search of the pages nor a search engine should find it. */
  readonly isHidden: boolean
  /** URL of a picture for previews, possibly relative; '' without one. */
  readonly image: string
  /** Its file and problems; undefined if this process has no files. */
  readonly writing: WrittenArticle | undefined
}

/** The file of an article while it is edited. */
export interface WrittenArticle {
  /** Relative to the project, with `/`. */
  readonly file: string
  /** Problems of the file and of the snippets that it includes. */
  readonly diagnostics: readonly Diagnostic[]
  /** True if it is not sent because of an error. */
  readonly isHeldBack: boolean
  /** The shown text: the current one, the last one without errors, or none if there never was one. */
  readonly shows: 'current' | 'last-good' | 'nothing'
}

/** An article for search engines. */
export interface IndexedPage extends Pick<ListedPage, 'slug' | 'language'> {
  readonly editedDate: string | undefined
  /** In other languages. Excludes hidden ones. */
  readonly translations: readonly Pick<ListedPage, 'slug' | 'language'>[]
}

/** An article in a feed. */
export interface LatestPage extends ListedPage {
  readonly editedDate: string
}

export interface PageList {
  readonly articles: readonly ListedPage[]
  /** Start of the next page; undefined at the end. */
  readonly next: string | undefined
}

export interface SearchHit extends ListedPage {
  /** Path of its first category; empty without one. */
  readonly category: readonly PageLink[]
  /** The part of its text with most of the search terms; the beginning of the excerpt if there is none. */
  readonly passage: Passage
}

export interface SearchPage {
  /** Number of all articles found. */
  readonly total: number
  /** Number of those that are ranked. The rest is on no page. */
  readonly ranked: number
  /** Best first. */
  readonly hits: readonly SearchHit[]
}

export interface ListQuery {
  readonly viewer: Viewer
  readonly language: string
  /** By id; undefined for all. */
  readonly categoryId?: string | undefined
  /** Slug; undefined for all. */
  readonly tag?: string | undefined
  /** `next` of the previous page; undefined for the first. */
  readonly after?: string | undefined
  readonly limit: number
}

export interface SearchQuery {
  readonly viewer: Viewer
  /** The text as typed. */
  readonly text: string
  /** Finds only articles in this language. */
  readonly language: string
  /** Number of results before this page. */
  readonly skip: number
  readonly limit: number
}

export interface PageSource {
  readonly site: () => Promise<PageSite>
  /** Returns all categories in display order, with translated names, if any. */
  readonly listCategories: (query: {
    readonly viewer: Viewer
    readonly language: string
  }) => Promise<readonly PageCategory[]>
  /** Returns the HTML of a category, by id, as stored or rendered, not sanitised; '' without one. */
  readonly readLongDescription: (id: string, language: string) => Promise<string>
  /** Returns a tag by its slug in `language` or in the default language; undefined if there is none. */
  readonly findTag: (slug: string, language: string) => Promise<PageTag | undefined>
  /** Sorted by order, then title. */
  readonly listArticles: (query: ListQuery) => Promise<PageList>
  /** Returns articles of a category: up to `limit` before the one with this id, itself, and up to `limit` after it. */
  readonly listAround: (
    query: Pick<ListQuery, 'viewer' | 'language' | 'limit'> & {
      readonly categoryId: string
      readonly id: string
    },
  ) => Promise<readonly ListedPage[]>
  /** @param place language undefined: prefers the default language, then any that has the slug */
  readonly findArticle: (
    place: { readonly slug: string; readonly language: string | undefined },
    viewer: Viewer,
  ) => Promise<ArticlePage | undefined>
  /**
   * Returns the target of a slug without an article: an article that had it, or declares it, or its translation. Counts
   * the redirect if `isCounted`.
   */
  readonly findRedirect: (
    place: { readonly slug: string; readonly language: string | undefined },
    viewer: Viewer,
    isCounted: boolean,
  ) => Promise<Pick<ListedPage, 'slug' | 'language'> | undefined>
  /**
   * Returns the categories or tags that have a slug or had it, first those in `language`: the language of each, and its
   * slug in each language of the site. `countHit` counts that a reader followed the former slug.
   */
  readonly findMovedTaxa: (place: {
    readonly kind: 'category' | 'tag'
    readonly slug: string
    readonly language: string | undefined
  }) => Promise<
    readonly {
      readonly from: string
      readonly slugs: ReadonlyMap<string, string>
      readonly countHit?: () => void
    }[]
  >
  /** Returns the path of an article's file in the content folder, by id; undefined if it is unknown. */
  readonly findSource: (id: string) => Promise<string | undefined>
  /** Excludes articles that are hidden from search. */
  readonly search: (query: SearchQuery) => Promise<SearchPage>
  /** Returns the number of articles that readers see and that are not hidden from search. */
  readonly countIndexed: () => Promise<number>
  /** Returns these articles, in a stable order: `limit` of them after the first `skip`. */
  readonly indexed: (skip: number, limit: number) => AsyncIterable<IndexedPage>
  /** Returns the articles of a language that changed last. */
  readonly listLatest: (language: string, limit: number) => Promise<readonly LatestPage[]>
  /** Changes whenever anything that pages show changes; undefined if that is unknown. */
  readonly revision?: () => Promise<string>
  readonly status: StatusSource
}
