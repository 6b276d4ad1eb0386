import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { Socket } from 'node:net'
import { API_PREFIX } from '../../api/contract/routes.ts'

/** Time limits of a client, each with a default. */
export interface TimeLimits {
  /** Maximum time to receive the headers of a request; default 20 s. */
  readonly headersMs?: number
  /**
   * Maximum time to receive a whole request, or each {@link PROGRESS_BYTES} of a file, and maximum pause while the
   * response is read; default 2 min.
   */
  readonly requestMs?: number
  /** Maximum time until the next request on the same connection; default 65 s, longer than common proxies. */
  readonly idleMs?: number
}

/** An upload that is slower than this within the time of a request is aborted: 70 kbit/s by default. */
const PROGRESS_BYTES = 1_000_000

const UPLOADS = `${API_PREFIX}/files/`

/** Maximum number of concurrent connections. */
export const MOST_CONNECTIONS = 1000

/** Creates a server with time limits and a maximum number of connections. */
export function createBoundedServer(
  { headersMs = 20_000, requestMs = 120_000, idleMs = 65_000 }: TimeLimits,
  mostConnections: number,
  listener: RequestListener,
): Server {
  const checkMs = Math.min(headersMs, requestMs, 5000)
  const server = createServer(
    {
      requireHostHeader: false,
      headersTimeout: Math.min(headersMs, requestMs),
      // Node.js has one limit for all requests; `limitArrival` distinguishes uploads.
      requestTimeout: 0,
      keepAliveTimeout: idleMs,
      connectionsCheckingInterval: checkMs,
    },
    (request, response) => {
      if (hasBody(request)) {
        limitArrival(server, request, requestMs)
        response.prependOnceListener('finish', () => discardRest(request))
      }
      listener(request, response)
    },
  )
  // A client may close its side right after the request. By default, Node.js then drops a response that is not written
  // yet, even that of a completed write.
  Object.assign(server, { httpAllowHalfOpen: true })
  // The limits above apply to slow requests, this one to clients that do not read. It sends no response, so it is
  // longer than the limit that answers an incomplete request.
  server.timeout = requestMs + 2 * checkMs
  server.maxConnections = mostConnections
  // Closes idle connections to make room for new ones.
  server.on('drop', () => server.closeIdleConnections())
  return server
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/**
 * Discards the rest of a body whose request is answered already, and keeps the connection until it has arrived. A
 * socket that is closed earlier is reset, and a client that first sends all of a body never learns why it was rejected
 * (RFC 9112, section 9.6).
 */
function discardRest(request: IncomingMessage): void {
  if (request.complete) return
  // A web stream of the body would pause it once its queue is full.
  request.removeAllListeners('data').resume()
  const { socket } = request
  // That of the class: the socket's own one may be that of an earlier request, and thousands of them would be nested.
  const destroySoon = () => Socket.prototype.destroySoon.call(socket)
  socket.destroySoon = () => {
    if (request.complete || request.destroyed) destroySoon()
    else request.once('close', destroySoon)
    socket.end()
  }
}

/** Aborts a request whose body takes too long, as Node.js itself would. */
function limitArrival(server: Server, request: IncomingMessage, requestMs: number): void {
  const { socket, url = '' } = request
  let seenBytes = socket.bytesRead
  const timer = setInterval(() => {
    const isMoving = url.startsWith(UPLOADS) && socket.bytesRead - seenBytes >= PROGRESS_BYTES
    seenBytes = socket.bytesRead
    if (isMoving && !request.complete && !socket.destroyed) return
    clearInterval(timer)
    if (request.complete || socket.destroyed) return
    const code = 'ERR_HTTP_REQUEST_TIMEOUT'
    server.emit('clientError', Object.assign(new Error('Request timeout'), { code }), socket)
  }, requestMs)
  timer.unref()
  const stop = () => {
    if (request.complete) clearInterval(timer)
  }
  request.once('end', stop).once('close', stop)
}

/** Resolves when every connection is closed; those still busy after `graceMs` are aborted. */
export function drain(server: Server, graceMs: number): Promise<void> {
  // From now on, each response closes its connection.
  server.keepAliveTimeout = 1
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
  })
}
