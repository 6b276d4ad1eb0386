import type { FrontmatterFiles } from '../../../content/preset/frontmatter-files.ts'
import type { LocalArticle } from '../../../core/model/document.ts'

/** What rules about the past are given. */
export interface HistoryContext {
  /** Absolute. */
  readonly contentRoot: string
  /** The content folder as diagnostics name it, with a slash at its end, or ''. */
  readonly contentPrefix: string
  readonly articles: readonly LocalArticle[]
  readonly defaults: { readonly language: string; readonly status: 'draft' | 'published' }
  /** How frontmatter is read that is not our own. */
  readonly files?: FrontmatterFiles | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal | undefined
}
