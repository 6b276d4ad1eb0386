import type { Dispatcher } from 'undici'
import { explainFailure, type Failure, TIMED_OUT } from './explain-failure.ts'

/** The head of an answer; nobody waits for its body. */
export interface ProbeAnswer {
  readonly kind: 'answered'
  readonly status: number
  readonly location: string | undefined
  readonly retryAfter: string | undefined
}

export type ProbeOutcome = ProbeAnswer | ({ readonly kind: 'failed' } & Failure)

/** Sends one request and follows nothing. @throws only what `stop` was aborted with */
export type SendProbe = (url: URL, method: 'HEAD' | 'GET', timeoutMs: number) => Promise<ProbeOutcome>

interface SendProbeOptions {
  readonly dispatcher: Dispatcher
  readonly userAgent: string
  /** Aborted when the checker stops. */
  readonly stop: AbortSignal
}

/** Asks for an address as a stranger would: no key, no cookie, and no name or password of the address itself. */
export function createSendProbe({ dispatcher, userAgent, stop }: SendProbeOptions): SendProbe {
  // One listener for all requests: one for each of them would look like a leak.
  const inFlight = new Set<AbortController>()
  stop.addEventListener('abort', () => {
    for (const each of inFlight) each.abort(stop.reason)
  })

  async function request(url: URL, method: 'HEAD' | 'GET', signal: AbortSignal): Promise<ProbeAnswer> {
    const { statusCode, headers, body } = await dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers: { 'user-agent': userAgent, accept: '*/*' },
      signal,
    })
    // Cut short, a body ends with an error that is of no interest.
    body.on('error', () => undefined).destroy()
    return {
      kind: 'answered',
      status: statusCode,
      location: first(headers['location']),
      retryAfter: first(headers['retry-after']),
    }
  }

  return async (url, method, timeoutMs) => {
    stop.throwIfAborted()
    const giveUp = new AbortController()
    inFlight.add(giveUp)
    const timer = setTimeout(() => giveUp.abort(timeout()), timeoutMs)
    timer.unref()
    try {
      return await request(url, method, giveUp.signal)
    } catch (error) {
      stop.throwIfAborted()
      return { kind: 'failed', ...explainFailure(error) }
    } finally {
      clearTimeout(timer)
      inFlight.delete(giveUp)
    }
  }
}

function timeout(): Error {
  return Object.assign(new Error('The request took too long'), { code: TIMED_OUT })
}

function first(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
