import type { MaxDeletes } from '../../../core/config/max-deletes.ts'
import type { OnConflict, TaxonomyMode } from '../../../core/config/schema.ts'
import type { Operation } from '../../../core/model/plan.ts'

/** An operation of a saved plan, with digests of what it depends on. */
export type SavedOperation = Operation & {
  /** Digest of the body to send; undefined if nothing is sent. */
  readonly sends?: string | undefined
  /** Digest of the article on the target as it was read; undefined if there is none. */
  readonly restsOn?: string | undefined
  /** Digest of the local article, without the ids of the target; undefined if none is sent. */
  readonly content?: string | undefined
  /** Name of the group that one shard must execute together; undefined for an operation that depends on no other. */
  readonly group?: string | undefined
}

/** The options that a plan was made with, and is executed with. */
interface SavedOptions {
  readonly prune: boolean
  readonly onConflict: OnConflict
  readonly adopt: readonly string[]
  readonly maxDeletes: MaxDeletes
  readonly yes: boolean
  /** Articles and folders, by their path in the content folder; null for all. */
  readonly sources: readonly string[] | null
  readonly verify: boolean
  readonly taxonomy: TaxonomyMode
}

export interface SavedTarget {
  readonly name: string
  /** For people: the URL, or the path of the built-in server's database relative to the project. */
  readonly address: string
  /** Digest that identifies the URL and the API key without revealing them. */
  readonly identity: string
}

export const SAVED_PLAN_FORMAT = 'kb-sync plan'
export const SAVED_PLAN_VERSION = 2

/** A plan that is stored, to be checked and executed later. All but `madeAt` is derived from files and target. */
export interface SavedPlan {
  readonly format: typeof SAVED_PLAN_FORMAT
  readonly version: typeof SAVED_PLAN_VERSION
  /** For people, in ISO 8601. */
  readonly madeAt: string
  readonly project: string
  readonly target: SavedTarget
  readonly options: SavedOptions
  /** Sorted. The order of execution is decided at execution. */
  readonly operations: readonly SavedOperation[]
  readonly unchanged: { readonly articles: number; readonly taxonomy: number }
  readonly orphans: number
  /** The reason why a guard would hold back the deletions, or null. */
  readonly guard: string | null
}
