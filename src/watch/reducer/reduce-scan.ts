import { isDeepStrictEqual } from 'node:util'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { KbError } from '../../core/errors/kb-error.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { withoutSameEnds } from '../../core/without-same-ends.ts'
import { contentPrefix } from '../../sync/content-project.ts'
import { announce, reportHeld, reportProblems, reportUnreadable } from './announce.ts'
import { trackArticleFiles, isSameContent, isSameSet } from './compare-content.ts'
import { addFailure, createBackoff, retrySoon } from './backoff.ts'
import { type Change, isPruneDue, type WatchState } from './watch-state.ts'
import { type HeldBack, heldBack } from '../../sync/admit-content.ts'
import { RECHECK_PAUSE_MS, afterScan, returnSources } from './next-step.ts'

export interface ScannedFiles {
  readonly content: LoadedContent
  /** Sources of files that were added, changed or removed. */
  readonly touched: readonly string[]
  /** Sources that are represented by their last valid version, or not at all, and those that wait for such a source. */
  readonly unsound: ReadonlySet<string>
  /** Files of `filesInQuestion` that do not exist; relative to the project. */
  readonly missing: ReadonlySet<string>
}

/** Applies edits of articles' texts. Other changes wait for the next scan. */
export function takeEdits(
  change: Change,
  options: {
    readonly content: LoadedContent | undefined
    readonly articles: readonly LocalArticle[]
    readonly sources: ReadonlyMap<string, number>
    readonly declined: ReadonlyMap<string, number>
  },
): void {
  const { content, articles, sources, declined } = options
  const { changes, waiting, reported } = change.state
  const edited = articles.map(({ source }) => source)
  const unsent = unsentEdits(change.state)
  change.set({ content })
  if (declined.size > 0) change.set({ changes: returnSources(changes, declined, change.nowMs) })
  if (articles.length > 0) {
    change.set({
      waiting: new Map([...waiting, ...[...sources].filter(([source]) => !declined.has(source))]),
      edited: unsent && withLatest(unsent, articles),
      isSendDue: true,
    })
    reportProblems(change)
    reportHeld(change, edited, reported.held)
  }
  announce(change, edited)
}

/** Returns the only articles to send so far; undefined if everything must be compared. */
function unsentEdits({ sent, job, edited, isSendDue, sendBackoff, held }: WatchState) {
  if (sent === undefined && job === undefined) return undefined
  if (sendBackoff.failures > 0 || held.isEverything) return undefined
  return isSendDue ? edited : []
}

function withLatest(before: readonly LocalArticle[], now: readonly LocalArticle[]): readonly LocalArticle[] {
  return [...new Map([...before, ...now].map((article) => [article.source, article])).values()]
}

