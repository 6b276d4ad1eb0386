import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
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

const STOPPING = JSON.stringify({ success: false, message: 'The server is stopping' })

/**
 * Serves a knowledge base on a socket.
 *
 * @throws KbError PORT_UNAVAILABLE
 */
export async function listen(knowledgeBase: KnowledgeBase, options: ListenOptions): Promise<Listening> {
  let stopping = false
  const server = createAdaptorServer({
    fetch: (request, env) => (stopping ? stoppingResponse() : knowledgeBase.app.fetch(request, env)),
  }) as Server
  server.on('clientError', answerMalformed)
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
  const headers = { 'Content-Type': 'application/json', 'Retry-After': '1', Connection: 'close' }
  return new Response(STOPPING, { status: 503, headers })
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
  const body = JSON.stringify({ success: false, message: 'The request is not valid HTTP' })
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  )
}
