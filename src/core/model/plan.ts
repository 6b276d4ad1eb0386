import type { ArticleDifference } from './article-difference.ts'
import type { Diagnostic } from './diagnostic.ts'

/** One step of a plan; `action` tells which. What is sent is looked up by `source`: a plan stays small however long the articles are. */
export type Operation = ArticleOperation | TaxonomyOperation

export type ArticleOperation =
  | ArticleWrite
  | ArticleDelete
  | (ArticleStep & { readonly action: 'conflict' | 'skip'; readonly reason: string })

export type ArticleWrite =
  | (ArticleStep & { readonly action: 'create'; readonly source: string })
  /** Restores an article that a run which was cut off had taken away; `id` is the one that it had. */
  | (ArticleStep & { readonly action: 'restore' } & OfFile)
  | ChangeOperation

export type ChangeOperation =
  | (ArticleStep & { readonly action: 'update' | 'replace' } & OfFile)
  /** Takes the article to another slug or language; `by` is how it is sent. */
  | (ArticleStep & { readonly action: 'move'; readonly by: 'update' | 'replace' } & OfFile)

export type ArticleDelete =
  | (ArticleStep & { readonly action: 'delete-orphan'; readonly id: string })
  /** The second article of a file that keeps the first one. */
  | (ArticleStep & { readonly action: 'delete-copy' } & OfFile)

/** On a category or tag; `source` is the taxonomy file. */
export type TaxonomyOperation = Step & { readonly kind: 'category' | 'tag'; readonly source: string } & (
    | { readonly action: 'create' }
    | { readonly action: 'update'; readonly id: string }
    | { readonly action: 'skip'; readonly reason: string }
  )

interface Step {
  readonly slug: string
  readonly language: string | null
  /** Why, in a sentence without full stop. */
  readonly reason?: string | undefined
  /** Path of the file under the content root; undefined where there is no file. */
  readonly source?: string | undefined
  /** Id on the target; undefined for what does not exist there. */
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

/** The same operation, where it cannot be carried out. */
export function withdraw(
  { kind, source, slug, language, id }: ArticleWrite | ArticleDelete,
  action: 'conflict' | 'skip',
  reason: string,
): ArticleOperation {
  return { kind, action, source, slug, language, id, reason }
}

/** What an operation comes to on the target, and what it is counted as. */
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

/** What lists call an operation: its effect, except that a move is called one, however it is sent. */
export type OperationLabel = Effect | 'move'

export function labelOf(operation: Operation): OperationLabel {
  return operation.action === 'move' ? 'move' : effectOf(operation)
}

export type Outcome = 'planned' | 'done' | 'failed' | 'skipped'

export type OperationResult = Operation & {
  readonly outcome: Outcome
  /** What to call it where there is no file: the path that the file had, else the title. */
  readonly name?: string | undefined
  /** File that keeps what was overwritten or deleted, relative to the project, with `/`. */
  readonly backup?: string | undefined
  /** Where it was asked for and there are two sides to compare. */
  readonly diff?: ArticleDifference | undefined
}

/** Articles of this project that no file wants any more (prune would delete them). */
export interface Orphan {
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly language: string | null
}

/** The plan of one run: a value that can be printed, kept and executed. */
export interface Plan {
  readonly version: 2
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

/** Why an article is in conflict, in the order of how often it happens: the command line says of each what to do. */
export const CONFLICT_REASONS = {
  edited: 'it was edited on the target',
  orphanEdited: 'it has no file, but it was edited on the target',
  draft: 'it has an open draft on the target',
  orphanDraft: 'it has no file, but it has an open draft on the target',
  foreign: 'the slug belongs to an article that kb-sync did not create',
  /** The name of the project follows. */
  otherProject: 'the slug belongs to an article of the project',
  original: 'it is the original of a translation, which would lose it',
  held: 'the slug is still used by another managed article, which cannot be sent now',
  copy: 'the slug belongs to a copy of a managed article',
  shared: 'another article has the same slug',
  double: 'the target has a second article for the same document',
  earlier: 'the target has an earlier version of the same document',
  restore: 'an interrupted run deleted this article, and another article now has its slug',
} as const

export type ConflictKind = keyof typeof CONFLICT_REASONS

/** Undefined for a reason of other words, such as those of the target. */
export function conflictKindOf(reason: string): ConflictKind | undefined {
  const kinds = Object.keys(CONFLICT_REASONS) as ConflictKind[]
  return kinds.find(
    (kind) => reason === CONFLICT_REASONS[kind] || reason.startsWith(`${CONFLICT_REASONS[kind]} "`),
  )
}
