import type { ServerResponse } from 'node:http'
import type { WrittenItem } from '../operations/create-operations.ts'
import type { ApiKeyRecord } from '../store/records.ts'
import { randomUUID } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import type { WireError } from '../../api/contract/wire-error.ts'
import { type HttpError, JsonResponse } from '../operations/responses.ts'

/** The authenticated caller of a request. */
export interface Caller extends ApiKeyRecord {
  /** Identifies a key without revealing it. */
  readonly keyId: string
}

/** Data of the request in progress, filled in as it becomes known. */
interface RequestTrace {
  readonly requestId: string
  caller: Caller | undefined
  /** The site of a page; undefined for a request whose key determines the site. */
  siteId: string | undefined
  readonly written: WrittenItem[]
  /** Headers to add to any response to this request. */
  headers: Readonly<Record<string, string>>
}

/** A completed request, without the contents of request and response. */
interface AnsweredRequest extends Readonly<Omit<RequestTrace, 'siteId' | 'headers'>> {
  readonly method: string
  /** Pattern of the path, such as `/api/v2/articles/{id}`; undefined if no operation matches. */
  readonly route: string | undefined
  /** Path without query, as sent by the client. */
  readonly path: string
  readonly status: number
  /** Time until the response was started, in milliseconds. */
  readonly durationMs: number
  /** Undefined if the request belongs to no site, such as a health check. */
  readonly siteId: string | undefined
}

/** Observes requests. Must not throw. */
export interface RequestObserver {
  readonly started?: () => void
  readonly answered: (request: AnsweredRequest) => void
}

/** hono's data of each request. */
export interface ServerEnv {
  /** Node's response, if there is a socket. */
  Bindings: { readonly outgoing?: ServerResponse }
  Variables: { trace: RequestTrace }
}

export const REQUEST_ID_HEADER = 'X-Request-Id'

/** Accepted ids from a client or proxy. They cannot forge a line of a log. */
const PLAIN_ID = /^[\w.=-]{1,64}$/

type Answer = (c: Context<ServerEnv>) => Promise<Response> | Response

/** Wraps the handler of `route`; undefined if no operation matches. */
export type Handle = (
  route: string | undefined,
  answer: Answer,
) => (c: Context<ServerEnv>) => Promise<Response>

/** The app to which a part of the server adds its handlers. */
export interface MountContext {
  readonly app: Hono<ServerEnv>
  readonly handle: Handle
}

/**
 * Gives every request an id, returns it in a header, and notifies the observers when the request is answered. A
 * client's own id is kept if it is short and plain. Wraps the handlers instead of being middleware, because a chain of
 * middleware takes longer than most reads.
 *
 * Responses of more than 1 kB are compressed for clients that accept it.
 *
 * @param refuse makes the response if `answer` throws
 */
export function createHandle(
  observers: readonly RequestObserver[],
  refuse: (c: Context<ServerEnv>, error: unknown) => Response,
): Handle {
  return (route, answer) => async (c) => {
    const startedMs = performance.now()
    const trace = createTrace(c.req.header(REQUEST_ID_HEADER))
    c.set('trace', trace)
    for (const observer of observers) observer.started?.()
    const response = await encode(c, await settle(c, answer, refuse))
    if (observers.length === 0) return response

    const { requestId, caller, siteId = caller?.siteId, written } = trace
    const durationMs = performance.now() - startedMs
    const { method, path } = c.req
    const { status } = response
    const answered = { requestId, method, route, path, status, durationMs, caller, siteId, written }
    for (const observer of observers) observer.answered(answered)
    return response
  }
}

/** Returns the id of a request: the client's own id if it is acceptable, otherwise a new one. */
export function requestIdOf(given: string | undefined): string {
  return given !== undefined && PLAIN_ID.test(given) ? given : randomUUID()
}

function createTrace(given: string | undefined): RequestTrace {
  const requestId = requestIdOf(given)
  return {
    requestId,
    caller: undefined,
    siteId: undefined,
    written: [],
    headers: { [REQUEST_ID_HEADER]: requestId },
  }
}

async function settle(
  c: Context<ServerEnv>,
  answer: Answer,
  refuse: (c: Context<ServerEnv>, error: unknown) => Response,
): Promise<Response> {
  try {
    return await answer(c)
  } catch (error) {
    return refuse(c, error)
  }
}

/** Uses a single encoding, so that a cache stores at most two versions of a response. */
const compressAnswer = compress({ encoding: 'gzip' })

async function encode(c: Context<ServerEnv>, response: Response): Promise<Response> {
  // Reading the headers of a response costs as much as a short read.
  if (c.req.header('Accept-Encoding') === undefined) return response
  await compressAnswer(c, async () => {
    c.res = response
  })
  return c.res
}

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
