export type FieldValue = string | number | boolean | readonly string[]

/** A field in which the article on the target and the one that the file asks for differ. */
export interface FieldDifference {
  readonly field: string
  readonly target: FieldValue
  readonly file: FieldValue
}

/**
 * Who changed something since the last sync. `no one`: both are as they were sent, and yet they differ (the target
 * writes it another way, or a default moved on). `unknown`: it cannot be told, since the article is not ours.
 */
export type ChangedBy = 'nobody' | 'file' | 'target' | 'both' | 'unknown'

/** What the target has against what the file says, of one article. */
export interface ArticleDifference {
  readonly fields: readonly FieldDifference[]
  /** Unified diff of both texts as Markdown, from its first `@@` on; '' where they are equal. */
  readonly text: string
  /** Whether words, headings, links and images are the same: only markup such as emphasis differs. */
  readonly isOnlyMarkup: boolean
  readonly changedBy: { readonly fields: ChangedBy; readonly text: ChangedBy }
}
