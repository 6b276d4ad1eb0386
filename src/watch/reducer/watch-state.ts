import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { Settings, TargetSettings } from '../../core/config/settings.ts'
import type { KbError } from '../../core/errors/kb-error.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { OperationResult, Orphan } from '../../core/model/plan.ts'
import { type Backoff, createBackoff } from './backoff.ts'
import { type HeldBack, NOTHING_HELD } from './held-back.ts'
import { NO_CHANGES, type PendingChanges } from './pending-changes.ts'
import type { WatchStatus } from './watch-event.ts'

/** A configuration, and the target that is chosen with it. */
export interface WatchedProject {
  readonly settings: Settings
  readonly target: TargetSettings
}

/** How long a watch waits, in milliseconds. */
export interface Pauses {
  /** After the last touch: when it is over, nothing is under way, as far as anyone can tell. */
  readonly quietMs: number
  /** After the first failure, before it is tried again; the pauses that follow grow from this one. */
  readonly retryMs: number
  /** Until a user is told that another kb is at work; as a rule, that is through before. */
  readonly lockedMs: number
}

export const PAUSES: Pauses = { quietMs: 1000, retryMs: 1000, lockedMs: 2000 }

/** A scan of all files, as it was when it began. */
interface Scan {
  readonly startedMs: number
  /** Whether nothing was under way, as far as anyone could tell. */
  readonly isQuiet: boolean
  /** What was touched before. */
  readonly changes: PendingChanges
}

/** A sync, as it was when it began. */
export interface SyncJob {
  readonly startedMs: number
  readonly content: LoadedContent
  /** Sources that are held back. */
  readonly held: ReadonlySet<string>
  /** What it deals with, with the time of the touch. */
  readonly waiting: ReadonlyMap<string, number>
  readonly prune: boolean
}

/** What was told, so that it is told once. */
export interface Told {
  readonly problems: readonly Diagnostic[]
  /** How many of them there are: there may be many, and every line of status asks. */
  readonly counts: { readonly errors: number; readonly warnings: number }
  /** Problems of files that are gone: they may come back, under another path as well. */
  readonly lostProblems: readonly Diagnostic[]
  readonly held: HeldBack
  readonly guard: string | undefined
  readonly standing: WatchStatus | undefined
  /** Why nothing can be sent. */
  readonly outage: KbError | undefined
  readonly isUnreadable: boolean
  /** Whether the first sync is through. */
  readonly isReady: boolean
  /** Whether it was told how the target changes articles. */
  readonly isOffer: boolean
  /** Ids of orphans. */
  readonly orphans: ReadonlySet<string>
}

/** What a watch knows at one moment. Only `reduce` makes another one of it. */
export interface WatchState {
  readonly pauses: Pauses
  readonly startedMs: number
  /** Undefined: as the configuration says. */
  readonly prune: boolean | undefined
  readonly isStopping: boolean
  readonly project: WatchedProject
  /** Why the configuration could not be read again; the last good one holds. */
  readonly configFailure: KbError | undefined
  /** As of the last scan, with the edits since. */
  readonly content: LoadedContent | undefined
  /** Sources of all articles as of the last scan. */
  readonly articles: ReadonlySet<string>
  readonly held: HeldBack
  /** Files that the last scan found gone, of those that something is to be told about; relative to the project. */
  readonly missing: ReadonlySet<string>
  readonly changes: PendingChanges
  /** The scan that is under way. */
  readonly scan: Scan | undefined
  /** When the last scan began. */
  readonly scannedMs: number
  readonly scanBackoff: Backoff
  readonly editsSinceScan: number
  /** Since when an error is not told, because its file may be half written. */
  readonly recheckSinceMs: number | undefined
  /** When the last scan in a quiet moment began; undefined once it was told that all is settled. */
  readonly unsettledScanMs: number | undefined
  /** Checked and not dealt with on the target, with the time of the first touch. */
  readonly waiting: ReadonlyMap<string, number>
  /** Of those, files that have only got another path, which was told. */
  readonly moved: ReadonlySet<string>
  /** Files that are gone, until it is told what became of them. */
  readonly lost: ReadonlySet<string>
  /** The last file of each article, by its address; kept when the file is gone. */
  readonly articleFiles: ReadonlyMap<string, string>
  /** The sync that is under way. */
  readonly job: SyncJob | undefined
  readonly sendBackoff: Backoff
  readonly isSendDue: boolean
  /** Articles that are all there is to send; undefined where only a comparison of everything can tell. */
  readonly edited: readonly LocalArticle[] | undefined
  /** What the target was last made equal to. */
  readonly sent: { readonly content: LoadedContent; readonly held: ReadonlySet<string> } | undefined
  /** Since when another kb has been at work, as far as it was met. */
  readonly lockedSinceMs: number | undefined
  /** Operations that were not done, by what they are about. */
  readonly unsent: ReadonlyMap<string, OperationResult>
  /** Problems that only the target could show. */
  readonly targetProblems: readonly Diagnostic[]
  /** As of the last comparison of everything. */
  readonly orphans: readonly Orphan[]
  /** Ids of the orphans that a sync with prune has left. */
  readonly unprunable: string | undefined
  /** When a sync last ended well, ISO 8601. */
  readonly lastSync: string | undefined
  /** The articles of the last sync that sent something. */
  readonly lastSent: { readonly sources: ReadonlySet<string>; readonly atMs: number }
  readonly sentCount: number
  readonly told: Told
}

export function createWatchState(
  project: WatchedProject,
  {
    pauses = PAUSES,
    prune,
    nowMs,
  }: { readonly pauses?: Pauses | undefined; readonly prune: boolean | undefined; readonly nowMs: number },
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
    lost: new Set(),
    articleFiles: new Map(),
    editsSinceScan: 0,
    job: undefined,
    lockedSinceMs: undefined,
    lastSync: undefined,
    lastSent: { sources: new Set(), atMs: 0 },
    sentCount: 0,
    waiting: new Map(),
    told: {
      problems: [],
      counts: { errors: 0, warnings: 0 },
      lostProblems: [],
      held: NOTHING_HELD,
      standing: undefined,
      outage: undefined,
      isUnreadable: false,
      isReady: false,
      orphans: new Set(),
      ...untoldOf(project),
    },
    ...unknownOf(project, pauses),
  }
}

/** What is known of a project before its files and its target were checked. */
export function unknownOf(project: WatchedProject, { retryMs }: Pauses) {
  return {
    project,
    content: undefined,
    articles: new Set<string>(),
    held: NOTHING_HELD,
    sent: undefined,
    isSendDue: false,
    edited: undefined,
    targetProblems: [],
    unsent: new Map<string, OperationResult>(),
    orphans: [],
    unprunable: undefined,
    scanBackoff: createBackoff(retryMs),
    sendBackoff: createBackoff(retryMs),
  } satisfies Partial<WatchState>
}

/** What is to be told of each target. */
export function untoldOf({ target }: WatchedProject) {
  return { guard: undefined, isOffer: target.kind === 'builtin' } satisfies Partial<Told>
}
