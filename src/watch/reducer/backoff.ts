import type { KbError } from '../../core/errors/kb-error.ts'

/** Something that may not work at the moment, and when it is tried again. */
export interface Backoff {
  readonly shortestMs: number
  /** The last failure; undefined where all is well, or what failed is single articles. */
  readonly failure: KbError | undefined
  readonly failures: number
  readonly triedMs: number
  readonly pauseMs: number
}

const LONGEST_MS = 30_000
/** Another command that is at work is through in a moment. */
const LONGEST_LOCKED_MS = 2000
const LOCKED_FASTER = 5
/** What a target refuses is rarely taken the next time. */
const SLOWLY = 10

/** Nothing has failed. Pauses double from one failure to the next. @param shortestMs the first of them */
export function createBackoff(shortestMs: number): Backoff {
  return { shortestMs, failure: undefined, failures: 0, triedMs: 0, pauseMs: 0 }
}

/** After another failure: it is tried again `pauseMs` later. */
export function addFailure(backoff: Backoff, failure: KbError | undefined, nowMs: number): Backoff {
  const { shortestMs, failures } = backoff
  const grownMs = Math.min(LONGEST_MS, shortestMs * 2 ** failures)
  return {
    shortestMs,
    failure,
    failures: failures + 1,
    triedMs: nowMs,
    pauseMs: pauseAfter(failure, grownMs),
  }
}

function pauseAfter(failure: KbError | undefined, grownMs: number): number {
  if (failure === undefined) return grownMs * SLOWLY
  return failure.code === 'LOCKED' ? Math.min(grownMs / LOCKED_FASTER, LONGEST_LOCKED_MS) : grownMs
}

/** Files have changed: tried again at once, but not sooner after the last time than after a first failure. */
export function retrySoon(backoff: Backoff): Backoff {
  return { ...backoff, pauseMs: Math.min(backoff.pauseMs, backoff.shortestMs) }
}

/** Milliseconds until it may be tried; 0 where nothing is wrong. */
export function backoffMsLeft({ failures, triedMs, pauseMs }: Backoff, nowMs: number): number {
  return failures === 0 ? 0 : msLeft(triedMs, pauseMs, nowMs)
}

/**
 * Milliseconds until `periodMs` have passed since `sinceMs`; 0 where they have, and where the clock was set back
 * in the meantime.
 */
export function msLeft(sinceMs: number, periodMs: number, nowMs: number): number {
  const elapsedMs = nowMs - sinceMs
  return elapsedMs < 0 || elapsedMs >= periodMs ? 0 : periodMs - elapsedMs
}
