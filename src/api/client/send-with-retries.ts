import { readRetryAfterMs } from '../../core/retry-after.ts'
import type { ConnectionFailure } from './connection-failure.ts'
import type { RequestCounter } from './request-counter.ts'
import { type Answer, headerOf, type OutgoingRequest, type SendRequest } from './send-request.ts'
import type { Throttle } from './throttle.ts'

/**
 * `any-failure`: the request changes nothing, so it may be sent again after any failure. `unprocessed`: it is sent
 * again only if the target certainly did not act on it. `optional`: as `any-failure`, but status 500 is retried once,
 * because some services have it for an operation that they lack.
 */
type RepeatAfter = 'any-failure' | 'unprocessed' | 'optional'

export type Result = (Answer | ConnectionFailure) & {
  readonly tries: number
  /** Number of writes that were rejected as busy after all retries since one was not, including this one. */
  readonly abandoned: number
}

export type SendWithRetries = (request: OutgoingRequest, repeatAfter: RepeatAfter) => Promise<Result>

/** A pause before a retry. */
export interface Delay {
  readonly ms: number
  /** For example `the target is busy (429)`, or the reason why the connection failed. */
  readonly reason: string
}

interface RetryOptions {
  readonly send: SendRequest
  readonly throttle: Throttle
  readonly counter: RequestCounter
  readonly retries: number
  readonly now: () => number
  readonly random: () => number
  readonly onDelay?: ((delay: Delay) => void) | undefined
}

interface Attempt {
  readonly result: Answer | ConnectionFailure
  readonly busy: boolean
  readonly delayMs: number
}

/**
 * Sends a request and retries it if that may help, at most `retries` times. Retries that the target asks for (429, 503)
 * do not count while other requests succeed: the target is busy, not failing. If none succeeds, all requests end after
 * as many pauses.
 *
 * @throws KbError INTERRUPTED if the signal is aborted before the request is sent or retried
 */
export function createSendWithRetries(options: RetryOptions): SendWithRetries {
  const { send, throttle, counter, retries, now, random, onDelay } = options

  let abandoned = 0

  return async (request, repeatAfter) => {
    const firstWave = throttle.wave()
    let tries = 0
    let failures = 0
    let faults = 0
    let last: Attempt | undefined
    for (;;) {
      last = await throttle.run(attempt)
      const { result, busy, delayMs } = last
      if (repeatAfter === 'optional' && result.kind === 'answered' && result.status === 500) faults++
      if (!mayRepeat(result, repeatAfter) || spent() > retries || faults > 1) {
        if (request.method !== 'GET') abandoned = busy ? abandoned + 1 : 0
        return { ...result, tries, abandoned }
      }
      onDelay?.({ ms: Math.round(delayMs), reason: reasonOfDelay(result) })
      if (!busy) await throttle.wait(delayMs)
    }

    function spent(): number {
      return failures + throttle.refusedSince(firstWave)
    }

    // Notifies the throttle before another request starts.
    async function attempt(): Promise<Attempt> {
      // Others have been rejected in the meantime.
      if (last?.busy === true && spent() > retries) return last
      const wave = throttle.wave()
      tries++
      counter.add(request.method)
      const result = await send(request)
      const busy = isBusy(result)
      if (busy) throttle.noteRefused(wave)
      else failures++
      const askedMs =
        busy && result.kind === 'answered'
          ? readRetryAfterMs(headerOf(result, 'retry-after'), dateOf(result) ?? now(), PAUSE)
          : undefined
      const delayMs = askedMs || backOffMs(spent(), random())
      if (busy) throttle.pause(delayMs)
      else if (result.kind === 'answered' && result.status < 500) throttle.noteServed()
      return { result, busy, delayMs }
    }
  }
}

function reasonOfDelay(result: Answer | ConnectionFailure): string {
  if (result.kind === 'broken') return result.reason
  if (isCutOff(result)) return 'the response was incomplete'
  return `the target ${isBusy(result) ? 'is busy' : 'failed'} (${result.status})`
}

function mayRepeat(result: Answer | ConnectionFailure, repeatAfter: RepeatAfter): boolean {
  const harmless = repeatAfter !== 'unprocessed'
  if (result.kind === 'broken') return (harmless || result.unsent) && !result.permanent
  return isUnprocessed(result) || (harmless && (isPassing(result.status) || isCutOff(result)))
}

/** True if the body begins as JSON and lacks its end: something between the target and us has cut it off. */
export function isCutOff({ status, text }: Answer): boolean {
  return status < 300 && /^\s*\{/.test(text) && !text.trimEnd().endsWith('}')
}

/** Returns the target's own time in milliseconds; undefined if the response does not state it. */
export function dateOf(answer: Answer): number | undefined {
  const dateMs = Date.parse(headerOf(answer, 'date') ?? '')
  return Number.isNaN(dateMs) ? undefined : dateMs
}

/** True if a response only shows that the target has a problem. A later response may differ. */
export function isUnclear(answer: Answer): boolean {
  return isUnprocessed(answer) || isPassing(answer.status)
}

/** True if the response shows that the target did not act on the request, so that it can be retried. */
export function isUnprocessed(answer: Answer): boolean {
  return answer.status === 429 || (answer.status === 503 && headerOf(answer, 'retry-after') !== undefined)
}

/** True if the target rejects all requests for a while, in some cases for an unknown time. */
function isBusy(result: Answer | ConnectionFailure): boolean {
  return result.kind === 'answered' && (result.status === 429 || result.status === 503)
}

/** The status if there is no room for a file: the target has not stored it, and will not do so soon. */
export const INSUFFICIENT_STORAGE = 507

const PERMANENT: ReadonlySet<number> = new Set([501, INSUFFICIENT_STORAGE])

function isPassing(status: number): boolean {
  return status === 408 || (status >= 500 && !PERMANENT.has(status))
}

// The timing of retries, as pure functions, so that tests need not wait.
const FIRST_BACK_OFF_MS = 300
const LONGEST_BACK_OFF_MS = 10_000

/** Limits of the pause for a Retry-After. After it, we retry and the target may repeat the header. */
const PAUSE = { shortestMs: 0, longestMs: 60_000 }

/**
 * Milliseconds to wait after the `tries`-th attempt (from 1): 300 ms, doubled each time, at most 10 s. Up to half of it
 * is subtracted at random, so that clients that failed together do not retry together.
 *
 * @param random a number from 0 up to, not including, 1
 */
export function backOffMs(tries: number, random: number): number {
  const full = Math.min(FIRST_BACK_OFF_MS * 2 ** (tries - 1), LONGEST_BACK_OFF_MS)
  return Math.round(full * (1 - random / 2))
}
