// The complete logic of a watch, without files, network, clock or timers, which are in the loop (run-watch.ts).
import { isDeepStrictEqual } from 'node:util'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { KbError } from '../../core/errors/kb-error.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { announce, reportHeld, reportProblems } from './announce.ts'
import { backoffMsLeft, retrySoon } from './backoff.ts'
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
  nextStep,
  type Situation,
  addTouches,
  returnSources,
  type TimedTouch,
  withoutSources,
} from './next-step.ts'
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
    syncInMs: syncInMs(state, nowMs),
  }
}

/** Milliseconds until there is something to send; undefined if there is nothing, or nothing can be sent. */
function syncInMs(state: WatchState, nowMs: number): number | undefined {
  const { content, held, due, syncBackoff } = state
  if (content === undefined || held.isEverything) return undefined
  const leftMs = backoffMsLeft(syncBackoff, nowMs)
  if (due === undefined) return syncBackoff.failures > 0 ? leftMs : undefined
  // If only single articles were rejected, others need not wait.
  return syncBackoff.failure === undefined ? 0 : leftMs
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
function dueAfter(
  { sent, sync, due, syncBackoff, held }: WatchState,
  edited: readonly LocalArticle[],
): SyncScope {
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
