import type { OnConflict, OnError } from '../core/config/schema.ts'
import type { MaxDeletes } from '../core/config/max-deletes.ts'
import type { Shard } from '../core/config/shard.ts'
import type { RequestCounts } from '../api/client/request-counter.ts'
import type { KbError } from '../core/errors/kb-error.ts'
import { type Diagnostic, isError } from '../core/model/diagnostic.ts'
import type { OperationResult, Orphan, Summary } from '../core/model/plan.ts'
import type { Recovery } from './plan/explain-recovery.ts'
import type { SavedPlan } from './plan/saved/saved-plan.ts'
import type { UploadedFiles } from './apply/file-uploads.ts'
import type { Announcement } from './remote/extensions.ts'

import type { TargetRun } from './target-session.ts'

/** The stages of a run, in the usual order. A run may omit some; `load` and `record` come twice. */
export type SyncStage =
  | 'find'
  | 'hash'
  | 'load'
  | 'compile'
  | 'link'
  | 'connect'
  | 'list'
  | 'plan'
  | 'send'
  | 'record'
  | 'close'

export interface PlanToHold {
  readonly file: string
  readonly plan: SavedPlan
  /** The part of it that this run executes; all of it by default. */
  readonly shard?: Shard | undefined
}

export interface SyncContentOptions extends TargetRun {
  /** The built-in database's revision counter; undefined for a remote target, which must always be asked. */
  readonly readRevision?: (() => Promise<number | undefined>) | undefined
  /** `plan` writes nothing to the target. */
  readonly mode: 'plan' | 'sync'
  /** The articles that the run selects; all by default. */
  readonly isSelected?: ((source: string) => boolean) | undefined
  /** The articles and folders that `isSelected` accepts, by their path in the content folder. */
  readonly sources?: readonly string[] | undefined
  /** The effect of errors in articles; by default, they stop the run. */
  readonly onError?: OnError | undefined
  /** Sources of articles that are not sent because of errors; undefined if such errors stop the run. */
  readonly held?: ReadonlySet<string> | undefined
  /** In mode `plan`: the result contains the plan as a value to store. */
  readonly savesPlan?: boolean | undefined
  /** In mode `sync`: nothing is sent unless the current plan equals this one. */
  readonly savedPlan?: PlanToHold | undefined
  /** In mode `plan`: operations contain the differences between target and file. */
  readonly diff?: boolean | undefined
  readonly prune: boolean
  readonly onConflict: OnConflict
  /** Slugs of foreign articles that the run may adopt. */
  readonly adopt: readonly string[]
  readonly maxDeletes: MaxDeletes
  /** Confirms the guards. */
  readonly yes: boolean
  /** How a user confirms the guards, for their messages; undefined: by running again with --yes. */
  readonly wayPastGuards?: string | undefined
  readonly verify: boolean
  /** The target's announcement, if this run has already requested it. */
  readonly announced?: Announcement | undefined
  readonly concurrency: number
  readonly onStage?: ((stage: SyncStage) => void) | undefined
}

export interface SyncResult {
  readonly target: string
  /** The part of a saved plan that was executed, such as `2/8`. */
  readonly shard?: string | undefined
  readonly summary: Summary
  readonly taxonomy: Summary
  readonly operations: readonly OperationResult[]
  readonly orphans: readonly Orphan[]
  /** The files that were uploaded, or that a sync would upload; undefined if no article to be sent uses any. */
  readonly files?: UploadedFiles | undefined
  /** If `warnings` is set, they are read from their file on demand. */
  readonly diagnostics: readonly Diagnostic[]
  /** The number of `diagnostics`, if all of them are warnings that an earlier run has stored. */
  readonly warnings?: number | undefined
  /** Sources of articles that were not sent because of errors in the content; undefined if errors stop the run. */
  readonly heldBack?: readonly string[] | undefined
  readonly requests: RequestCounts
  /** Number of drafts among the target's articles after the run; undefined if the run ended before. */
  readonly drafts?: number | undefined
  /** The reason why a guard held something back. */
  readonly guard: string | undefined
  /** What an earlier, interrupted run left, and what was found of it. */
  readonly recovery?: Recovery | undefined
  /** The reason why the next run must compare everything again although nothing has changed. */
  readonly unrecorded?: string | undefined
  /** The reason why the run ended early; the rest of the result describes what was done before. */
  readonly failure: KbError | undefined
  /** The requested plan, or the one that was executed. */
  readonly savedPlan?: SavedPlan | undefined
}

/** True if the content has errors. Reads no stored warnings. */
export function hasErrors(result: Pick<SyncResult, 'warnings' | 'diagnostics'>): boolean {
  return result.warnings === undefined && result.diagnostics.some(isError)
}
