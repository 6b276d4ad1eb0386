import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { Settings, TargetSettings } from '../../core/config/settings.ts'
import type { KbError } from '../../core/errors/kb-error.ts'
import { type Diagnostic, isError } from '../../core/model/diagnostic.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { OperationResult, Orphan } from '../../core/model/plan.ts'
import { type Backoff, createBackoff } from './backoff.ts'
import { type HeldBack, NOTHING_HELD } from '../../sync/admit-content.ts'
import { NO_CHANGES, type PendingChanges } from './pending-changes.ts'
import type { WatchStatus, WatchEvent, WatchView } from './watch-event.ts'
import { isRetried } from './unsent-operations.ts'

/** A configuration, and its target. */
export interface WatchedProject {
  readonly settings: Settings
  readonly target: TargetSettings
}

/** The pauses of a watch, in milliseconds. */
export interface Pauses {
  /** Time without a touch that counts as quiet. */
  readonly quietMs: number
  /** Time after the first failure until the retry; later pauses are multiples of it. */
  readonly retryMs: number
  /** Time until another running kb is reported. Most commands end sooner. */
  readonly lockedMs: number
}

export const PAUSES: Pauses = { quietMs: 1000, retryMs: 1000, lockedMs: 2000 }

/** A running scan, with the state when it began. */
interface Scan {
  readonly startedMs: number
  /** True if nothing had been touched for a while. */
  readonly isQuiet: boolean
  /** The touches before the scan. */
  readonly changes: PendingChanges
  /** The value in `WatchState` before the scan. */
  readonly editsSinceScan: number
}

/** What a sync sends: everything that differs, or only these articles, which were edited. */
export type SyncScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'edits'; readonly articles: readonly LocalArticle[] }

/** A running sync, with the state when it began. */
export interface SyncJob {
  readonly startedMs: number
  readonly content: LoadedContent
  /** Sources that are held back. */
  readonly held: ReadonlySet<string>
  /** The changes that it processes, with the time of the first touch. */
  readonly pendingSince: ReadonlyMap<string, number>
  readonly prune: boolean
}

/** Everything that was reported, so that it is reported only once. */
interface ReportedState {
  readonly problems: readonly Diagnostic[]
  /** Stored, because there may be many problems, and each status needs their number. */
  readonly counts: { readonly errors: number; readonly warnings: number }
  /** Problems of removed files, which may be restored, possibly at another path. */
  readonly lostProblems: readonly Diagnostic[]
  readonly held: HeldBack
  readonly guard: string | undefined
  readonly standing: WatchStatus | undefined
  /** The reason why nothing can be sent. */
  readonly outage: KbError | undefined
  readonly isUnreadable: boolean
  /** True if the first sync has ended. */
  readonly isReady: boolean
  /** True if it was reported whether the target updates in place. */
  readonly isOfferReported: boolean
  readonly orphans: ReadonlySet<string>
}

/** The state of a watch. Only `reduce` creates a new one. */
export interface WatchState {
  readonly pauses: Pauses
  readonly startedMs: number
  /** Undefined: the configured value. */
  readonly prune: boolean | undefined
  readonly isStopping: boolean
  readonly project: WatchedProject
  /** The reason why the configuration could not be read again. The last valid one stays in use. */
  readonly configFailure: KbError | undefined
  /** The content as of the last scan, with later edits. */
  readonly content: LoadedContent | undefined
  /** Sources of all articles as of the last scan. */
  readonly articles: ReadonlySet<string>
  readonly held: HeldBack
  /** Files that the last scan found missing and that must be reported; relative to the project. */
  readonly missing: ReadonlySet<string>
  readonly changes: PendingChanges
  readonly scan: Scan | undefined
  /** Start of the last scan. */
  readonly scannedMs: number
  readonly scanBackoff: Backoff
  readonly editsSinceScan: number
  /** Start of the delay of an error whose file may be half written. */
  readonly recheckSinceMs: number | undefined
  /** Start of the last scan in a quiet moment; undefined after the `settled` event. */
  readonly unsettledScanMs: number | undefined
  /** Checked files whose articles were not sent yet, with the time of the first touch. */
  readonly pendingSince: ReadonlyMap<string, number>
  /** The files of `pendingSince` that only have a new path, which was reported. */
  readonly moved: ReadonlySet<string>
  /** Removed files, until their result is reported. */
  readonly removed: ReadonlySet<string>
  /** The last file of each article, by its slug and language; kept after the file is removed. */
  readonly articleFiles: ReadonlyMap<string, string>
  readonly sync: SyncJob | undefined
  readonly syncBackoff: Backoff
  /** What the next sync sends; during a sync, what was changed since its start; undefined if there is nothing. */
  readonly due: SyncScope | undefined
  /** The content that the target was last made equal to. */
  readonly sent: { readonly content: LoadedContent; readonly held: ReadonlySet<string> } | undefined
  /** Time since which another kb has been running. */
  readonly lockedSinceMs: number | undefined
  /** Operations that were not done, by their subject. */
  readonly unsent: ReadonlyMap<string, OperationResult>
  /** Problems that only the target shows. */
  readonly targetProblems: readonly Diagnostic[]
  /** As of the last comparison of everything. */
  readonly orphans: readonly Orphan[]
  /** Ids of the orphans that remained after a sync with prune. */
  readonly unprunable: string | undefined
  /** End of the last successful sync, ISO 8601. */
  readonly lastSync: string | undefined
  /** The articles of the last sync that sent something. */
  readonly lastSent: { readonly sources: ReadonlySet<string>; readonly atMs: number }
  readonly sentCount: number
  readonly reported: ReportedState
}

