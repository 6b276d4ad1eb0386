import type { Span } from './diagnostic.ts'
import { digestParts } from '../digest.ts'

/** Where frontmatter values stand, by path: `title`, `categories[0]`. */
export type FieldPositions = Readonly<Record<string, Span>>

/** The frontmatter of one article as written, validated. */
export interface Frontmatter {
  readonly title: string
  readonly slug?: string | undefined
  readonly categories?: readonly string[] | undefined
  readonly tags?: readonly string[] | undefined
  readonly excerpt?: string | undefined
  readonly status?: 'draft' | 'published' | undefined
  /** `YYYY-MM-DD` or `never`. */
  readonly reviewDate?: string | undefined
  readonly language?: string | undefined
  readonly translationOf?: string | undefined
  readonly order?: number | undefined
  readonly hideFromSearch?: boolean | undefined
  readonly seoBannerUrl?: string | undefined
}

/** The categories and tags that the frontmatter of a faulty article names. */
export interface NamedTaxonomy {
  readonly categories: readonly string[]
  readonly tags: readonly string[]
  readonly positions: FieldPositions
}

/** When an article is due for review: written down, never, or so many days after it is sent. */
export type Review =
  | { readonly kind: 'date'; readonly date: string }
  | { readonly kind: 'never' }
  | { readonly kind: 'default'; readonly afterDays: number }

/** One Markdown file, read and validated, with every default filled in. Small: its HTML stays in the cache. */
export interface Document {
  /** Path under the content root, with `/`. */
  readonly source: string
  /** Digest of source and language: tells the article that came from this file, whatever its slug. */
  readonly key: string
  /** Digest of the file's bytes. */
  readonly sourceHash: string
  /** Digest of what decides the rendering; under it the template lies in the cache. */
  readonly inputKey: string
  readonly title: string
  readonly slug: string
  /** As written: slugs, names or paths of names. */
  readonly categories: readonly string[]
  readonly tags: readonly string[]
  readonly excerpt: string
  readonly status: 'draft' | 'published'
  readonly review: Review
  /** null for the default language, as on the wire. */
  readonly language: string | null
  readonly translationOf: string | undefined
  readonly order: number
  readonly hideFromSearch: boolean
  readonly seoBannerUrl: string
  readonly positions: FieldPositions
}

/** A document whose links are resolved: all that the planner needs to know of the article to be. */
export interface LocalArticle extends Document {
  /** Source of the document that this one is a translation of. */
  readonly original: string | undefined
  /** Digest that changes exactly when the HTML to be sent changes (the marker aside). */
  readonly contentHash: string
  readonly projectionHash: string
}

/** Digest of source and language (null for the default one): tells the article that came from a file, whatever its slug. */
export function documentKey(source: string, language: string | null): string {
  return digestParts([source, language ?? ''])
}
