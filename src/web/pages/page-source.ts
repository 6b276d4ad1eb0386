// The data of the pages. The built-in server provides it from its database, a watch from the files; the pages do not
// know which.
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
  /** Only readers with a password see it. Default false. */
  readonly isClosed?: boolean
}

export interface PageCategory {
  readonly id: string
  /** Id of the parent category; undefined at the top. */
  readonly parentId: string | undefined
  readonly name: string
  readonly slug: string
  readonly description: string
  /** URLs of images, maybe relative; '' without one. */
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

/** An entry of a path or of a list of tags. */
export interface PageLink {
  readonly name: string
  readonly slug: string
}

export interface PageTag extends PageLink {
  /** Its slug in each language of the site: the default language's if it is not translated. */
  readonly slugs: ReadonlyMap<string, string>
}

export interface ArticlePage extends ListedPage {
  /** Changes whenever anything on the page does. */
  readonly version: string
  /** Reads the HTML as stored or rendered, not sanitised. Undefined if it is larger than `limitBytes`. */
  readonly readHtml: (limitBytes: number) => Promise<string | undefined>
  /** The sizes of the pictures among these stored files; undefined without stored files. */
  readonly pictureSizes?: (names: readonly string[]) => Promise<ReadonlyMap<string, PictureSize>>
  /** Each from the top down. */
  readonly categoryPaths: readonly (readonly PageLink[])[]
  readonly tags: readonly PageLink[]
  /** The article in other languages that the viewer may see. */
  readonly translations: readonly Pick<ListedPage, 'slug' | 'language' | 'title'>[]
  /** Last change, ISO 8601; undefined if only a file knows it. */
  readonly editedDate: string | undefined
  /** Neither the search of the pages nor a search engine should find it. */
  readonly isHidden: boolean
  /** URL of a picture for previews, maybe relative; '' without one. */
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
  /** It is not sent because of an error. */
  readonly isHeldBack: boolean
  /** The page shows the current text, the last one without errors, or none if there was none without errors. */
  readonly shows: 'current' | 'last-good' | 'nothing'
}

/** An article for search engines. */
export interface IndexedPage extends Pick<ListedPage, 'slug' | 'language'> {
  readonly editedDate: string | undefined
  /** In other languages, without hidden ones. */
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
  /** The part of its text with most of the words; the beginning of the excerpt if there is none. */
  readonly passage: Passage
}

export interface SearchPage {
  /** Number of all articles found. */
  readonly total: number
  /** Number of those that are ranked: the rest is on no page. */
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
  /** As typed: any text. */
  readonly text: string
  /** Finds only articles in this language. */
  readonly language: string
  /** Number of results before this page. */
  readonly skip: number
  readonly limit: number
}

export interface PageSource {
  readonly site: () => Promise<PageSite>
  /** All categories in display order, with translated names if there are any. */
  readonly listCategories: (query: {
    readonly viewer: Viewer
    readonly language: string
  }) => Promise<readonly PageCategory[]>
  /** A tag by its slug in `language` or in the default language; undefined if there is none. */
  readonly findTag: (slug: string, language: string) => Promise<PageTag | undefined>
  /** Sorted by order, then title. */
  readonly listArticles: (query: ListQuery) => Promise<PageList>
  /**
   * Articles of a category, in order: up to `limit` before the one with this id, itself, and up to `limit` after it.
   */
  readonly listAround: (
    query: Pick<ListQuery, 'viewer' | 'language' | 'limit'> & {
      readonly categoryId: string
      readonly id: string
    },
  ) => Promise<readonly ListedPage[]>
  /** @param place language undefined: prefers the default one, then any that has the slug */
  readonly findArticle: (
    place: { readonly slug: string; readonly language: string | undefined },
    viewer: Viewer,
  ) => Promise<ArticlePage | undefined>
  /**
   * The place that a slug without an article leads to: an article that had it, or declares it, or its translation. The
   * redirect is counted if `isCounted`.
   */
  readonly findRedirect: (
    place: { readonly slug: string; readonly language: string | undefined },
    viewer: Viewer,
    isCounted: boolean,
  ) => Promise<Pick<ListedPage, 'slug' | 'language'> | undefined>
  /**
   * The categories or tags that have a slug or had it, first those that do in `language`: the language of each, and its
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
  /** The path of an article's file in the content folder, by id; undefined if it is unknown. */
  readonly findSource: (id: string) => Promise<string | undefined>
  /** Without articles that are hidden from search. */
  readonly search: (query: SearchQuery) => Promise<SearchPage>
  /** Number of articles that readers see and that are not hidden from search. */
  readonly countIndexed: () => Promise<number>
  /** These articles, in a stable order: `limit` of them after the first `skip`. */
  readonly indexed: (skip: number, limit: number) => AsyncIterable<IndexedPage>
  /** The ones of a language that changed last. */
  readonly listLatest: (language: string, limit: number) => Promise<readonly LatestPage[]>
  /** Changes whenever anything that pages show does; undefined if that is unknown. */
  readonly revision?: () => Promise<string>
  /** The data of the page /status. */
  readonly status: StatusSource
}
