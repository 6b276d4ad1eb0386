import type { KbError } from '../core/errors/kb-error.ts'
import type { OperationResult } from '../core/model/plan.ts'
import type { WatchEvent, UnsentFile } from '../watch/reducer/watch-event.ts'

/** The target of a watch. */
export interface WatchedTarget {
  readonly kind: 'builtin' | 'remote'
  readonly name: string
  /** URL of a remote target. */
  readonly url: string | undefined
}

/** An operation on an article, category or tag during a watch. */
export type WatchedOperation = OperationResult & {
  /** Path of the article's page; undefined if there is none. */
  readonly url?: string | undefined
}

/** The events of `Kb.watch`, in order. */
export type KbWatchEvent =
  /** The first read of the files is about to start. */
  | {
      readonly kind: 'started'
      readonly target: WatchedTarget
      /** The remote target of the configuration, if it is not used because it was not requested by name. */
      readonly passedOver: WatchedTarget | undefined
      /** The watched folder, relative to the project, with `/`. */
      readonly content: string
      /** URL of the pages; undefined without pages. */
      readonly pages: string | undefined
      /** The preferred port of the pages, if another program uses it. */
      readonly portTaken: number | undefined
    }
  /** Operations were sent or failed. `durationMs` is the time since the first of their files changed. */
  | { readonly kind: 'sent'; readonly operations: readonly WatchedOperation[]; readonly durationMs: number }
  /** A page could not be rendered; the watch continues. */
  | { readonly kind: 'page-failed'; readonly error: unknown }
  | Exclude<WatchEvent, { readonly kind: 'started' | 'sent' }>

/** The result of a watch. */
export interface WatchSummary {
  /** Name of the target. */
  readonly target: string
  /** Articles sent since the start. */
  readonly sent: number
  /** Changed files that were not processed; the next run syncs them. */
  readonly pending: number
  /** Sources of articles that do not match their file on the target because of an error. */
  readonly heldBack: readonly string[]
  /** Articles that could not be sent, including conflicts. */
  readonly failures: readonly UnsentFile[]
  /** True if the target was compared with the current files, and everything that could be sent was. */
  readonly isComplete: boolean
  /** Why sending or reading was failing when the watch ended; undefined if both worked. */
  readonly failure: KbError | undefined
}
