/** What may stand where the cursor is. */
export interface Candidate {
  readonly value: string
  readonly description?: string | undefined
  /** Whether more follows without a space: a folder, of which a file is to be named. */
  readonly isPartial?: boolean
}

/** What kind of value is asked for, where it is not one of a few words that the program knows by itself. */
export type ValueKind =
  | 'article'
  | 'category'
  | 'code'
  | 'file'
  | 'folder'
  | 'language'
  | 'schema'
  | 'shell'
  | 'system'
  | 'tag'
  | 'target'
  | 'threshold'
