import type { Context } from 'hono'
import type { WireError } from '../../api/contract/wire-error.ts'
import { type HttpError, JsonResponse } from '../operations/responses.ts'
import type { ServerEnv } from './handle-request.ts'

/** Called with a server error and the request's id. */
type OnFault = (error: unknown, requestId: string) => void

/** Sends a successful response: a value, or finished JSON. @param onFault called if a streamed response fails */
export function sendJson(c: Context<ServerEnv>, answer: object, onFault?: OnFault): Response {
  if (!(answer instanceof JsonResponse)) return send(c, 200, JSON.stringify(answer))
  const { body, headers } = answer
  if (body === null)
    return new Response(null, {
      status: 304,
      headers: { ...DATA_HEADERS, ...c.get('trace').headers, ...headers },
    })
  if (typeof body === 'string' || body instanceof Uint8Array) return send(c, 200, body, headers)
  return send(c, 200, streamPieces(c, body, onFault), headers)
}

/** Streams a response body while it is produced. @param onFault called if that fails */
export function streamPieces(
  c: Context<ServerEnv>,
  pieces: AsyncGenerator<string | Uint8Array, void>,
  onFault?: OnFault,
): ReadableStream<Uint8Array> {
  return streamUntil(pieces, (error) => {
    onFault?.(error, c.get('trace').requestId)
    // Tests call the app without a socket.
    const outgoing = (c.env as ServerEnv['Bindings'] | undefined)?.outgoing
    outgoing?.destroy()
    return outgoing !== undefined
  })
}

/** Responds to a rejected request, in the form of every failure. */
export function sendRefusal(c: Context<ServerEnv>, { status, message, headers }: HttpError): Response {
  return send(c, status, JSON.stringify({ success: false, message } satisfies WireError), headers)
}

function send(
  c: Context<ServerEnv>,
  status: number,
  body: string | Uint8Array | ReadableStream<Uint8Array>,
  headers?: JsonResponse['headers'],
): Response {
  const all = { ...JSON_HEADERS, ...c.get('trace').headers, ...headers }
  // Short responses are not compressed, depending on their length.
  const length = body instanceof ReadableStream ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  return new Response(body, { status, headers: { ...all, ...length } })
}

// The status is sent with the first chunk. If a later chunk fails, the connection is aborted: a response that ends
// normally would look complete.

/** @param breakOff called on a failure; returns true if the connection is already closed */
function streamUntil(
  pieces: AsyncGenerator<string | Uint8Array, void>,
  breakOff: (error: unknown) => boolean,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let isCancelled = false
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await pieces.next()
        // The client may disconnect while a chunk is produced.
        if (isCancelled) return
        if (done === true) controller.close()
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
      } catch (error) {
        if (breakOff(error)) controller.close()
        else controller.error(error)
      }
    },
    async cancel() {
      isCancelled = true
      await pieces.return()
    },
  })
}

// Plain objects that are added to responses unchanged.

/** Headers of every response. TLS and its headers are up to the proxy in front. */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

/** Headers of responses that may be compressed, even if they are too short for it. */
export const ENCODED_HEADERS = { Vary: 'Accept-Encoding' } as const

/** Headers of responses that browsers must not render, run or cache. */
export const DATA_HEADERS = {
  ...SECURITY_HEADERS,
  ...ENCODED_HEADERS,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
} as const

export const JSON_HEADERS = { 'Content-Type': 'application/json', ...DATA_HEADERS } as const
