// A fast path for the most frequent request: an article is read with a key, and both are cached since the last change
// of the database. The response is the same as the app's, byte for byte. Every other request goes to the app.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { routes } from '../../api/contract/routes.ts'
import { isGuessable } from '../api-key.ts'
import { type AnswerCache, answerKey } from '../operations/answer-cache.ts'
import type { Store } from '../store/open-store.ts'
import { type KeyRing, keyIn } from './authenticate.ts'
import { REQUEST_ID_HEADER, type RequestObserver, requestIdOf, JSON_HEADERS } from './handle-request.ts'

/** Responds if that is possible at once; returns whether it did. */
export type AnswerKnownRead = (request: IncomingMessage, response: ServerResponse) => boolean

interface KnownReadsOptions {
  readonly store: Pick<Store, 'exactMark'>
  readonly keys: Pick<KeyRing, 'knownAt'>
  readonly answers: Pick<AnswerCache, 'peek'>
  readonly observers: readonly RequestObserver[]
}

const ROUTE = routes.readArticle.path
const PREFIX = ROUTE.replace('{id}', '')

/** Hosts that hono accepts without further checks. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/

const FIXED_HEADERS = Object.entries(JSON_HEADERS).flat()

export function createKnownReads(options: KnownReadsOptions): AnswerKnownRead {
  const { answers, observers } = options
  const turnOf = createTurnOf(options)

  return (request, response) => {
    const startedMs = performance.now()
    const turn = turnOf(request.socket)
    const { method, url = '' } = request
    if (turn === undefined || method !== 'GET' || !url.startsWith(PREFIX)) return false
    const headers = readHeaders(request.rawHeaders)
    const key = headers && keyIn(headers.authorization)
    if (headers === undefined || key === undefined || isGuessable(key)) return false
    const state = turn.look()
    const caller = state?.findCaller(key)
    if (state === undefined || caller === undefined) return false
    const known = answers.peek(state.mark, answerKey(caller.siteId, url.slice(PREFIX.length)))
    if (!(known?.body instanceof Uint8Array)) return false

    for (const observer of observers) observer.started?.()
    const requestId = requestIdOf(headers.requestId)
    const durationMs = performance.now() - startedMs
    const { siteId } = caller
    const answered = {
      requestId,
      method,
      route: ROUTE,
      path: url,
      status: 200,
      durationMs,
      caller,
      siteId,
      written: [],
    }
    for (const observer of observers) observer.answered(answered)
    const { ETag = '' } = known.headers
    const own = [REQUEST_ID_HEADER, requestId, 'ETag', ETag, 'Content-Length', String(known.body.length)]
    response.writeHead(200, [...FIXED_HEADERS, ...own])
    response.end(known.body)
    return true
  }
}

/** Returns the headers that decide; undefined if the response depends on others. */
function readHeaders(raw: readonly string[]) {
  let authorization: string | undefined
  let requestId: string | undefined
  let isPlainHost = false
  for (let index = 0; index < raw.length; index += 2) {
    const value = raw[index + 1] as string
    switch ((raw[index] as string).toLowerCase()) {
      case 'authorization':
        if (authorization !== undefined) return undefined
        authorization = value
        break
      case 'x-request-id':
        if (requestId !== undefined) return undefined
        requestId = value
        break
      case 'host':
        if (isPlainHost || !PLAIN_HOST.test(value)) return undefined
        isPlainHost = true
        break
      case 'accept-encoding':
      case 'if-none-match':
        return undefined
    }
  }
  return authorization === undefined || !isPlainHost ? undefined : { authorization, requestId }
}

/** The keys that are cached for the current state of the database. */
interface KnownState {
  readonly mark: number
  readonly findCaller: ReturnType<KeyRing['knownAt']>
}

/**
 * Database and key file are checked once for all requests that wait in a turn of the event loop. A commit that is
 * acknowledged after the check is newer than these requests, since they were already sent. Only a further request on
 * one of the connections may have been sent later, so it gets no turn.
 */
function createTurnOf({ store, keys }: KnownReadsOptions) {
  let turn = new Turn(store, keys)
  const lastTurn = new WeakMap<Socket, Turn>()

  return (socket: Socket): Turn | undefined => {
    if (!turn.isNow()) turn = new Turn(store, keys)
    if (lastTurn.get(socket) === turn) return undefined
    lastTurn.set(socket, turn)
    return turn
  }
}

class Turn {
  readonly #store: KnownReadsOptions['store']
  readonly #keys: KnownReadsOptions['keys']
  // With a long queue, a turn handles several batches, each of which may have been sent after the previous one.
  readonly #count = performance.nodeTiming.uvMetricsInfo
  #state: KnownState | undefined

  constructor(store: KnownReadsOptions['store'], keys: KnownReadsOptions['keys']) {
    this.#store = store
    this.#keys = keys
  }

  isNow(): boolean {
    const { loopCount, events } = performance.nodeTiming.uvMetricsInfo
    return loopCount === this.#count.loopCount && events === this.#count.events
  }

  look(): KnownState | undefined {
    if (this.#state !== undefined) return this.#state
    try {
      const mark = this.#store.exactMark()
      if (mark !== undefined) this.#state = { mark, findCaller: this.#keys.knownAt(mark) }
    } catch {
      // The app reports the error.
    }
    return this.#state
  }
}
