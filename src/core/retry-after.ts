/**
 * Returns the delay requested by a Retry-After header, in seconds or as an HTTP date (RFC 9110, 10.2.3).
 *
 * @returns milliseconds, clamped to `shortestMs` and `longestMs`; undefined if the header is missing or invalid
 */
export function readRetryAfterMs(
  header: string | undefined,
  nowMs: number,
  { shortestMs, longestMs }: { readonly shortestMs: number; readonly longestMs: number },
): number | undefined {
  const text = header?.trim() ?? ''
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : httpDateMs(text) - nowMs
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, shortestMs), longestMs)
}

// Date.parse accepts nearly anything: "-5" would be a date in 2001.
function httpDateMs(text: string): number {
  return /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN
}
