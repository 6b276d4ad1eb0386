import { setTimeout as sleepFor } from 'node:timers/promises'
import type { z } from 'zod'
import { checkRequest } from '../contract/check-request.ts'
import type {
  ArticleRequest,
  BatchArticle,
  UpdateCategoryRequest,
  UpdateTagRequest,
} from '../contract/request.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { pathOf, type Route, type RouteName, routes } from '../contract/routes.ts'
import { readProgramVersion } from '../../core/version.ts'
import { createDispatcher, isLoopback, type ProxyEnvironment } from './dispatcher.ts'
import { createQuote } from './read-envelope.ts'
import { createFileTransfer, type FileTransfer } from './file-transfer.ts'
import {
  readExtensions,
  type Origin,
  readAnswer,
  readItemAnswer,
  assertAccepted,
  createMissingDetector,
} from './read-answer.ts'
import { createRequestCounter, type RequestCounts } from './request-counter.ts'
import { createSendRequest, headerOf, type OutgoingRequest, type SendRequest } from './send-request.ts'
import { createSendWithRetries, dateOf, type Delay, type SendWithRetries } from './send-with-retries.ts'
import { createListStreams, type ListStreams } from './stream-lists.ts'
import { createThrottle } from './throttle.ts'
import { type BatchOutcome, judgeBatch, judgeWrite, locatedId, type WriteOutcome } from './write-outcome.ts'
import { setMaxListeners } from 'node:events'

export interface ClientOptions {
  /** URL of the service, without `/api/v2`. */
  readonly url: string
  readonly apiKey: string | undefined
  /** Maximum time to connect, until a response starts, and between parts of a response. */
  readonly timeoutMs: number
  readonly retries: number
  readonly concurrency: number
  /**
   * After an abort, no more requests are sent. Writes in progress are completed. Reads get one second.
   */
  readonly signal?: AbortSignal | undefined
  /** HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the environment; default: no proxy. */
  readonly proxy?: ProxyEnvironment | undefined
  /** Resolves after `ms`; rejects with an AbortError once the signal is aborted. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined
  /** Called before each pause before a retry. */
  readonly onDelay?: ((delay: Delay) => void) | undefined
  /** Returns the Unix time in milliseconds. */
  readonly now?: (() => number) | undefined
  readonly random?: (() => number) | undefined
  /** Sends one request, once; default: over HTTP to `url`. */
  readonly send?: SendRequest | undefined
}

/** Number of listed articles to compare with, enough that one of them is not the requested one and still exists. */
const CONTROLS = 2

/** Time for reads in progress after an abort. Most responses arrive within it. */
const READ_GRACE_MS = 1000

type RouteOf<Schema extends z.ZodType> = Route & { readonly lenient: Schema }

type Read<Name extends RouteName> = z.output<(typeof routes)[Name]['lenient']>

interface Tagged {
  readonly etag?: string | undefined
}

/** Undefined members are not sent. */
export interface PageOptions {
  readonly limit?: string | undefined
  readonly cursor?: string | undefined
}

/** With the extension `etag`, a write is rejected with status 412 if the article has another version now. */
export interface WriteCondition {
  readonly ifMatch?: string | undefined
}

/** `idempotencyKey`: unique to this create; only if the target announces the extension `idempotency`. */
export interface NewArticleOptions {
  readonly finishes?: boolean
  readonly idempotencyKey?: string | undefined
}

/**
 * The operations of /api/v2. Any number of calls may run at once: the client queues them, and slows down if the target
 * asks for it. Reads throw KbError TARGET_UNREACHABLE, TARGET_REFUSED, TARGET_REDIRECTED, TARGET_FAILED,
 * TARGET_ANSWER_INVALID or INTERRUPTED. Writes throw only if they were certainly not sent (TARGET_UNREACHABLE,
 * INTERRUPTED) or one after another is rejected for now (TARGET_FAILED). Otherwise they return an outcome. A write is
 * retried only if the target certainly did not act on it; a create with an idempotency key after any failure.
 */
