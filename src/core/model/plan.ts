import type { ArticleDifference } from './article-difference.ts'
import type { Diagnostic } from './diagnostic.ts'

export type OperationKind = 'article' | 'category' | 'tag'
export type Action = 'create' | 'update' | 'replace' | 'delete' | 'conflict' | 'skip'

/** One step of a plan. What is sent is looked up by `source`: the plan stays small however long the articles are. */
export interface Operation {
  readonly kind: OperationKind
  readonly action: Action
  /** Path under the content root; for categories and tags the taxonomy file. */
  readonly source: string
  readonly slug: string
  readonly language: string | null
  /** Id on the target; '' for what does not exist yet. */
  readonly id: string
  /** Why, in a sentence without full stop. */
  readonly reason?: string
}

export type Outcome = 'planned' | 'done' | 'failed' | 'skipped'

export interface OperationResult extends Operation {
  readonly outcome: Outcome
  /** What to call it where there is no file: the path that the file had, else the title. */
  readonly name?: string | undefined
  /** File that keeps what was overwritten or deleted, relative to the project, with `/`. */
  readonly backup?: string | undefined
  /** Where it was asked for and there are two sides to compare. */
  readonly diff?: ArticleDifference | undefined
}

/** Articles of ours that no file wants any more (prune would delete them). */
export interface Orphan {
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly language: string | null
}

/** The plan of one run: a value that can be printed, kept and executed. */
export interface Plan {
  readonly version: 1
  readonly project: string
  /** Name of the target. */
  readonly target: string
  /** In the order in which they are executed. */
  readonly operations: readonly Operation[]
  readonly unchanged: { readonly articles: number; readonly taxonomy: number }
  readonly orphans: readonly Orphan[]
  /** What only the target could show to be wrong; an error here means that nothing is sent. */
  readonly diagnostics: readonly Diagnostic[]
}

export interface Summary {
  readonly created: number
  readonly updated: number
  readonly replaced: number
  readonly deleted: number
  readonly unchanged: number
  readonly conflicts: number
  readonly failed: number
  readonly skipped: number
  readonly orphans: number
}
