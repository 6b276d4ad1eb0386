import type { KbError } from '../core/errors/kb-error.ts'
import { contentPrefix } from '../sync/content-project.ts'
import { isFileThere } from './is-there.ts'
import { compareProblems } from './problem-list.ts'
import { RECHECK_PAUSE_MS } from './next-step.ts'
import type { Standing } from './watch-event.ts'
import type { HeldBack } from './held-back.ts'
import { isSameSet } from './same-content.ts'
import { nowMsOf, type WatchState } from './watch-state.ts'
import type { WatchView } from './watch-view.ts'

/** Tells where things stand, if that is news, and shows what there is to see. */
export function announce(state: WatchState, touched: readonly string[] | undefined = []): void {
  const { options } = state
  const standing = standingOf(state)
  const text = JSON.stringify(standing)
  const isNews = text !== state.toldStanding
  state.toldStanding = text
  // Whoever hears of a change finds it in the view.
  if (isNews || touched === undefined || touched.length > 0) options.onView?.(viewOf(state), touched)
  if (isNews) options.onEvent({ kind: 'standing', standing })
}

/** Tells why nothing can be sent for now, or with `undefined` that it works again. */
export function announceOutage(state: WatchState, failure: KbError | undefined, retryInMs = 0): void {
  const { onEvent } = state.options
  if (failure !== undefined) onEvent({ kind: 'offline', failure, retryInMs })
  else if (state.toldOutage !== undefined) onEvent({ kind: 'online' })
  state.toldOutage = failure
}

/** The same for files that cannot be read. */
export function announceUnreadable(state: WatchState, failure: KbError | undefined, retryInMs = 0): void {
  const { onEvent } = state.options
  if (failure !== undefined) onEvent({ kind: 'unreadable', failure, retryInMs })
  else if (state.isUnreadableTold) onEvent({ kind: 'readable' })
  state.isUnreadableTold = failure !== undefined
}

/** Longest time for which a mistake is not told because its file is still being written. */
const LONGEST_RECHECK_MS = 1000

/**
 * Tells the problems if they are others than before. An error that came with the last touch may be that of a file which
 * is half written: it is looked at again first.
 */
export function announceProblems(state: WatchState): void {
  const { changes, options, targetProblems, held, toldHeld } = state
  const own = state.content.current()?.diagnostics ?? []
  const diagnostics = targetProblems.length === 0 ? own : [...own, ...targetProblems]
  const before = { told: state.toldProblems, lost: state.lostProblems }
  const isThere = (file: string) => isFileThere(state, file)
  const { appeared, mended, lost, isOther } = compareProblems(before, diagnostics, isThere)
  const nowMs = nowMsOf(state)
  const isFresh = changes.lastTouchMs !== undefined && nowMs - changes.lastTouchMs < RECHECK_PAUSE_MS
  const hasWaited = state.recheckSinceMs !== undefined && nowMs - state.recheckSinceMs >= LONGEST_RECHECK_MS
  if (isFresh && !hasWaited && appeared.some(({ severity }) => severity === 'error')) {
    state.recheckSinceMs ??= nowMs
    return
  }
  state.recheckSinceMs = undefined
  state.toldProblems = diagnostics
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  state.toldCounts = { errors, warnings: diagnostics.length - errors }
  if (!isOther && isSameSet(held.sources, toldHeld.sources)) return
  const prefix = contentPrefix(state.project.settings)
  const freed = [...toldHeld.sources].flatMap((source) => (held.sources.has(source) ? [] : [prefix + source]))
  state.lostProblems = lost
  state.toldHeld = held
  options.onEvent({
    kind: 'problems',
    diagnostics,
    appeared,
    mended: [...new Set([...mended, ...freed.filter(isThere)])].toSorted(),
    heldBack: [...held.sources].toSorted(),
    everythingHeldBy: held.taxonomy,
  })
}

/** Tells of files that were saved and are kept back still, for what was told before. */
export function announceHeld(state: WatchState, saved: readonly string[], toldBefore: HeldBack): void {
  const { held, articles, recheckSinceMs, options } = state
  if (recheckSinceMs !== undefined) return
  const isHeldOn = (source: string) =>
    held.isEverything && toldBefore.isEverything
      ? articles.has(source)
      : held.sources.has(source) && toldBefore.sources.has(source)
  const sources = saved.filter(isHeldOn)
  if (sources.length > 0) options.onEvent({ kind: 'held', sources, everythingHeldBy: held.taxonomy })
}

export function viewOf(state: WatchState): WatchView {
  const content = state.content.current()
  const { lastSync, sentCount, orphans, project } = state
  const isSynced = !state.isSendDue && state.job === undefined && state.sent !== undefined
  return {
    content,
    diagnostics: state.toldProblems,
    heldBack: state.held.sources,
    sync: {
      target: project.target.name,
      state: state.toldOutage !== undefined ? 'offline' : isSynced ? 'synced' : 'syncing',
      lastSync,
      pending: pendingCount(state),
      sent: sentCount,
      failures: state.operations.failures(content),
      orphans: orphans.length,
    },
  }
}

export function pendingCount({ waiting, changes, articles }: WatchState): number {
  return new Set([...waiting.keys(), ...[...changes.sources.keys()].filter((source) => articles.has(source))])
    .size
}

function standingOf(state: WatchState): Standing {
  return {
    state: situationOf(state),
    pending: pendingCount(state),
    sent: state.sentCount,
    ...state.operations.count(),
    ...state.toldCounts,
  }
}

function situationOf(state: WatchState): Standing['state'] {
  if (state.options.signal.aborted) return 'stopping'
  if (state.isUnreadableTold) return 'unreadable'
  if (state.toldOutage !== undefined) return outageOf(state.toldOutage)
  if (state.job !== undefined) return 'sending'
  return state.content.current() === undefined ? 'starting' : 'watching'
}

function outageOf({ code }: KbError): Standing['state'] {
  if (code === 'LOCKED') return 'locked'
  return code === 'TARGET_REFUSED' ? 'refused' : 'offline'
}
