import type { KbError } from '../../core/errors/kb-error.ts'
import { isError } from '../../core/model/diagnostic.ts'
import { effectOf, type OperationResult, pastSourceOf } from '../../core/model/plan.ts'
import type { SyncResult } from '../../sync/sync-options.ts'
import { announce, reportOutage, reportProblems } from './announce.ts'
import { lastFileOf, isSameContent, isSameSet } from './compare-content.ts'
import { addFailure, createBackoff } from './backoff.ts'
import {
  type Transition,
  idsOf,
  isPruneDue,
  wantsPrune,
  type SyncJob,
  type WatchState,
} from './watch-state.ts'
import { earliest, forgetPending, isStillSaving, reportUnchanged } from './reduce-scan.ts'
import { isRetried, unreportedOperations, unsentAfter } from './unsent-operations.ts'

/** The result of a sync that was able to start. */
export interface SyncJobResult {
  /** True if everything was compared. */
  readonly isWhole: boolean
  readonly result: SyncResult
  /** True if the target updates articles in place; undefined if it was not asked, or did not respond. */
  readonly updatesInPlace: boolean | undefined
}

/** Handles a sync that could not start. */
export function failSync(transition: Transition, failure: KbError): void {
  transition.set({ sync: undefined })
  tryAgain(transition, failure)
  announce(transition)
}

/** Handles the end of a sync. Failed operations are kept and retried. */
export function endSync(transition: Transition, ended: SyncJobResult): void {
  const { sync } = transition.state
  if (sync === undefined) return
  transition.set({ sync: undefined })
  const { failure, operations } = ended.result
  if (failure === undefined) finish(transition, sync, ended)
  else {
    // Operations before an interruption are reported; all others are retried.
    if (operations.some(({ outcome }) => outcome === 'done')) reportOperations(transition, sync, ended)
    tryAgain(transition, failure)
  }
  announce(transition)
}

function finish(transition: Transition, sync: SyncJob, ended: SyncJobResult): void {
  const { content, held } = sync
  // Files may have changed since the sync started.
  const { content: now = content, held: heldNow, due = { kind: 'all' } } = transition.state
  transition.set({
    sent: { content, held },
    due: isSameContent(content, now) && isSameSet(held, heldNow.sources) ? undefined : due,
    lastSync: new Date(transition.nowMs).toISOString(),
  })
  // A sync of only some articles deletes nothing.
  if (ended.isWhole) takeWhole(transition, sync, ended.result)
  if (isPruneDue(transition.state)) transition.set({ due: { kind: 'all' } })
  reportOperations(transition, sync, ended)
  const { unsent, targetProblems, syncBackoff } = transition.state
  const needsAnother = isRetried(unsent) || targetProblems.some(isError)
  transition.set({
    syncBackoff: needsAnother
      ? addFailure(syncBackoff, undefined, transition.nowMs)
      : createBackoff(syncBackoff.shortestMs),
    lockedSinceMs: undefined,
  })
  reportOutage(transition, undefined)
  reportGuard(transition, ended.result)
  reportReady(transition, ended)
  reportProblems(transition)
}

function takeWhole(transition: Transition, { content, prune }: SyncJob, result: SyncResult): void {
  const { orphans, diagnostics } = result
  // A result contains the diagnostics of the content, then its own.
  const known = new Set(content.diagnostics)
  transition.set({ orphans, targetProblems: diagnostics.filter((one) => !known.has(one)) })
  // Orphans that stay because of an error are tried again when it is fixed.
  if (prune && !diagnostics.some(isError)) transition.set({ unprunable: idsOf(orphans) })
  // Orphans that existed at the start are not reported.
  if (!transition.state.reported.isReady)
    transition.setReported({ orphans: new Set(orphans.map(({ id }) => id)) })
}

function reportOperations(transition: Transition, sync: SyncJob, { result, isWhole }: SyncJobResult): void {
  const { unsent, reported, sentCount, removed, articleFiles } = transition.state
  const { pendingSince, startedMs } = sync
  const saved = [...pendingSince].flatMap(([source, ms]) =>
    isStillSaving(transition.state, source, ms) ? [] : [source],
  )
  const operations = unreportedOperations(unsent, result, new Set(saved))
  const deleted = operations.filter((operation) => effectOf(operation) === 'delete')
  const deletedFiles = deleted.map((one) => lastFileOf(articleFiles, one) ?? one.source)
  // A renamed file is reported by its new name.
  const renamedFiles = operations.filter(isSent).map(pastSourceOf)
  const settledFiles = new Set([...deletedFiles, ...renamedFiles])
  transition.set({
    unsent: unsentAfter(unsent, result, isWhole),
    sentCount: sentCount + operations.filter(isSent).length,
    removed: new Set([...removed].filter((source) => !settledFiles.has(source))),
  })
  if (operations.length > 0 && reported.isReady) {
    const durationMs = transition.nowMs - earliest(pendingSince.values(), startedMs)
    transition.report({ kind: 'sent', operations, durationMs })
    const sources = new Set(operations.flatMap(({ source }) => source ?? []))
    transition.set({ lastSent: { sources, atMs: transition.nowMs } })
  }
  if (result.failure !== undefined) return
  if (operations.length === 0 && reported.isReady && transition.state.due === undefined)
    reportUnchanged(transition)
  else forgetPending(transition, pendingSince)
}

