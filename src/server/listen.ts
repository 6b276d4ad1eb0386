import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { WireError } from '../contract/wire-error.ts'
import { KbError, reasonOf } from '../errors/kb-error.ts'
import type { KnowledgeBase } from './open-knowledge-base.ts'

export interface ListenOptions {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** How long running requests may take once the server is stopping; 10 s by default. */
  readonly graceMs?: number | undefined
}

export interface Listening {
  /** Base address, without a slash at its end. */
  readonly url: string
  /** Takes no new request, lets running ones finish, and closes the knowledge base. */
  close(): Promise<void>
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

/**
 * Serves a knowledge base on a socket.
 *
 * @throws KbError PORT_UNAVAILABLE
 */
export async function listen(knowledgeBase: KnowledgeBase, options: ListenOptions): Promise<Listening> {
  let stopping = false
  const answer = getRequestListener(
    (request, env) => (stopping ? stoppingResponse() : knowledgeBase.app.fetch(request, env)),
    // HTTP/1.0 needs no Host header; what no address can be made of is answered like any other failure.
    { hostname: options.host, errorHandler: () => failure(400, 'The request has no valid address') },
  )
  const server = createServer(
    { requireHostHeader: false },
    (request, response) => void answer(request, response),
  )
  server.on('clientError', answerMalformed)
  server.on('checkExpectation', (_, response: ServerResponse) => {
    const body = wireText('The expectation of the request cannot be met')
    response.writeHead(417, { ...JSON_TYPE, 'Content-Length': body.length }).end(body)
  })
  server.on('connect', (_, socket: Socket) => answerRaw(socket, '405 Method Not Allowed', 'This is no proxy'))
  await bind(server, options)

  let closing: Promise<void> | undefined
  async function close(): Promise<void> {
    stopping = true
    await drain(server, options.graceMs ?? 10_000)
    await knowledgeBase.close()
  }
  return { url: urlOf(server, options.host), close: () => (closing ??= close()) }
}

function stoppingResponse(): Response {
  return failure(503, 'The server is stopping', { 'Retry-After': '1', Connection: 'close' })
}

function failure(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(wireText(message), { status, headers: { ...JSON_TYPE, ...headers } })
}

function wireText(message: string): string {
  return JSON.stringify({ success: false, message } satisfies WireError)
}

function bind(server: Server, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(portUnavailable(host, port, error)))
    server.listen(port, host, resolve)
  })
}

function portUnavailable(host: string, port: number, cause: Error): KbError {
  return new KbError('PORT_UNAVAILABLE', `Cannot listen on ${host}:${port}: ${reasonOf(cause)}.`, {
    hint: 'Stop the program that uses the port, or choose another with --port (0 picks a free one).',
    cause,
  })
}

/** Resolves when every connection is closed; those still busy after `graceMs` are cut. */
function drain(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
  })
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

// What is no HTTP never reaches the app; even so the answer has the shape of every other failure.
function answerMalformed(error: Error & { readonly code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  answerRaw(socket, '400 Bad Request', 'The request is not valid HTTP')
}

/** Answers past the HTTP server, and closes the connection. */
function answerRaw(socket: Socket, status: string, message: string): void {
  const body = wireText(message)
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  )
}
