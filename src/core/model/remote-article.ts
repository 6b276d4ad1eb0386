import type { ArticleFields } from './article-fields.ts'
import type { Marker } from './marker.ts'

/** An article of the target, read in this run. Its HTML is not kept: thousands of these may be in memory. */
export interface RemoteArticle {
  readonly id: string
  readonly language: string | null
  readonly fields: ArticleFields
  readonly fieldsHash: string
  /** The same without the review date. */
  readonly undatedFieldsHash: string
  /** Digest of its HTML, as it was read. */
  readonly htmlHash: string
  readonly projectionHash: string
  readonly marker: Marker | undefined
  /** Milliseconds since 1970; undefined where the target does not say. */
  readonly createdMs: number | undefined
  readonly editedMs: number | undefined
  /** Id of a draft opened beside this article; undefined where there is none. */
  readonly draftId: string | undefined
  readonly languageParent: string | undefined
  /** Tags as labelled select entries: the only place where the interface names tags. */
  readonly tags: readonly { readonly id: string; readonly name: string }[]
}

/** What the lists tell of an article without reading it. */
export interface ListedArticle {
  readonly id: string
  readonly title: string | undefined
  /** Whether it stands in the review-dates list, the only list that gives status, date and language. */
  readonly fromReviewDates: boolean
  readonly language: string | null
}

/** A category of the target. */
export interface RemoteCategory {
  readonly id: string
  readonly name: string
  readonly order: number | undefined
  readonly parentName: string | undefined
  /** Language codes in which it is translated. */
  readonly translations: readonly string[]
}

/** A tag as the target returns it. */
export interface RemoteTag {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly longDescription: string
}
