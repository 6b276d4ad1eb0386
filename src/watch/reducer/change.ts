import type { KbError } from '../../core/errors/kb-error.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { WatchEvent, WatchView } from './watch-event.ts'
import type { SyncJob, ReportedState, WatchState } from './watch-state.ts'

/** The next task of the loop. Except for a wait, the loop answers with an input. */
export type WatchTask =
  | { readonly kind: 'reload-config' }
  /** Applies edits of articles' own texts; with the time of the first touch. */
  | { readonly kind: 'edit'; readonly sources: ReadonlyMap<string, number> }
  /** Scans all files; `rewatches`: first creates the watcher again, if necessary. */
  | { readonly kind: 'scan'; readonly isQuiet: boolean; readonly rewatches: boolean }
  /** Starts a sync, which runs beside the loop. */
  | {
      readonly kind: 'sync'
      readonly job: SyncJob
      readonly edited: readonly LocalArticle[] | undefined
      /** True if the target is asked whether it updates in place. */
      readonly asksOffer: boolean
    }
  /** Writes the state of the target. */
  | { readonly kind: 'flush'; readonly scannedMs: number }
  /** Waits for an event, at most for this time. */
  | { readonly kind: 'wait'; readonly ms: number | undefined }
  | { readonly kind: 'stop' }

export type WatchEffect =
  | { readonly kind: 'report'; readonly event: WatchEvent }
  /** The view for readers; `touched` names the files with changes, undefined for any. */
  | { readonly kind: 'show'; readonly view: WatchView; readonly touched: readonly string[] | undefined }
  /** The watch cannot continue. */
  | { readonly kind: 'give-up'; readonly failure: KbError }
  | WatchTask

/** A mutable state and the effects so far, which `reduce` passes from step to step. */
export class Change {
  readonly effects: WatchEffect[] = []
  readonly nowMs: number
  state: WatchState

  constructor(before: WatchState, nowMs: number) {
    this.state = before
    this.nowMs = nowMs
  }

  set(members: Partial<WatchState>): void {
    this.state = { ...this.state, ...members }
  }

  setReported(members: Partial<ReportedState>): void {
    this.set({ reported: { ...this.state.reported, ...members } })
  }

  effect(effect: WatchEffect): void {
    this.effects.push(effect)
  }

  report(event: WatchEvent): void {
    this.effects.push({ kind: 'report', event })
  }
}