export interface ApiClient extends ListStreams, FileTransfer {
  /**
   * Undefined if the target reports that the article does not exist. `etag` is its version for `WriteCondition`, if the
   * target states one.
   */
  readArticle(id: string): Promise<(Read<'readArticle'> & Tagged) | undefined>
  /** Undefined if the target reports that the tag does not exist. */
  readTag(id: string): Promise<Read<'readTag'> | undefined>
  /** A page of all articles, without their contents; requires the target's extension `changed-since`. */
  listArticles(page: PageOptions): Promise<Read<'listArticles'>>
  listCategories(): Promise<Read<'listCategories'>>
  listReviewDates(): Promise<Read<'listReviewDates'>>
  listLinks(): Promise<Read<'listLinks'>>
  /** Lists the slugs that redirect to articles; requires the target's extension `redirects`. */
  listRedirects(): Promise<Read<'listRedirects'>>
  /**
   * The outcome has an id only with the extension `ids` ("Create an article" in the specification). A create that
   * `finishes` a replacement is sent even after an interruption, because otherwise the article would be missing.
   */
  createArticle(body: ArticleRequest, options?: NewArticleOptions): Promise<WriteOutcome>
  /** Updates an article in place, with the body of a create; requires the target's extension `update`. */
  updateArticle(id: string, body: ArticleRequest, condition?: WriteCondition): Promise<WriteOutcome>
  /** Creates and updates articles with one request, in this order; requires the target's extension `batch`. */
  writeArticles(articles: readonly BatchArticle[]): Promise<BatchOutcome>
  deleteArticle(id: string, condition?: WriteCondition): Promise<WriteOutcome>
  updateCategory(id: string, body: UpdateCategoryRequest): Promise<WriteOutcome>
  updateTag(id: string, body: UpdateTagRequest): Promise<WriteOutcome>
  /**
   * Returns the names of the extensions that the target announces, in lower case; none unless the response is a
   * success, and undefined without a response. Sends a request on each call. Throws only INTERRUPTED.
   */
  fetchExtensions(): Promise<readonly string[] | undefined>
  countRequests(): RequestCounts
  /**
   * Milliseconds by which the target's clock is ahead, from the Date header of its last response, in whole seconds;
   * undefined until a response has one.
   */
  clockOffsetMs(): number | undefined
  /** Waits for requests in progress and closes the connections. No calls are allowed afterwards. */
  close(): Promise<void>
}

function withQuery(request: OutgoingRequest, query: PageOptions): OutgoingRequest {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return request
  return { ...request, path: `${request.path}?${new URLSearchParams(given).toString()}` }
}

/**
 * Creates a client of the service at `url`. It connects with the first call.
 *
 * @throws KbError ENVIRONMENT_INVALID if the URL of the proxy is invalid
 */