export function createWatchState(
  project: WatchedProject,
  prune: boolean | undefined,
  nowMs: number,
  pauses = PAUSES,
): WatchState {
  return {
    pauses,
    startedMs: nowMs,
    prune,
    isStopping: false,
    configFailure: undefined,
    changes: NO_CHANGES,
    scan: undefined,
    scannedMs: nowMs,
    recheckSinceMs: undefined,
    unsettledScanMs: undefined,
    missing: new Set(),
    moved: new Set(),
    removed: new Set(),
    articleFiles: new Map(),
    editsSinceScan: 0,
    sync: undefined,
    lockedSinceMs: undefined,
    lastSync: undefined,
    lastSent: { sources: new Set(), atMs: 0 },
    sentCount: 0,
    pendingSince: new Map(),
    reported: {
      problems: [],
      counts: { errors: 0, warnings: 0 },
      lostProblems: [],
      held: NOTHING_HELD,
      standing: undefined,
      outage: undefined,
      isUnreadable: false,
      isReady: false,
      orphans: new Set(),
      ...unreportedOf(project),
    },
    ...unknownOf(project, pauses),
  }
}

/** Returns the initial state of a project, before its files and its target were checked. */
export function unknownOf(project: WatchedProject, { retryMs }: Pauses) {
  return {
    project,
    content: undefined,
    articles: new Set<string>(),
    held: NOTHING_HELD,
    sent: undefined,
    due: undefined,
    targetProblems: [],
    unsent: new Map<string, OperationResult>(),
    orphans: [],
    unprunable: undefined,
    scanBackoff: createBackoff(retryMs),
    syncBackoff: createBackoff(retryMs),
  } satisfies Partial<WatchState>
}

/** Returns the state in which nothing was reported for a target. */
export function unreportedOf({ target }: WatchedProject) {
  return { guard: undefined, isOfferReported: target.kind === 'builtin' } satisfies Partial<ReportedState>
}

export function wantsPrune({ prune, project }: WatchState): boolean {
  return prune ?? project.settings.sync.prune
}

/** True if orphans may be deleted: not while anything is held back or files are added or removed. */
export function mayPrune(state: WatchState): boolean {
  const { held, changes, targetProblems, unsent } = state
  const isRefused = targetProblems.some(isError)
  // The article of a moved file must not be deleted before its replacement exists.
  const isAllSent = !isRetried(unsent)
  const isNothingHeld = held.sources.size === 0 && !held.isEverything && !isRefused && isAllSent
  return wantsPrune(state) && isNothingHeld && changes.lastTouchMs === undefined
}

/** True if there are orphans that no sync has tried to delete. */
export function isPruneDue(state: WatchState): boolean {
  return state.orphans.length > 0 && mayPrune(state) && idsOf(state.orphans) !== state.unprunable
}

/** Returns the ids of the orphans, as one text. */
export function idsOf(orphans: readonly Orphan[]): string {
  return orphans.map(({ id }) => id).join(' ')
}

/** The next task of the loop. Except for a wait, the loop responds with an input. */
export type WatchTask =
  | { readonly kind: 'reload-config' }
  /** Applies edits of articles' texts; `sources` has the time of the first touch. */
  | { readonly kind: 'edit'; readonly sources: ReadonlyMap<string, number> }
  /** Scans all files; `rewatches`: first creates a new watcher, if necessary. */
  | { readonly kind: 'scan'; readonly isQuiet: boolean; readonly rewatches: boolean }
  /** Starts a sync, which runs beside the loop. */
  | {
      readonly kind: 'sync'
      readonly sync: SyncJob
      readonly scope: SyncScope
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
  /** Shows readers the view; `touched` are the files with changes, undefined for any. */
  | { readonly kind: 'show'; readonly view: WatchView; readonly touched: readonly string[] | undefined }
  /** Ends a watch that cannot continue. */
  | { readonly kind: 'give-up'; readonly failure: KbError }
  | WatchTask

/** One call of `reduce`: the state, which it changes step by step, and the effects so far. */
export class Transition {
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
