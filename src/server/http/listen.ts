import { createServer, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createRawAnswers, failure, type RefusedConnection, refuseExpectation } from './answer-raw.ts'
import { type Address, bind, drain } from './bind.ts'
import type { KnowledgeBase } from '../open-knowledge-base.ts'

/** How long a client may take; what is left out has its default. */
export interface TimeLimits {
  /** For the headers of a request; 20 s by default. */
  readonly headersMs?: number
  /** For a whole request with its body; 2 min by default. */
  readonly requestMs?: number
  /** Until its next request on the same connection; 65 s by default, more than common proxies wait. */
  readonly idleMs?: number
}

export interface ListenOptions extends Address {
  /** How long running requests may take once the server is stopping; 10 s by default. */
  readonly graceMs?: number | undefined
  readonly limits?: TimeLimits | undefined
  /** Told of what is refused before it is a request. */
  readonly onRefused?: ((refused: RefusedConnection) => void) | undefined
}

export interface Listening {
  /** Base address, without a slash at its end. */
  readonly url: string
  /** Takes no new request, lets running ones finish, and closes the knowledge base. */
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
      // The stop may have come meanwhile: the connection must not outlast it.
      if (stopping) (env.outgoing as ServerResponse).shouldKeepAlive = false
      return response
    },
    // HTTP/1.0 needs no Host header; what no address can be made of is answered like any other failure.
    { hostname: options.host, errorHandler: () => failure(400, 'The request has no valid address') },
  )
  const server = createServer(
    { requireHostHeader: false, ...timeouts(options.limits) },
    (request, response) => void answer(request, response),
  )
  const raw = createRawAnswers(options.onRefused)
  server.on('clientError', raw.answerFault)
  server.on('checkExpectation', (_, response: ServerResponse) => refuseExpectation(response))
  server.on('connect', (_, socket: Socket) => raw.refuseTunnel(socket))
  const url = await bind(server, options)

  let closing: Promise<void> | undefined
  async function close(): Promise<void> {
    stopping = true
    await drain(server, options.graceMs ?? 10_000)
    await knowledgeBase.close()
  }
  return { url, close: () => (closing ??= close()) }
}

function timeouts({ headersMs = 20_000, requestMs = 120_000, idleMs = 65_000 }: TimeLimits = {}) {
  return {
    headersTimeout: Math.min(headersMs, requestMs),
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: Math.min(headersMs, requestMs, 5000),
  }
}

function stoppingResponse(): Response {
  return failure(503, 'The server is stopping', { 'Retry-After': '1', Connection: 'close' })
}
