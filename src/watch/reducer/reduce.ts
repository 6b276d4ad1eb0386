// The complete logic of a watch, without files, network, clock or timers, which are in the loop (run-watch.ts).
import { isDeepStrictEqual } from 'node:util'
import { TAXONOMY_FILES } from '../../content/source/find-sources.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { KbError } from '../../core/errors/kb-error.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { announce, reportHeld, reportProblems } from './announce.ts'
import { backoffMsLeft, msLeft, retrySoon } from './backoff.ts'
import {
  Transition,
  mayPrune,
  unknownOf,
  unreportedOf,
  type WatchedProject,
  type SyncJob,
  type SyncScope,
  type WatchState,
} from './watch-state.ts'
import {
  addTouches,
  type PendingChanges,
  RECHECK_PAUSE_MS,
  returnSources,
  type TimedTouch,
  withoutSources,
} from './pending-changes.ts'
import { beginScan, cancelScan, endScan, failScan, forgetPending, type ScannedFiles } from './reduce-scan.ts'
import {
  beginSettling,
  endSettling,
  endSync,
  failSync,
  isSettling,
  type SyncJobResult,
} from './reduce-sync.ts'

/** An event that changes the state. */
export type WatchInput =
  | { readonly kind: 'started' }
  /** Changes of files, in the order in which they were seen. */
  | { readonly kind: 'touched'; readonly touches: readonly TimedTouch[] }
  /** The loop is idle and needs a task. */
  | { readonly kind: 'idle' }
  /** The configuration was read again. `content`: that of a new configuration, undefined if it is unchanged. */
  | {
      readonly kind: 'configured'
      readonly project: WatchedProject
      readonly content: LoadedContent | undefined
    }
  | { readonly kind: 'config-failed'; readonly failure: KbError }
  /** Edited articles were checked; `declined`: those that require a scan. */
  | {
      readonly kind: 'edited'
      readonly content: LoadedContent | undefined
      readonly articles: readonly LocalArticle[]
      readonly sources: ReadonlyMap<string, number>
      readonly declined: ReadonlyMap<string, number>
    }
  | { readonly kind: 'scan-begun'; readonly isQuiet: boolean }
  | ({ readonly kind: 'scanned' } & ScannedFiles)
  | { readonly kind: 'scan-failed'; readonly failure: KbError }
  /** A save was more urgent than the scan, see `mayCancelScan`. */
  | { readonly kind: 'scan-cancelled' }
  | ({ readonly kind: 'sync-ended' } & SyncJobResult)
  | { readonly kind: 'sync-failed'; readonly failure: KbError }
  | { readonly kind: 'flushed'; readonly scannedMs: number; readonly failure: KbError | undefined }
  /** Ends the watch after running operations. */
  | { readonly kind: 'stop' }

type Input<Kind extends WatchInput['kind']> = Extract<WatchInput, { readonly kind: Kind }>

/** Processes an input. Pure. Returns at most one task, and only for `started` and `idle`. */
export function reduce(state: WatchState, input: WatchInput, nowMs: number) {
  const transition = new Transition(state, nowMs)
  take(transition, input)
  return { state: transition.state, effects: transition.effects }
}

function take(transition: Transition, input: WatchInput): void {
  switch (input.kind) {
    case 'started':
      transition.report({ kind: 'started', target: transition.state.project.target })
      announce(transition)
      return transition.effect({ kind: 'scan', isQuiet: true, rewatches: false })
    case 'touched':
      return takeTouches(transition, input.touches)
    case 'idle':
      return chooseTask(transition)
    case 'configured':
      return takeConfiguration(transition, input)
    case 'config-failed':
      if (input.failure.message !== transition.state.configFailure?.message)
        transition.report({ kind: 'configured', failure: input.failure, restartFor: [] })
      return transition.set({ configFailure: input.failure })
    case 'edited':
      return noteEdits(transition, input)
    case 'scan-begun':
      return beginScan(transition, input.isQuiet)
    case 'scanned':
      return endScan(transition, input)
    case 'scan-failed':
      return failScan(transition, input.failure)
    case 'scan-cancelled':
      return cancelScan(transition)
    case 'sync-ended':
      return endSync(transition, input)
    case 'sync-failed':
      return failSync(transition, input.failure)
    case 'flushed':
      return endSettling(transition, input)
    case 'stop':
      return transition.set({ isStopping: true })
  }
}

function takeTouches(transition: Transition, all: readonly TimedTouch[]): void {
  const { changes, articles, configFailure, scanBackoff, syncBackoff } = transition.state
  // A file that only looks like one of the configuration may be the one that was missing.
  const touches = all.filter(
    ({ touch }) => touch.kind !== 'config' || touch.isKnown || configFailure !== undefined,
  )
  if (touches.length === 0) return
  transition.set({
    changes: addTouches(changes, touches, articles),
    scanBackoff: retrySoon(scanBackoff),
    syncBackoff: retrySoon(syncBackoff),
  })
}

