export type FieldValue = string | number | boolean | readonly string[]

/** A field that differs between the article on the target and the one from the file. */
export interface FieldDifference {
  readonly field: string
  readonly target: FieldValue
  readonly file: FieldValue
}

/**
 * Who changed something since the last sync. `no one`: both are as they were sent, and yet they differ (the target
 * normalises the value, or a default changed). `unknown`: the article is not ours.
 */
export type ChangedBy = 'nobody' | 'file' | 'target' | 'both' | 'unknown'

/** The differences between an article on the target and its file. */
export interface ArticleDifference {
  readonly fields: readonly FieldDifference[]
  /** Unified diff of both texts as Markdown, from its first `@@` on; '' if they are equal. */
  readonly text: string
  /** Whether words, headings, links and images are the same, so that only markup such as emphasis differs. */
  readonly isOnlyMarkup: boolean
  readonly changedBy: { readonly fields: ChangedBy; readonly text: ChangedBy }
}
