import { STATUS_CODES } from 'node:http'
import type { Observation } from './observation.ts'

/** Pause for a busy host that does not say how long. */
const DEFAULT_REST_MS = 10 * 60_000

const SHORTEST_REST_MS = 30_000
const LONGEST_REST_MS = 86_400_000

/**
 * Statuses with which a server refuses a program but may accept a person, who signs in, pays, or is no robot (some
 * sites use 999 for that). The page exists, so the link is not broken.
 */
const CLOSED = new Set([401, 402, 403, 405, 406, 407, 451, 501, 999])

/** The meaning of a response's status; redirects were followed before. */
export function readStatus(status: number, retryAfter: string | undefined, nowMs: number): Observation {
  if (status < 400) return { kind: 'works', status }
  const reason = nameStatus(status)
  const restMs = retryAfterMs(retryAfter, nowMs)
  if (status === 429 || (status === 503 && restMs !== undefined)) {
    return { kind: 'busy', status, reason, retryAfterMs: restMs ?? DEFAULT_REST_MS }
  }
  return CLOSED.has(status) ? { kind: 'closed', status, reason } : { kind: 'broken', status, reason }
}

/** The status with its name, such as `404 Not Found`. */
function nameStatus(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim()
}

/**
 * Milliseconds that a Retry-After header asks for, in seconds or as an HTTP date (RFC 9110, 10.2.3), from 30 s to a
 * day; undefined if it is missing or invalid.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? ''
  // Date.parse accepts nearly anything: "-5" would be a date in 2001.
  const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : date - nowMs
  if (Number.isNaN(waitMs)) return undefined
  return Math.min(Math.max(waitMs, SHORTEST_REST_MS), LONGEST_REST_MS)
}
