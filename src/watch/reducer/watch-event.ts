import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { TargetSettings } from '../../core/config/settings.ts'
import type { KbError } from '../../core/errors/kb-error.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { OperationResult } from '../../core/model/plan.ts'
import type { SyncStatus } from '../../web/dashboard/status-source.ts'
import type { SyncResult } from '../../sync/sync-options.ts'

export interface MovedFile {
  readonly from: string
  readonly to: string
}

/** The events of a watch, in the order in which they happen. */
export type WatchEvent =
  /** Files are about to be read for the first time. */
  | { readonly kind: 'started'; readonly target: TargetSettings }
  /** Reported once for a remote target, after its response. */
  | { readonly kind: 'offers'; readonly updatesInPlace: boolean }
  /** The first sync has ended, and all files are watched, so that later changes are seen. */
  | { readonly kind: 'ready'; readonly result: SyncResult; readonly durationMs: number }
  /** Operations that were sent, or failed; `durationMs` since the first change was seen. */
  | { readonly kind: 'sent'; readonly operations: readonly OperationResult[]; readonly durationMs: number }
  /** Files have changed, but there was nothing to send. */
  | { readonly kind: 'unchanged'; readonly sources: readonly string[]; readonly durationMs: number }
  /** Saved files are still held back because of errors reported before, their own or those of taxonomy files. */
  | {
      readonly kind: 'held'
      readonly sources: readonly string[]
      readonly everythingHeldBy: readonly string[]
    }
  /** Files have another path; their articles are unchanged. */
  | { readonly kind: 'moved'; readonly files: readonly MovedFile[] }
  /** Removed files without an article on the target, or whose article now belongs to another file. */
  | { readonly kind: 'gone'; readonly sources: readonly string[] }
  /** An article's file was removed; the article stays. `isDelayed`: with prune, until nothing is held back. */
  | { readonly kind: 'orphaned'; readonly source: string; readonly slug: string; readonly isDelayed?: true }
  /** All current problems, after a change. `heldBack`: sources with an error. */
  | {
      readonly kind: 'problems'
      readonly diagnostics: readonly Diagnostic[]
      /** New problems. */
      readonly appeared: readonly Diagnostic[]
      /** Files whose errors are gone, that are no longer held back, or whose warnings are all gone. */
      readonly fixed: readonly string[]
      readonly heldBack: readonly string[]
      /** Taxonomy files with an error, because of which nothing is sent. */
      readonly everythingHeldBy: readonly string[]
    }
  /** A guard held something back, such as deletions. */
  | { readonly kind: 'guarded'; readonly reason: string }
  /** A run failed, or could not start. Pending changes are kept and retried. */
  | { readonly kind: 'offline'; readonly failure: KbError; readonly retryInMs: number }
  | { readonly kind: 'online' }
  /** The content folder cannot be read. The watch retries. */
  | { readonly kind: 'unreadable'; readonly failure: KbError; readonly retryInMs: number }
  | { readonly kind: 'readable' }
  /**
   * The configuration was read again. With `failure`, this was not possible, and the last valid one stays in use.
   * `restartFor`: keys, such as `server.port`, whose change requires a restart.
   */
  | {
      readonly kind: 'configured'
      readonly failure: KbError | undefined
      readonly restartFor: readonly string[]
    }
  /**
   * All files were checked in a quiet moment, in a scan that began at the Unix time `lookedAtMs`, and everything that
   * can be sent was sent.
   */
  | { readonly kind: 'settled'; readonly lookedAtMs: number }
  /** The status, reported whenever a part of it changes. */
  | { readonly kind: 'standing'; readonly standing: WatchStatus }

export interface WatchStatus {
  /**
   * `offline`: nothing can be sent. `refused`: the target rejects the key. `locked`: another kb is sending.
   * `unreadable`: the content folder cannot be read.
   */
  readonly state:
    | 'starting'
    | 'watching'
    | 'sending'
    | 'offline'
    | 'refused'
    | 'locked'
    | 'unreadable'
    | 'stopping'
  /** Changed files that were not processed yet. */
  readonly pending: number
  /** Articles sent since the start. */
  readonly sent: number
  /** Articles, categories and tags that were edited on the target, and are not overwritten. */
  readonly conflicts: number
  readonly failed: number
  readonly errors: number
  readonly warnings: number
}

export interface WatchView {
  /** Contains last valid versions instead of faulty files; undefined until the files were read for the first time. */
  readonly content: LoadedContent | undefined
  /** All problems, including those that only the target shows. */
  readonly diagnostics: readonly Diagnostic[]
  /** Sources of articles that are not sent because of an error. */
  readonly heldBack: ReadonlySet<string>
  readonly sync: WatchedSync
}

interface WatchedSync extends Omit<SyncStatus, 'failures' | 'heldBack'> {
  readonly failures: readonly UnsentFile[]
}

/** An article that could not be sent, including conflicts. */
export interface UnsentFile {
  readonly source: string
  /** Undefined if the file has no valid version. */
  readonly title: string | undefined
  readonly reason: string
}
