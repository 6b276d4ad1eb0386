import { isDeepStrictEqual } from 'node:util'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { KbError } from '../../core/errors/kb-error.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { withoutSameEnds } from '../../core/without-same-ends.ts'
import { contentPrefix } from '../../core/paths.ts'
import { announce, reportHeld, reportProblems, reportUnreadable } from './announce.ts'
import { trackArticleFiles, isSameContent, isSameSet } from './compare-content.ts'
import { addFailure, createBackoff, retrySoon } from './backoff.ts'
import { type Transition, isPruneDue, type SyncScope, type WatchState } from './watch-state.ts'
import { type HeldBack, heldBack } from '../../sync/admit-content.ts'
import { RECHECK_PAUSE_MS, afterScan, returnSources } from './pending-changes.ts'

export interface ScannedFiles {
  readonly content: LoadedContent
  /** Sources of files that were added, changed or removed. */
  readonly touched: readonly string[]
  /** Sources that are represented by their last valid version, or not at all, and those that wait for such a source. */
  readonly unsound: ReadonlySet<string>
  /** Files of `filesInQuestion` that do not exist; relative to the project. */
  readonly missing: ReadonlySet<string>
}

export function beginScan(transition: Transition, isQuiet: boolean): void {
  const { changes, editsSinceScan } = transition.state
  transition.set({
    scan: { startedMs: transition.nowMs, isQuiet, changes, editsSinceScan },
    scannedMs: transition.nowMs,
    changes: afterScan(changes, isQuiet),
    editsSinceScan: 0,
  })
}

/** True if a scan may be cancelled for a save, because it only looks for changes that no event has reported. */
export function mayCancelScan({ scan, content, isStopping }: WatchState): boolean {
  if (scan === undefined || content === undefined || isStopping) return false
  return scan.isQuiet && scan.changes.sources.size === 0 && scan.changes.unclearSinceMs === undefined
}

/** Cancels the scan. The next quiet moment, which comes after the save, has another one. */
export function cancelScan(transition: Transition): void {
  const { scan } = transition.state
  if (scan !== undefined) transition.set({ scan: undefined, editsSinceScan: scan.editsSinceScan })
}

/** Retries after a failure, because a file that was removed a moment ago may be restored. */
export function failScan(transition: Transition, failure: KbError): void {
  const { scan, content, scanBackoff, isStopping, reported } = transition.state
  if (scan === undefined) return
  const { changes, startedMs } = scan
  transition.set({
    scan: undefined,
    changes: returnSources(transition.state.changes, changes.sources, startedMs),
  })
  if (isStopping) return
  // The watch was started in the wrong folder, so it fails at once.
  if (content === undefined && scanBackoff.failures === 0 && failure.code === 'CONTENT_UNREADABLE')
    return transition.effect({ kind: 'give-up', failure })
  const { nowMs } = transition
  const next = addFailure(scanBackoff, failure, nowMs)
  const isFresh = changes.lastTouchMs !== undefined && nowMs - changes.lastTouchMs < RECHECK_PAUSE_MS
  const isReported = !isFresh || reported.isUnreadable
  transition.set({ scanBackoff: isReported ? next : retrySoon(next) })
  if (isReported) reportUnreadable(transition, failure, next.pauseMs)
  announce(transition)
}

export function endScan(transition: Transition, found: ScannedFiles): void {
  const { scan, scanBackoff, reported } = transition.state
  if (scan === undefined) return
  const { startedMs, isQuiet, changes } = scan
  transition.set({ scan: undefined })
  if (scanBackoff.failures > 0) {
    transition.set({ scanBackoff: createBackoff(scanBackoff.shortestMs) })
    reportUnreadable(transition, undefined)
  }
  const touched = new Map(
    found.touched.map((source) => [source, changes.sources.get(source) ?? startedMs] as const),
  )
  takeContent(transition, found, touched, startedMs)
  // A periodic scan that found no changes is not reported.
  const isNews = changes.lastTouchMs !== undefined || touched.size > 0 || transition.state.sent === undefined
  if (isQuiet && isNews) transition.set({ unsettledScanMs: startedMs })
  reportProblems(transition)
  reportHeld(transition, found.touched, reported.held)
  announce(transition, found.touched)
}

function takeContent(
  transition: Transition,
  { content, unsound, missing }: ScannedFiles,
  touched: ReadonlyMap<string, number>,
  startedMs: number,
): void {
  const { held: heldBefore, project, pendingSince, sent } = transition.state
  const held = heldBack(content, unsound, contentPrefix(project.settings))
  const freedMs = earliest(touched.values(), startedMs)
  transition.set({ content, articles: new Set(content.articles.map(({ source }) => source)), held, missing })
  const { removed } = transition.state
  const gone = [...touched.keys()].filter((source) => !isSourceThere(transition.state, source))
  transition.set({
    pendingSince: countFromRelease(new Map([...pendingSince, ...touched]), {
      before: heldBefore,
      held,
      freedMs,
    }),
    removed: new Set([...removed, ...gone].filter((source) => !touched.has(source) || gone.includes(source))),
  })
  takeMoves(transition, content)
  const isOther =
    sent === undefined || !isSameContent(sent.content, content) || !isSameSet(sent.held, held.sources)
  // With different files, the decision of a guard may change.
  if (isOther) transition.set({ unprunable: undefined })
  if (isOther) transition.set({ due: changedSinceSync(transition.state, content) })
  else if (transition.state.sync !== undefined || isPruneDue(transition.state))
    transition.set({ due: { kind: 'all' } })
  else if (transition.state.due === undefined) reportUnchanged(transition)
}