function chooseTask(transition: Transition): void {
  const { state, nowMs } = transition
  if (state.isStopping) {
    announce(transition)
    return transition.effect({ kind: 'stop' })
  }
  const step = nextStep(situationOf(state, nowMs), nowMs)
  switch (step.kind) {
    case 'reload-config':
      transition.set({ changes: { ...state.changes, configMs: undefined } })
      return transition.effect({ kind: 'reload-config' })
    case 'edit':
      return beginEdits(transition, step.sources)
    case 'sync':
      return beginSync(transition)
    case 'scan': {
      const rewatches = step.isQuiet || state.scanBackoff.failures > 0
      return transition.effect({ kind: 'scan', isQuiet: step.isQuiet, rewatches })
    }
    case 'wait':
      if (isSettling(state)) return beginSettling(transition)
      announce(transition)
      return transition.effect({ kind: 'wait', ms: step.ms })
  }
}

function situationOf(state: WatchState, nowMs: number): Situation {
  return {
    ...state,
    scanBlockedMs: backoffMsLeft(state.scanBackoff, nowMs),
    quietMs: state.pauses.quietMs,
    syncInMs: msUntilSync(state, nowMs),
  }
}

/** Milliseconds until there is something to send; undefined if there is nothing, or nothing can be sent. */
function msUntilSync(state: WatchState, nowMs: number): number | undefined {
  const { content, held, due, syncBackoff } = state
  if (content === undefined || held.isEverything) return undefined
  const leftMs = backoffMsLeft(syncBackoff, nowMs)
  if (due === undefined) return syncBackoff.failures > 0 ? leftMs : undefined
  // If only single articles were rejected, others need not wait.
  return syncBackoff.failure === undefined ? 0 : leftMs
}

type Step =
  | { readonly kind: 'reload-config' }
  /** Only these articles were touched. */
  | { readonly kind: 'edit'; readonly sources: readonly string[] }
  /** Scans all files; `isQuiet`: nothing was touched for a while. */
  | { readonly kind: 'scan'; readonly isQuiet: boolean }
  | { readonly kind: 'sync' }
  /** Undefined: until an event. */
  | { readonly kind: 'wait'; readonly ms: number | undefined }

export interface Situation {
  readonly changes: PendingChanges
  /** Sources that are known to be articles. */
  readonly articles: ReadonlySet<string>
  readonly editsSinceScan: number
  /** Time of the last touch of a file whose error must be checked again; undefined if there is none. */
  readonly recheckSinceMs: number | undefined
  /** Milliseconds until files may be scanned again after a failure. */
  readonly scanBlockedMs: number
  /** The start of the running sync. */
  readonly sync: { readonly startedMs: number } | undefined
  /** Start of the last scan. */
  readonly scannedMs: number
  /** Milliseconds without a touch that count as quiet. */
  readonly quietMs: number
  /** Milliseconds until there is something to send; undefined if there is nothing. */
  readonly syncInMs: number | undefined
}

/** A checkout or a moved folder touches more files. */
const MOST_EDITS = 20
/** Until the next scan, problems from rules over all articles are not updated. */
const MOST_EDITS_PER_SCAN = 200
const CONFIG_PAUSE_MS = 100
const UNCLEAR_PAUSE_MS = 60
const LONGEST_UNCLEAR_MS = 1000
/** Most syncs are shorter. During a longer one, files are scanned. */
const SHORT_RUN_MS = 300
/** Finds changes without an event, such as those through a link or on a network drive. */
const ROUND_MS = 30_000

/** Returns the next step at `nowMs`. Pure. */
export function nextStep(situation: Situation, nowMs: number): Step {
  const { changes, sync } = situation
  // Only one sync runs at a time, with one configuration.
  const syncInMs = sync === undefined ? situation.syncInMs : undefined
  const configInMs =
    changes.configMs === undefined || sync !== undefined
      ? undefined
      : msLeft(changes.configMs, CONFIG_PAUSE_MS, nowMs)
  const scanBlockedMs = Math.max(
    situation.scanBlockedMs,
    sync === undefined ? 0 : msLeft(sync.startedMs, SHORT_RUN_MS, nowMs),
    // The configuration decides which files are articles.
    configInMs ?? 0,
  )
  if (configInMs === 0) return { kind: 'reload-config' }
  if (scanBlockedMs === 0) {
    const sources = editsOf(situation)
    if (sources.length > 0) return { kind: 'edit', sources }
  }
  if (syncInMs === 0) return { kind: 'sync' }
  const quietInMs =
    changes.lastTouchMs === undefined ? undefined : msLeft(changes.lastTouchMs, situation.quietMs, nowMs)
  const roundInMs =
    changes.lastTouchMs === undefined ? msLeft(situation.scannedMs, ROUND_MS, nowMs) : undefined
  const scanInMs = least([quietInMs, roundInMs, unclearInMs(situation, nowMs), recheckInMs(situation, nowMs)])
  if (scanInMs === 0 && scanBlockedMs === 0)
    return { kind: 'scan', isQuiet: quietInMs === 0 || roundInMs === 0 }
  const unblockedMs = scanInMs === undefined ? undefined : Math.max(scanInMs, scanBlockedMs)
  return { kind: 'wait', ms: least([configInMs, unblockedMs, syncInMs]) }
}

