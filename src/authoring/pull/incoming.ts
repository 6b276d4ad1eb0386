import type { LocalArticle } from '../../core/model/document.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import type { FieldName } from '../../core/model/article-fields.ts'

/** An edit on the target to write to a file. */
export interface IncomingEdit {
  readonly kind: 'edit'
  readonly source: string
  /** The file's text as it was read. */
  readonly before: string
  readonly article: LocalArticle
  readonly remote: RemoteArticle
  /** The HTML on the target. */
  readonly html: string
  readonly fields: readonly FieldName[]
  readonly text: boolean
  /** True if the user allowed to overwrite something in the file. */
  readonly isForced: boolean
  /** True if parts that the file cannot contain may be left out. */
  readonly mayLose: boolean
}

/** An article of the target that becomes a new file. */
export interface IncomingArticle {
  readonly kind: 'new'
  readonly source: string
  readonly remote: RemoteArticle
  readonly html: string
  /** Source of the file of its original. */
  readonly original: string | undefined
}

export type Incoming = IncomingEdit | IncomingArticle

/** The excerpt to write; undefined if the file determines it. */
export function excerptOf(incoming: Incoming): string | undefined {
  const isTaken = incoming.kind === 'new' || incoming.fields.includes('excerpt')
  return isTaken ? incoming.remote.fields.excerpt : undefined
}
