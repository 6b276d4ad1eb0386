import { TAXONOMY_FILES } from '../../content/source/find-sources.ts'
import { msLeft } from './backoff.ts'
import type { PendingChanges } from './pending-changes.ts'

type Step =
  | { readonly kind: 'reload' }
  /** Only these articles were touched. */
  | { readonly kind: 'edit'; readonly sources: readonly string[] }
  /** Scans all files; `isQuiet`: nothing was touched for a while. */
  | { readonly kind: 'scan'; readonly isQuiet: boolean }
  | { readonly kind: 'send' }
  /** Undefined: until an event. */
  | { readonly kind: 'rest'; readonly ms: number | undefined }

export interface Situation {
  readonly changes: PendingChanges
  /** Sources that are known to be articles. */
  readonly articles: ReadonlySet<string>
  /** Number of edited articles since the last scan. */
  readonly editsSinceScan: number
  /** Time of the last touch of an error that must be checked again; undefined if there is none. */
  readonly recheckSinceMs: number | undefined
  /** Milliseconds until files may be scanned again after a failure. */
  readonly scanBlockedMs: number
  /** The running sync, and its start. */
  readonly job: { readonly startedMs: number } | undefined
  /** Start of the last scan. */
  readonly scannedMs: number
  /** Milliseconds without a touch that count as quiet. */
  readonly quietMs: number
  /** Milliseconds until there is something to send; undefined if there is nothing. */
  readonly sendInMs: number | undefined
}

/** A checkout or a moved folder causes many touches. */
const MOST_EDITS = 20
/** Until the next scan, the problems that rules find in all articles together stay as they are. */
const MOST_EDITS_PER_SCAN = 200
const CONFIG_PAUSE_MS = 100
const UNCLEAR_PAUSE_MS = 60
const LONGEST_UNCLEAR_MS = 1000
/** Some editors empty a file before they write it; they are finished after this time. */
export const RECHECK_PAUSE_MS = 200
/** Most runs are shorter. Files are scanned beside a longer one. */
const SHORT_RUN_MS = 300
/** Finds changes without an event, such as those through a link or on a network drive. */
const ROUND_MS = 30_000

/** The next step at `nowMs`. Pure. */
export function nextStep(situation: Situation, nowMs: number): Step {
  const { changes, job } = situation
  // One run at a time, with one configuration.
  const sendInMs = job === undefined ? situation.sendInMs : undefined
  const scanBlockedMs = Math.max(
    situation.scanBlockedMs,
    job === undefined ? 0 : msLeft(job.startedMs, SHORT_RUN_MS, nowMs),
  )
  const configInMs =
    changes.configMs === undefined || job !== undefined
      ? undefined
      : msLeft(changes.configMs, CONFIG_PAUSE_MS, nowMs)
  if (configInMs === 0) return { kind: 'reload' }
  if (scanBlockedMs === 0) {
    const sources = editsOf(situation)
    if (sources.length > 0) return { kind: 'edit', sources }
  }
  if (sendInMs === 0) return { kind: 'send' }
  const quietInMs =
    changes.lastTouchMs === undefined ? undefined : msLeft(changes.lastTouchMs, situation.quietMs, nowMs)
  const roundInMs =
    changes.lastTouchMs === undefined ? msLeft(situation.scannedMs, ROUND_MS, nowMs) : undefined
  const scanInMs = least([quietInMs, roundInMs, unclearInMs(situation, nowMs), recheckInMs(situation, nowMs)])
  if (scanInMs === 0 && scanBlockedMs === 0)
    return { kind: 'scan', isQuiet: quietInMs === 0 || roundInMs === 0 }
  const unblockedMs = scanInMs === undefined ? undefined : Math.max(scanInMs, scanBlockedMs)
  return { kind: 'rest', ms: least([configInMs, unblockedMs, sendInMs]) }
}

function editsOf({ changes, articles, editsSinceScan }: Situation): string[] {
  if (changes.sources.size > MOST_EDITS) return []
  // With other categories or tags, articles change.
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
