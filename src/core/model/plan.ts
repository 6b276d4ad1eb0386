import type { ArticleDifference } from './article-difference.ts'
import type { Diagnostic } from './diagnostic.ts'

/**
 * A step of a plan, by `action`. The content is looked up by `source`, which keeps a plan small even for long articles.
 */
export type Operation = ArticleOperation | TaxonomyOperation

export type ArticleOperation =
  | ArticleWrite
  | ArticleDelete
  | (ArticleStep & { readonly action: 'conflict' | 'skip'; readonly reason: string })

export type ArticleWrite =
  | (ArticleStep & { readonly action: 'create'; readonly source: string })
  /** Restores an article that an interrupted run had deleted; `id` is its former id. */
  | (ArticleStep & { readonly action: 'restore' } & OfFile)
  | ChangeOperation

export type ChangeOperation =
  | (ArticleStep & { readonly action: 'update' | 'replace' } & OfFile)
  /** Moves the article to another slug or language; `by` is how it is sent. */
  | (ArticleStep & { readonly action: 'move'; readonly by: 'update' | 'replace' } & OfFile)

export type ArticleDelete =
  | (ArticleStep & { readonly action: 'delete-orphan'; readonly id: string })
  /** Deletes the second article of a file, which keeps its first one. */
  | (ArticleStep & { readonly action: 'delete-copy' } & OfFile)

/** For a category or tag; `source` is the taxonomy file. */
export type TaxonomyOperation = Step & { readonly kind: 'category' | 'tag'; readonly source: string } & (
    | { readonly action: 'create' }
    | { readonly action: 'update'; readonly id: string }
    | { readonly action: 'skip'; readonly reason: string }
  )

interface Step {
  readonly slug: string
  readonly language: string | null
  /** A sentence without a full stop. */
  readonly reason?: string | undefined
  /** Path of the file under the content root; undefined if there is no file. */
  readonly source?: string | undefined
  /** Id on the target; undefined if it does not exist there. */
  readonly id?: string | undefined
}

interface ArticleStep extends Step {
  readonly kind: 'article'
}

interface OfFile {
  readonly source: string
  readonly id: string
}

export function isArticleWrite(operation: Operation): operation is ArticleWrite {
  return operation.kind === 'article' && WRITES.has(operation.action)
}

const WRITES: ReadonlySet<Operation['action']> = new Set(['create', 'restore', 'update', 'replace', 'move'])

/** Returns the operation that replaces one that cannot be carried out. */
export function withdraw(
  { kind, source, slug, language, id }: ArticleWrite | ArticleDelete,
  action: 'conflict' | 'skip',
  reason: string,
): ArticleOperation {
  return { kind, action, source, slug, language, id, reason }
}

/** The effect of an operation on the target, as counted in summaries. */
export type Effect = 'create' | 'update' | 'replace' | 'delete' | 'conflict' | 'skip'

export function effectOf(operation: Operation): Effect {
  switch (operation.action) {
    case 'restore':
      return 'create'
    case 'move':
      return operation.by
    case 'delete-orphan':
    case 'delete-copy':
      return 'delete'
    case 'create':
    case 'update':
    case 'replace':
    case 'conflict':
    case 'skip':
      return operation.action
  }
}

/** The label of an operation in lists: its effect, or `move`, however that is sent. */
export type OperationLabel = Effect | 'move'

export function labelOf(operation: Operation): OperationLabel {
  return operation.action === 'move' ? 'move' : effectOf(operation)
}

export type Outcome = 'planned' | 'done' | 'failed' | 'skipped'

export type OperationResult = Operation & {
  readonly outcome: Outcome
  /** Name of an article without a file: the former path of the file, else the title. */
  readonly name?: string | undefined
  /** Backup of what was overwritten or deleted, relative to the project, with `/`. */
  readonly backup?: string | undefined
  /** Set if requested and if there are two sides to compare. */
  readonly diff?: ArticleDifference | undefined
}

/** An article of this project without a file, which `--prune` would delete. */
export interface Orphan {
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly language: string | null
}

/** The plan of one run, as a value that can be printed, stored and executed. */
export interface Plan {
  readonly version: 2
  readonly project: string
  readonly target: string
  /** In order of execution. */
  readonly operations: readonly Operation[]
  readonly unchanged: { readonly articles: number; readonly taxonomy: number }
  readonly orphans: readonly Orphan[]
  /** Problems that only the target could reveal. With an error, nothing is sent. */
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

/** Explains a change to the article of a renamed file. `from` is undefined if the old path is unknown. */
export function explainMove(source: string, from: string | undefined): string {
  return from === undefined ? `its file was moved to ${source}` : `moved ${from} -> ${source}`
}

/** Returns the old path in the reason from `explainMove`. */
export function pastSourceOf({ source = '', reason = '' }: Operation): string | undefined {
  const end = reason.indexOf(` -> ${source}`)
  return reason.startsWith('moved ') && end > 0 ? reason.slice('moved '.length, end) : undefined
}

/** Reasons of conflicts, the most frequent first. The command line explains how to resolve each. */
export const CONFLICT_REASONS = {
  edited: 'it was edited on the target',
  orphanEdited: 'it has no file, but it was edited on the target',
  draft: 'it has an open draft on the target',
  orphanDraft: 'it has no file, but it has an open draft on the target',
  foreign: 'the slug belongs to an article that kb-sync did not create',
  /** Followed by the name of the project. */
  otherProject: 'the slug belongs to an article of the project',
  original: 'it is the original of a translation, which would lose it',
  slugHeld: 'the slug is still used by another managed article, which cannot be sent now',
  copy: 'the slug belongs to a copy of a managed article',
  shared: 'another article has the same slug',
  duplicate: 'the target has a second article for the same document',
  earlier: 'the target has an earlier version of the same document',
  restore: 'an interrupted run deleted this article, and another article now has its slug',
} as const

export type ConflictKind = keyof typeof CONFLICT_REASONS

/** Returns undefined for other reasons, such as messages of the target. */
export function conflictKindOf(reason: string): ConflictKind | undefined {
  const kinds = Object.keys(CONFLICT_REASONS) as ConflictKind[]
  return kinds.find(
    (kind) => reason === CONFLICT_REASONS[kind] || reason.startsWith(`${CONFLICT_REASONS[kind]} "`),
  )
}
