import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { BrokenLink } from '../live-sync/list-broken-links.ts'

/** What a preview shows, as it is at this moment. */
export interface PreviewView {
  /** With last good versions in place of faulty files; undefined until the files were read for the first time. */
  readonly content: LoadedContent | undefined
  /** All problems, errors of the files that `content` shows in their last good version among them. */
  readonly diagnostics: readonly Diagnostic[]
  /** Sources of articles that are not sent as they stand, because of an error. */
  readonly heldBack: ReadonlySet<string>
  readonly sync: PreviewSync
  /** What the target knows of links that do not work; asked when a page shows it, and may fail. */
  readonly brokenLinks?: (() => Promise<readonly BrokenLink[]>) | undefined
}

/** How the files and the target stand to each other, as who syncs them knows it. */
export interface PreviewSync {
  /** Name of the target. */
  readonly target: string
  readonly state: 'synced' | 'syncing' | 'offline'
  /** When the last run ended, ISO 8601; undefined before the first has. */
  readonly lastSync: string | undefined
  readonly pending: number
  /** Articles sent since the start. */
  readonly sent: number
  readonly failures: readonly {
    readonly source: string
    readonly title: string | undefined
    readonly reason: string
  }[]
  /** Articles of ours on the target that no file wants. */
  readonly orphans: number
}
