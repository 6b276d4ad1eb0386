import type { OnConflict } from '../config/define-config.ts'
import type { MaxDeletes, Settings, TargetSettings } from '../config/settings.ts'
import type { RequestCounts } from '../client/request-counter.ts'
import type { KbError } from '../errors/kb-error.ts'
import type { Diagnostic } from '../model/diagnostic.ts'
import type { OperationResult, Orphan, Summary } from '../model/plan.ts'
import type { Progress } from './content-project.ts'
import type { Connect } from './target-session.ts'

export interface SyncOptions {
  readonly settings: Settings
  readonly target: TargetSettings
  readonly connect: Connect
  /** The built-in database's revision counter; undefined for a remote target, which must always be asked. */
  readonly readRevision?: (() => Promise<number | undefined>) | undefined
  /** `plan` looks and writes nothing to the target. */
  readonly mode: 'plan' | 'sync'
  /** Articles this run is about; all by default. */
  readonly isSelected?: ((source: string) => boolean) | undefined
  readonly prune: boolean
  readonly onConflict: OnConflict
  /** Slugs of foreign articles that may become ours. */
  readonly adopt: readonly string[]
  readonly maxDeletes: MaxDeletes
  /** Goes past the guards. */
  readonly yes: boolean
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
  /** What ended the run early; the rest of the result says what was done until then. */
  readonly failure: KbError | undefined
}
