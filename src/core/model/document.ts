import type { Span } from './diagnostic.ts'
import { digestParts } from '../digest.ts'
import type { UsedFile } from './local-file.ts'

/** Positions of frontmatter values, by path: `title`, `categories[0]`. */
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
  readonly aliases?: readonly string[] | undefined
}

/** Categories and tags in the frontmatter of an invalid article. */
export interface NamedTaxonomy {
  readonly categories: readonly string[]
  readonly tags: readonly string[]
  readonly positions: FieldPositions
}

/** When an article is due for review: on a date, never, or a number of days after it is sent. */
export type Review =
  | { readonly kind: 'date'; readonly date: string }
  | { readonly kind: 'never' }
  | { readonly kind: 'default'; readonly afterDays: number }

/** A Markdown file, read and validated, with all defaults. Small, because its HTML is in the cache. */
export interface Document {
  /** Path under the content root, with `/`. */
  readonly source: string
  /** Digest of source and language: identifies the article of this file even if its slug changes. */
  readonly key: string
  /** Digest of the file's bytes. */
  readonly sourceHash: string
  /** Digest of everything that affects the rendering; the key of the template in the cache. */
  readonly inputKey: string
  readonly title: string
  readonly slug: string
  /** As written: slugs, names or paths of names. */
  readonly categories: readonly string[]
  readonly tags: readonly string[]
  readonly excerpt: string
  readonly status: 'draft' | 'published'
  readonly review: Review
  /** null for the default language, as in the API. */
  readonly language: string | null
  readonly translationOf: string | undefined
  readonly order: number
  readonly hideFromSearch: boolean
  readonly seoBannerUrl: string
  /** Other slugs that lead to the article; undefined if there are none. */
  readonly aliases?: readonly string[] | undefined
  readonly positions: FieldPositions
}

/** A document with resolved links: all that the planner needs to know about the article. */
export interface LocalArticle extends Document {
  /** Source of the document that this one translates. */
  readonly original: string | undefined
  /** Digest that changes exactly when the HTML to send changes (without the marker). */
  readonly contentHash: string
  readonly projectionHash: string
  /** Files that the target stores for the article; undefined if there are none. */
  readonly files?: readonly UsedFile[] | undefined
}

/** Digest of source and language (null: the default), which identifies a file's article even if its slug changes. */
export function documentKey(source: string, language: string | null): string {
  return digestParts([source, language ?? ''])
}
