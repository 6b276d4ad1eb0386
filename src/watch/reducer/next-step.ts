import { TAXONOMY_FILES } from '../../content/source/find-sources.ts'
import { msLeft } from './backoff.ts'
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

type Step =
  | { readonly kind: 'reload-config' }
  /** Only these articles were touched. */
  | { readonly kind: 'edit'; readonly sources: readonly string[] }
  /** Scans all files; `isQuiet`: nothing was touched for a while. */
  | { readonly kind: 'scan'; readonly isQuiet: boolean }
  | { readonly kind: 'sync' }
  /** Undefined: until an event. */
  | { readonly kind: 'wait'; readonly ms: number | undefined }

export interface Situation {
  readonly changes: PendingChanges
  /** Sources that are known to be articles. */
  readonly articles: ReadonlySet<string>
  readonly editsSinceScan: number
  /** Time of the last touch of a file whose error must be checked again; undefined if there is none. */
  readonly recheckSinceMs: number | undefined
  /** Milliseconds until files may be scanned again after a failure. */
  readonly scanBlockedMs: number
  /** The start of the running sync. */
  readonly sync: { readonly startedMs: number } | undefined
  /** Start of the last scan. */
  readonly scannedMs: number
  /** Milliseconds without a touch that count as quiet. */
  readonly quietMs: number
  /** Milliseconds until there is something to send; undefined if there is nothing. */
  readonly syncInMs: number | undefined
}

/** A checkout or a moved folder touches more files. */
const MOST_EDITS = 20
/** Until the next scan, problems from rules over all articles are not updated. */
const MOST_EDITS_PER_SCAN = 200
const CONFIG_PAUSE_MS = 100
const UNCLEAR_PAUSE_MS = 60
const LONGEST_UNCLEAR_MS = 1000
/** Time after which editors that empty a file first have written it. */
export const RECHECK_PAUSE_MS = 200
/** Most syncs are shorter. During a longer one, files are scanned. */
const SHORT_RUN_MS = 300
/** Finds changes without an event, such as those through a link or on a network drive. */
const ROUND_MS = 30_000

/** Returns the next step at `nowMs`. Pure. */
export function nextStep(situation: Situation, nowMs: number): Step {
  const { changes, sync } = situation
  // Only one sync runs at a time, with one configuration.
  const syncInMs = sync === undefined ? situation.syncInMs : undefined
  const scanBlockedMs = Math.max(
    situation.scanBlockedMs,
    sync === undefined ? 0 : msLeft(sync.startedMs, SHORT_RUN_MS, nowMs),
  )
  const configInMs =
    changes.configMs === undefined || sync !== undefined
      ? undefined
      : msLeft(changes.configMs, CONFIG_PAUSE_MS, nowMs)
  if (configInMs === 0) return { kind: 'reload-config' }
  if (scanBlockedMs === 0) {
    const sources = editsOf(situation)
    if (sources.length > 0) return { kind: 'edit', sources }
  }
  if (syncInMs === 0) return { kind: 'sync' }
  const quietInMs =
    changes.lastTouchMs === undefined ? undefined : msLeft(changes.lastTouchMs, situation.quietMs, nowMs)
  const roundInMs =
    changes.lastTouchMs === undefined ? msLeft(situation.scannedMs, ROUND_MS, nowMs) : undefined
  const scanInMs = least([quietInMs, roundInMs, unclearInMs(situation, nowMs), recheckInMs(situation, nowMs)])
  if (scanInMs === 0 && scanBlockedMs === 0)
    return { kind: 'scan', isQuiet: quietInMs === 0 || roundInMs === 0 }
  const unblockedMs = scanInMs === undefined ? undefined : Math.max(scanInMs, scanBlockedMs)
  return { kind: 'wait', ms: least([configInMs, unblockedMs, syncInMs]) }
}

function editsOf({ changes, articles, editsSinceScan }: Situation): string[] {
  if (changes.sources.size > MOST_EDITS) return []
  // Changed categories or tags change articles.
  if (TAXONOMY_FILES.some((file) => changes.sources.has(file))) return []
  const sources = [...changes.sources.keys()].filter((source) => articles.has(source))
  return editsSinceScan + sources.length > MOST_EDITS_PER_SCAN ? [] : sources
}

function unclearInMs({ changes, articles }: Situation, nowMs: number): number | undefined {
  const { unclearSinceMs, lastTouchMs = nowMs, sources } = changes
  const sinceMs = unclearSinceMs ?? [...sources].find(([source]) => articles.has(source))?.[1]
  if (sinceMs === undefined) return undefined
  return Math.min(msLeft(lastTouchMs, UNCLEAR_PAUSE_MS, nowMs), msLeft(sinceMs, LONGEST_UNCLEAR_MS, nowMs))
}

function recheckInMs({ changes, recheckSinceMs }: Situation, nowMs: number): number | undefined {
  if (recheckSinceMs === undefined) return undefined
  return msLeft(changes.lastTouchMs ?? recheckSinceMs, RECHECK_PAUSE_MS, nowMs)
}

function least(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}
