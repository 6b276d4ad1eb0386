import limitConcurrency from 'p-limit'
import { type Context, Hono } from 'hono'
import { checkRequest } from '../../api/contract/check-request.ts'
import { idempotencyKey } from '../../api/contract/request.ts'
import { API_PREFIX, type Route, type RouteName, routes } from '../../api/contract/routes.ts'
import { lowerCaseUuid } from '../../core/lower-case-uuid.ts'
import { createAuthorize, type Authorize, type Authenticate, type RateLimit } from './authenticate.ts'
import { failureReply } from './reject-before-app.ts'
import type { AnswerCache } from '../operations/answer-cache.ts'
import type { LargeCalls } from './large-calls.ts'
import { mountFiles } from '../files/mount-files.ts'
import type { FileLimits, Upload } from '../files/receive-file.ts'
import { mountDocs } from '../docs/mount-docs.ts'
import { createYield } from '../operations/json-list.ts'
import type { ServerMetrics } from '../observe/create-metrics.ts'
import { type Call, createOperations, LARGE } from '../operations/create-operations.ts'
import type { CallHead } from './large-call-worker.ts'
import { parseBody, readJsonBytes } from './read-body.ts'
import { isOutOfSpace } from '../../core/error-code.ts'
import { HttpError, httpErrorOf, jsonResponse } from '../operations/responses.ts'
import type { ServerPages } from '../pages/create-server-pages.ts'
import {
  type RequestObserver,
  type ServerEnv,
  createHandle,
  type MountContext,
  DATA_HEADERS,
  sendJson,
  sendRefusal,
} from './handle-request.ts'
import type { Store } from '../store/open-store.ts'
import { setTimeout } from 'node:timers/promises'

interface AppOptions {
  readonly fileLimits: FileLimits
  readonly store: Store
  readonly authenticate: Authenticate
  readonly answers: AnswerCache
  readonly readiness: Readiness
  readonly clock: () => Date
  readonly bodyLimitBytes: number
  readonly largeCalls: Pick<LargeCalls, 'run'>
  /** Undefined: no limit. */
  readonly rateLimit: RateLimit | undefined
  /** Undefined: no /metrics. */
  readonly metrics: ServerMetrics | undefined
  readonly observers: readonly RequestObserver[]
  /** Folder with the files of the documentation page; undefined: the program's own. */
  readonly docsFolder: string | undefined
  /** Undefined: no pages. */
  readonly pages: ServerPages | undefined
  /** Called with every exception other than HttpError; the client receives a generic message. */
  readonly onError: (error: unknown, requestId: string) => void
  /** The OpenAPI document, served without a key. */
  readonly openApi: () => object
}

/** Maximum size of a text that is read, parsed and written in the main thread, in a few milliseconds. */
const LARGE_BYTES = 1_000_000

/** Paths in addition to those of the operations. */
const READ_ONLY_PATHS = [
  '/healthz',
  '/readyz',
  '/metrics',
  `${API_PREFIX}/openapi.json`,
  `${API_PREFIX}/docs`,
]

/**
 * Serves the operations over HTTP. Everything under /api/v2 except its documentation needs a key, so that operations
 * and items cannot be probed without one.
 */
export function createApp(options: AppOptions): Hono<ServerEnv> {
  const { store, metrics, authenticate, onError } = options
  const app = new Hono<ServerEnv>()
  const handle = createHandle(options.observers, (c, error) => sendRefusal(c, toHttpError(c, error, onError)))
  const admit = createAuthorize(authenticate, options.rateLimit)
  const mounting = { app, handle }

  mountHealth(mounting, options)
  if (metrics !== undefined) mountMetrics(mounting, metrics, authenticate, store.defaultSiteId)
  mountOpenApi(mounting, options.openApi)
  mountDocs(mounting, options.docsFolder)
  // Only the pages know the readers who may get the files of a site with a password.
  if (options.pages?.isClosed !== true) mountFiles(mounting, { store, onFault: onError })
  mountOperations(mounting, { ...options, admit })
  for (const path of READ_ONLY_PATHS) {
    if (path === '/metrics' && metrics === undefined) continue
    app.all(
      path,
      handle(path, (c) => Promise.reject(methodNotAllowed(c.req.method, ['GET', 'HEAD']))),
    )
  }
  const refuseUnknown = handle(undefined, async (c) => {
    if (c.req.path.startsWith(`${API_PREFIX}/`)) await admit(c)
    throw new HttpError(404, `There is no operation ${c.req.method} ${c.req.path}`)
  })
  const pages = options.pages?.createApp({
    handle,
    admit,
    onError,
    rest: refuseUnknown,
    mount: (own, handleReader, hiddenSites) =>
      mountFiles({ app: own, handle: handleReader }, { store, hiddenSites, onFault: onError }),
  })
  app.notFound(pages === undefined ? refuseUnknown : (c) => pages.fetch(c.req.raw, c.env))
  // Handlers respond to their own errors. This is for errors outside of them.
  app.onError((error) => {
    onError(error, '')
    return failureReply(500, 'An internal error occurred in the server')
  })
  return app
}

