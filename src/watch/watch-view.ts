import type { LoadedContent } from '../content/pipeline/load-content.ts'
import type { Diagnostic } from '../core/model/diagnostic.ts'

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

/** How the files and the target stand to each other. */
export interface WatchedSync {
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
  /** Articles of ours on the target that no file wants. */
  readonly orphans: number
}

/** An article that could not be sent, a conflict among the reasons. */
export interface UnsentFile {
  readonly source: string
  /** Undefined where the file has no good version. */
  readonly title: string | undefined
  readonly reason: string
}
