import type { Operation } from '../../../core/model/plan.ts'

/** One operation of a saved plan, with digests of what it rests on. */
export type SavedOperation = Operation & {
  /** Digest of what will be sent; undefined where nothing is. */
  readonly sends?: string | undefined
  /** Digest of what stands on the target as it was read; undefined where nothing does. */
  readonly restsOn?: string | undefined
}

/** The options that a plan was made with, and that it is executed with. */
interface SavedOptions {
  readonly prune: boolean
  readonly onConflict: 'fail' | 'skip' | 'overwrite'
  readonly adopt: readonly string[]
  readonly maxDeletes:
    | { readonly kind: 'count'; readonly count: number }
    | { readonly kind: 'share'; readonly share: number }
  readonly yes: boolean
  /** Articles and folders, by their path under the content root; null for all. */
  readonly sources: readonly string[] | null
  readonly verify: boolean
  readonly taxonomy: 'check' | 'update'
}

/** Where a plan belongs. */
export interface SavedTarget {
  readonly name: string
  /** URL, or the database of the built-in server relative to the project; for people. */
  readonly address: string
  /** Tells whether it is the same address and key, and neither can be learned from it. */
  readonly identity: string
}

export const SAVED_PLAN_FORMAT = 'kb-sync plan'
export const SAVED_PLAN_VERSION = 2

/** A plan that is kept, to be checked and executed later. All but `madeAt` follows from files and target. */
export interface SavedPlan {
  readonly format: typeof SAVED_PLAN_FORMAT
  readonly version: typeof SAVED_PLAN_VERSION
  /** ISO 8601; for people. */
  readonly madeAt: string
  readonly project: string
  readonly target: SavedTarget
  readonly options: SavedOptions
  /** Sorted: the order in which they are executed is decided when they are. */
  readonly operations: readonly SavedOperation[]
  readonly unchanged: { readonly articles: number; readonly taxonomy: number }
  readonly orphans: number
  /** Why a guard would hold back the deletes, or null. */
  readonly guard: string | null
}