/** Returns the error for the client: for a server error, only a generic message and the request's id. */
function toHttpError(c: Context<ServerEnv>, error: unknown, onError: AppOptions['onError']): HttpError {
  const refusal = httpErrorOf(error)
  if (refusal !== undefined) return refusal
  const { requestId, written } = c.get('trace')
  onError(error, requestId)
  const fate = written.length === 0 ? 'nothing was changed' : 'a part of the articles was written'
  const what = isOutOfSpace(error)
    ? 'The disk of the server is full'
    : 'An internal error occurred in the server'
  return new HttpError(500, `${what}; ${fate}. Request id: ${requestId}`)
}

type OperationOptions = AppOptions & Parameters<typeof readCall>[2]

function mountOperations({ app, handle }: MountContext, options: OperationOptions): void {
  const operations = createOperations(options.store, options.fileLimits, LARGE_BYTES, options.answers)
  const parse = createParser()
  const runLarge = async (name: RouteName, call: CallHead & Pick<Call, 'onWritten'>, bytes?: Uint8Array) => {
    const { json, headers, written } = await options.largeCalls.run(name, call, bytes)
    written.forEach(call.onWritten)
    return jsonResponse(json, headers)
  }
  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    const answer = handle(route.path, async (c) => {
      const call = await readCall(c, name, options)
      if (route.takesFile) return sendJson(c, await operations[name]({ ...call, body: uploadOf(c) }))
      const bytes =
        route.request === undefined ? undefined : await readJsonBytes(c.req.raw, options.bodyLimitBytes)
      if (bytes !== undefined && bytes.length > LARGE_BYTES)
        return sendJson(c, await runLarge(name, call, bytes))
      const body = bytes === undefined ? undefined : await parse(bytes, name)
      const answered = await operations[name]({ ...call, body })
      return sendJson(c, answered === LARGE ? await runLarge(name, call) : answered, options.onError)
    })
    app.on(route.method, toPattern(route.path), answer)
  }
  for (const path of new Set(Object.values(routes).map((route) => route.path))) {
    const refuse = handle(path, async (c) => {
      await options.admit(c)
      throw methodNotAllowed(c.req.method, methodsOf(path))
    })
    app.all(toPattern(path), refuse)
  }
}

/**
 * Parses one body after another, and handles other events between bodies and between the articles of a batch: a
 * transaction that waits for one holds locks.
 */
function createParser(): typeof parseBody {
  const nextTurn = createYield()
  const inOrder = limitConcurrency(1)
  return (bytes, name) =>
    inOrder(async () => {
      await nextTurn()
      return parseBody(bytes, name, nextTurn)
    })
}

function uploadOf(c: Context<ServerEnv>): Upload {
  const bytes = (c.req.raw.body ?? []) as AsyncIterable<Uint8Array>
  return { length: c.req.header('Content-Length'), bytes }
}

/** Serves the document, which is created on first use and cached. */
function mountOpenApi({ app, handle }: MountContext, openApi: () => object): void {
  const path = `${API_PREFIX}/openapi.json`
  let text: string | undefined
  const answer = handle(path, (c) => {
    text ??= JSON.stringify(openApi())
    return sendJson(c, jsonResponse(text, { 'Cache-Control': 'no-cache' }))
  })
  app.get(path, answer)
}

function toPattern(path: string): string {
  return path.replace('{id}', ':id')
}

function methodsOf(path: string): string[] {
  const known = Object.values(routes)
    .filter((route) => route.path === path)
    .map((route): string => route.method)
  return known.includes('GET') ? [...known, 'HEAD'] : known
}

function methodNotAllowed(method: string, allowed: readonly string[]): HttpError {
  return new HttpError(
    405,
    `${method} is not an operation here: the allowed methods are ${allowed.join(', ')}`,
    { Allow: allowed.join(', ') },
  )
}

/** Methods that a read-only key may use. */
const READING: ReadonlySet<string> = new Set(['GET', 'OPTIONS'])

/**
 * Converts a request, without its body, to a call that is checked against the contract.
 *
 * @throws HttpError 400, 401, 403, 412, 429
 */
