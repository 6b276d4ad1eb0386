import { setImmediate as nextTurn } from 'node:timers/promises'
import { KbError } from '../core/errors/kb-error.ts'
import { announce, pendingCount, viewOf, announceOutage } from './announce.ts'
import { closeTarget } from './close-target.ts'
import type { Touch } from './files/watched-paths.ts'
import { rescan, reloadEdited } from './rescan.ts'
import { nextStep } from './next-step.ts'
import { type ProjectWatcher, watchProject } from './watch-project.ts'
import { reloadConfig } from './reload-config.ts'
import { beginSending, endSending, sendInMs } from './send-changes.ts'
import type { RunWatchOptions, WatchResult } from './watch-options.ts'
import { createWatchState, nowMsOf, wantsPrune, type WatchState } from './watch-state.ts'

/**
 * Keeps the target equal to the files until the signal is given: first as a sync would, then with every change. What
 * goes wrong meanwhile is told and tried again.
 *
 * @throws KbError WATCH_FAILED, and CONTENT_UNREADABLE at the very start
 */
export async function runWatch(options: RunWatchOptions): Promise<WatchResult> {
  const state = createWatchState(options, await options.openContent(options.settings))
  const wakeSignal = createWakeSignal(options.sleep)
  options.signal.addEventListener('abort', wakeSignal.notify, { once: true })
  try {
    return await runWithState(state, wakeSignal)
  } finally {
    options.signal.removeEventListener('abort', wakeSignal.notify)
    await closeTarget(state.target)
    state.content.close()
  }
}

/** What happens beside the loop, for it to see. */
interface Outside {
  /** Why files cannot be watched any more. */
  failure: KbError | undefined
  configFailure: KbError | undefined
  configFiles: readonly string[]
}

async function runWithState(state: WatchState, wakeSignal: WakeSignal): Promise<WatchResult> {
  const { options, project } = state
  const outside: Outside = { failure: undefined, configFailure: undefined, configFiles: options.configFiles }
  const onFailure = (failure: KbError) => {
    outside.failure = failure
    wakeSignal.notify()
  }
  const onTouch = (touch: Touch) => {
    // It only looks like a file of the configuration: one that is missing there, perhaps.
    if (touch.kind === 'config' && !touch.isKnown && outside.configFailure === undefined) return
    takeTouch(state, touch)
    wakeSignal.notify()
  }
  const watcher = await watchProject(project, options.configFiles, onTouch, onFailure)
  try {
    tellStart(state)
    await rescan(state, true)
    while (!options.signal.aborted) {
      await takeStep(state, { wakeSignal, watcher, outside })
      // Whatever a step does or fails to do, signals, timers and requests for pages get their turn.
      await nextTurn()
      if (outside.failure !== undefined) throw outside.failure
    }
    announce(state)
    // What is in flight is finished.
    await state.job?.over
    endSending(state)
    announce(state)
    return resultOf(state)
  } finally {
    await watcher.close()
  }
}

function takeTouch(state: WatchState, touch: Touch): void {
  state.changes.touch(touch, nowMsOf(state))
  state.reloadBackoff.retrySoon()
  state.sendBackoff.retrySoon()
}

function tellStart(state: WatchState): void {
  const { options, project } = state
  options.onEvent({ kind: 'started', target: project.target })
  announce(state)
}

async function takeStep(
  state: WatchState,
  {
    wakeSignal,
    watcher,
    outside,
  }: { readonly wakeSignal: WakeSignal; readonly watcher: ProjectWatcher; readonly outside: Outside },
): Promise<void> {
  const step = nextStep(situationOf(state), nowMsOf(state))
  switch (step.kind) {
    case 'reload':
      return reload(state, watcher, outside)
    case 'edit':
      return reloadEdited(state, step.sources)
    case 'send':
      return beginSending(state, wakeSignal.notify)
    case 'complete':
      return endSending(state)
    case 'look':
      if (step.isQuiet || state.reloadBackoff.isActive)
        await watcher.adjust(state.project, outside.configFiles)
      return rescan(state, step.isQuiet)
    case 'rest':
      if (isSettling(state)) return settle(state)
      announce(state)
      return wakeSignal.wait(step.ms)
  }
}