export function beginScan(change: Change, isQuiet: boolean): void {
  const { changes, editsSinceScan } = change.state
  change.set({
    scan: { startedMs: change.nowMs, isQuiet, changes, editsSinceScan },
    scannedMs: change.nowMs,
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
export function cancelScan(change: Change): void {
  const { scan } = change.state
  if (scan !== undefined) change.set({ scan: undefined, editsSinceScan: scan.editsSinceScan })
}

/** Retries after a failure, because a file that was removed a moment ago may be restored. */
export function failScan(change: Change, failure: KbError): void {
  const { scan, content, scanBackoff, isStopping, reported } = change.state
  if (scan === undefined) return
  const { changes, startedMs } = scan
  change.set({ scan: undefined, changes: returnSources(change.state.changes, changes.sources, startedMs) })
  if (isStopping) return
  // The watch was started in the wrong folder, so it fails at once.
  if (content === undefined && scanBackoff.failures === 0 && failure.code === 'CONTENT_UNREADABLE')
    return change.effect({ kind: 'give-up', failure })
  const { nowMs } = change
  const next = addFailure(scanBackoff, failure, nowMs)
  const isFresh = changes.lastTouchMs !== undefined && nowMs - changes.lastTouchMs < RECHECK_PAUSE_MS
  const isReported = !isFresh || reported.isUnreadable
  change.set({ scanBackoff: isReported ? next : retrySoon(next) })
  if (isReported) reportUnreadable(change, failure, next.pauseMs)
  announce(change)
}

export function endScan(change: Change, found: ScannedFiles): void {
  const { scan, scanBackoff, reported } = change.state
  if (scan === undefined) return
  const { startedMs, isQuiet, changes } = scan
  change.set({ scan: undefined })
  if (scanBackoff.failures > 0) {
    change.set({ scanBackoff: createBackoff(scanBackoff.shortestMs) })
    reportUnreadable(change, undefined)
  }
  const touched = new Map(
    found.touched.map((source) => [source, changes.sources.get(source) ?? startedMs] as const),
  )
  takeContent(change, found, touched, startedMs)
  // A periodic scan that found no changes is not reported.
  const isNews = changes.lastTouchMs !== undefined || touched.size > 0 || change.state.sent === undefined
  if (isQuiet && isNews) change.set({ unsettledScanMs: startedMs })
  reportProblems(change)
  reportHeld(change, found.touched, reported.held)
  announce(change, found.touched)
}

function takeContent(
  change: Change,
  { content, unsound, missing }: ScannedFiles,
  touched: ReadonlyMap<string, number>,
  startedMs: number,
): void {
  const { held: heldBefore, project, waiting, sent } = change.state
  const held = heldBack(content, unsound, contentPrefix(project.settings))
  const freedMs = earliest(touched.values(), startedMs)
  change.set({ content, articles: new Set(content.articles.map(({ source }) => source)), held, missing })
  const { lost } = change.state
  const gone = [...touched.keys()].filter((source) => !isSourceThere(change.state, source))
  change.set({
    waiting: countFromRelease(new Map([...waiting, ...touched]), { before: heldBefore, held, freedMs }),
    lost: new Set([...lost, ...gone].filter((source) => !touched.has(source) || gone.includes(source))),
  })
  takeMoves(change, content)
  const isOther =
    sent === undefined || !isSameContent(sent.content, content) || !isSameSet(sent.held, held.sources)
  // With different files, the decision of a guard may change.
  if (isOther) change.set({ unprunable: undefined })
  if (isOther || change.state.job !== undefined)
    change.set({ edited: editedSinceSync(change.state, content) })
  if (isOther || isPruneDue(change.state)) change.set({ isSendDue: true })
  else if (!change.state.isSendDue) reportUnchanged(change)
}

/** Returns the only articles to send: those whose own fields have changed. Undefined if everything must be compared. */
function editedSinceSync(
  { sent, held, job, sendBackoff }: WatchState,
  content: LoadedContent,
): readonly LocalArticle[] | undefined {
  if (sent === undefined || job !== undefined || sendBackoff.failures > 0) return undefined
  const before = sent.content.articles
  const isAlike =
    before.length === content.articles.length &&
    isSameSet(sent.held, held.sources) &&
    isDeepStrictEqual(sent.content.taxonomy, content.taxonomy)
  if (!isAlike) return undefined
  const edited = content.articles.flatMap((article, index) => {
    const past = before[index]
    return isDeepStrictEqual(past, article) ? [] : [{ past, article }]
  })
  const isInPlace = edited.every(
    ({ past, article }) => past !== undefined && isDeepStrictEqual(placeOf(past), placeOf(article)),
  )
  return isInPlace ? edited.map(({ article }) => article) : undefined
}

/** Returns the fields of an article on which others depend on the target. */
function placeOf(article: LocalArticle): unknown {
  const { source, key, slug, language, translationOf, original, categories, tags } = article
  return [source, key, slug, language, translationOf, original, categories, tags]
}

function countFromRelease(
  waiting: ReadonlyMap<string, number>,
  { before, held, freedMs }: { readonly before: HeldBack; readonly held: HeldBack; readonly freedMs: number },
): ReadonlyMap<string, number> {
  const isFreed = (source: string) => before.sources.has(source) && !held.sources.has(source)
  const isAllFreed = before.isEverything && !held.isEverything
  return new Map(
    [...waiting].map(([source, sinceMs]) => [
      source,
      isAllFreed || isFreed(source) ? Math.max(sinceMs, freedMs) : sinceMs,
    ]),
  )
}

function takeMoves(change: Change, content: LoadedContent): void {
  const { articleFiles, lost, moved } = change.state
  const tracked = trackArticleFiles(articleFiles, content)
  change.set({ articleFiles: tracked.files })
  if (tracked.moved.length === 0) return
  const left = new Set(lost)
  for (const { from } of tracked.moved) left.delete(from)
  change.set({ lost: left, moved: new Set([...moved, ...tracked.moved.map(({ to }) => to)]) })
  change.report({ kind: 'moved', files: tracked.moved })
}

const STILL_SAVING_MS = 1000

/** True for a touch right after the file was reported: an editor may touch a file again, and events may arrive late. */
export function isStillSaving({ lastSent }: WatchState, source: string, touchedMs: number): boolean {
  return lastSent.sources.has(source) && touchedMs - lastSent.atMs < STILL_SAVING_MS
}

/** Reports touched files without an effect, and removes them from the waiting ones. */
export function reportUnchanged(change: Change): void {
  const { state } = change
  const { waiting, moved, lost, held } = state
  const isToldOf = (source: string, sinceMs: number) =>
    held.sources.has(source) ||
    moved.has(source) ||
    // A removed file is reported when it is known whether its article is orphaned.
    lost.has(source) ||
    !isSourceThere(state, source) ||
    isStillSaving(state, source, sinceMs)
  const sources = [...waiting].flatMap(([source, sinceMs]) => (isToldOf(source, sinceMs) ? [] : [source]))
  const durationMs = change.nowMs - earliest(waiting.values(), change.nowMs)
  forgetWaiting(change, waiting)
  if (sources.length > 0) change.report({ kind: 'unchanged', sources, durationMs })
}

/** Removes checked files from the waiting ones, unless they were touched again since. */
export function forgetWaiting(change: Change, dealtWith: ReadonlyMap<string, number>): void {
  const { waiting, moved } = change.state
  if (dealtWith.size === 0) return
  const isDealtWith = (source: string) =>
    dealtWith.has(source) && waiting.get(source) === dealtWith.get(source)
  change.set({
    waiting: new Map([...waiting].filter(([source]) => !isDealtWith(source))),
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
  { project, reported, targetProblems, waiting, lost }: WatchState,
  { diagnostics }: LoadedContent,
  touched: readonly string[],
): ReadonlySet<string> {
  const prefix = contentPrefix(project.settings)
  const { before } = withoutSameEnds(reported.problems, [...diagnostics, ...targetProblems])
  const sources = [...touched, ...waiting.keys(), ...lost, ...reported.held.sources]
  return new Set([
    ...[...before, ...reported.lostProblems].map(({ file }) => file),
    ...sources.map((source) => prefix + source),
  ])
}

function isSourceThere({ project, articles, held, missing }: WatchState, source: string): boolean {
  const file = contentPrefix(project.settings) + source
  return articles.has(source) || held.sources.has(source) || !missing.has(file)
}