export function createClient(options: ClientOptions): ApiClient {
  const { send, sendToTheEnd, address, ...transport } = createTransport(options)
  const quote = createQuote(options.apiKey)
  const missing = createMissingDetector()

  function originOf({ method, path }: OutgoingRequest): Origin {
    return { address, operation: `${method} ${path}`, quote }
  }

  async function list<Schema extends z.ZodType>(route: RouteOf<Schema>, query: PageOptions = {}) {
    const request = withQuery(requestTo(route), query)
    return readAnswer(await send(request, 'any-failure'), route.lenient, originOf(request))
  }

  async function isListed(article: string): Promise<boolean> {
    const dated = await list(routes.listReviewDates)
    if (dated.data.some(({ id }) => id === article)) return true
    return (await list(routes.listLinks)).data.some(({ article_id: id }) => id === article)
  }

  async function readItem<Schema extends z.ZodType>(route: RouteOf<Schema>, id: string) {
    const askWith = (asked: Route) => (itemId: string) => send(requestTo(asked, itemId), 'any-failure')
    const ask = askWith(route)
    const result = await ask(id)
    const comparison = { askArticle: askWith(routes.readArticle), isListed }
    if (await missing.isMissing(id, result, ask, comparison)) return { item: undefined }
    const item = readItemAnswer(result, route.lenient, originOf(requestTo(route, id)))
    return { item, etag: result.kind === 'answered' ? headerOf(result, 'etag') : undefined }
  }

  const { write, create, writeArticles } = createWrites({ send, sendToTheEnd, address, quote, originOf })

  return {
    readArticle: async (id) => {
      const { item, etag } = await readItem(routes.readArticle, id)
      return item && { ...item, etag }
    },
    readTag: async (id) => (await readItem(routes.readTag, id)).item,
    listArticles: (page) => list(routes.listArticles, page),
    listCategories: () => list(routes.listCategories),
    listReviewDates: async () => {
      const answer = await list(routes.listReviewDates)
      missing.noteListed(answer.data.slice(0, CONTROLS).map(({ id }) => id))
      return answer
    },
    listLinks: () => list(routes.listLinks),
    listRedirects: () => list(routes.listRedirects),
    ...createListStreams({ send, originOf, noteListed: missing.noteListed, noted: CONTROLS }),
    createArticle: create,
    updateArticle: (id, body, condition) => write(routes.updateArticle, { id, body, condition }),
    writeArticles,
    deleteArticle: (id, condition) => write(routes.deleteArticle, { id, condition }),
    updateCategory: (id, body) => write(routes.updateCategory, { id, body }),
    updateTag: (id, body) => write(routes.updateTag, { id, body }),
    ...createFileTransfer(send, originOf),
    fetchExtensions: async () => readExtensions(await send(requestTo(routes.announceExtensions), 'optional')),
    ...transport,
  }
}

interface WriteOptions extends Pick<Origin, 'address' | 'quote'> {
  readonly send: SendWithRetries
  readonly sendToTheEnd: SendWithRetries
  readonly originOf: (request: OutgoingRequest) => Origin
}

interface SendOptions extends NewArticleOptions {
  readonly id?: string
  readonly body?: unknown
  readonly condition?: WriteCondition | undefined
  /** True if the target recognises a repeated request, and does nothing twice. */
  readonly isRepeatable?: boolean
}

function createWrites({ send, sendToTheEnd, address, quote, originOf }: WriteOptions) {
  async function write(route: Route, options: SendOptions) {
    return judgeWrite(await sendWrite(route, options), quote)
  }

  async function create(body: ArticleRequest, options: NewArticleOptions = {}): Promise<WriteOutcome> {
    const isRepeatable = options.idempotencyKey !== undefined
    const result = await sendWrite(routes.createArticle, { ...options, body, isRepeatable })
    const outcome = judgeWrite(result, quote, isRepeatable)
    const id = locatedId(result, address)
    return outcome.kind === 'done' && id !== undefined ? { ...outcome, id } : outcome
  }

  async function sendWrite(route: Route, options: SendOptions) {
    const { id, body, condition = {}, finishes = false, idempotencyKey: key, isRepeatable } = options
    const { ifMatch } = condition
    // Content that the target itself has stored may exceed our limits.
    const asStored = { method: route.method, path: pathOf(route), body }
    const plain = finishes ? asStored : requestTo(route, id, body)
    const headers = {
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      ...(key !== undefined && { 'idempotency-key': `"${key}"` }),
    }
    const request = Object.keys(headers).length === 0 ? plain : { ...plain, headers }
    const repeatAfter = isRepeatable === true ? 'any-failure' : 'unprocessed'
    const result = await send(request, repeatAfter).catch((error: unknown) => {
      // An interrupted request was not sent.
      if (finishes && error instanceof KbError && error.code === 'INTERRUPTED')
        return sendToTheEnd(request, repeatAfter)
      throw error
    })
    assertAccepted(result, originOf(request), isRepeatable)
    return result
  }

  async function writeArticles(articles: readonly BatchArticle[]) {
    const isRepeatable = articles.every(({ idempotencyKey: key }) => key !== undefined)
    const result = await sendWrite(routes.writeArticles, { body: { articles }, isRepeatable })
    return judgeBatch(result, articles.length, { quote, isRepeatable })
  }

  return { write, create, writeArticles }
}

