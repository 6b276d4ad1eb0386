import { type Context, Hono } from 'hono'
import { checkRequest } from '../contract/check-request.ts'
import { API_PREFIX, type Route, type RouteName, routes } from '../contract/routes.ts'
import type { WireError } from '../contract/wire-error.ts'
import type { Authenticate } from './authenticate.ts'
import { type Call, createOperations } from './operations.ts'
import { readJsonBody } from './read-body.ts'
import { Refusal } from './refusal.ts'
import type { Store } from './store/store.ts'

export interface AppOptions {
  readonly store: Store
  readonly authenticate: Authenticate
  readonly clock: () => Date
  /** Path of an article on the site, with `{slug}`. */
  readonly articlePath: string
  readonly bodyLimitBytes: number
  /** Told of every exception that is no refusal; the client only learns that there was one. */
  readonly onError: (error: unknown) => void
  /** The OpenAPI document, served without key. */
  readonly openApi: () => object
}

/** What a read-only key may do. */
const READING: ReadonlySet<string> = new Set(['GET', 'OPTIONS'])

/**
 * The HTTP side of the nine operations. Everything under /api/v2 but the OpenAPI document wants a key first: without
 * one, nobody learns which operations or items there are.
 */
export function createApp(options: AppOptions): Hono {
  const app = new Hono()
  const operations = createOperations(options.store, options.articlePath)

  app.get(`${API_PREFIX}/openapi.json`, (c) => c.json(options.openApi()))
  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    app.on(route.method, toPattern(route.path), async (c) => {
      const answer = await operations[name](await readCall(c, route, options))
      return answer instanceof Response ? answer : c.json(answer)
    })
  }
  for (const path of new Set(Object.values(routes).map((route) => route.path))) {
    app.all(toPattern(path), async (c) => {
      await options.authenticate(c.req.header('authorization'))
      throw methodNotAllowed(path, c.req.method)
    })
  }
  app.all(`${API_PREFIX}/*`, async (c) => {
    await options.authenticate(c.req.header('authorization'))
    throw unknownOperation(c)
  })
  app.notFound((c) => refuse(c, unknownOperation(c)))
  app.onError((error, c) => {
    if (error instanceof Refusal) return refuse(c, error)
    options.onError(error)
    return refuse(c, new Refusal(500, 'The server met a fault of its own; nothing was changed'))
  })
  return app
}

async function readCall(c: Context, route: Route, options: AppOptions): Promise<Call> {
  const caller = await options.authenticate(c.req.header('authorization'))
  if (caller.readOnly && !READING.has(route.method)) throw new Refusal(403, 'This API key may only read')
  return {
    caller,
    id: c.req.param('id') ?? '',
    query: route.query === undefined ? {} : readCheckedQuery(c, route.query),
    body: route.request === undefined ? undefined : await readCheckedBody(c, route.request, options),
    now: options.clock().toISOString(),
  }
}

// Parameters that the route does not know are ignored, as the documented service would.
function readCheckedQuery(c: Context, schema: NonNullable<Route['query']>): Call['query'] {
  const given: Record<string, string> = {}
  for (const name of Object.keys(schema.shape)) {
    const [value, another] = c.req.queries(name) ?? []
    if (another !== undefined) throw new Refusal(400, `${name} must not be given more than once`)
    if (value !== undefined) given[name] = value
  }
  const checked = checkRequest(schema, given)
  if (checked.kind === 'invalid') throw new Refusal(400, checked.message)
  return checked.value
}

async function readCheckedBody(
  c: Context,
  schema: NonNullable<Route['request']>,
  options: AppOptions,
): Promise<unknown> {
  const checked = checkRequest(schema, await readJsonBody(c.req.raw, options.bodyLimitBytes))
  if (checked.kind === 'invalid') throw new Refusal(400, checked.message)
  return checked.value
}

function toPattern(path: string): string {
  return path.replace('{id}', ':id')
}

function refuse(c: Context, refusal: Refusal): Response {
  const body: WireError = { success: false, message: refusal.message }
  return c.json(body, refusal.status, { ...refusal.headers })
}

function unknownOperation(c: Context): Refusal {
  return new Refusal(404, `There is no operation ${c.req.method} ${c.req.path}`)
}

function methodNotAllowed(path: string, method: string): Refusal {
  const known = Object.values(routes)
    .filter((route) => route.path === path)
    .map((route): string => route.method)
  const allowed = known.includes('GET') ? [...known, 'HEAD'] : known
  return new Refusal(405, `${method} is not an operation here: use ${allowed.join(', ')}`, {
    Allow: allowed.join(', '),
  })
}
