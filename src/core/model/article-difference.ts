export type FieldValue = string | number | boolean | readonly string[]

/** A field whose value on the target differs from that in the file. */
export interface FieldDifference {
  readonly field: string
  readonly target: FieldValue
  readonly file: FieldValue
}

/**
 * Who changed something since the last sync. If no side did, the target normalises the value, or a default changed.
 * `unknown`: the article is not managed.
 */
export type ChangedBy = 'nobody' | 'file' | 'target' | 'both' | 'unknown'

/** The differences between an article on the target and its file. */
export interface ArticleDifference {
  readonly fields: readonly FieldDifference[]
  /** Unified diff of both texts as Markdown, from its first `@@` on; '' if they are equal. */
  readonly text: string
  /** True if words, headings, links and images are equal, and only markup such as emphasis differs. */
  readonly isOnlyMarkup: boolean
  readonly changedBy: { readonly fields: ChangedBy; readonly text: ChangedBy }
}