async function readCall(
  c: Context<ServerEnv>,
  name: RouteName,
  options: { readonly admit: Authorize; readonly clock: () => Date },
): Promise<Omit<Call, 'body'>> {
  const route: Route = routes[name]
  const caller = await options.admit(c)
  const isRead = READING.has(route.method)
  if (caller.readOnly && !isRead && !route.isRead)
    throw new HttpError(403, 'This API key is read-only: use one with write access')
  // RFC 9110, section 13.1.1: a write requires that the condition holds. An item without version matches no tag.
  if (!isRead && route.conditions?.['If-Match'] === undefined && c.req.header('If-Match') !== undefined)
    throw new HttpError(
      412,
      'If-Match is only for updating or deleting one article: send this request without it',
    )
  return {
    caller,
    id: lowerCaseUuid(c.req.param('id') ?? ''),
    query: route.query !== undefined && c.req.url.includes('?') ? readCheckedQuery(c, route.query) : {},
    conditions: route.conditions === undefined ? {} : readConditions(c),
    now: options.clock().toISOString(),
    onWritten: (item) => void c.get('trace').written.push(item),
  }
}

function readConditions(c: Context): Call['conditions'] {
  return {
    ifMatch: c.req.header('If-Match'),
    ifNoneMatch: c.req.header('If-None-Match'),
    idempotencyKey: readIdempotencyKey(c.req.header('Idempotency-Key')),
  }
}

/**
 * Reads a key as a string of RFC 8941, section 3.3.3, as draft-ietf-httpapi-idempotency-key-header requires. Many
 * clients send it without the quotes.
 */
function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header)?.[1]?.replace(/\\(.)/g, '$1')
  const checked = checkRequest(idempotencyKey, quoted ?? header)
  if (checked.kind === 'valid') return checked.value
  throw new HttpError(400, 'Idempotency-Key must be a text of 1 to 255 ASCII characters in quotes')
}

// Ignores parameters that the route does not know, as the documented service would.
function readCheckedQuery(c: Context, schema: NonNullable<Route['query']>): Call['query'] {
  const given: Record<string, string> = {}
  for (const name of Object.keys(schema.shape)) {
    const [value, another] = c.req.queries(name) ?? []
    if (another !== undefined) throw new HttpError(400, `${name} must not be given more than once`)
    if (value !== undefined) given[name] = value
  }
  const result = checkRequest(schema, given)
  if (result.kind === 'invalid') throw new HttpError(400, result.message)
  return result.value
}

const LONGEST_PROBE_MS = 250

/** True if this process accepts requests. */
interface Readiness {
  /** True if it is about to stop, so that clients should use other servers. */
  draining: boolean
}

/**
 * Serves /metrics on the main address. Errors have the form of every failure, metrics that of Prometheus.
 *
 * @param siteId the site whose keys give access to the metrics of the whole server
 */
function mountMetrics(
  { app, handle }: MountContext,
  metrics: ServerMetrics,
  authenticate: Authenticate,
  siteId: string,
): void {
  const answer = handle('/metrics', async (c) => {
    const trace = c.get('trace')
    const caller = await authenticate(c)
    trace.caller = caller
    if (caller.siteId !== siteId)
      throw new HttpError(403, 'Only a key of the default site may read the metrics')
    const headers = { ...DATA_HEADERS, ...trace.headers, 'Content-Type': metrics.contentType }
    return new Response(await metrics.render(), { headers })
  })
  app.get('/metrics', answer)
}

/**
 * /healthz: the process is alive. /readyz: it can serve requests, writes included. Neither needs a key or reveals
 * anything else.
 */
function mountHealth(
  { app, handle }: MountContext,
  { store, readiness, onError }: Pick<AppOptions, 'store' | 'readiness' | 'onError'>,
): void {
  const findWriteFailure = createWriteProbe(() => store.assertWritable())
  app.get(
    '/healthz',
    handle('/healthz', (c) => sendJson(c, { success: true, message: 'The server is alive' })),
  )
  app.get(
    '/readyz',
    handle('/readyz', async (c) => {
      if (readiness.draining) throw notReady('The server is about to stop')
      const unless = (message: string) => (error: unknown) => {
        onError(error, c.get('trace').requestId)
        throw notReady(message)
      }
      await store.siteSettings(store.defaultSiteId).catch(unless('The database does not respond'))
      const writeFailure = await findWriteFailure()
      if (writeFailure !== undefined) unless('The database cannot be written')(writeFailure)
      return sendJson(c, { success: true, message: 'The server is ready' })
    }),
  )
}

function notReady(message: string): HttpError {
  return new HttpError(503, message, { 'Retry-After': '1' })
}

/**
 * Returns the reason why the last test write failed; undefined if it succeeded. Since no key is needed, concurrent
 * calls share one write, and none waits long for it: while another process writes, this one can still serve.
 */
function createWriteProbe(write: () => Promise<void>): () => Promise<unknown> {
  let running: Promise<void> | undefined
  let failure: unknown
  return async () => {
    running ??= write()
      .then(
        () => (failure = undefined),
        (error: unknown) => (failure = error),
      )
      .then(() => (running = undefined))
    await Promise.race([running, setTimeout(LONGEST_PROBE_MS, undefined, { ref: false })])
    return failure
  }
}