function createTransport(options: ClientOptions) {
  const { timeoutMs, retries, concurrency, signal, proxy = {}, sleep = sleepUnlessAborted } = options
  const { now = Date.now, random = Math.random, onDelay } = options
  const { origin, hostname, pathname } = new URL(options.url)
  const basePath = pathname.replace(/\/+$/, '')
  const dispatcher = createDispatcher({ origin, connections: concurrency, timeoutMs, proxy })
  const readsEnd = createLateSignal(signal, READ_GRACE_MS, sleep)
  const counter = createRequestCounter()
  const transmit =
    options.send ??
    createSendRequest({
      dispatcher,
      origin,
      basePath,
      headers: requestHeaders(options.apiKey),
      compressed: !isLoopback(hostname),
      timeoutMs,
      readSignal: readsEnd.signal,
    })
  let clockOffsetMs: number | undefined
  const sendOnce: SendRequest = async (request) => {
    const result = await transmit(request)
    if (result.kind === 'answered') {
      const dateMs = dateOf(result)
      if (dateMs !== undefined) clockOffsetMs = dateMs - now()
    }
    return result
  }
  const sending = { send: sendOnce, counter, retries, now, random, onDelay }
  const throttle = createThrottle({ concurrency, signal, now, sleep })
  // For requests that must be completed: they are sent even after an interruption, which clears the queue.
  const endless = createThrottle({ concurrency, signal: undefined, now, sleep })
  return {
    address: origin + basePath,
    send: createSendWithRetries({ ...sending, throttle }),
    sendToTheEnd: createSendWithRetries({ ...sending, throttle: endless }),
    countRequests: () => counter.snapshot(),
    clockOffsetMs: () => clockOffsetMs,
    async close() {
      throttle.close()
      await dispatcher.close()
      readsEnd.close()
    },
  }
}

/** Builds a request. Validates strictly before sending, because a body that violates the contract is a bug. */
function requestTo(route: Route, id?: string, body?: unknown): OutgoingRequest {
  const path = pathOf(route, id)
  if (route.request === undefined) return { method: route.method, path }
  const checked = checkRequest(route.request, body)
  if (checked.kind === 'invalid') throw new Error(`Wrong body for "${route.summary}": ${checked.message}`)
  return { method: route.method, path, body: checked.value }
}

// Every request has a Content-Type, even without a body ("Requests and responses" in the specification).
function requestHeaders(apiKey: string | undefined): readonly string[] {
  return Object.entries({
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': `kb-sync/${readProgramVersion()}`,
  }).flat()
}

async function sleepUnlessAborted(ms: number, signal?: AbortSignal): Promise<void> {
  await sleepFor(ms, undefined, signal === undefined ? {} : { signal })
}

/** Creates a signal for work that may be aborted, but should complete if possible. */
function createLateSignal(
  signal: AbortSignal | undefined,
  delayMs: number,
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>,
) {
  if (signal === undefined) return { signal, close: () => undefined }
  const late = new AbortController()
  const closing = new AbortController()
  // All requests in progress listen to it.
  setMaxListeners(0, late.signal)
  const follow = () => {
    sleep(delayMs, closing.signal).then(
      () => late.abort(),
      () => undefined,
    )
  }
  if (signal.aborted) follow()
  else signal.addEventListener('abort', follow, { once: true })
  return {
    signal: late.signal,
    /** Stops following the signal. */
    close: () => {
      signal.removeEventListener('abort', follow)
      closing.abort()
    },
  }
}
