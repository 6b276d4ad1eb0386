import type { Html } from '../html.ts'
import type { ListedPage } from './page-source.ts'

/** The same page in another language. */
export interface PageInLanguage {
  readonly language: string
  readonly url: string
}

export interface PageBody {
  /** Text, followed by the name of the site. */
  readonly title: string
  /** Content of `<main>`; starts with its `<h1>`. */
  readonly main: Html
  /** Default 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Language code of `main`; default: the requested language. */
  readonly language?: string
  /** Description for search engines and previews. */
  readonly description?: string
  /** Canonical URL if there are several; default: the requested one. */
  readonly url?: string
  /** Its path from the home page, without the home page. */
  readonly trail?: readonly { readonly name: string; readonly url: string }[]
  /** Only for articles. */
  readonly article?: {
    /** URL of a picture for previews, possibly relative; '' without one. */
    readonly image: string
    /** Last change, ISO 8601. */
    readonly editedDate: string | undefined
  }
  /** Changes whenever the content does; undefined if unknown. */
  readonly version?: string
  /** Slug of the category that navigation opens, the article in it, and its neighbours. */
  readonly place?: {
    readonly category: string | undefined
    readonly article?: string
    readonly siblings?: readonly ListedPage[]
  }
  /** True if the page has no navigation and takes the whole width. */
  readonly isWide?: boolean
  /** True if the page has the search box in its content. */
  readonly hasSearch?: boolean
  /** True if the page has no search, because readers must not know what the site contains. */
  readonly isBare?: boolean
  /** The page in all its languages, including its own. */
  readonly languages?: readonly PageInLanguage[]
  /** The language that the reader requested, if the page does not exist in it. */
  readonly missingIn?: string | undefined
  /** True if search engines should not index the page. */
  readonly isUnlisted?: boolean
  /** Text in the search box. */
  readonly searched?: string
  /** Names of additional files in assets/ for this page. */
  readonly styles?: readonly string[]
  readonly scripts?: readonly string[]
}
