import type { Frontmatter } from '../../core/model/document.ts'
import type { ValueReading } from './readings.ts'

/** Where a field of ours comes from in a tool's frontmatter. */
export interface FieldRule {
  readonly field: keyof Frontmatter
  /** Its key there; `a.b` is the key b within a. */
  readonly key: string
  readonly reading: ValueReading
  /** Whether the field is written here where the file says it nowhere yet. Default: at our own key. */
  readonly isWritten?: boolean
}

/** What a tool's frontmatter means to us. */
export interface PresetRules {
  /** Of the rules of one field, the first whose key has a value decides. */
  readonly fields: readonly FieldRule[]
  /** Whether upper and lower case of keys are one to the tool. */
  readonly foldsKeys: boolean
  /** Whether a file with this frontmatter is a page of the site, but no article. */
  readonly isPage: (data: Readonly<Record<string, unknown>>) => boolean
  /** Key of what joins an article with its translations. */
  readonly translationKey?: string
}
