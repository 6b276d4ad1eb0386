import type { ServerResponse } from 'node:http'
import type { WrittenItem } from '../operations/create-operations.ts'
import type { ApiKeyRecord } from '../store/store.ts'
import { randomUUID } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { compress } from 'hono/compress'

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
export interface Mounting {
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
