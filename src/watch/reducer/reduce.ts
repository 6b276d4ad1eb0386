// The complete logic of a watch, without files, network, clock or timers, which are in the loop (run-watch.ts).
import { isDeepStrictEqual } from 'node:util'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { KbError } from '../../core/errors/kb-error.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { announce, reportOutage } from './announce.ts'
import { addFailure, backoffMsLeft, retrySoon } from './backoff.ts'
import {
  Change,
  type WatchEffect,
  wantsPrune,
  unknownOf,
  unreportedOf,
  type WatchedProject,
  type WatchState,
} from './watch-state.ts'
import { nextStep, type Situation, addTouches, type SeenTouch, withoutSources } from './next-step.ts'
import {
  beginScan,
  cancelScan,
  endScan,
  failScan,
  forgetWaiting,
  type ScannedFiles,
  takeEdits,
} from './reduce-scan.ts'
import { beginJob, endJob, failJob, type JobResult, syncInMs } from './reduce-sync.ts'
import { lastFileOf } from './compare-content.ts'

/** An event that changes the state. */
export type WatchInput =
  | { readonly kind: 'started' }
  /** Changes of files, in the order in which they were seen. */
  | { readonly kind: 'touched'; readonly touches: readonly SeenTouch[] }
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
  | ({ readonly kind: 'job-ended' } & JobResult)
  | { readonly kind: 'job-failed'; readonly failure: KbError }
  | { readonly kind: 'flushed'; readonly scannedMs: number; readonly failure: KbError | undefined }
  /** Ends the watch after running operations. */
  | { readonly kind: 'stop' }

/** Processes an input. Pure. Returns at most one task, and only for `started` and `idle`. */
export function reduce(
  state: WatchState,
  input: WatchInput,
  nowMs: number,
): { readonly state: WatchState; readonly effects: readonly WatchEffect[] } {
  const change = new Change(state, nowMs)
  take(change, input)
  return { state: change.state, effects: change.effects }
}

function take(change: Change, input: WatchInput): void {
  switch (input.kind) {
    case 'started':
      change.report({ kind: 'started', target: change.state.project.target })
      announce(change)
      return change.effect({ kind: 'scan', isQuiet: true, rewatches: false })
    case 'touched':
      return takeTouches(change, input.touches)
    case 'idle':
      return chooseTask(change)
    case 'configured':
      return takeConfiguration(change, input)
    case 'config-failed':
      if (input.failure.message !== change.state.configFailure?.message)
        change.report({ kind: 'configured', failure: input.failure, restartFor: [] })
      return change.set({ configFailure: input.failure })
    case 'edited':
      return takeEdits(change, input)
    case 'scan-begun':
      return beginScan(change, input.isQuiet)
    case 'scanned':
      return endScan(change, input)
    case 'scan-failed':
      return failScan(change, input.failure)
    case 'scan-cancelled':
      return cancelScan(change)
    case 'job-ended':
      return endJob(change, input)
    case 'job-failed':
      return failJob(change, input.failure)
    case 'flushed':
      return endSettling(change, input)
    case 'stop':
      return change.set({ isStopping: true })
  }
}

function takeTouches(change: Change, all: readonly SeenTouch[]): void {
  const { changes, articles, configFailure, scanBackoff, sendBackoff } = change.state
  // A file that only looks like one of the configuration may be the one that was missing.
  const touches = all.filter(
    ({ touch }) => touch.kind !== 'config' || touch.isKnown || configFailure !== undefined,
  )
  if (touches.length === 0) return
  change.set({
    changes: addTouches(changes, touches, articles),
    scanBackoff: retrySoon(scanBackoff),
    sendBackoff: retrySoon(sendBackoff),
  })
}

function chooseTask(change: Change): void {
  const { state, nowMs } = change
  if (state.isStopping) {
    announce(change)
    return change.effect({ kind: 'stop' })
  }
  const step = nextStep(situationOf(state, nowMs), nowMs)
  switch (step.kind) {
    case 'reload':
      change.set({ changes: { ...state.changes, configMs: undefined } })
      return change.effect({ kind: 'reload-config' })
    case 'edit':
      return beginEdits(change, step.sources)
    case 'send':
      return beginJob(change)
    case 'scan': {
      const rewatches = step.isQuiet || state.scanBackoff.failures > 0
      return change.effect({ kind: 'scan', isQuiet: step.isQuiet, rewatches })
    }
    case 'rest':
      if (isSettling(state)) return beginSettling(change)
      announce(change)
      return change.effect({ kind: 'wait', ms: step.ms })
  }
}

