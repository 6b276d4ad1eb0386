import type { KbError } from '../../core/errors/kb-error.ts'
import { isError } from '../../core/model/diagnostic.ts'
import { effectOf, type OperationResult, pastSourceOf } from '../../core/model/plan.ts'
import type { SyncResult } from '../../sync/sync-options.ts'
import { announce, reportOutage, reportProblems } from './announce.ts'
import { lastFileOf, isSameContent, isSameSet } from './compare-content.ts'
import { addFailure, backoffMsLeft, createBackoff } from './backoff.ts'
import { type Change, idsOf, isPruneDue, mayPrune, type SyncJob, type WatchState } from './watch-state.ts'
import { earliest, forgetWaiting, isStillSaving, reportUnchanged } from './reduce-scan.ts'
import { isRetried, unreportedOperations, unsentAfter } from './unsent-operations.ts'

/** The result of a sync that was able to start. */
export interface JobResult {
  /** True if everything was compared. */
  readonly isWhole: boolean
  readonly result: SyncResult
  /** True if the target updates articles in place; undefined if it was not asked, or did not respond. */
  readonly updatesInPlace: boolean | undefined
}

/** Milliseconds until there is something to send; undefined if there is nothing, or nothing can be sent. */
export function syncInMs(state: WatchState, nowMs: number): number | undefined {
  const { content, held, isSendDue, sendBackoff } = state
  if (content === undefined || held.isEverything) return undefined
  const leftMs = backoffMsLeft(sendBackoff, nowMs)
  if (!isSendDue) return sendBackoff.failures > 0 ? leftMs : undefined
  // If only single articles were rejected, others need not wait.
  return sendBackoff.failure === undefined ? 0 : leftMs
}

/** Starts a sync with the files of the last scan. */
export function beginJob(change: Change): void {
  const { content, held, waiting, edited, reported } = change.state
  if (content === undefined) return
  const prune = mayPrune(change.state)
  const job: SyncJob = { startedMs: change.nowMs, content, held: held.sources, waiting, prune }
  change.set({ job, edited: [] })
  announce(change)
  const only = edited?.length === 0 ? undefined : edited
  change.effect({ kind: 'sync', job, edited: only, asksOffer: !reported.isOffer })
}

/** Handles a sync that could not start. */
export function failJob(change: Change, failure: KbError): void {
  change.set({ job: undefined })
  tryAgain(change, failure)
  announce(change)
}

/** Handles the end of a sync. Failed operations are kept and retried. */
export function endJob(change: Change, ended: JobResult): void {
  const { job } = change.state
  if (job === undefined) return
  change.set({ job: undefined })
  const { failure, operations } = ended.result
  if (failure === undefined) finish(change, job, ended)
  else {
    // Operations before an interruption are reported; all others are retried.
    if (operations.some(({ outcome }) => outcome === 'done')) reportOperations(change, job, ended)
    tryAgain(change, failure)
  }
  announce(change)
}

function finish(change: Change, job: SyncJob, ended: JobResult): void {
  const { content, held } = job
  // Files may have changed since the sync started.
  const now = change.state.content ?? content
  change.set({
    sent: { content, held },
    isSendDue: !isSameContent(content, now) || !isSameSet(held, change.state.held.sources),
    lastSync: new Date(change.nowMs).toISOString(),
  })
  // A sync of only some articles deletes nothing.
  if (ended.isWhole) takeWhole(change, job, ended.result)
  if (isPruneDue(change.state)) change.set({ isSendDue: true, edited: undefined })
  reportOperations(change, job, ended)
  const { unsent, targetProblems, sendBackoff } = change.state
  const needsAnother = isRetried(unsent) || targetProblems.some(isError)
  // An edit that was undone during the sync left nothing to send, so the next sync compares everything.
  if (needsAnother && !change.state.isSendDue) change.set({ edited: undefined })
  change.set({
    sendBackoff: needsAnother
      ? addFailure(sendBackoff, undefined, change.nowMs)
      : createBackoff(sendBackoff.shortestMs),
    lockedSinceMs: undefined,
  })
  reportOutage(change, undefined)
  reportGuard(change, ended.result)
  reportReady(change, ended)
  reportProblems(change)
}

