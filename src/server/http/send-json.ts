import type { Context } from 'hono'
import type { WireError } from '../../contract/wire-error.ts'
import { JsonResponse } from '../operations/json-response.ts'
import type { Refusal } from '../operations/refusal.ts'
import type { ServerEnv } from './request-trace.ts'
import { JSON_HEADERS } from './security-headers.ts'

/** A successful answer: a value, or JSON that is ready. */
export function sendJson(c: Context<ServerEnv>, answer: object): Response {
  if (answer instanceof JsonResponse) return send(c, 200, answer.body, answer.headers)
  return send(c, 200, JSON.stringify(answer))
}

/** The answer to what is refused, in the shape of every failure. */
export function sendRefusal(c: Context<ServerEnv>, { status, message, headers }: Refusal): Response {
  return send(c, status, JSON.stringify({ success: false, message } satisfies WireError), headers)
}

function send(
  c: Context<ServerEnv>,
  status: number,
  body: JsonResponse['body'],
  headers?: JsonResponse['headers'],
): Response {
  return new Response(body, { status, headers: { ...JSON_HEADERS, ...c.get('trace').headers, ...headers } })
}