function situationOf(state: WatchState, nowMs: number): Situation {
  return {
    ...state,
    scanBlockedMs: backoffMsLeft(state.scanBackoff, nowMs),
    quietMs: state.pauses.quietMs,
    sendInMs: syncInMs(state, nowMs),
  }
}

function beginEdits(change: Change, edited: readonly string[]): void {
  const { changes, editsSinceScan } = change.state
  const sources = new Map(edited.map((source) => [source, changes.sources.get(source) ?? 0]))
  change.set({ changes: withoutSources(changes, sources), editsSinceScan: editsSinceScan + sources.size })
  change.effect({ kind: 'edit', sources })
}

function isSettling({ unsettledScanMs, changes, isSendDue, held, job }: WatchState): boolean {
  if (job !== undefined) return false
  const isScanned = changes.lastTouchMs === undefined && changes.sources.size === 0
  return unsettledScanMs !== undefined && isScanned && (!isSendDue || held.isEverything)
}

/** Reports files that are permanently gone, and writes the state. */
function beginSettling(change: Change): void {
  const { unsettledScanMs: scannedMs } = change.state
  if (scannedMs === undefined) return
  change.set({ unsettledScanMs: undefined })
  reportLost(change)
  change.effect({ kind: 'flush', scannedMs })
}

function reportLost(change: Change): void {
  const { state } = change
  const lost = new Set(state.lost)
  if (state.reported.isReady && !wantsPrune(state)) {
    for (const { id, slug, language } of state.orphans) {
      const source = lastFileOf(state.articleFiles, { slug, language })
      if (source === undefined || state.reported.orphans.has(id)) continue
      change.report({ kind: 'orphaned', source, slug })
      lost.delete(source)
    }
    change.setReported({ orphans: new Set(state.orphans.map(({ id }) => id)) })
  }
  change.set({ lost: new Set() })
  if (lost.size > 0) change.report({ kind: 'gone', sources: [...lost].toSorted() })
}

function endSettling(
  change: Change,
  { scannedMs, failure }: { readonly scannedMs: number; readonly failure: KbError | undefined },
): void {
  if (failure !== undefined) {
    const sendBackoff = addFailure(change.state.sendBackoff, failure, change.nowMs)
    change.set({ isSendDue: true, sendBackoff })
    reportOutage(change, failure, sendBackoff.pauseMs)
  }
  announce(change)
  change.report({ kind: 'settled', lookedAtMs: scannedMs })
}

function takeConfiguration(
  change: Change,
  { project, content }: { readonly project: WatchedProject; readonly content: LoadedContent | undefined },
): void {
  const { project: before, configFailure } = change.state
  change.set({ configFailure: undefined })
  if (content !== undefined) takeOver(change, project, content)
  if (content === undefined && configFailure === undefined) return
  const restartFor = (['host', 'port'] as const)
    .filter((key) => before.settings.server[key] !== project.settings.server[key])
    .map((key) => `server.${key}`)
  change.report({ kind: 'configured', failure: undefined, restartFor })
}

/** Applies a new configuration. Everything is checked again, so the next scan always causes a sync. */
function takeOver(change: Change, project: WatchedProject, content: LoadedContent): void {
  const { pauses, changes } = change.state
  const touches: SeenTouch[] = [{ touch: { kind: 'folders' }, atMs: change.nowMs }]
  forgetWaiting(change, change.state.waiting)
  change.set({ ...unknownOf(project, pauses), content, changes: addTouches(changes, touches, new Set()) })
  change.setReported(unreportedOf(project))
  announce(change, 'any')
}

/** True if a configuration that was read again is unchanged. */
export function isSameProject(before: WatchedProject, now: WatchedProject): boolean {
  // The result of a function in the configuration depends on modules that are not checked here.
  if (before.settings.hasFunctions || now.settings.hasFunctions) return false
  const isSameFile = before.settings.configFile === now.settings.configFile
  const isSameSettings = before.settings.settingsDigest === now.settings.settingsDigest
  return isSameFile && isSameSettings && isDeepStrictEqual(before.target, now.target)
}
