// What the pages show, in a reader's words. The built-in server answers from its database, a running watch from the
// files; the pages cannot tell them apart.
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { StatusSource } from '../dashboard/status-source.ts'

/** Who looks: `reader` sees what is published, `author` drafts as well. */
export type Viewer = 'reader' | 'author'

export interface PageSite {
  /** Name of the knowledge base, for headings and titles. */
  readonly name: string
  /** Enabled language codes, the default one first. */
  readonly languages: readonly string[]
}

/** A category as its tree shows it. */
export interface PageCategory {
  readonly id: string
  /** Id of the category above; undefined at the top. */
  readonly parentId: string | undefined
  readonly name: string
  readonly slug: string
  readonly description: string
  /** Articles right in it that the viewer may see, in the language asked for. */
  readonly articles: number
}

/** An article as lists show it. */
export interface ListedPage {
  readonly id: string
  readonly title: string
  readonly slug: string
  /** Language code. */
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
  /** Its slug by language, for each language of the site: the default one's where it is not translated. */
  readonly slugs: ReadonlyMap<string, string>
}

export interface ArticlePage extends ListedPage {
  /** Differs whenever anything that the page shows does. */
  readonly version: string
  /** As stored or rendered: not yet cleaned. Undefined where it is larger than so many bytes. */
  readonly readHtml: (limitBytes: number) => Promise<string | undefined>
  /** Each from the top down. */
  readonly categoryPaths: readonly (readonly PageLink[])[]
  readonly tags: readonly PageLink[]
  /** The same article in other languages that the viewer may see. */
  readonly translations: readonly Pick<ListedPage, 'slug' | 'language' | 'title'>[]
  /** Last change, ISO 8601; undefined where only a file knows it. */
  readonly editedDate: string | undefined
  /** Where it is written, and what is wrong there; undefined where the files are elsewhere. */
  readonly writing: WrittenArticle | undefined
}

/** The file behind an article, while someone writes it. */
export interface WrittenArticle {
  /** Relative to the project, with `/`. */
  readonly file: string
  /** What is wrong in it, and in the snippets that it includes. */
  readonly diagnostics: readonly Diagnostic[]
  /** It is not sent as it stands, because of an error. */
  readonly isHeldBack: boolean
  /** The page has the file's text as it is, or as it last was without errors, or none, since it never was without. */
  readonly shows: 'current' | 'last-good' | 'nothing'
}

/** A piece of a list. */
export interface PageList {
  readonly articles: readonly ListedPage[]
  /** Where the next piece begins; undefined at the end. */
  readonly next: string | undefined
}

export interface SearchHit extends ListedPage {
  /** A piece of the text around the first match, plain; the excerpt where the title matched. */
  readonly context: string
}

/** Which articles a list shows. */
export interface ListQuery {
  readonly viewer: Viewer
  readonly language: string
  /** By id; undefined for all. */
  readonly categoryId?: string | undefined
  /** Slug; undefined for all. */
  readonly tag?: string | undefined
  /** `next` of the piece before; undefined for the first. */
  readonly after?: string | undefined
  readonly limit: number
}

export interface PageSource {
  readonly site: () => Promise<PageSite>
  /** All categories in the order of their display, names in `language` where they are translated. */
  readonly listCategories: (query: {
    readonly viewer: Viewer
    readonly language: string
  }) => Promise<readonly PageCategory[]>
  /** A tag, named in `language`, by its slug there or in the default language; undefined where there is none. */
  readonly findTag: (slug: string, language: string) => Promise<PageTag | undefined>
  /** Sorted by order, then title. */
  readonly listArticles: (query: ListQuery) => Promise<PageList>
  /** Of a category, in its order: up to `limit` articles before the one with this id, itself, and as many after it. */
  readonly listAround: (
    query: Pick<ListQuery, 'viewer' | 'language' | 'limit'> & {
      readonly categoryId: string
      readonly id: string
    },
  ) => Promise<readonly ListedPage[]>
  /** @param place language undefined: the default one first, then any that has the slug */
  readonly findArticle: (
    place: { readonly slug: string; readonly language: string | undefined },
    viewer: Viewer,
  ) => Promise<ArticlePage | undefined>
  /** Best first; articles that hide from search are left out. */
  readonly search: (query: {
    readonly viewer: Viewer
    readonly text: string
    readonly language: string
    readonly limit: number
  }) => Promise<readonly SearchHit[]>
  /** What the page /status is made from. */
  readonly status: StatusSource
}
