import type { Touch } from '../files/watched-paths.ts'

/** Changes to the files since they were scanned. */
export interface PendingChanges {
  /** Touched sources that were not checked, with the time of the first touch. */
  readonly sources: ReadonlyMap<string, number>
  /** Time of the first touch that requires a scan; undefined if there was none. */
  readonly unclearSinceMs: number | undefined
  /** Time of the last touch; undefined after a scan in a quiet moment. */
  readonly lastTouchMs: number | undefined
  /** Time of the last touch of the configuration. */
  readonly configMs: number | undefined
}

/** A touch, with the time when it was seen. */
export interface SeenTouch {
  readonly touch: Touch
  readonly atMs: number
}

export const NO_CHANGES: PendingChanges = {
  sources: new Map(),
  unclearSinceMs: undefined,
  lastTouchMs: undefined,
  configMs: undefined,
}

/** Temporary files of editors beside the saved one. The scan in a quiet moment sees them as well. */
const OF_AN_EDITOR = /~$|\.(?:tmp|sw[a-z])$|(?:^|\/)(?:4913|#[^/]*#)$/

/** @param articles sources that are known to be articles */
export function addTouches(
  before: PendingChanges,
  touches: readonly SeenTouch[],
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
    if (touch.kind === 'source' && OF_AN_EDITOR.test(touch.source)) continue
    if (touch.kind === 'source' && !sources.has(touch.source)) sources.set(touch.source, atMs)
    if (touch.kind === 'folders' || !articles.has(touch.source)) unclearSinceMs ??= atMs
  }
  return { sources, unclearSinceMs, lastTouchMs, configMs }
}

/** Puts sources back with the time of their first touch, because they require a scan. */
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

/** The changes without sources that are about to be checked. */
export function withoutSources(changes: PendingChanges, taken: ReadonlyMap<string, number>): PendingChanges {
  return { ...changes, sources: new Map([...changes.sources].filter(([source]) => !taken.has(source))) }
}

/** The changes that remain after a scan. @param isQuiet nothing was touched for a while */
export function afterScan({ lastTouchMs, configMs }: PendingChanges, isQuiet: boolean): PendingChanges {
  return { ...NO_CHANGES, lastTouchMs: isQuiet ? undefined : lastTouchMs, configMs }
}
