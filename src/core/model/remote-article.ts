import type { ArticleFields } from './article-fields.ts'
import type { Marker } from './marker.ts'

/** An article of the target, read in this run. Its HTML is not kept, because there may be thousands. */
export interface RemoteArticle {
  readonly id: string
  readonly language: string | null
  readonly fields: ArticleFields
  readonly fieldsHash: string
  /** The same hash, without the review date. */
  readonly undatedFieldsHash: string
  /** Digest of its HTML as read. */
  readonly htmlHash: string
  readonly projectionHash: string
  readonly marker: Marker | undefined
  /** Milliseconds since 1970; undefined if the target does not return it. */
  readonly createdMs: number | undefined
  readonly editedMs: number | undefined
  /** Id of a draft of this article; undefined if there is none. */
  readonly draftId: string | undefined
  readonly languageParent: string | undefined
  /** Tags as labelled select entries, the only form in which the API names tags. */
  readonly tags: readonly { readonly id: string; readonly name: string }[]
}

/** An article as it appears in the lists, without reading it. */
export interface ListedArticle {
  readonly id: string
  readonly title: string | undefined
  /** True if the article is in the review-dates list, the only list with status, date and language. */
  readonly fromReviewDates: boolean
  readonly language: string | null
}

export interface RemoteCategory {
  readonly id: string
  readonly name: string
  readonly order: number | undefined
  readonly parentName: string | undefined
  /** Language codes of its translations. */
  readonly translations: readonly string[]
}

export interface RemoteTag {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly longDescription: string
}
