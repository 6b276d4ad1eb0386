import { KbError } from '../core/errors/kb-error.ts'
import type { EditedArticle } from './live-content/live-content.ts'
import type { LoadedContent } from '../content/pipeline/load-content.ts'
import { contentPrefix } from '../sync/content-project.ts'
import { announce, announceHeld, announceProblems, announceUnreadable } from './announce.ts'
import { type HeldBack, heldBack } from './held-back.ts'
import { isSourceThere } from './is-there.ts'
import { RECHECK_PAUSE_MS } from './next-step.ts'
import { withRunSignal } from '../core/with-run-signal.ts'
import { isSameContent, isSameSet } from './same-content.ts'
import { nowMsOf, wantsPrune, type WatchState } from './watch-state.ts'

/** Takes in articles of which nothing but their own text changed; what is more than that waits for the next look. */
export async function reloadEdited(state: WatchState, sources: readonly string[]): Promise<void> {
  const wasInSync = isInSync(state)
  const taken = state.changes.takeEdited(sources)
  state.editsSinceLook += sources.length
  const edits: EditedArticle[] = []
  const declined = new Map<string, number>()
  for (const [source, sinceMs] of taken) {
    const edited = await state.content.edit(source)
    if (edited === undefined) declined.set(source, sinceMs)
    else {
      edits.push(edited)
      state.waiting.set(source, sinceMs)
    }
  }
  if (declined.size > 0) state.changes.putBack(declined, nowMsOf(state))
  if (edits.length > 0) {
    state.edited = wasInSync ? edits.map(({ article }) => article) : undefined
    state.isSendDue = true
    const { toldHeld } = state
    announceProblems(state)
    announceHeld(
      state,
      edits.map(({ article }) => article.source),
      toldHeld,
    )
  }
  announce(
    state,
    edits.map(({ article }) => article.source),
  )
}

function isInSync({ sent, isSendDue, sendBackoff, held }: WatchState): boolean {
  return sent !== undefined && !isSendDue && !sendBackoff.isActive && !held.isEverything
}

/** Looks at all files. `isQuiet`: nothing is under way, as far as anyone can tell. */
export async function rescan(state: WatchState, isQuiet: boolean): Promise<void> {
  const startedMs = nowMsOf(state)
  state.lookedMs = startedMs
  const { lastTouchMs } = state.changes
  const taken = state.changes.takeAll(isQuiet)
  state.editsSinceLook = 0
  let touched: readonly string[]
  try {
    ;({ touched } = await withRunSignal(state.options.signal, (signal) => state.content.refresh({ signal })))
  } catch (error) {
    if (!(error instanceof KbError)) throw error
    state.changes.putBack(taken, startedMs)
    fail(state, error, lastTouchMs)
    return
  }
  if (state.reloadBackoff.isActive) recover(state)
  takeIn(state, new Map(touched.map((source) => [source, taken.get(source) ?? startedMs])), startedMs)
  // A round in which nothing was found is nothing to tell.
  if (isQuiet && (lastTouchMs !== undefined || touched.length > 0 || state.sent === undefined))
    state.unsettledLookMs = startedMs
  const { toldHeld } = state
  announceProblems(state)
  announceHeld(state, touched, toldHeld)
  announce(state, touched)
}

/** What was removed a moment ago may be about to come back. */
function fail(state: WatchState, failure: KbError, lastTouchMs: number | undefined): void {
  const { options } = state
  if (options.signal.aborted) return
  // Whoever starts in the wrong folder waits for nothing.
  if (
    state.content.current() === undefined &&
    !state.reloadBackoff.isActive &&
    failure.code === 'CONTENT_UNREADABLE'
  )
    throw failure
  const nowMs = nowMsOf(state)
  const retryInMs = state.reloadBackoff.add(failure, nowMs)
  const isFresh = lastTouchMs !== undefined && nowMs - lastTouchMs < RECHECK_PAUSE_MS
  if (!isFresh || state.isUnreadableTold) announceUnreadable(state, failure, retryInMs)
  else state.reloadBackoff.retrySoon()
  announce(state)
}

function recover(state: WatchState): void {
  state.reloadBackoff.clear()
  announceUnreadable(state, undefined)
}