function isSent(operation: OperationResult): boolean {
  return operation.kind === 'article' && operation.outcome === 'done' && effectOf(operation) !== 'delete'
}

function reportGuard(transition: Transition, { guard }: SyncResult): void {
  if (guard !== undefined && guard !== transition.state.reported.guard)
    transition.report({ kind: 'guarded', reason: guard })
  transition.setReported({ guard })
}

/** Reports the first sync completely, and once whether the target updates in place. */
function reportReady(transition: Transition, { result, updatesInPlace }: SyncJobResult): void {
  const { reported, startedMs } = transition.state
  if (!reported.isReady)
    transition.report({ kind: 'ready', result, durationMs: transition.nowMs - startedMs })
  const isOfferNews = updatesInPlace !== undefined && !reported.isOfferReported
  if (isOfferNews) transition.report({ kind: 'offers', updatesInPlace })
  transition.setReported({ isReady: true, isOfferReported: reported.isOfferReported || isOfferNews })
}

function tryAgain(transition: Transition, failure: KbError): void {
  const { isStopping, lockedSinceMs, syncBackoff, pauses, reported } = transition.state
  transition.set({ due: { kind: 'all' } })
  if (isStopping) return
  const next = addFailure(syncBackoff, failure, transition.nowMs)
  const sinceMs = failure.code === 'LOCKED' ? (lockedSinceMs ?? transition.nowMs) : undefined
  transition.set({ syncBackoff: next, lockedSinceMs: sinceMs })
  const isForLong = sinceMs === undefined || transition.nowMs - sinceMs >= pauses.lockedMs
  if (isForLong || reported.outage !== undefined) reportOutage(transition, failure, next.pauseMs)
}

/** True if everything is sent and nothing was touched since the last scan: then the state can be written. */
export function isSettling({ unsettledScanMs, changes, due, held, sync }: WatchState): boolean {
  if (sync !== undefined) return false
  const isScanned = changes.lastTouchMs === undefined && changes.sources.size === 0
  return unsettledScanMs !== undefined && isScanned && (due === undefined || held.isEverything)
}

/** Reports files that are permanently gone, and writes the state. */
export function beginSettling(transition: Transition): void {
  const { unsettledScanMs: scannedMs } = transition.state
  if (scannedMs === undefined) return
  transition.set({ unsettledScanMs: undefined })
  reportRemoved(transition)
  transition.effect({ kind: 'flush', scannedMs })
}

function reportRemoved(transition: Transition): void {
  const { state } = transition
  const removed = new Set(state.removed)
  if (state.reported.isReady) {
    // An operation that was not carried out was reported.
    const unsentIds = new Set([...state.unsent.values()].map(({ id }) => id))
    const orphans = state.orphans.filter(({ id }) => !unsentIds.has(id))
    for (const { id, slug, language } of state.orphans) {
      const source = lastFileOf(state.articleFiles, { slug, language })
      if (source === undefined) continue
      removed.delete(source)
      if (state.reported.orphans.has(id) || unsentIds.has(id)) continue
      transition.report({ kind: 'orphaned', source, slug, ...(wantsPrune(state) && { isDelayed: true }) })
    }
    transition.setReported({ orphans: new Set(orphans.map(({ id }) => id)) })
  }
  transition.set({ removed: new Set() })
  if (removed.size > 0) transition.report({ kind: 'gone', sources: [...removed].toSorted() })
}

export function endSettling(
  transition: Transition,
  { scannedMs, failure }: { readonly scannedMs: number; readonly failure: KbError | undefined },
): void {
  if (failure !== undefined) {
    const syncBackoff = addFailure(transition.state.syncBackoff, failure, transition.nowMs)
    transition.set({ due: { kind: 'all' }, syncBackoff })
    reportOutage(transition, failure, syncBackoff.pauseMs)
  }
  announce(transition)
  transition.report({ kind: 'settled', lookedAtMs: scannedMs })
}
