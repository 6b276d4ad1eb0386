// What a site shows of the content: plain values that JSON can carry, addresses made for the site. Nothing of the
// configuration is in them beside those addresses: what a bundle holds, everyone reads. `virtual:kb` takes these types
// to the pages of a site, so they import nothing.

export interface SiteArticle {
  /** Unique: the slug, and `language/slug` for what is not in the default language. */
  readonly id: string
  /** Path under the content folder, with `/`. */
  readonly source: string
  readonly title: string
  readonly slug: string
  readonly language: string
  readonly status: 'draft' | 'published'
  readonly excerpt: string
  /** Address of its page, as `links` says. */
  readonly url: string
  /** Ids of categories. */
  readonly categories: readonly string[]
  /** Ids of tags. */
  readonly tags: readonly string[]
  readonly order: number
  /** `YYYY-MM-DD`, `never`, or null where its author names none. */
  readonly reviewDate: string | null
  readonly hideFromSearch: boolean
  readonly seoBannerUrl: string | null
  /** Id of the article that it translates. */
  readonly translationOf: string | null
  /** Ids of the same article in all its languages, its own included; empty where it has one language. */
  readonly translations: Readonly<Record<string, string>>
}

/** The name of a category or tag in another language. */
export interface SiteTranslation {
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly url: string
}

interface SiteTerm extends SiteTranslation {
  readonly id: string
  readonly translations: Readonly<Record<string, SiteTranslation>>
}

/** `id` is its path of names, joined by `/`. */
export interface SiteCategory extends SiteTerm {
  /** Id of the category above it. */
  readonly parent: string | null
}

/** `id` is its name. */
export type SiteTag = SiteTerm

export interface SiteHeading {
  /** 1 to 6. */
  readonly level: number
  readonly id: string
  readonly text: string
}

/** The text of one article. */
export interface SiteBody {
  /** As it is sent to a target, except for addresses: safe to stand in a page. */
  readonly html: string
  /** In their order; without those that no one sees. */
  readonly headings: readonly SiteHeading[]
}
