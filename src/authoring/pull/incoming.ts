import type { LocalArticle } from '../../core/model/document.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import type { FieldName } from '../../core/model/article-fields.ts'

/** An edit made on the target that goes into a file. */
export interface IncomingEdit {
  readonly kind: 'edit'
  readonly source: string
  /** The file's text as it was read. */
  readonly before: string
  readonly article: LocalArticle
  readonly remote: RemoteArticle
  /** What the target has. */
  readonly html: string
  readonly fields: readonly FieldName[]
  readonly text: boolean
  /** Whether something in the file is overwritten, as was asked for. */
  readonly isForced: boolean
  /** Whether what the file cannot hold may be left out. */
  readonly mayLose: boolean
}

/** An article of the target that becomes a new file. */
export interface IncomingArticle {
  readonly kind: 'new'
  readonly source: string
  readonly remote: RemoteArticle
  readonly html: string
  /** Source of the file that it is a translation of. */
  readonly original: string | undefined
}

export type Incoming = IncomingEdit | IncomingArticle

/** The excerpt that the file is to have; undefined where the file decides. */
export function wantedExcerpt(incoming: Incoming): string | undefined {
  const isTaken = incoming.kind === 'new' || incoming.fields.includes('excerpt')
  return isTaken ? incoming.remote.fields.excerpt : undefined
}
