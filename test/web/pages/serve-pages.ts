import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'
import { createPages, type PagesOptions } from '../../../src/web/pages/create-pages.ts'
import type { PageSource } from '../../../src/web/pages/page-source.ts'
import { ADDRESSES } from './sample-base.ts'

type Options = Partial<Omit<PagesOptions<object>, 'source'>>

/** The pages of `source`, requested without a socket. A failure in them fails the test. */
export function appOf(source: PageSource, options: Options = {}): Hono {
  const app = new Hono()
  const pages = createPages({
    source,
    addresses: ADDRESSES,
    onError: (error) => {
      throw error
    },
    ...options,
  })
  pages.mount(app)
  return pages.acceptPublicPath(app)
}

/** Serves an app on the loopback address until the test is over. @returns its URL, without a slash at the end */
export async function serveApp(app: Hono): Promise<string> {
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
