import type { KbError } from '../../core/errors/kb-error.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { WatchEvent, WatchView } from './watch-event.ts'
import type { SyncJob, Told, WatchState } from './watch-state.ts'

/** What the loop is to do next; it answers with an input, a wait aside. */
export type WatchTask =
  | { readonly kind: 'reload-config' }
  /** Takes in articles of which nothing but their own text changed; with the time of the first touch. */
  | { readonly kind: 'edit'; readonly sources: ReadonlyMap<string, number> }
  /** Scans all files; `rewatches`: the folders are watched again first, where that is needed. */
  | { readonly kind: 'scan'; readonly isQuiet: boolean; readonly rewatches: boolean }
  /** Begins to make the target equal to the files; it goes on beside the loop. */
  | {
      readonly kind: 'sync'
      readonly job: SyncJob
      readonly edited: readonly LocalArticle[] | undefined
      /** Whether the target is asked how it changes articles. */
      readonly asksOffer: boolean
    }
  /** Writes down what is known of the target. */
  | { readonly kind: 'flush'; readonly scannedMs: number }
  /** Until something happens, or for so long. */
  | { readonly kind: 'wait'; readonly ms: number | undefined }
  | { readonly kind: 'stop' }

export type WatchEffect =
  | { readonly kind: 'tell'; readonly event: WatchEvent }
  /** What a reader is to see; `touched` names the files of which something changed, undefined where it may be anything. */
  | { readonly kind: 'show'; readonly view: WatchView; readonly touched: readonly string[] | undefined }
  /** The watch cannot go on. */
  | { readonly kind: 'give-up'; readonly failure: KbError }
  | WatchTask

/** A state in the making, and the effects so far: what `reduce` hands from step to step. */
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

  setTold(members: Partial<Told>): void {
    this.set({ told: { ...this.state.told, ...members } })
  }

  effect(effect: WatchEffect): void {
    this.effects.push(effect)
  }

  tell(event: WatchEvent): void {
    this.effects.push({ kind: 'tell', event })
  }
}
