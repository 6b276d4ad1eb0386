import type { Dispatcher } from 'undici'
import type { Observation } from './observation.ts'
import { errorCodeOf } from '../../core/error-code.ts'

/** The head of a response. Its body is not read. */
export interface ProbeAnswer {
  readonly kind: 'answered'
  readonly status: number
  readonly location: string | undefined
  readonly retryAfter: string | undefined
}

export type ProbeOutcome = ProbeAnswer | ({ readonly kind: 'failed' } & Failure)

/** Sends one request without following redirects. @throws only the abort reason of `stop` */
export type SendProbe = (url: URL, method: 'HEAD' | 'GET', timeoutMs: number) => Promise<ProbeOutcome>

/**
 * Requests a URL anonymously: no key, no cookie, and no credentials in the URL.
 *
 * @param stop aborted when the checker stops
 */
export function createSendProbe(dispatcher: Dispatcher, userAgent: string, stop: AbortSignal): SendProbe {
  // One listener for all requests, because Node.js would report one for each as a leak.
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
    // Aborting a body causes an error, which is ignored.
    body.on('error', () => undefined).destroy()
    return {
      kind: 'answered',
      status: statusCode,
      location: firstValue(headers['location']),
      retryAfter: firstValue(headers['retry-after']),
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

function firstValue(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name could not be resolved',
  ECONNREFUSED: 'the connection was refused',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_TIMEOUT: 'no response in time',
  UND_ERR_HEADERS_OVERFLOW: 'the headers are too large',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  UND_ERR_SOCKET: 'the connection was lost',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  CERT_REVOKED: 'the certificate was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate comes from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate comes from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate comes from an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate could not be verified',
  EPROTO: 'TLS failed',
}

/** Failures of this machine's resolver or network, which say nothing about a link. */
const OF_THIS_MACHINE: ReadonlySet<string> = new Set(['EAI_AGAIN', 'ENETUNREACH'])

/** Time after which a link is checked again if this machine has no network. */
const OUTAGE_MS = 120_000

/** Our own error code for a timeout. */
const TIMED_OUT = 'TIMED_OUT'

/** Failures of the response, not of the connection: a server without HEAD may support GET. */
const OF_THE_ANSWER = new Set([
  TIMED_OUT,
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_SOCKET',
  'ECONNRESET',
  'EPIPE',
])

interface Failure {
  readonly observation: Observation
  /** True if another method could have another result. */
  readonly ofTheAnswer: boolean
}

function explainFailure(error: unknown): Failure {
  // A host with several addresses fails with one error for each.
  const code = errorCodeOf(error instanceof AggregateError ? error.errors[0] : error)
  if (code === 'PRIVATE_ADDRESS')
    return { observation: { kind: 'closed', status: null, reason: 'private address' }, ofTheAnswer: false }
  const reason = explain(code)
  if (code !== undefined && OF_THIS_MACHINE.has(code)) {
    const busy = {
      kind: 'busy',
      status: null,
      reason: `${reason} (${code})`,
      retryAfterMs: OUTAGE_MS,
    } as const
    return { observation: busy, ofTheAnswer: false }
  }
  return {
    observation: {
      kind: 'broken',
      status: null,
      reason: code === undefined ? reason : `${reason} (${code})`,
    },
    ofTheAnswer: code === undefined || OF_THE_ANSWER.has(code) || code.startsWith('HPE_'),
  }
}

function explain(code: string | undefined): string {
  if (code === TIMED_OUT) return 'no response in time'
  if (code?.startsWith('HPE_') === true) return 'the response is not HTTP'
  if (code?.startsWith('ERR_SSL_') === true) return 'TLS failed'
  return (code === undefined ? undefined : REASONS[code]) ?? 'the request failed'
}
