// A third-party service that responds in any way that a test requires.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ForeignAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent unchanged if it is text or bytes, otherwise as JSON. */
  readonly body?: unknown
}

interface ForeignRequest {
  readonly method: string
  readonly path: string
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: string
}

export interface ForeignService {
  readonly url: string
  readonly requests: readonly ForeignRequest[]
  /** Maximum number of concurrent requests so far. */
  readonly mostAtOnce: () => number
  close(): Promise<void>
}

type Script = (request: ForeignRequest, index: number) => ForeignAnswer | Promise<ForeignAnswer>

export async function startForeignService(script: Script): Promise<ForeignService> {
  const requests: ForeignRequest[] = []
  let underWay = 0
  let mostAtOnce = 0
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      mostAtOnce = Math.max(mostAtOnce, ++underWay)
      const { method = '', url: path = '', headers } = incoming
      const request = { method, path, headers, body: await text(incoming) }
      const {
        status = 200,
        headers: answerHeaders = {},
        body = '',
      } = await script(request, requests.push(request) - 1)
      underWay--
      outgoing.writeHead(status, answerHeaders).end(isRaw(body) ? body : JSON.stringify(body))
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    mostAtOnce: () => mostAtOnce,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function isRaw(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array
}
