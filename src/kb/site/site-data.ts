// The content for a site: plain JSON values with the site's URLs. They contain nothing else from the configuration,
// because everyone can read a bundle. `virtual:kb` exports these types to the pages of a site, so they import nothing.

export interface SiteArticle {
  /** Unique: the slug, or `language/slug` in languages other than the default. */
  readonly id: string
  /** Path under the content folder, with `/`. */
  readonly source: string
  readonly title: string
  readonly slug: string
  readonly language: string
  readonly status: 'draft' | 'published'
  readonly excerpt: string
  /** URL of its page, according to `links`. */
  readonly url: string
  /** Ids of categories. */
  readonly categories: readonly string[]
  /** Ids of tags. */
  readonly tags: readonly string[]
  readonly order: number
  /** `YYYY-MM-DD`, `never`, or null if the author did not set one. */
  readonly reviewDate: string | null
  readonly hideFromSearch: boolean
  readonly seoBannerUrl: string | null
  /** Id of the article that it translates. */
  readonly translationOf: string | null
  /** Ids of the article in all its languages, including its own; empty for a single language. */
  readonly translations: Readonly<Record<string, string>>
}

/** A category or tag in another language. */
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

/** `id` is the path of names, joined by `/`. */
export interface SiteCategory extends SiteTerm {
  /** Id of the parent category. */
  readonly parent: string | null
}

/** `id` is the name. */
export type SiteTag = SiteTerm

export interface SiteHeading {
  /** 1 to 6. */
  readonly level: number
  readonly id: string
  readonly text: string
}

export interface SiteBody {
  /** The HTML as sent to a target, except for URLs. Safe to embed in a page. */
  readonly html: string
  /** In order, without hidden ones. */
  readonly headings: readonly SiteHeading[]
}
