import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import {
  createRawAnswers,
  failureReply,
  type RefusedConnection,
  refuseExpectation,
} from './reject-before-app.ts'
import { createBoundedServer, drain, MOST_CONNECTIONS, type TimeLimits } from './bounded-server.ts'
import { type BindAddress, bind } from '../../core/net/bind.ts'
import type { KnowledgeBase } from '../open-knowledge-base.ts'

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
    // HTTP/1.0 needs no Host header. A request without a usable URL is rejected like any other invalid one.
    { hostname: options.host, errorHandler: () => failureReply(400, 'The URL of the request is not valid') },
  )
  const { limits = {}, mostConnections = MOST_CONNECTIONS, drainMs = 0 } = options
  const server = createBoundedServer(limits, mostConnections, (request, response) => {
    if (stopping || !knowledgeBase.answerKnownRead(request, response)) void answer(request, response)
  })
  server.on('drop', () => options.onRefused?.({ status: 503, reason: 'There are too many connections' }))
  const raw = createRawAnswers(options.onRefused)
  server.on('clientError', raw.answerFault)
  server.on('checkExpectation', (_, response: ServerResponse) => refuseExpectation(response))
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
