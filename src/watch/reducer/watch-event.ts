import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { TargetSettings } from '../../core/config/settings.ts'
import type { KbError } from '../../core/errors/kb-error.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { OperationResult } from '../../core/model/plan.ts'
import type { SyncResult } from '../../sync/sync-options.ts'

export interface MovedFile {
  readonly from: string
  readonly to: string
}

/** What a watch has to tell, in the order in which it happens. */
export type WatchEvent =
  /** Files are about to be read for the first time. */
  | { readonly kind: 'started'; readonly target: TargetSettings }
  /** Told once of a remote target, when it has answered: whether it changes articles in place. */
  | { readonly kind: 'offers'; readonly updatesInPlace: boolean }
  /** The first sync is through, and every file is watched: what is saved from now on is seen. */
  | { readonly kind: 'ready'; readonly result: SyncResult; readonly durationMs: number }
  /** Something was sent, or could not be; `durationMs` since the first file of it was seen to change. */
  | { readonly kind: 'sent'; readonly operations: readonly OperationResult[]; readonly durationMs: number }
  /** Files changed, and nothing was to be sent. */
  | { readonly kind: 'unchanged'; readonly sources: readonly string[]; readonly durationMs: number }
  /** Files were saved that are kept back for errors told before: their own, or one in these taxonomy files. */
  | {
      readonly kind: 'held'
      readonly sources: readonly string[]
      readonly everythingHeldBy: readonly string[]
    }
  /** Files have another path, and their articles stay what they are. */
  | { readonly kind: 'moved'; readonly files: readonly MovedFile[] }
  /** Files are gone that had no article on the target, or whose article is another file's now. */
  | { readonly kind: 'gone'; readonly sources: readonly string[] }
  /** An article's file is gone; without prune, its article stays. */
  | { readonly kind: 'orphaned'; readonly source: string; readonly slug: string }
  /** All problems there are now, when they are others than before. `heldBack`: sources with an error. */
  | {
      readonly kind: 'problems'
      readonly diagnostics: readonly Diagnostic[]
      /** Those that were not there before. */
      readonly appeared: readonly Diagnostic[]
      /** Files that had errors and have none now, or are held back no longer, or whose warnings are all gone. */
      readonly fixed: readonly string[]
      readonly heldBack: readonly string[]
      /** Taxonomy files with an error: nothing at all is sent where there is one. */
      readonly everythingHeldBy: readonly string[]
    }
  /** A guard held something back, for instance deletes. */
  | { readonly kind: 'guarded'; readonly reason: string }
  /** A run failed, or could not begin; all that waits is kept and tried again. */
  | { readonly kind: 'offline'; readonly failure: KbError; readonly retryInMs: number }
  | { readonly kind: 'online' }
  /** The content folder cannot be read; it is tried again. */
  | { readonly kind: 'unreadable'; readonly failure: KbError; readonly retryInMs: number }
  | { readonly kind: 'readable' }
  /**
   * The configuration was read again; with `failure` it could not be, and the last good one holds. `restartFor`: keys,
   * such as `server.port`, that have another value now and take effect after a restart.
   */
  | {
      readonly kind: 'configured'
      readonly failure: KbError | undefined
      readonly restartFor: readonly string[]
    }
  /**
   * It has been quiet for a moment: all files were checked, in a look that began at `lookedAtMs` (since 1970), and all that
   * can be sent was.
   */
  | { readonly kind: 'settled'; readonly lookedAtMs: number }
  /** Where things stand; told whenever one of these changes. */
  | { readonly kind: 'standing'; readonly standing: WatchStatus }

export interface WatchStatus {
  /**
   * `offline`: nothing can be sent. `refused`: the target does not take the key. `locked`: another kb is sending.
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
  /** Changed files that are not dealt with yet. */
  readonly pending: number
  /** Articles sent since the start. */
  readonly sent: number
  /** Articles, categories and tags that were changed on the target in the meantime, and are left alone. */
  readonly conflicts: number
  /** Those that could not be sent. */
  readonly failed: number
  readonly errors: number
  readonly warnings: number
}

/** What there is to see while files are watched, at one moment. */
export interface WatchView {
  /** With last good versions in place of faulty files; undefined until the files were read for the first time. */
  readonly content: LoadedContent | undefined
  /** All problems, those that only the target could show among them. */
  readonly diagnostics: readonly Diagnostic[]
  /** Sources of articles that are not sent as they stand, because of an error. */
  readonly heldBack: ReadonlySet<string>
  readonly sync: WatchedSync
}

interface WatchedSync {
  /** Name of the target. */
  readonly target: string
  /** `offline`: the target or the files cannot be reached, and what waits is kept. */
  readonly state: 'synced' | 'syncing' | 'offline'
  /** When the last run ended, ISO 8601; undefined before the first has. */
  readonly lastSync: string | undefined
  /** Changed files that are not dealt with yet. */
  readonly pending: number
  /** Articles sent since the start. */
  readonly sent: number
  readonly failures: readonly UnsentFile[]
  /** Articles of this project on the target that no file wants. */
  readonly orphans: number
}

/** An article that could not be sent, a conflict among the reasons. */
export interface UnsentFile {
  readonly source: string
  /** Undefined where the file has no good version. */
  readonly title: string | undefined
  readonly reason: string
}
