import type { KbError } from '../core/errors/kb-error.ts'
import { msLeft } from './elapsed.ts'

/** Something that does not work at the moment, and when it is tried again. */
export interface Backoff {
  /** The last failure; undefined where all is well, or what failed is single articles. */
  readonly failure: KbError | undefined
  readonly isActive: boolean
  /** Notes another failure; returns after how many milliseconds it will be tried again. */
  readonly add: (failure: KbError | undefined, nowMs: number) => number
  readonly clear: () => void
  /** Files have changed: tried again at once, but not sooner after the last time than after a first failure. */
  readonly retrySoon: () => void
  /** Milliseconds until it may be tried; 0 where nothing is wrong. */
  readonly msLeft: (nowMs: number) => number
}

const LONGEST_MS = 30_000
/** Another command that is at work is through in a moment. */
const LONGEST_LOCKED_MS = 2000
const LOCKED_FASTER = 5
/** What a target refuses is rarely taken the next time. */
const SLOWLY = 10

/** Pauses double from one failure to the next. @param shortestMs the first of them */
export function createBackoff(shortestMs: number): Backoff {
  let failure: KbError | undefined
  let failures = 0
  let triedMs = 0
  let pauseMs = 0
  return {
    get failure() {
      return failure
    },
    get isActive() {
      return failures > 0
    },
    add: (added, nowMs) => {
      const grown = Math.min(LONGEST_MS, shortestMs * 2 ** failures)
      failure = added
      failures++
      triedMs = nowMs
      pauseMs = pauseAfter(added, grown)
      return pauseMs
    },
    clear: () => {
      failure = undefined
      failures = 0
      pauseMs = 0
    },
    retrySoon: () => {
      pauseMs = Math.min(pauseMs, shortestMs)
    },
    msLeft: (nowMs) => (failures === 0 ? 0 : msLeft(triedMs, pauseMs, nowMs)),
  }
}

function pauseAfter(failure: KbError | undefined, grownMs: number): number {
  if (failure === undefined) return grownMs * SLOWLY
  return failure.code === 'LOCKED' ? Math.min(grownMs / LOCKED_FASTER, LONGEST_LOCKED_MS) : grownMs
}
