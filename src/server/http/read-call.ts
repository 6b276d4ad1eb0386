import type { Context } from 'hono'
import { checkRequest } from '../../api/contract/check-request.ts'
import { type Route, type RouteName, routes } from '../../api/contract/routes.ts'
import type { Admit } from './admit.ts'
import type { Call } from '../operations/create-operations.ts'
import { Refusal } from '../operations/refusal.ts'
import type { ServerEnv } from './request-trace.ts'
import { lowerCaseUuid } from '../../core/lower-case-uuid.ts'

export interface ReadCallOptions {
  readonly admit: Admit
  readonly clock: () => Date
}

/** What a read-only key may do. */
const READING: ReadonlySet<string> = new Set(['GET', 'OPTIONS'])

/**
 * Makes a call of a request, but for its body, checked against the contract.
 *
 * @throws Refusal 400, 401, 403, 429
 */
export async function readCall(
  c: Context<ServerEnv>,
  name: RouteName,
  options: ReadCallOptions,
): Promise<Omit<Call, 'body' | 'links'>> {
  const route: Route = routes[name]
  const caller = await options.admit(c)
  if (caller.readOnly && !READING.has(route.method)) throw new Refusal(403, 'This API key may only read')
  return {
    caller,
    id: lowerCaseUuid(c.req.param('id') ?? ''),
    query: route.query !== undefined && c.req.url.includes('?') ? readCheckedQuery(c, route.query) : {},
    now: options.clock().toISOString(),
    onWritten: (written) => void (c.get('trace').written = written),
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
  const result = checkRequest(schema, given)
  if (result.kind === 'invalid') throw new Refusal(400, result.message)
  return result.value
}
