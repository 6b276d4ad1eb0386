import type { OnConflict } from '../../core/config/schema.ts'
import type { Settings, TargetSettings } from '../../core/config/settings.ts'
import type { RequestCounts } from '../../api/client/request-counter.ts'
import type { KbError } from '../../core/errors/kb-error.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { Outcome } from '../../core/model/plan.ts'
import type { Progress } from '../../sync/content-project.ts'
import type { Connect } from '../../sync/target-session.ts'

export interface PullContentOptions {
  readonly settings: Settings
  readonly target: TargetSettings
  readonly connect: Connect
  /** Whether files are left as they are. */
  readonly dryRun: boolean
  /** `overwrite`: where both sides changed the same, the target's goes into the file. */
  readonly onConflict: OnConflict
  /** Whether articles that exist only on the target stay there. */
  readonly editsOnly: boolean
  /** Files this run is about; all by default. With it, no new files are made. */
  readonly isSelected?: ((source: string) => boolean) | undefined
  readonly now: () => Date
  readonly sleep: (ms: number) => Promise<void>
  readonly onProgress?: Progress | undefined
  readonly signal?: AbortSignal | undefined
}

type PullAction = 'update' | 'create' | 'conflict' | 'skip'

/** The reason of the conflicts that `overwrite` decides; the others say themselves what to do. */
export const EDITED_ON_BOTH_SIDES = 'it was edited in the file and on the target'

/** What became, or is to become, of one file. */
export interface PulledFile {
  readonly action: PullAction
  /** Relative to the project, with `/`; undefined for an article without a file. */
  readonly file: string | undefined
  readonly slug: string
  readonly language: string | null
  /** Id on the target. */
  readonly id: string
  readonly outcome: Outcome
  /** Frontmatter keys that are taken from the target, or are in conflict. */
  readonly fields: readonly string[]
  /** Whether the text is taken from the target, or is in conflict. */
  readonly text: boolean
  /** Why, in a sentence without full stop. */
  readonly reason?: string
  /** File that keeps what was overwritten, relative to the project, with `/`. */
  readonly backup?: string | undefined
  /** What the target has and the file does not hold, each in a few words. */
  readonly lost?: readonly string[]
  /** The file's text before (undefined for a new file) and after; only where it changes. */
  readonly change?: { readonly before: string | undefined; readonly after: string }
}

export interface PullSummary {
  readonly updated: number
  readonly created: number
  readonly unchanged: number
  readonly conflicts: number
  readonly skipped: number
  readonly failed: number
}

export interface PullResult {
  /** Name of the target. */
  readonly target: string
  readonly summary: PullSummary
  /** What changes or needs attention; unchanged files are only counted. */
  readonly files: readonly PulledFile[]
  readonly diagnostics: readonly Diagnostic[]
  readonly requests: RequestCounts
  /** What ended the run early. */
  readonly failure: KbError | undefined
}
