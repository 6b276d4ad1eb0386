import type { KbError } from '../core/errors/kb-error.ts'
import type { OperationResult } from '../core/model/plan.ts'
import type { WatchEvent, UnsentFile } from '../watch/reducer/watch-event.ts'

/** Where a watch sends to. */
export interface WatchedTarget {
  readonly kind: 'builtin' | 'remote'
  readonly name: string
  /** Address of a remote target. */
  readonly url: string | undefined
}

/** What was done to an article, category or tag while files are watched. */
export type WatchedOperation = OperationResult & {
  /** Path of the article's page; undefined for what has none. */
  readonly url?: string | undefined
}

/** What `Kb.watch` has to tell, in the order in which it happens. */
export type KbWatchEvent =
  /** Files are about to be read for the first time. */
  | {
      readonly kind: 'started'
      readonly target: WatchedTarget
      /** The remote target of the configuration that is left alone, since it was not asked for by name. */
      readonly passedOver: WatchedTarget | undefined
      /** The folder that is watched, relative to the project, with `/`. */
      readonly content: string
      /** Address of the pages; undefined without pages. */
      readonly pages: string | undefined
      /** The port that the pages would have had, where another program has it. */
      readonly portTaken: number | undefined
    }
  /** Something was sent, or could not be; `durationMs` since the first file of it was seen to change. */
  | { readonly kind: 'sent'; readonly operations: readonly WatchedOperation[]; readonly durationMs: number }
  /** A page could not be made; the watch goes on. */
  | { readonly kind: 'page-failed'; readonly error: unknown }
  | Exclude<WatchEvent, { readonly kind: 'started' | 'sent' }>

/** How a watch ended. */
export interface WatchSummary {
  /** Name of the target. */
  readonly target: string
  /** Articles sent since the start. */
  readonly sent: number
  /** Files that changed and are not dealt with: the next run takes them. */
  readonly pending: number
  /** Sources of articles that are not on the target as their file says, because of an error. */
  readonly heldBack: readonly string[]
  /** Articles that could not be sent, conflicts among them. */
  readonly failures: readonly UnsentFile[]
  /** Whether the target was compared with the files as they are, and all that could be sent was. */
  readonly isComplete: boolean
  /** Why nothing could be sent, or the files not be read, when the watch ended; undefined where both worked. */
  readonly failure: KbError | undefined
}
