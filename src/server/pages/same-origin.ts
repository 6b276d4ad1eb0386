import type { Context } from 'hono'
import { parseUrl } from '../../core/parse-url.ts'

/**
 * Whether a form was sent from a page of this very host. Browsers say so in one of two headers; what sends neither is no
 * browser, and carries no cookie of one.
 */
export function isSameOrigin(c: Context): boolean {
  const site = c.req.header('Sec-Fetch-Site')
  if (site !== undefined) return site === 'same-origin'
  const origin = c.req.header('Origin')
  if (origin === undefined) return true
  const hosts = [c.req.header('Host'), c.req.header('X-Forwarded-Host'), new URL(c.req.url).host]
  const host = parseUrl(origin)?.host
  return host !== undefined && hosts.includes(host)
}
