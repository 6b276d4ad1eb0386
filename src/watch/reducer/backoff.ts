import type { KbError } from '../../core/errors/kb-error.ts'

/** The failures of a retried action, and the time of the next attempt. */
export interface Backoff {
  readonly shortestMs: number
  /** The last failure; undefined if there is none, or if only single articles failed. */
  readonly failure: KbError | undefined
  readonly failures: number
  readonly triedMs: number
  readonly pauseMs: number
}

const LONGEST_MS = 30_000
/** For a lock. Another running command usually ends soon. */
const LONGEST_LOCKED_MS = 2000
const LOCKED_FASTER = 5
/** A rejected request is rarely accepted later. */
const SLOWLY = 10

/** Creates the state without failures. Pauses double with each failure. @param shortestMs the first pause */
export function createBackoff(shortestMs: number): Backoff {
  return { shortestMs, failure: undefined, failures: 0, triedMs: 0, pauseMs: 0 }
}

/** Returns the state after another failure. The next attempt is `pauseMs` later. */
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

/** Retries at once after a change of files, but not earlier than after a first failure. */
export function retrySoon(backoff: Backoff): Backoff {
  return { ...backoff, pauseMs: Math.min(backoff.pauseMs, backoff.shortestMs) }
}

/** Returns the milliseconds until the next attempt; 0 without failures. */
export function backoffMsLeft({ failures, triedMs, pauseMs }: Backoff, nowMs: number): number {
  return failures === 0 ? 0 : msLeft(triedMs, pauseMs, nowMs)
}

/** Milliseconds until `periodMs` have passed since `sinceMs`; 0 if they have, or if the clock was set back. */
export function msLeft(sinceMs: number, periodMs: number, nowMs: number): number {
  const elapsedMs = nowMs - sinceMs
  return elapsedMs < 0 || elapsedMs >= periodMs ? 0 : periodMs - elapsedMs
}
