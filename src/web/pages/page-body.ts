import type { Html } from '../html.ts'
import type { ListedPage } from './page-source.ts'

/** The same page in another language. */
export interface PageInLanguage {
  readonly language: string
  readonly url: string
}

/** What stands inside the layout. */
export interface PageBody {
  /** Text; the name of the site is put behind it. */
  readonly title: string
  /** Goes into `<main>`; begins with its `<h1>`. */
  readonly main: Html
  /** 200 by default. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Language code of `main`; by default the one that the request asks for. */
  readonly language?: string
  /** What the page is about, for search engines and previews. */
  readonly description?: string
  /** The page's own address, where it has several; by default the one that was asked for. */
  readonly url?: string
  /** Differs whenever the content does, where that is known. */
  readonly version?: string
  /** Slug of the category that navigation shows open, the article in it, and what stands around that. */
  readonly place?: {
    readonly category: string | undefined
    readonly article?: string
    readonly siblings?: readonly ListedPage[]
  }
  /** The page takes the whole width: no navigation beside it. */
  readonly isWide?: boolean
  /** The page in all languages that it is there in, its own among them. */
  readonly languages?: readonly PageInLanguage[]
  /** Search engines should not list it. */
  readonly isUnlisted?: boolean
  /** What the search box holds. */
  readonly searched?: string
  /** Names of files in assets/ that this page needs beside what every page has. */
  readonly styles?: readonly string[]
  readonly scripts?: readonly string[]
}
