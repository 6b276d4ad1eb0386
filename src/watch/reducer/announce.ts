import { isDeepStrictEqual } from 'node:util'
import type { KbError } from '../../core/errors/kb-error.ts'
import { countErrors, isError, type Diagnostic } from '../../core/model/diagnostic.ts'
import { contentPrefix } from '../../core/paths.ts'
import { type Transition, wantsPrune, type WatchState } from './watch-state.ts'
import { groupBy } from '../../core/group-by.ts'
import type { HeldBack } from '../../sync/admit-content.ts'
import { RECHECK_PAUSE_MS } from './pending-changes.ts'
import { isSameSet } from './compare-content.ts'
import { countUnsent, isRetried, unsentFiles } from './unsent-operations.ts'
import type { WatchStatus, WatchView } from './watch-event.ts'
import { withoutSameEnds } from '../../core/without-same-ends.ts'

/** Reports the status if it has changed, and shows the current view. @param touched sources with changes */
export function announce(transition: Transition, touched: readonly string[] | 'any' = []): void {
  const standing = standingOf(transition.state)
  const isNews = !isDeepStrictEqual(standing, transition.state.reported.standing)
  if (isNews) transition.setReported({ standing })
  // Listeners of this event read the change from the view.
  if (isNews || touched.length > 0)
    transition.effect({
      kind: 'show',
      view: viewOf(transition.state),
      touched: touched === 'any' ? undefined : touched,
    })
  if (isNews) transition.report({ kind: 'standing', standing })
}

/** Reports the reason why nothing can be sent, or with `undefined` that sending works again. */
export function reportOutage(transition: Transition, outage: KbError | undefined, retryInMs = 0): void {
  if (outage !== undefined) transition.report({ kind: 'offline', failure: outage, retryInMs })
  else if (transition.state.reported.outage !== undefined) transition.report({ kind: 'online' })
  transition.setReported({ outage })
}

/** The same for files that cannot be read. */
export function reportUnreadable(transition: Transition, failure: KbError | undefined, retryInMs = 0): void {
  if (failure !== undefined) transition.report({ kind: 'unreadable', failure, retryInMs })
  else if (transition.state.reported.isUnreadable) transition.report({ kind: 'readable' })
  transition.setReported({ isUnreadable: failure !== undefined })
}

/** Maximum delay of an error whose file may still be incomplete. */
const LONGEST_RECHECK_MS = 1000

/**
 * Reports the problems if they have changed. An error after the last touch may be that of an incompletely written file,
 * so the file is checked again first.
 */
export function reportProblems(transition: Transition): void {
  const { state, nowMs } = transition
  const { changes, targetProblems, held, reported, missing } = state
  const own = state.content?.diagnostics ?? []
  const diagnostics = targetProblems.length === 0 ? own : [...own, ...targetProblems]
  const isThere = (file: string) => !missing.has(file)
  const before = { reported: reported.problems, lost: reported.lostProblems }
  const { appeared, fixed, lost, isOther } = compareProblems(before, diagnostics, isThere)
  const isFresh = changes.lastTouchMs !== undefined && nowMs - changes.lastTouchMs < RECHECK_PAUSE_MS
  const hasWaited = state.recheckSinceMs !== undefined && nowMs - state.recheckSinceMs >= LONGEST_RECHECK_MS
  if (isFresh && !hasWaited && appeared.some(isError))
    return transition.set({ recheckSinceMs: state.recheckSinceMs ?? nowMs })
  const errors = countErrors(diagnostics)
  const counts = { errors, warnings: diagnostics.length - errors }
  transition.set({ recheckSinceMs: undefined })
  transition.setReported({ problems: diagnostics, counts })
  if (!isOther && isSameSet(held.sources, reported.held.sources)) return
  transition.setReported({ lostProblems: lost, held })
  const prefix = contentPrefix(state.project.settings)
  const freed = [...reported.held.sources].flatMap((source) =>
    held.sources.has(source) ? [] : [prefix + source],
  )
  transition.report({
    kind: 'problems',
    diagnostics,
    appeared,
    fixed: [...new Set([...fixed, ...freed.filter(isThere)])].toSorted(),
    heldBack: [...held.sources].toSorted(),
    everythingHeldBy: held.taxonomy,
  })
}

/** Reports saved files that are still held back because of problems that were reported before. */
export function reportHeld(transition: Transition, saved: readonly string[], heldBefore: HeldBack): void {
  const { held, articles, recheckSinceMs } = transition.state
  if (recheckSinceMs !== undefined) return
  const isHeldOn = (source: string) =>
    held.isEverything && heldBefore.isEverything
      ? articles.has(source)
      : held.sources.has(source) && heldBefore.sources.has(source)
  const sources = saved.filter(isHeldOn)
  if (sources.length > 0) transition.report({ kind: 'held', sources, everythingHeldBy: held.taxonomy })
}

