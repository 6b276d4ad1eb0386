// Pages of other sites run in the author's browser, too, and the content may be confidential. So the preview only
// responds to requests from its own pages or the author.
import { hostname } from 'node:os'
import { isIP } from 'node:net'
import { tryTo } from '../../core/try-to.ts'

/** The origin of a request. Members that the request does not state are undefined. */
export interface RequestOrigin {
  readonly method: string
  readonly path: string
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly fetchSite: string | undefined
  readonly fetchMode: string | undefined
}

/** The only path with side effects. */
export const OPEN_PATH = '/_kb/open'

/**
 * The reason why a request is rejected; undefined if it is accepted.
 *
 * @param servedHost the host that the preview listens on
 */
export function refuseForeign(
  request: RequestOrigin,
  servedHost: string,
): { readonly status: 400 | 403 | 405; readonly message: string } | undefined {
  const { method, path, host } = request
  if (host === undefined) return { status: 400, message: 'The request has no Host header.' }
  if (!isOurHost(host, servedHost)) {
    return { status: 403, message: `The preview is not served under the host name ${host}.` }
  }
  if (method !== 'GET' && method !== 'HEAD' && !(method === 'POST' && path === OPEN_PATH)) {
    return { status: 405, message: 'Pages are read-only.' }
  }
  return isOfOurPages(request)
    ? undefined
    : { status: 403, message: 'Requests from other sites are not allowed.' }
}

/**
 * True if the host always means this machine, or is an IP address. A page of another site may resolve its own name to
 * our address (DNS rebinding).
 */
function isOurHost(host: string, servedHost: string): boolean {
  const name = nameOf(host)
  if (name === undefined) return false
  const own = [servedHost, hostname(), `${hostname()}.local`].map((each) => each.toLowerCase())
  return isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost') || own.includes(name)
}

function nameOf(host: string): string | undefined {
  if (!/^[\w.:[\]-]+$/.test(host)) return undefined
  return tryTo(() => new URL(`http://${host}`).hostname.replace(/^\[(.*)\]$/, '$1'))
}

function isOfOurPages({ method, host, origin, fetchSite, fetchMode }: RequestOrigin): boolean {
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) return false
  if (fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none') return true
  // A link was followed, for example in a chat.
  return method !== 'POST' && fetchMode === 'navigate'
}
