import type { Touch } from '../files/watch-project.ts'

/** Changes to the files since the last scan. */
export interface PendingChanges {
  /** Touched sources that were not checked yet, with the time of the first touch. */
  readonly sources: ReadonlyMap<string, number>
  /** Time of the first touch that requires a scan; undefined if there was none. */
  readonly unclearSinceMs: number | undefined
  /** Time of the last touch; undefined after a scan in a quiet moment. */
  readonly lastTouchMs: number | undefined
  /** Time of the last touch of the configuration. */
  readonly configMs: number | undefined
}

/** A touch, with the time when it was seen. */
export interface TimedTouch {
  readonly touch: Touch
  readonly atMs: number
}

export const NO_CHANGES: PendingChanges = {
  sources: new Map(),
  unclearSinceMs: undefined,
  lastTouchMs: undefined,
  configMs: undefined,
}

/** Temporary files of editors beside the saved file. The scan in a quiet moment sees them anyway. */
const OF_AN_EDITOR = /~$|\.(?:tmp|sw[a-z])$|(?:^|\/)(?:4913|#[^/]*#)$/

/** @param articles sources that are known to be articles */
export function addTouches(
  before: PendingChanges,
  touches: readonly TimedTouch[],
  articles: ReadonlySet<string>,
): PendingChanges {
  const sources = new Map(before.sources)
  let { unclearSinceMs, lastTouchMs, configMs } = before
  for (const { touch, atMs } of touches) {
    if (touch.kind === 'config') {
      configMs = atMs
      continue
    }
    lastTouchMs = atMs
    if (touch.kind === 'source' && touch.isConfig === true) configMs = atMs
    if (touch.kind === 'source' && OF_AN_EDITOR.test(touch.source)) continue
    if (touch.kind === 'source' && !sources.has(touch.source)) sources.set(touch.source, atMs)
    if (touch.kind === 'folders' || !articles.has(touch.source)) unclearSinceMs ??= atMs
  }
  return { sources, unclearSinceMs, lastTouchMs, configMs }
}

/** Returns sources to the pending ones, with the time of their first touch, because they require a scan. */
export function returnSources(
  { sources, unclearSinceMs, lastTouchMs, configMs }: PendingChanges,
  unclear: ReadonlyMap<string, number>,
  nowMs: number,
): PendingChanges {
  return {
    sources: new Map([...sources, ...unclear]),
    unclearSinceMs: unclearSinceMs ?? nowMs,
    lastTouchMs: lastTouchMs ?? nowMs,
    configMs,
  }
}

/** Removes sources that are about to be checked from the changes. */
export function withoutSources(changes: PendingChanges, taken: ReadonlyMap<string, number>): PendingChanges {
  return { ...changes, sources: new Map([...changes.sources].filter(([source]) => !taken.has(source))) }
}

/** Returns the changes that remain after a scan. @param isQuiet nothing was touched for a while */
export function afterScan({ lastTouchMs, configMs }: PendingChanges, isQuiet: boolean): PendingChanges {
  return { ...NO_CHANGES, lastTouchMs: isQuiet ? undefined : lastTouchMs, configMs }
}

/** Time after which editors that empty a file first have written it. */
export const RECHECK_PAUSE_MS = 200
