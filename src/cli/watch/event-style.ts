import type { Terminal } from '../terminal/terminal.ts'

/** How much is said of what happens, and in which colours. */
export interface EventStyle {
  readonly quiet: boolean
  readonly verbose: boolean
  readonly colors: Terminal['colors']
}

/** What was told already. */
export interface ToldBefore {
  /** The folder that is watched, with a slash at its end: files are named as operations name them. */
  readonly content: string
  readonly isReady: boolean
  /** Files that were said to be held back. */
  readonly heldBack: ReadonlySet<string>
  /** Taxonomy files that were said to hold everything back. */
  readonly everythingHeldBy: readonly string[]
  /** Code of the failure, while nothing can be sent. */
  readonly outage: string | undefined
  readonly isUnreadable: boolean
}
