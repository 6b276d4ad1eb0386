import type { Touch } from '../files/watched-paths.ts'

/** What has happened to the files since they were checked. */
export interface PendingChanges {
  /** Touched sources that nothing has checked, and when the first touch was seen. */
  readonly sources: ReadonlyMap<string, number>
  /** When the first touch of something came that only a scan of all files can tell; undefined: none did. */
  readonly unclearSinceMs: number | undefined
  /** The last touch of anything; undefined where a scan has followed in a quiet moment. */
  readonly lastTouchMs: number | undefined
  /** The last touch of the configuration. */
  readonly configMs: number | undefined
}

/** A touch, and when it was seen. */
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

/** Files that editors keep for a moment beside the one that is saved. The scan in a quiet moment sees them as well. */
const OF_AN_EDITOR = /~$|\.(?:tmp|sw[a-z])$|(?:^|\/)(?:4913|#[^/]*#)$/

/** @param articles sources that are articles as far as is known */
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

/** Puts sources back with the time of their first touch: only a scan of all files can tell what became of them. */
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

/** Without sources that are about to be checked by themselves. */
export function withoutSources(changes: PendingChanges, taken: ReadonlyMap<string, number>): PendingChanges {
  return { ...changes, sources: new Map([...changes.sources].filter(([source]) => !taken.has(source))) }
}

/** What is left when all files are scanned. `isQuiet`: nothing is under way, as far as anyone can tell. */
export function afterScan({ lastTouchMs, configMs }: PendingChanges, isQuiet: boolean): PendingChanges {
  return { ...NO_CHANGES, lastTouchMs: isQuiet ? undefined : lastTouchMs, configMs }
}
