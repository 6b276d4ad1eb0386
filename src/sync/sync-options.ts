import type { OnConflict } from '../core/config/schema.ts'
import type { MaxDeletes } from '../core/config/max-deletes.ts'
import type { Settings, TargetSettings } from '../core/config/settings.ts'
import type { RequestCounts } from '../api/client/request-counter.ts'
import type { KbError } from '../core/errors/kb-error.ts'
import type { Diagnostic } from '../core/model/diagnostic.ts'
import type { OperationResult, Orphan, Summary } from '../core/model/plan.ts'
import type { Recovery } from './plan/explain-recovery.ts'
import type { SavedPlan } from './plan/saved/saved-plan.ts'
import type { Progress } from './content-project.ts'
import type { Connect } from './target-session.ts'

/** A plan that a run is held to, and the file it came from. */
export interface PlanToHold {
  readonly file: string
  readonly plan: SavedPlan
}

export interface SyncContentOptions {
  readonly settings: Settings
  readonly target: TargetSettings
  readonly connect: Connect
  /** The built-in database's revision counter; undefined for a remote target, which must always be asked. */
  readonly readRevision?: (() => Promise<number | undefined>) | undefined
  /** `plan` looks and writes nothing to the target. */
  readonly mode: 'plan' | 'sync'
  /** Articles this run is about; all by default. */
  readonly isSelected?: ((source: string) => boolean) | undefined
  /** The articles and folders that `isSelected` stands for, by their path under the content root. */
  readonly sources?: readonly string[] | undefined
  /** In mode `plan`: the result carries the plan as a value to be kept. */
  readonly savesPlan?: boolean | undefined
  /** In mode `sync`: nothing is sent unless the plan made now is this one. */
  readonly savedPlan?: PlanToHold | undefined
  /** In mode `plan`: operations carry what the target has against what the file says. */
  readonly diff?: boolean | undefined
  readonly prune: boolean
  readonly onConflict: OnConflict
  /** Slugs of foreign articles that may become ours. */
  readonly adopt: readonly string[]
  readonly maxDeletes: MaxDeletes
  /** Goes past the guards. */
  readonly yes: boolean
  /** What a user does to go past the guards, as a guard tells it; undefined: runs again with --yes. */
  readonly wayPastGuards?: string | undefined
  readonly verify: boolean
  readonly concurrency: number
  readonly now: () => Date
  readonly sleep: (ms: number) => Promise<void>
  readonly onProgress?: Progress | undefined
  readonly signal?: AbortSignal | undefined
}

export interface SyncResult {
  /** Name of the target. */
  readonly target: string
  readonly summary: Summary
  readonly taxonomy: Summary
  readonly operations: readonly OperationResult[]
  readonly orphans: readonly Orphan[]
  readonly diagnostics: readonly Diagnostic[]
  readonly requests: RequestCounts
  /** Why a guard held something back. */
  readonly guard: string | undefined
  /** What an earlier run that was cut off had left, and what was found of it. */
  readonly recovery?: Recovery | undefined
  /** Why the next run has to compare everything again, although this one could have recorded that nothing changed. */
  readonly unrecorded?: string | undefined
  /** What ended the run early; the rest of the result says what was done until then. */
  readonly failure: KbError | undefined
  /** The plan that was asked for, or that was executed. */
  readonly savedPlan?: SavedPlan | undefined
}
