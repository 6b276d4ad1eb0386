import {
  type ServerResponse,
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http'
import { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createRawAnswers, failureReply, type RefusedConnection, refuseRequest } from './reject-before-app.ts'
import { type BindAddress, bind } from '../../core/net/bind.ts'
import type { KnowledgeBase } from '../open-knowledge-base.ts'
import { API_PREFIX } from '../../api/contract/routes.ts'

export interface ListenOptions extends BindAddress {
  /** Time for requests in progress after the server was stopped; default 10 s. */
  readonly graceMs?: number | undefined
  readonly limits?: TimeLimits | undefined
  /** Maximum number of concurrent connections; default 1000. */
  readonly mostConnections?: number | undefined
  /** How long the server reports that it is not ready, but handles requests, before it stops; default 0. */
  readonly drainMs?: number | undefined
  /** Called for each connection rejected before the app handles it. */
  readonly onRefused?: ((refused: RefusedConnection) => void) | undefined
}

export interface Listening {
  /** Base URL, without a trailing slash. */
  readonly url: string
  /** Drains, rejects new requests, completes those in progress, and closes the knowledge base. */
  close(): Promise<void>
}

/**
 * Serves a knowledge base on a socket.
 *
 * @throws KbError PORT_UNAVAILABLE
 */
export async function listen(knowledgeBase: KnowledgeBase, options: ListenOptions): Promise<Listening> {
  let stopping = false
  const answer = getRequestListener(
    async (request, env) => {
      if (stopping) return stoppingResponse()
      const response = await knowledgeBase.app.fetch(request, env)
      // The server may have been stopped since the request arrived.
      if (stopping) (env.outgoing as ServerResponse).shouldKeepAlive = false
      return response
    },
    // A request without a usable URL is rejected like any other invalid one.
    { hostname: options.host, errorHandler: () => failureReply(400, 'The URL of the request is not valid') },
  )
  const { limits = {}, mostConnections = MOST_CONNECTIONS, drainMs = 0 } = options
  const server = createBoundedServer(limits, mostConnections, (request, response) => {
    if (stopping || !knowledgeBase.answerKnownRead(request, response)) void answer(request, response)
  })
  server.on('drop', () => options.onRefused?.({ status: 503, reason: 'There are too many connections' }))
  const raw = createRawAnswers(options.onRefused)
  server.on('clientError', raw.answerFault)
  server.on('checkExpectation', (_, response: ServerResponse) =>
    refuseRequest(response, 417, 'The Expect header of the request cannot be met'),
  )
  server.on('connect', (_, socket: Socket) => raw.refuseTunnel(socket))
  const url = await bind(server, options)

  let closing: Promise<void> | undefined
  async function close(): Promise<void> {
    knowledgeBase.drain()
    if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs))
    stopping = true
    await drain(server, options.graceMs ?? 10_000)
    await knowledgeBase.close()
  }
  return { url, close: () => (closing ??= close()) }
}

function stoppingResponse(): Response {
  return failureReply(503, 'The server is stopping', { 'Retry-After': '1', Connection: 'close' })
}

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
      // Node.js would reject it without a body.
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
      if (hasOneHost(request)) listener(request, response)
      else refuseRequest(response, 400, 'The request needs one Host header')
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

/** HTTP/1.0 needs no Host header; with two, a proxy may have chosen the other one (RFC 9112, section 3.2). */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((each, index) => index % 2 === 0 && /^host$/i.test(each)).length
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
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