function editsOf({ changes, articles, editsSinceScan }: Situation): string[] {
  if (changes.sources.size > MOST_EDITS) return []
  // Changed categories or tags change articles.
  if (TAXONOMY_FILES.some((file) => changes.sources.has(file))) return []
  const sources = [...changes.sources.keys()].filter((source) => articles.has(source))
  return editsSinceScan + sources.length > MOST_EDITS_PER_SCAN ? [] : sources
}

function unclearInMs({ changes, articles }: Situation, nowMs: number): number | undefined {
  const { unclearSinceMs, lastTouchMs = nowMs, sources } = changes
  const sinceMs = unclearSinceMs ?? [...sources].find(([source]) => articles.has(source))?.[1]
  if (sinceMs === undefined) return undefined
  return Math.min(msLeft(lastTouchMs, UNCLEAR_PAUSE_MS, nowMs), msLeft(sinceMs, LONGEST_UNCLEAR_MS, nowMs))
}

function recheckInMs({ changes, recheckSinceMs }: Situation, nowMs: number): number | undefined {
  if (recheckSinceMs === undefined) return undefined
  return msLeft(changes.lastTouchMs ?? recheckSinceMs, RECHECK_PAUSE_MS, nowMs)
}

function least(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

/** Starts a sync with the files of the last scan. */
function beginSync(transition: Transition): void {
  const { content, held, pendingSince, due, reported } = transition.state
  if (content === undefined) return
  const prune = mayPrune(transition.state)
  const sync: SyncJob = { startedMs: transition.nowMs, content, held: held.sources, pendingSince, prune }
  transition.set({ sync, due: undefined })
  announce(transition)
  // A retry, for which nothing is due, compares everything.
  const scope: SyncScope = due ?? { kind: 'all' }
  transition.effect({ kind: 'sync', sync, scope, asksOffer: !reported.isOfferReported })
}

function beginEdits(transition: Transition, edited: readonly string[]): void {
  const { changes, editsSinceScan } = transition.state
  const sources = new Map(edited.map((source) => [source, changes.sources.get(source) ?? 0]))
  transition.set({ changes: withoutSources(changes, sources), editsSinceScan: editsSinceScan + sources.size })
  transition.effect({ kind: 'edit', sources })
}

/** Applies edits of articles' texts. Other changes wait for the next scan. */
function noteEdits(transition: Transition, edits: Input<'edited'>): void {
  const { content, articles, sources, declined } = edits
  const { changes, pendingSince, reported } = transition.state
  const edited = articles.map(({ source }) => source)
  const due = dueAfter(transition.state, articles)
  transition.set({ content })
  if (declined.size > 0) transition.set({ changes: returnSources(changes, declined, transition.nowMs) })
  if (articles.length > 0) {
    transition.set({
      pendingSince: new Map([...pendingSince, ...[...sources].filter(([source]) => !declined.has(source))]),
      due,
    })
    reportProblems(transition)
    reportHeld(transition, edited, reported.held)
  }
  announce(transition, edited)
}

/** Adds edits to what is due. */
function dueAfter(state: WatchState, edited: readonly LocalArticle[]): SyncScope {
  const { sent, sync, due, syncBackoff, held } = state
  const isEverSynced = sent !== undefined || sync !== undefined
  if (!isEverSynced || due?.kind === 'all' || syncBackoff.failures > 0 || held.isEverything)
    return { kind: 'all' }
  const latest = new Map([...(due?.articles ?? []), ...edited].map((article) => [article.source, article]))
  return { kind: 'edits', articles: [...latest.values()] }
}

function takeConfiguration(transition: Transition, { project, content }: Input<'configured'>): void {
  const { project: before, configFailure } = transition.state
  transition.set({ configFailure: undefined })
  if (content !== undefined) takeOver(transition, project, content)
  if (content === undefined && configFailure === undefined) return
  const restartFor = (['host', 'port'] as const)
    .filter((key) => before.settings.server[key] !== project.settings.server[key])
    .map((key) => `server.${key}`)
  transition.report({ kind: 'configured', failure: undefined, restartFor })
}

/** Applies a new configuration. Everything is checked again, so the next scan always causes a sync. */
function takeOver(transition: Transition, project: WatchedProject, content: LoadedContent): void {
  const { pauses, changes } = transition.state
  const touches: TimedTouch[] = [{ touch: { kind: 'folders' }, atMs: transition.nowMs }]
  forgetPending(transition, transition.state.pendingSince)
  transition.set({ ...unknownOf(project, pauses), content, changes: addTouches(changes, touches, new Set()) })
  transition.setReported(unreportedOf(project))
  announce(transition, 'any')
}

/** True if a configuration that was read again is unchanged. */
export function isSameProject(before: WatchedProject, now: WatchedProject): boolean {
  // The result of a function in the configuration depends on modules that are not checked here.
  if (before.settings.hasFunctions || now.settings.hasFunctions) return false
  const isSameFile = before.settings.configFile === now.settings.configFile
  const isSameSettings = before.settings.settingsDigest === now.settings.settingsDigest
  return isSameFile && isSameSettings && isDeepStrictEqual(before.target, now.target)
}