function takeIn(state: WatchState, touched: ReadonlyMap<string, number>, startedMs: number): void {
  const content = state.content.current()
  if (content === undefined) return
  state.articles = new Set(content.articles.map(({ source }) => source))
  const unsound = new Set([...state.content.faulty(), ...state.content.waiting()])
  const heldBefore = state.held
  state.held = heldBack(content, unsound, contentPrefix(state.project.settings))
  for (const [source, sinceMs] of touched) {
    state.waiting.set(source, sinceMs)
    if (isSourceThere(state, source)) state.lost.delete(source)
    else state.lost.add(source)
  }
  countFromMending(state, heldBefore, Math.min(startedMs, ...touched.values()))
  announceMoves(state, content)
  const { sent } = state
  const isOther =
    sent === undefined || !isSameContent(sent.content, content) || !isSameSet(sent.held, state.held.sources)
  if (isOther) {
    state.edited = undefined
    // With other files, a guard may think otherwise.
    state.unprunable = undefined
  }
  if (isOther || isPruneDue(state)) state.isSendDue = true
  else if (!state.isSendDue) announceUnchanged(state)
}

/** What was held back waits from the moment in which it was set free. */
function countFromMending({ waiting, held }: WatchState, before: HeldBack, mendedMs: number): void {
  const isFreed = (source: string) => before.sources.has(source) && !held.sources.has(source)
  const isAllFreed = before.isEverything && !held.isEverything
  for (const [source, sinceMs] of waiting)
    if (sinceMs < mendedMs && (isAllFreed || isFreed(source))) waiting.set(source, mendedMs)
}

function announceMoves(state: WatchState, content: LoadedContent): void {
  const files = state.gone.see(content)
  if (files.length === 0) return
  for (const { from, to } of files) {
    state.lost.delete(from)
    state.moved.add(to)
  }
  state.options.onEvent({ kind: 'moved', files })
}

const STILL_SAVING_MS = 1000

/** Tells what was touched to no effect, and forgets it. */
export function announceUnchanged(state: WatchState): void {
  const { waiting, moved, lost, held, options, lastSent } = state
  // An editor may touch a file again when it is saved already.
  const isToldOf = (source: string, sinceMs: number) =>
    held.sources.has(source) ||
    moved.has(source) ||
    // Of what is gone it is told when it is known whether an article is left over.
    lost.has(source) ||
    !isSourceThere(state, source) ||
    (lastSent.sources.has(source) && sinceMs - lastSent.atMs < STILL_SAVING_MS)
  const sources = [...waiting].flatMap(([source, sinceMs]) => (isToldOf(source, sinceMs) ? [] : [source]))
  const durationMs = nowMsOf(state) - Math.min(...waiting.values())
  forgetWaiting(state)
  if (sources.length > 0) options.onEvent({ kind: 'unchanged', sources, durationMs })
}

/** What was looked at is dealt with, as far as it was not touched again meanwhile. */
export function forgetWaiting(
  { waiting, moved }: WatchState,
  dealtWith: ReadonlyMap<string, number> = waiting,
): void {
  for (const [source, sinceMs] of dealtWith) {
    if (waiting.get(source) !== sinceMs) continue
    waiting.delete(source)
    moved.delete(source)
  }
}

/** Nothing is deleted while files come and go. */
export function mayPrune(state: WatchState): boolean {
  const { held, changes, targetProblems } = state
  const isRefused = targetProblems.some(({ severity }) => severity === 'error')
  // The article of a file that moved must not go before the one that takes its place has come.
  const isAllSent = !state.operations.isRetried()
  const isNothingHeld = held.sources.size === 0 && !held.isEverything && !isRefused && isAllSent
  return wantsPrune(state) && isNothingHeld && changes.lastTouchMs === undefined
}

/** Whether there are orphans that no run has tried to delete. */
export function isPruneDue(state: WatchState): boolean {
  return state.orphans.length > 0 && mayPrune(state) && idsOf(state) !== state.unprunable
}

/** The orphans that there are, as one text. */
export function idsOf({ orphans }: Pick<WatchState, 'orphans'>): string {
  return orphans.map(({ id }) => id).join(' ')
}
