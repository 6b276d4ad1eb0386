import type { LiveContent } from './live-content/live-content.ts'
import type { LoadedContent } from '../content/pipeline/load-content.ts'
import type { KbError } from '../core/errors/kb-error.ts'
import type { Diagnostic } from '../core/model/diagnostic.ts'
import type { LocalArticle } from '../core/model/document.ts'
import type { Orphan } from '../core/model/plan.ts'
import type { LiveTarget } from './live-sync/live-target.ts'
import type { SyncJob } from './sync-job.ts'
import { type HeldBack, NOTHING_HELD } from './held-back.ts'
import { PAUSES, type Pauses } from './pauses.ts'
import { createPendingChanges, type PendingChanges } from './pending-changes.ts'
import { createOperationReporter, type OperationReporter } from './operation-reporter.ts'
import { createOrphanReporter, type OrphanReporter } from './orphan-reporter.ts'
import { createBackoff, type Backoff } from './backoff.ts'
import type { WatchedProject, RunWatchOptions } from './watch-options.ts'

/** What a watch knows at one moment. Its parts change it, one at a time. */
export interface WatchState {
  readonly options: RunWatchOptions
  readonly pauses: Pauses
  readonly startedMs: number
  project: WatchedProject
  content: LiveContent
  /** Undefined until something is to be sent. */
  target: LiveTarget | undefined
  /** Sources of all articles as of the last look. */
  articles: ReadonlySet<string>
  readonly changes: PendingChanges
  /** Looked at and not dealt with on the target, with the time of the first touch. */
  readonly waiting: Map<string, number>
  /** Of those, files that have only got another path, which was told. */
  readonly moved: Set<string>
  /** Files that are gone, until it is told what became of them. */
  readonly lost: Set<string>
  readonly reloadBackoff: Backoff
  readonly sendBackoff: Backoff
  editsSinceLook: number
  recheckSinceMs: number | undefined
  /** When the last look at all files in a quiet moment began; undefined once it was told that all is settled. */
  unsettledLookMs: number | undefined
  held: HeldBack
  /** What the target was last made equal to. */
  sent: { readonly content: LoadedContent; readonly held: ReadonlySet<string> } | undefined
  isSendDue: boolean
  /** Articles that are all there is to send; undefined where only a comparison of everything can tell. */
  edited: readonly LocalArticle[] | undefined
  /** Problems that only the target could show. */
  targetProblems: readonly Diagnostic[]
  toldProblems: readonly Diagnostic[]
  /** How many of them there are: there may be many, and every line of status asks. */
  toldCounts: { readonly errors: number; readonly warnings: number }
  /** Problems that were told of files that are gone: they may come back, under another path as well. */
  lostProblems: readonly Diagnostic[]
  /** What was said to be held back. */
  toldHeld: HeldBack
  toldGuard: string | undefined
  toldStanding: string
  /** Why nothing can be sent, as it was told. */
  toldOutage: KbError | undefined
  isUnreadableTold: boolean
  /** Whether it was told how the target changes articles. */
  isOfferTold: boolean
  isReady: boolean
  /** The run that is under way. */
  job: SyncJob | undefined
  /** When all files were last looked at. */
  lookedMs: number
  /** Since when another kb has been at work, as far as it was met. */
  lockedSinceMs: number | undefined
  /** As of the last comparison of everything. */
  orphans: readonly Orphan[]
  /** Ids of the orphans that a run with prune has left. */
  unprunable: string | undefined
  lastSync: string | undefined
  /** The articles of the last run that sent something. */
  lastSent: { readonly sources: ReadonlySet<string>; readonly atMs: number }
  sentCount: number
  operations: OperationReporter
  readonly gone: OrphanReporter
}

export function createWatchState(options: RunWatchOptions, content: LiveContent): WatchState {
  const { settings, target, pauses = PAUSES } = options
  const state: WatchState = {
    options,
    pauses,
    startedMs: options.now().getTime(),
    project: { settings, target },
    content,
    target: undefined,
    articles: new Set(),
    changes: createPendingChanges((source) => state.articles.has(source)),
    waiting: new Map(),
    moved: new Set(),
    lost: new Set(),
    reloadBackoff: createBackoff(pauses.retryMs),
    sendBackoff: createBackoff(pauses.retryMs),
    editsSinceLook: 0,
    recheckSinceMs: undefined,
    unsettledLookMs: undefined,
    held: NOTHING_HELD,
    sent: undefined,
    isSendDue: false,
    edited: undefined,
    targetProblems: [],
    toldProblems: [],
    toldCounts: { errors: 0, warnings: 0 },
    lostProblems: [],
    toldHeld: NOTHING_HELD,
    toldGuard: undefined,
    toldStanding: '',
    toldOutage: undefined,
    isUnreadableTold: false,
    isOfferTold: target.kind === 'builtin',
    isReady: false,
    job: undefined,
    lookedMs: options.now().getTime(),
    lockedSinceMs: undefined,
    orphans: [],
    unprunable: undefined,
    lastSync: undefined,
    lastSent: { sources: new Set(), atMs: 0 },
    sentCount: 0,
    operations: createOperationReporter(),
    gone: createOrphanReporter(),
  }
  return state
}

export function nowMsOf({ options }: WatchState): number {
  return options.now().getTime()
}

export function wantsPrune({ options, project }: WatchState): boolean {
  return options.prune ?? project.settings.sync.prune
}
