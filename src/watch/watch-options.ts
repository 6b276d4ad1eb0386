import type { Settings, TargetSettings } from '../core/config/settings.ts'
import type { LiveContent } from './live-content/live-content.ts'
import type { LiveTarget } from './live-sync/live-target.ts'
import type { Pauses } from './pauses.ts'
import type { WatchEvent } from './watch-event.ts'
import type { UnsentFile, WatchView } from './watch-view.ts'

/** A configuration, and the target that is chosen with it. */
export interface WatchedProject {
  readonly settings: Settings
  readonly target: TargetSettings
}

/** Is told the files of which a configuration consists (absolute paths), whether or not it could be loaded. */
export type OnConfigFiles = (files: readonly string[]) => void

export interface RunWatchOptions extends WatchedProject {
  /** The files that the configuration was loaded from, what it imports included; absolute paths. */
  readonly configFiles: readonly string[]
  /**
   * Reads the configuration anew and chooses the target as at the start.
   *
   * @throws KbError CONFIG_UNREADABLE, CONFIG_INVALID, ENVIRONMENT_INVALID, USAGE …: the last good one holds then
   */
  readonly reload: (onFiles: OnConfigFiles) => Promise<WatchedProject>
  /** Called at the start, and again for another configuration. */
  readonly openContent: (settings: Settings) => LiveContent | Promise<LiveContent>
  /** The same for the target. One that cannot be opened is tried again. */
  readonly openTarget: (project: WatchedProject) => LiveTarget | Promise<LiveTarget>
  /** Undefined: as the configuration says. */
  readonly prune: boolean | undefined
  readonly now: () => Date
  /** Resolves early, without an error, when `signal` is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Default: `PAUSES`. */
  readonly pauses?: Pauses | undefined
  /** Ends the watch: what is in flight is finished, and what was learned is written down. */
  readonly signal: AbortSignal
  readonly onEvent: (event: WatchEvent) => void
  /**
   * What a reader is to see now. Called after each change of it; `touched` names the files of which something changed,
   * undefined where it may be anything.
   */
  readonly onView?: ((view: WatchView, touched: readonly string[] | undefined) => void) | undefined
}

export interface WatchResult {
  /** Articles sent since the start. */
  readonly sent: number
  /** Files that changed and are not dealt with: the next run takes them. */
  readonly pending: number
  /** Sources of articles that are not on the target as their file says, for an error of their own. */
  readonly heldBack: readonly string[]
  /** Articles that could not be sent, conflicts among them. */
  readonly failures: readonly UnsentFile[]
  /** Whether the target was compared with the files as they are, and all that could be sent was. */
  readonly isComplete: boolean
}
