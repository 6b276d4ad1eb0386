// A small web for the checker: a real server on the loopback address with any host names.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { ResolveHost } from '../../../src/api/link-probe/address-guard.ts'

export interface Seen {
  readonly method: string
  /** Host without port, and path. */
  readonly page: string
  readonly headers: IncomingMessage['headers']
}

/** Responds to a request; the returned value is the status. */
type Page = (request: IncomingMessage, response: ServerResponse) => number | Promise<number> | undefined

export interface Web {
  readonly port: number
  readonly seen: readonly Seen[]
  /** Maximum number of concurrent requests, by host; '' for all of them. */
  readonly most: ReadonlyMap<string, number>
  /** Returns the URL of a page such as `a.test/one`. */
  url(page: string): string
  /** Resolves as soon as `count` requests have arrived. */
  waitForSeen(count: number): Promise<void>
}

/** Resolves every name to this machine. */
export const resolveToLoopback: ResolveHost = async () => [{ address: '127.0.0.1', family: 4 }]

/**
 * Serves `pages`, by host and path without the leading `www`: a status, or a function; 404 for all others.
 *
 * @param tls key and certificate; plain HTTP without
 */
export async function serveWeb(
  pages: Readonly<Record<string, number | Page>>,
  tls?: { readonly key: string; readonly cert: string },
): Promise<Web> {
  const seen: Seen[] = []
  const most = new Map<string, number>()
  const open = new Map<string, number>()
  let waiting: { readonly count: number; readonly resolve: () => void }[] = []

  const count = (host: string, change: number) => {
    for (const key of [host, '']) {
      const now = (open.get(key) ?? 0) + change
      open.set(key, now)
      most.set(key, Math.max(now, most.get(key) ?? 0))
    }
  }

  const answer: RequestListener = (request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '')
    const page = `${host}${request.url ?? ''}`
    count(host, 1)
    response.on('close', () => count(host, -1))
    seen.push({ method: request.method ?? '', page, headers: request.headers })
    waiting = waiting.filter((each) => seen.length < each.count || each.resolve())
    const found = pages[page] ?? pages[`${host}/*`] ?? 404
    void Promise.resolve(typeof found === 'number' ? found : found(request, response)).then((status) => {
      if (status !== undefined) response.writeHead(status).end()
    })
  }

  const server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  return {
    port,
    seen,
    most,
    url: (page) => `${tls === undefined ? 'http' : 'https'}://${page.replace('/', `:${port}/`)}`,
    waitForSeen: (wanted) =>
      new Promise((resolve) => {
        if (seen.length >= wanted) resolve()
        else waiting.push({ count: wanted, resolve })
      }),
  }
}

/** A page that redirects. */
export function redirect(location: string, status = 302): Page {
  return (_, response) => {
    response.setHeader('location', location)
    return status
  }
}

/** A page that handles HEAD separately. */
export function onHead(head: number | Page, get: number | Page): Page {
  return (request, response) => {
    const page = request.method === 'HEAD' ? head : get
    return typeof page === 'number' ? page : page(request, response)
  }
}

/** A page that never responds. */
export const silence: Page = () => undefined

/** A page that cuts the connection. */
export const cut: Page = (request) => {
  request.socket.resetAndDestroy()
  return undefined
}
