import type { LocalArticle } from '../../core/model/document.ts'
import type { TargetState } from '../../core/model/target-state.ts'

export interface RemoteIndexOptions {
  readonly project: string
  readonly defaultLanguage: string
  readonly articles: readonly LocalArticle[]
  readonly state: TargetState
  /** Whether an article has to be found. */
  readonly isSought: (source: string) => boolean
  /** Whether articles of ours that no document wants are of interest. */
  readonly findOrphans: boolean
  /** How many known articles may be missing before this looks like another knowledge base. */
  readonly maxGone: (known: number) => number
}
