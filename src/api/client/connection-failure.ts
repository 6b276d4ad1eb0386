// Explains a failed connection, and decides whether the request may be retried.
import { errors } from 'undici'
import { errorCodeOf } from '../../core/error-code.ts'

export interface ConnectionFailure {
  readonly kind: 'broken'
  /** In plain words, followed by the system's code in parentheses. */
  readonly reason: string
  readonly hint: string
  /** True if there was no connection: the target cannot have received the request. */
  readonly unsent: boolean
  /** True if a retry would fail the same way. */
  readonly permanent: boolean
  readonly cause: unknown
}

interface Explanation {
  readonly reason: string
  readonly hint?: string
  readonly permanent?: boolean
}

const CHECK_ADDRESS =
  'Check the URL of the target, the proxy if there is one, and whether the service is running.'
const CHECK_PROXY = 'Check HTTPS_PROXY and HTTP_PROXY, or list the host in NO_PROXY.'

const untrusted = (reason: string): Explanation => ({
  reason,
  hint: 'If you trust the certificate, set NODE_EXTRA_CA_CERTS to that of the authority that issued it.',
  permanent: true,
})

const CERTIFICATE_FAILURES: Readonly<Record<string, Explanation>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted('its certificate is self-signed'),
  SELF_SIGNED_CERT_IN_CHAIN: untrusted(
    'its certificate was issued by an authority that this machine does not trust',
  ),
  UNABLE_TO_GET_ISSUER_CERT: untrusted(
    'its certificate was issued by an authority that this machine does not trust',
  ),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted(
    'its certificate was issued by an authority that this machine does not trust',
  ),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted('its certificate could not be verified'),
  CERT_HAS_EXPIRED: { reason: 'its certificate has expired', permanent: true },
  CERT_NOT_YET_VALID: { reason: 'its certificate is not valid yet', permanent: true },
  CERT_REVOKED: { reason: 'its certificate has been revoked', permanent: true },
  ERR_TLS_CERT_ALTNAME_INVALID: { reason: 'its certificate is for another host', permanent: true },
  UND_ERR_PRX_TLS: { reason: 'its certificate is for another host', permanent: true },
}

const NO_TLS: Explanation = {
  reason: 'it does not use TLS',
  hint: 'Check whether the URL must start with http:// instead of https://.',
  permanent: true,
}

const FAILURES: Readonly<Record<string, Explanation>> = {
  ...CERTIFICATE_FAILURES,
  ECONNREFUSED: { reason: 'the connection was refused' },
  // Definite, because a resolver that is down returns EAI_AGAIN.
  ENOTFOUND: { reason: 'the host name does not exist', permanent: true },
  EAI_AGAIN: { reason: 'the host name could not be resolved' },
  EHOSTUNREACH: { reason: 'the host is unreachable' },
  ENETUNREACH: { reason: 'the network is unreachable' },
  ETIMEDOUT: { reason: 'the connection timed out' },
  UND_ERR_CONNECT_TIMEOUT: { reason: 'the connection timed out' },
  ANSWER_TIMEOUT: {
    reason: 'no complete response arrived in time',
    hint: 'If its responses take that long, raise sync.timeout in the configuration.',
  },
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: { reason: 'the response was incomplete' },
  Z_BUF_ERROR: { reason: 'the response was incomplete' },
  Z_DATA_ERROR: { reason: 'the response is not compressed as its header says' },
  ECONNRESET: { reason: 'the connection was lost' },
  EPIPE: { reason: 'the connection was lost' },
  UND_ERR_SOCKET: { reason: 'the connection was lost' },
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
}

const NOT_HTTP: Explanation = { reason: 'the response is not HTTP', permanent: true }

/** Thrown if a request exceeds its time limit, including the body of the response. */
export class AnswerTimeout extends Error {
  override readonly name = 'AnswerTimeout'
  readonly code = 'ANSWER_TIMEOUT'
}

/** Thrown if the proxy rejects the connection. The request was not sent. */
export class ProxyRefusal extends Error {
  override readonly name = 'ProxyRefusal'
  readonly code = 'PROXY'
}

/**
 * Explains what undici threw for a request.
 *
 * @throws the error itself if it is a bug
 */
export function explainConnectionFailure(error: unknown): ConnectionFailure {
  const first = named(firstOf(error))
  const code = codeOf(first)
  if (code === undefined) throw error
  const { reason, hint = CHECK_ADDRESS, permanent = false } = explain(code, first)
  return {
    kind: 'broken',
    reason: code === 'PROXY' ? reason : `${reason} (${code})`,
    hint,
    permanent,
    unsent: isUnsent(first, code),
    cause: error,
  }
}

function explain(code: string, error: Error): Explanation {
  if (code === 'PROXY') return { reason: error.message, hint: CHECK_PROXY }
  if (code.startsWith('HPE_')) return NOT_HTTP
  return FAILURES[code] ?? { reason: error.message }
}

// A host with several addresses fails with one error for each.
function firstOf(error: unknown): Error {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (first instanceof Error) return first
  throw error
}

// The only refusal of a proxy that undici reports as an invalid argument.
function named(error: Error): Error {
  const isRefusal = error instanceof errors.InvalidArgumentError && error.message.includes('407')
  return isRefusal ? new ProxyRefusal('the proxy responded with 407', { cause: error }) : error
}

function codeOf(error: Error): string | undefined {
  return errorCodeOf(error) ?? (error instanceof errors.HTTPParserError ? 'HPE_INVALID' : undefined)
}

// True only for errors that prove that there was no connection: after a reset, the request may have been read.
function isUnsent(error: Error, code: string): boolean {
  if (code === 'PROXY' || code === 'UND_ERR_CONNECT_TIMEOUT' || code in CERTIFICATE_FAILURES) return true
  return 'syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo')
}
