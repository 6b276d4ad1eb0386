import type { KbError } from '../../core/errors/kb-error.ts'
import { isError } from '../../core/model/diagnostic.ts'
import { effectOf, type OperationResult, pastSourceOf } from '../../core/model/plan.ts'
import type { SyncResult } from '../../sync/sync-options.ts'
import { announce, reportOutage, reportProblems } from './announce.ts'
import { lastFileOf, isSameContent, isSameSet } from './compare-content.ts'
import { addFailure, backoffMsLeft, createBackoff } from './backoff.ts'
import { type Transition, idsOf, isPruneDue, mayPrune, type SyncJob, type WatchState } from './watch-state.ts'
import { earliest, forgetUnsent, isStillSaving, reportUnchanged } from './reduce-scan.ts'
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
export function beginJob(transition: Transition): void {
  const { content, held, unsentSince, edited, reported } = transition.state
  if (content === undefined) return
  const prune = mayPrune(transition.state)
  const job: SyncJob = { startedMs: transition.nowMs, content, held: held.sources, unsentSince, prune }
  transition.set({ job, edited: [] })
  announce(transition)
  // A sync that no edit has asked for compares everything.
  const only = edited?.length === 0 ? undefined : edited
  transition.effect({ kind: 'sync', job, edited: only, asksOffer: !reported.isOfferReported })
}

/** Handles a sync that could not start. */
export function failJob(transition: Transition, failure: KbError): void {
  transition.set({ job: undefined })
  tryAgain(transition, failure)
  announce(transition)
}

/** Handles the end of a sync. Failed operations are kept and retried. */
export function endJob(transition: Transition, ended: JobResult): void {
  const { job } = transition.state
  if (job === undefined) return
  transition.set({ job: undefined })
  const { failure, operations } = ended.result
  if (failure === undefined) finish(transition, job, ended)
  else {
    // Operations before an interruption are reported; all others are retried.
    if (operations.some(({ outcome }) => outcome === 'done')) reportOperations(transition, job, ended)
    tryAgain(transition, failure)
  }
  announce(transition)
}

function finish(transition: Transition, job: SyncJob, ended: JobResult): void {
  const { content, held } = job
  // Files may have changed since the sync started.
  const now = transition.state.content ?? content
  transition.set({
    sent: { content, held },
    isSendDue: !isSameContent(content, now) || !isSameSet(held, transition.state.held.sources),
    lastSync: new Date(transition.nowMs).toISOString(),
  })
  // A sync of only some articles deletes nothing.
  if (ended.isWhole) takeWhole(transition, job, ended.result)
  if (isPruneDue(transition.state)) transition.set({ isSendDue: true, edited: undefined })
  reportOperations(transition, job, ended)
  const { unsent, targetProblems, sendBackoff } = transition.state
  const needsAnother = isRetried(unsent) || targetProblems.some(isError)
  // An edit that was undone during the sync left nothing to send, so the next sync compares everything.
  if (needsAnother && !transition.state.isSendDue) transition.set({ edited: undefined })
  transition.set({
    sendBackoff: needsAnother
      ? addFailure(sendBackoff, undefined, transition.nowMs)
      : createBackoff(sendBackoff.shortestMs),
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

function reportOperations(transition: Transition, job: SyncJob, { result, isWhole }: JobResult): void {
  const { unsent, reported, sentCount, removed, articleFiles } = transition.state
  const { unsentSince, startedMs } = job
  const saved = [...unsentSince].flatMap(([source, ms]) =>
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
    const durationMs = transition.nowMs - earliest(unsentSince.values(), startedMs)
    transition.report({ kind: 'sent', operations, durationMs })
    const sources = new Set(operations.flatMap(({ source }) => source ?? []))
    transition.set({ lastSent: { sources, atMs: transition.nowMs } })
  }
  if (result.failure !== undefined) return
  if (operations.length === 0 && reported.isReady && !transition.state.isSendDue) reportUnchanged(transition)
  else forgetUnsent(transition, unsentSince)
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
function reportReady(transition: Transition, { result, updatesInPlace }: JobResult): void {
  const { reported, startedMs } = transition.state
  if (!reported.isReady)
    transition.report({ kind: 'ready', result, durationMs: transition.nowMs - startedMs })
  const isOfferNews = updatesInPlace !== undefined && !reported.isOfferReported
  if (isOfferNews) transition.report({ kind: 'offers', updatesInPlace })
  transition.setReported({ isReady: true, isOfferReported: reported.isOfferReported || isOfferNews })
}

function tryAgain(transition: Transition, failure: KbError): void {
  const { isStopping, lockedSinceMs, sendBackoff, pauses, reported } = transition.state
  transition.set({ isSendDue: true, edited: undefined })
  if (isStopping) return
  const next = addFailure(sendBackoff, failure, transition.nowMs)
  const sinceMs = failure.code === 'LOCKED' ? (lockedSinceMs ?? transition.nowMs) : undefined
  transition.set({ sendBackoff: next, lockedSinceMs: sinceMs })
  const isForLong = sinceMs === undefined || transition.nowMs - sinceMs >= pauses.lockedMs
  if (isForLong || reported.outage !== undefined) reportOutage(transition, failure, next.pauseMs)
}
