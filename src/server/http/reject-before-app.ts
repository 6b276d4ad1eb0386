// Responses to requests that the HTTP server rejects before the app sees them, in the form of every other failure.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { WireError } from '../../api/contract/wire-error.ts'
import { JSON_HEADERS } from './handle-request.ts'

type Headers = Readonly<Record<string, string>>

/** Returns a failure in the usual form, outside of the app. */
export function failureReply(status: number, message: string, headers: Headers = {}): Response {
  return new Response(wireText(message), { status, headers: { ...JSON_HEADERS, ...headers } })
}

export function refuseRequest(response: ServerResponse, status: number, message: string): void {
  const body = wireText(message)
  response.writeHead(status, { ...JSON_HEADERS, 'Content-Length': body.length }).end(body)
}

/** Status line and message by the error code of Node's HTTP server. */
const FAULTS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'The chunk extensions of the body are too large'],
}

/** A rejected connection, without anything that the client sent. */
export interface RefusedConnection {
  readonly status: number
  readonly reason: string
}

/** Creates responses outside of the app, each of which closes its socket. */
export function createRawAnswers(onRefused: (refused: RefusedConnection) => void = () => undefined) {
  function refuse(socket: Socket, statusLine: string, reason: string): void {
    onRefused({ status: Number.parseInt(statusLine, 10), reason })
    answerRaw(socket, statusLine, reason)
  }

  /** Responds to requests that are invalid HTTP, too large or too slow. */
  function answerFault(error: Error & { readonly code?: string }, socket: Socket): void {
    const running = runningAnswer(socket)
    const [status, message] = FAULTS[error.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP']
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    // A complete request before the invalid one is answered first.
    else if (running?.req.complete === true) running.once('finish', () => refuse(socket, status, message))
    // A second response must not be written into one that was started.
    else if (running?.headersSent === true) socket.destroy()
    else refuse(socket, status, message)
  }

  return {
    answerFault,
    refuseTunnel: (socket: Socket) => refuse(socket, '405 Method Not Allowed', 'This server is not a proxy'),
  }
}

// Only this member tells which response a socket is sending. Node's own handler uses it, too.
function runningAnswer(socket: Socket & { readonly _httpMessage?: ServerResponse | null }) {
  // oxlint-disable-next-line no-underscore-dangle
  return socket._httpMessage ?? undefined
}

function answerRaw(socket: Socket, status: string, message: string): void {
  const body = wireText(message)
  const headers = { ...JSON_HEADERS, 'Content-Length': body.length, Connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
}

function wireText(message: string): string {
  return JSON.stringify({ success: false, message } satisfies WireError)
}