function situationOf(state: WatchState): Parameters<typeof nextStep>[0] {
  const { changes, articles, editsSinceLook, recheckSinceMs, reloadBackoff, job, lookedMs, pauses } = state
  const nowMs = nowMsOf(state)
  return {
    changes,
    isArticle: (source) => articles.has(source),
    editsSinceLook,
    recheckSinceMs,
    lookBlockedMs: reloadBackoff.msLeft(nowMs),
    job: job && { startedMs: job.startedMs, isOver: job.outcome !== undefined },
    lookedMs,
    quietMs: pauses.quietMs,
    sendInMs: sendInMs(state, nowMs),
  }
}

async function reload(state: WatchState, watcher: ProjectWatcher, outside: Outside): Promise<void> {
  const { files, failure } = await reloadConfig(state, outside.configFailure)
  outside.configFailure = failure
  outside.configFiles = files ?? outside.configFiles
  await watcher.adjust(state.project, outside.configFiles)
}

function resultOf(state: WatchState): WatchResult {
  const { sync, heldBack } = viewOf(state)
  return {
    sent: state.sentCount,
    pending: pendingCount(state),
    heldBack: [...heldBack].toSorted(),
    failures: sync.failures,
    isComplete: isComplete(state),
  }
}

function isComplete(state: WatchState): boolean {
  const { changes, sent, isSendDue, held, operations, targetProblems, orphans } = state
  const isLookedAt = changes.sources.size === 0 && changes.unclearSinceMs === undefined
  const isSent = sent !== undefined && !isSendDue && !held.isEverything
  const isLeft = operations.isRetried() || targetProblems.some(({ severity }) => severity === 'error')
  return isLookedAt && isSent && !isLeft && !(wantsPrune(state) && orphans.length > 0)
}

interface WakeSignal {
  /** Ends the wait that is going on, or the next one at once. */
  readonly notify: () => void
  /** Resolves when it is notified, or when so many milliseconds are over, never where there is no such number. */
  readonly wait: (ms: number | undefined) => Promise<void>
}

/** What a loop waits for. Nothing runs until it is notified. */
function createWakeSignal(sleep: (ms: number, signal: AbortSignal) => Promise<void>): WakeSignal {
  let isNotified = false
  let wake: (() => void) | undefined
  return {
    notify: () => {
      isNotified = true
      wake?.()
    },
    wait: async (ms) => {
      if (!isNotified) {
        const nap = new AbortController()
        const notified = new Promise<void>((resolve) => {
          wake = resolve
        })
        await (ms === undefined ? notified : Promise.race([notified, sleep(ms, nap.signal)]))
        wake = undefined
        nap.abort()
      }
      isNotified = false
    },
  }
}

/** Whether all files were looked at in a quiet moment, and that was not told yet. */
function isSettling({ unsettledLookMs, changes, isSendDue, held, job }: WatchState): boolean {
  if (job !== undefined) return false
  const isLookedAt = changes.lastTouchMs === undefined && changes.sources.size === 0
  return unsettledLookMs !== undefined && isLookedAt && (!isSendDue || held.isEverything)
}

/** Writes down what is only in memory, and tells which files are gone for good. */
async function settle(state: WatchState): Promise<void> {
  const { options } = state
  const lookedAtMs = state.unsettledLookMs
  state.unsettledLookMs = undefined
  tellLost(state)
  try {
    await state.target?.flush()
  } catch (error) {
    if (!(error instanceof KbError)) throw error
    state.isSendDue = true
    announceOutage(state, error, state.sendBackoff.add(error, nowMsOf(state)))
  }
  announce(state)
  if (lookedAtMs !== undefined) options.onEvent({ kind: 'settled', lookedAtMs })
}

function tellLost(state: WatchState): void {
  const { options, orphans, gone, lost } = state
  if (state.isReady && !wantsPrune(state))
    for (const { source, slug } of gone.unreported(orphans)) {
      options.onEvent({ kind: 'orphaned', source, slug })
      lost.delete(source)
    }
  const sources = [...lost].toSorted()
  lost.clear()
  if (sources.length > 0) options.onEvent({ kind: 'gone', sources })
}