function viewOf(state: WatchState): WatchView {
  const { content, lastSync, sentCount, orphans, project, reported } = state
  const isSynced = state.due === undefined && state.sync === undefined && state.sent !== undefined
  return {
    content,
    diagnostics: reported.problems,
    heldBack: state.held.sources,
    sync: {
      target: project.target.name,
      state: reported.outage !== undefined ? 'offline' : isSynced ? 'synced' : 'syncing',
      lastSync,
      pending: countPending(state),
      sent: sentCount,
      failures: unsentFiles(state.unsent, content),
      orphans: orphans.length,
    },
  }
}

function countPending({ pendingSince, changes, articles }: WatchState): number {
  const touched = [...changes.sources.keys()].filter((source) => articles.has(source))
  return new Set([...pendingSince.keys(), ...touched]).size
}

function standingOf(state: WatchState): WatchStatus {
  return {
    state: stateNameOf(state),
    pending: countPending(state),
    sent: state.sentCount,
    ...countUnsent(state.unsent),
    ...state.reported.counts,
  }
}

function stateNameOf({ isStopping, reported, sync, content }: WatchState): WatchStatus['state'] {
  if (isStopping) return 'stopping'
  if (reported.isUnreadable) return 'unreadable'
  if (reported.outage !== undefined) return outageOf(reported.outage)
  if (sync !== undefined) return 'sending'
  return content === undefined ? 'starting' : 'watching'
}

export function outageOf({ code }: KbError): 'locked' | 'refused' | 'offline' {
  if (code === 'LOCKED') return 'locked'
  return code === 'TARGET_REFUSED' ? 'refused' : 'offline'
}

export type WatchResult = ReturnType<typeof resultOf>

export function resultOf(state: WatchState) {
  return {
    /** Articles sent since the start. */
    sent: state.sentCount,
    /** Files with changes that were not processed. The next run sends them. */
    pending: countPending(state),
    /** Sources of articles that differ on the target because they have an error. */
    heldBack: [...state.held.sources].toSorted(),
    /** Articles that could not be sent, including conflicts. */
    failures: unsentFiles(state.unsent, state.content),
    /** True if the target was compared with the current files and everything that could be sent was sent. */
    isComplete: isComplete(state),
  }
}

function isComplete(state: WatchState): boolean {
  const { changes, sent, due, held, unsent, targetProblems, orphans } = state
  const isScanned = changes.sources.size === 0 && changes.unclearSinceMs === undefined
  const isSent = sent !== undefined && due === undefined && !held.isEverything
  const isLeft = isRetried(unsent) || targetProblems.some(isError)
  return isScanned && isSent && !isLeft && !(wantsPrune(state) && orphans.length > 0)
}

interface ProblemsBefore {
  readonly reported: readonly Diagnostic[]
  /** Problems of files that were missing. */
  readonly lost: readonly Diagnostic[]
}

export type ProblemChange = ReturnType<typeof compareProblems>

/**
 * Compares the problems with the previous ones. A problem is not new if it moved to another line, or if its file was
 * moved or restored.
 */
export function compareProblems(
  { reported, lost }: ProblemsBefore,
  now: readonly Diagnostic[],
  isThere: (file: string) => boolean,
) {
  const other = withoutSameEnds(reported, now)
  const here = matchUp([...other.before, ...lost], other.now, (one) => [one.file, textOf(one)].join('\0'))
  const gone = here.left.filter(({ file }) => !isThere(file))
  const moved = matchUp(gone, here.added, textOf)
  return {
    appeared: moved.added,
    /** Existing files whose errors, or other problems, are all gone. */
    fixed: fixedFiles(other.before, now).filter(isThere),
    /** Problems of files that are gone now, to recognise them if the files come back. */
    lost: moved.left,
    isOther: other.before.map(positionKeyOf).join('\n') !== other.now.map(positionKeyOf).join('\n'),
  }
}

function matchUp(
  before: readonly Diagnostic[],
  now: readonly Diagnostic[],
  keyOf: (one: Diagnostic) => string,
): { readonly left: readonly Diagnostic[]; readonly added: readonly Diagnostic[] } {
  const left = groupBy(before, keyOf)
  const added = now.filter((one) => left.get(keyOf(one))?.pop() === undefined)
  return { left: [...left.values()].flat(), added }
}

function fixedFiles(before: readonly Diagnostic[], now: readonly Diagnostic[]): string[] {
  if (before.length === 0) return []
  const faulty = new Set(now.filter(isError).map(({ file }) => file))
  const doubtful = new Set(now.map(({ file }) => file))
  const fixed = before.filter((one) => (isError(one) ? !faulty.has(one.file) : !doubtful.has(one.file)))
  return [...new Set(fixed.map(({ file }) => file))].filter((file) => !faulty.has(file))
}

function textOf({ code, severity, message }: Diagnostic): string {
  return [code, severity, message].join('\0')
}

function positionKeyOf(one: Diagnostic): string {
  return [one.file, textOf(one), one.line, one.column].join('\0')
}
