// A remote target that lists anything a test wants, byte by byte, and returns articles.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'

/** The responses of the target, which can be changed between two reports. */
export interface Listed {
  reviewDates: readonly unknown[]
  links: readonly unknown[]
  /** Articles by id, in the form of "Read an article" in the specification. All others do not exist. */
  articles: Readonly<Record<string, object>>
}

export interface ListingService {
  readonly url: string
  readonly listed: Listed
  /** Paths requested since the last call, without `/api/v2`, in order. */
  readonly takeRequests: () => readonly string[]
  readonly close: () => Promise<void>
}

export async function startListingService(initial: Partial<Listed> = {}): Promise<ListingService> {
  const listed: Listed = { reviewDates: [], links: [], articles: {}, ...initial }
  let requests: string[] = []
  const server = createServer(({ method, url = '' }, response) => {
    const path = url.replace('/api/v2', '')
    requests.push(method === 'GET' ? path : `${method} ${path}`)
    answer(path, listed, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    listed,
    takeRequests: () => {
      const taken = requests
      requests = []
      return taken
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function answer(path: string, { reviewDates, links, articles }: Listed, response: ServerResponse): void {
  const send = (status: number, body: object) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  if (path === '/tools/review_dates') return send(200, { success: true, data: reviewDates })
  if (path === '/tools/link_manager') return send(200, { success: true, data: links })
  const id = /^\/articles\/(.+)$/.exec(path)?.[1] ?? ''
  const data = articles[decodeURIComponent(id)]
  return data === undefined
    ? send(404, { success: false, message: 'There is no such article.' })
    : send(200, { success: true, data: { id, ...data } })
}
