import type { LoadedContent } from '../content/pipeline/load-content.ts'
import type { SyncResult } from '../sync/sync-options.ts'

/** One run, as it was when it began. */
export interface SyncRun {
  readonly content: LoadedContent
  readonly held: ReadonlySet<string>
  /** What it deals with, with the time of the touch. */
  readonly waiting: ReadonlyMap<string, number>
  readonly prune: boolean
  readonly startedMs: number
}

/** How a run ended. */
export interface CompletedRun extends SyncRun {
  /** Whether everything was compared. */
  readonly isWhole: boolean
  readonly result: SyncResult
  /** Undefined where it was not asked, or not answered. */
  readonly updatesInPlace: boolean | undefined
}

/** A run that goes on beside the loop. */
export interface SyncJob {
  readonly startedMs: number
  /** Undefined as long as it is under way. */
  outcome: { readonly run: CompletedRun } | { readonly run: SyncRun; readonly error: unknown } | undefined
  /** Resolves when there is an outcome; never rejects. */
  readonly over: Promise<void>
}