function takeWhole(change: Change, { content, prune }: SyncJob, result: SyncResult): void {
  const { orphans, diagnostics } = result
  // A result contains the diagnostics of the content, then its own.
  const known = new Set(content.diagnostics)
  change.set({ orphans, targetProblems: diagnostics.filter((one) => !known.has(one)) })
  // Orphans that stay because of an error are tried again when it is fixed.
  if (prune && !diagnostics.some(isError)) change.set({ unprunable: idsOf(orphans) })
  // Orphans that existed at the start are not reported.
  if (!change.state.reported.isReady) change.setReported({ orphans: new Set(orphans.map(({ id }) => id)) })
}

function reportOperations(change: Change, job: SyncJob, { result, isWhole }: JobResult): void {
  const { unsent, reported, sentCount, lost, articleFiles } = change.state
  const { waiting, startedMs } = job
  const saved = [...waiting].flatMap(([source, ms]) =>
    isStillSaving(change.state, source, ms) ? [] : [source],
  )
  const operations = unreportedOperations(unsent, result, new Set(saved))
  const deleted = operations.filter((operation) => effectOf(operation) === 'delete')
  const deletedFiles = deleted.map((one) => lastFileOf(articleFiles, one) ?? one.source)
  // A renamed file is reported by its new name.
  const renamedFiles = operations.filter(isSent).map(pastSourceOf)
  const settledFiles = new Set([...deletedFiles, ...renamedFiles])
  change.set({
    unsent: unsentAfter(unsent, result, isWhole),
    sentCount: sentCount + operations.filter(isSent).length,
    lost: new Set([...lost].filter((source) => !settledFiles.has(source))),
  })
  if (operations.length > 0 && reported.isReady) {
    const durationMs = change.nowMs - earliest(waiting.values(), startedMs)
    change.report({ kind: 'sent', operations, durationMs })
    const sources = new Set(operations.flatMap(({ source }) => source ?? []))
    change.set({ lastSent: { sources, atMs: change.nowMs } })
  }
  if (result.failure !== undefined) return
  if (operations.length === 0 && reported.isReady && !change.state.isSendDue) reportUnchanged(change)
  else forgetWaiting(change, waiting)
}

function isSent(operation: OperationResult): boolean {
  return operation.kind === 'article' && operation.outcome === 'done' && effectOf(operation) !== 'delete'
}

function reportGuard(change: Change, { guard }: SyncResult): void {
  if (guard !== undefined && guard !== change.state.reported.guard)
    change.report({ kind: 'guarded', reason: guard })
  change.setReported({ guard })
}

/** Reports the first sync completely, and once whether the target updates in place. */
function reportReady(change: Change, { result, updatesInPlace }: JobResult): void {
  const { reported, startedMs } = change.state
  if (!reported.isReady) change.report({ kind: 'ready', result, durationMs: change.nowMs - startedMs })
  const isOfferNews = updatesInPlace !== undefined && !reported.isOffer
  if (isOfferNews) change.report({ kind: 'offers', updatesInPlace })
  change.setReported({ isReady: true, isOffer: reported.isOffer || isOfferNews })
}

function tryAgain(change: Change, failure: KbError): void {
  const { isStopping, lockedSinceMs, sendBackoff, pauses, reported } = change.state
  change.set({ isSendDue: true, edited: undefined })
  if (isStopping) return
  const next = addFailure(sendBackoff, failure, change.nowMs)
  const sinceMs = failure.code === 'LOCKED' ? (lockedSinceMs ?? change.nowMs) : undefined
  change.set({ sendBackoff: next, lockedSinceMs: sinceMs })
  const isForLong = sinceMs === undefined || change.nowMs - sinceMs >= pauses.lockedMs
  if (isForLong || reported.outage !== undefined) reportOutage(change, failure, next.pauseMs)
}
