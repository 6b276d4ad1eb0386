import { KbError } from '../core/errors/kb-error.ts'
import type { Diagnostic } from '../core/model/diagnostic.ts'
import type { OperationResult } from '../core/model/plan.ts'
import type { SyncResult } from '../sync/sync-options.ts'
import { announce, announceOutage, announceProblems } from './announce.ts'
import type { CompletedRun, SyncJob, SyncRun } from './sync-job.ts'
import { announceUnchanged, forgetWaiting, idsOf, isPruneDue, mayPrune } from './rescan.ts'
import { withRunSignal } from '../core/with-run-signal.ts'
import { isSameContent, isSameSet } from './same-content.ts'
import { nowMsOf, type WatchState } from './watch-state.ts'

/** Milliseconds until there is something to send; undefined where there is nothing, or nothing may be sent. */
export function sendInMs(state: WatchState, nowMs: number): number | undefined {
  const { content, held, isSendDue, sendBackoff } = state
  if (content.current() === undefined || held.isEverything) return undefined
  const leftMs = sendBackoff.msLeft(nowMs)
  if (!isSendDue) return sendBackoff.isActive ? leftMs : undefined
  // Where single articles were refused, others need not wait for them.
  return sendBackoff.failure === undefined ? 0 : leftMs
}

/**
 * Begins to make the target equal to the files as they were last looked at. It goes on by itself, and `onOver` is called
 * when `endSending` has something to do.
 */
export function beginSending(state: WatchState, onOver: () => void): void {
  const content = state.content.current()
  if (content === undefined) return
  const startedMs = nowMsOf(state)
  const waiting = new Map(state.waiting)
  const run = { content, held: state.held.sources, waiting, prune: mayPrune(state), startedMs }
  const unpin = state.content.pin()
  const sending = send(state, run)
  const job: SyncJob = {
    startedMs,
    outcome: undefined,
    over: sending
      .then(
        (ended) => void (job.outcome = { run: ended }),
        (error: unknown) => void (job.outcome = { run, error }),
      )
      .finally(() => {
        unpin()
        onOver()
      }),
  }
  state.job = job
  announce(state)
}

/** Takes in how the run has ended. What failed is kept and tried again. */
export function endSending(state: WatchState): void {
  const outcome = state.job?.outcome
  if (outcome === undefined) return
  state.job = undefined
  if ('error' in outcome) {
    if (!(outcome.error instanceof KbError)) throw outcome.error
    fail(state, outcome.error)
  } else if (outcome.run.result.failure === undefined) finish(state, outcome.run)
  else breakOff(state, outcome.run, outcome.run.result.failure)
  announce(state)
}

async function send(state: WatchState, run: SyncRun): Promise<CompletedRun> {
  const { options, project, edited } = state
  state.edited = undefined
  const { content, held, prune } = run
  const target = (state.target ??= await options.openTarget(project))
  return withRunSignal(options.signal, async (signal) => {
    const quick = edited === undefined ? undefined : await target.syncEdited(content, edited, { signal })
    if (quick !== undefined)
      return { ...run, prune: false, isWhole: false, result: quick, updatesInPlace: undefined }
    const result = await target.syncAll(content, { held, prune, signal })
    // It is asked of a target that has just answered.
    const isAsked = !state.isOfferTold && result.failure === undefined && !signal.aborted
    const updatesInPlace = isAsked ? await target.updatesInPlace({ signal }) : undefined
    return { ...run, isWhole: true, result, updatesInPlace }
  })
}

function finish(state: WatchState, run: CompletedRun): void {
  const { content, held, result, isWhole } = run
  state.sent = { content, held }
  // Files may have changed meanwhile.
  const now = state.content.current() ?? content
  state.isSendDue = !isSameContent(content, now) || !isSameSet(held, state.held.sources)
  state.lastSync = state.options.now().toISOString()
  if (isWhole) takeWhole(state, run)
  if (isPruneDue(state)) state.isSendDue = true
  tellOperations(state, run)
  const needsAnother = state.operations.isRetried() || state.targetProblems.some(isError)
  if (needsAnother) state.sendBackoff.add(undefined, nowMsOf(state))
  else state.sendBackoff.clear()
  state.lockedSinceMs = undefined
  announceOutage(state, undefined)
  tellGuard(state, result)
  tellReady(state, run)
  tellOffers(state, run)
  announceProblems(state)
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}

/** What only a comparison of everything shows. */
function takeWhole(state: WatchState, { content, prune, result }: CompletedRun): void {
  state.orphans = result.orphans
  // What a mistake keeps from being deleted is tried again when that is mended.
  if (prune && !result.diagnostics.some(isError)) state.unprunable = idsOf(result)
  if (!state.isReady) state.gone.unreported(result.orphans)
  // A result has those of the content as they are, and then its own.
  const known = new Set(content.diagnostics)
  state.targetProblems = result.diagnostics.filter((one) => !known.has(one))
}

function tellOperations(state: WatchState, run: CompletedRun): void {
  const { result, isWhole, startedMs, waiting } = run
  const { options, isReady } = state
  const operations = state.operations.unreported(result, waiting, isWhole)
  state.sentCount += operations.filter(isSent).length
  if (operations.length > 0 && isReady) {
    const durationMs = nowMsOf(state) - Math.min(startedMs, ...waiting.values())
    options.onEvent({ kind: 'sent', operations, durationMs })
    state.lastSent = { sources: new Set(operations.map(({ source }) => source)), atMs: nowMsOf(state) }
  }
  for (const operation of operations.filter(({ action }) => action === 'delete'))
    state.lost.delete(state.gone.sourceOf(operation) ?? operation.source)
  if (result.failure !== undefined) return
  if (operations.length === 0 && isReady && !state.isSendDue) announceUnchanged(state)
  else forgetWaiting(state, waiting)
}

function isSent({ kind, action, outcome }: OperationResult): boolean {
  return kind === 'article' && outcome === 'done' && action !== 'delete'
}

function tellGuard(state: WatchState, { guard }: SyncResult): void {
  if (guard !== undefined && guard !== state.toldGuard)
    state.options.onEvent({ kind: 'guarded', reason: guard })
  state.toldGuard = guard
}

/** The first run is told whole. */
function tellReady(state: WatchState, { result }: CompletedRun): void {
  if (state.isReady) return
  state.isReady = true
  state.options.onEvent({ kind: 'ready', result, durationMs: nowMsOf(state) - state.startedMs })
}

function tellOffers(state: WatchState, { updatesInPlace }: CompletedRun): void {
  if (updatesInPlace === undefined || state.isOfferTold) return
  state.isOfferTold = true
  state.options.onEvent({ kind: 'offers', updatesInPlace })
}

/** A run that ended early: what it did is told, all else waits. */
function breakOff(state: WatchState, run: CompletedRun, failure: KbError): void {
  if (run.result.operations.some(({ outcome }) => outcome === 'done')) tellOperations(state, run)
  fail(state, failure)
}

function fail(state: WatchState, failure: KbError): void {
  state.isSendDue = true
  // It was asked to stop.
  if (state.options.signal.aborted) return
  const nowMs = nowMsOf(state)
  const retryInMs = state.sendBackoff.add(failure, nowMs)
  if (failure.code === 'LOCKED') state.lockedSinceMs ??= nowMs
  else state.lockedSinceMs = undefined
  const isForLong = state.lockedSinceMs === undefined || nowMs - state.lockedSinceMs >= state.pauses.lockedMs
  if (isForLong || state.toldOutage !== undefined) announceOutage(state, failure, retryInMs)
}
