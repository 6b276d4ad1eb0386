// When to retry a request, as pure functions, so that tests need not wait.

const FIRST_BACK_OFF_MS = 300
const LONGEST_BACK_OFF_MS = 10_000

/** Maximum pause for a Retry-After; after it, we retry and the target may repeat it. */
export const LONGEST_PAUSE_MS = 60_000

/**
 * Milliseconds to wait after the `tries`-th try (from 1): 300 ms, doubled each time, at most 10 s. Up to half of it is
 * subtracted at random, so that clients that failed together do not retry together.
 *
 * @param random a number from 0 up to, not including, 1
 */
export function backOffMs(tries: number, random: number): number {
  const full = Math.min(FIRST_BACK_OFF_MS * 2 ** (tries - 1), LONGEST_BACK_OFF_MS)
  return Math.round(full * (1 - random / 2))
}

/**
 * Milliseconds from a Retry-After header, which has seconds or an HTTP date (RFC 9110, 10.2.3); at most
 * `LONGEST_PAUSE_MS`. Undefined if it is missing or invalid.
 */
export function parseRetryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : httpDateMs(text) - nowMs
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), LONGEST_PAUSE_MS)
}

// Date.parse accepts nearly anything: "-5" would be a date in 2001.
function httpDateMs(text: string): number {
  return /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN
}