/** Limits the next sync to the articles with changes, if no other article depends on these. */
function changedSinceSync({ sent, held, sync, syncBackoff }: WatchState, content: LoadedContent): SyncScope {
  if (sent === undefined || sync !== undefined || syncBackoff.failures > 0) return { kind: 'all' }
  const before = sent.content.articles
  const isAlike =
    before.length === content.articles.length &&
    isSameSet(sent.held, held.sources) &&
    isDeepStrictEqual(sent.content.taxonomy, content.taxonomy)
  if (!isAlike) return { kind: 'all' }
  const edited = content.articles.flatMap((article, index) => {
    const past = before[index]
    return isDeepStrictEqual(past, article) ? [] : [{ past, article }]
  })
  const isInPlace = edited.every(
    ({ past, article }) =>
      past !== undefined && isDeepStrictEqual(fieldsOthersUse(past), fieldsOthersUse(article)),
  )
  return isInPlace ? { kind: 'edits', articles: edited.map(({ article }) => article) } : { kind: 'all' }
}

/** Returns the fields of an article on which others depend on the target. */
function fieldsOthersUse(article: LocalArticle): unknown {
  const { source, key, slug, language, translationOf, original, categories, tags } = article
  return [source, key, slug, language, translationOf, original, categories, tags]
}

function countFromRelease(
  pendingSince: ReadonlyMap<string, number>,
  { before, held, freedMs }: { readonly before: HeldBack; readonly held: HeldBack; readonly freedMs: number },
): ReadonlyMap<string, number> {
  const isFreed = (source: string) => before.sources.has(source) && !held.sources.has(source)
  const isAllFreed = before.isEverything && !held.isEverything
  return new Map(
    [...pendingSince].map(([source, sinceMs]) => [
      source,
      isAllFreed || isFreed(source) ? Math.max(sinceMs, freedMs) : sinceMs,
    ]),
  )
}

function takeMoves(transition: Transition, content: LoadedContent): void {
  const { articleFiles, removed, moved } = transition.state
  const tracked = trackArticleFiles(articleFiles, content)
  transition.set({ articleFiles: tracked.files })
  if (tracked.moved.length === 0) return
  const left = new Set(removed)
  for (const { from } of tracked.moved) left.delete(from)
  transition.set({ removed: left, moved: new Set([...moved, ...tracked.moved.map(({ to }) => to)]) })
  transition.report({ kind: 'moved', files: tracked.moved })
}

const STILL_SAVING_MS = 1000

/** True for a touch right after the file was reported: an editor may touch a file again, and events may arrive late. */
export function isStillSaving({ lastSent }: WatchState, source: string, touchedMs: number): boolean {
  return lastSent.sources.has(source) && touchedMs - lastSent.atMs < STILL_SAVING_MS
}

/** Reports touched files without an effect, and removes them from `pendingSince`. */
export function reportUnchanged(transition: Transition): void {
  const { state } = transition
  const { pendingSince, moved, removed, held } = state
  const isToldOf = (source: string, sinceMs: number) =>
    held.sources.has(source) ||
    moved.has(source) ||
    // A removed file is reported when it is known whether its article is orphaned.
    removed.has(source) ||
    !isSourceThere(state, source) ||
    isStillSaving(state, source, sinceMs)
  const sources = [...pendingSince].flatMap(([source, sinceMs]) =>
    isToldOf(source, sinceMs) ? [] : [source],
  )
  const durationMs = transition.nowMs - earliest(pendingSince.values(), transition.nowMs)
  forgetPending(transition, pendingSince)
  if (sources.length > 0) transition.report({ kind: 'unchanged', sources, durationMs })
}

/** Removes checked files from `pendingSince`, unless they were touched again since. */
export function forgetPending(transition: Transition, dealtWith: ReadonlyMap<string, number>): void {
  const { pendingSince, moved } = transition.state
  if (dealtWith.size === 0) return
  const isDealtWith = (source: string) =>
    dealtWith.has(source) && pendingSince.get(source) === dealtWith.get(source)
  transition.set({
    pendingSince: new Map([...pendingSince].filter(([source]) => !isDealtWith(source))),
    moved: new Set([...moved].filter((source) => !isDealtWith(source))),
  })
}

/** Returns the minimum of the times and `ms`. There may be more times than a call accepts arguments. */
export function earliest(times: Iterable<number>, ms: number): number {
  let earliestMs = ms
  for (const time of times) earliestMs = Math.min(earliestMs, time)
  return earliestMs
}

/**
 * Returns files, relative to the project, whose removal must be reported. A scan checks them.
 *
 * @param touched sources with changes
 */
export function filesInQuestion(
  { project, reported, targetProblems, pendingSince, removed }: WatchState,
  { diagnostics }: LoadedContent,
  touched: readonly string[],
): ReadonlySet<string> {
  const prefix = contentPrefix(project.settings)
  const { before } = withoutSameEnds(reported.problems, [...diagnostics, ...targetProblems])
  const sources = [...touched, ...pendingSince.keys(), ...removed, ...reported.held.sources]
  return new Set([
    ...[...before, ...reported.lostProblems].map(({ file }) => file),
    ...sources.map((source) => prefix + source),
  ])
}

function isSourceThere({ project, articles, held, missing }: WatchState, source: string): boolean {
  const file = contentPrefix(project.settings) + source
  return articles.has(source) || held.sources.has(source) || !missing.has(file)
}
