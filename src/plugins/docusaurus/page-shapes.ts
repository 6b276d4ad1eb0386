// What the pages get, as data. The components in theme/ draw it, and those that a site puts in their place.
import type { ReactTree } from './react-tree.ts'

export interface PageLink {
  readonly title: string
  readonly permalink: string
}

/** An entry of the sidebar: an article, or a category with those in it. */
export interface SidebarItem {
  readonly label: string
  readonly href: string
  readonly items?: readonly SidebarItem[]
}

export interface ArticlePage {
  readonly title: string
  readonly description: string
  /** Where the text is in another language than the page. */
  readonly lang: string | null
  readonly image: string | null
  readonly isDraft: boolean
  /** Whether search engines are asked to leave it out. */
  readonly isHidden: boolean
  /** The categories above it, from the top down. */
  readonly breadcrumbs: readonly PageLink[]
  readonly tags: readonly { readonly label: string; readonly permalink: string }[]
  /** `value` is HTML. */
  readonly toc: readonly { readonly id: string; readonly level: number; readonly value: string }[]
  readonly body: readonly ReactTree[]
  /** Neighbours in its category. */
  readonly previous: PageLink | null
  readonly next: PageLink | null
}

/** A page that lists articles: of a category, of a tag, or the categories at the top. */
export interface ListPage {
  /** Null on the page of all categories, whose title the theme knows. */
  readonly title: string | null
  readonly description: string
  readonly breadcrumbs: readonly PageLink[]
  readonly categories: readonly (PageLink & { readonly description: string })[]
  readonly articles: readonly (PageLink & { readonly description: string; readonly isDraft: boolean })[]
}
