// A knowledge base of somebody else's making: it follows the specification to the letter and no further, keeps everything in
// memory, and can be given the habits that the document leaves open.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { createServiceCore, type ServiceControls } from './strict-service-core.ts'
import type { ServiceHabits } from './strict-service-quirks.ts'
import { refuse } from './strict-service-reply.ts'

export type { DuplicateSlugs, Moods, ServiceHabits } from './strict-service-quirks.ts'
export type { StoredArticle } from './strict-service-memory.ts'

export const SERVICE_KEY = 'key-of-the-service'

export interface StrictService extends ServiceControls {
  readonly url: string
}

const JSON_TYPE = 'application/json'

/** Starts a service with the categories Guides and Guides/Accounts and the tag Safety; it ends with the test. */
export async function startStrictService(habits: ServiceHabits = {}): Promise<StrictService> {
  const { answer, ...controls } = createServiceCore(habits)

  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const { method = '', url = '', headers } = incoming
      const sent = await buffer(incoming).catch(() => undefined)
      // An upload that its sender has given up.
      if (sent === undefined) return
      const isWelcome =
        headers.authorization === `Bearer ${SERVICE_KEY}` &&
        headers['content-type'] === (isFile(incoming) ? 'application/octet-stream' : JSON_TYPE)
      const reply = isWelcome
        ? answer(method, url, parseBody(incoming, sent), headers['if-match'])
        : refuse(401, 'No valid key')
      // Who waited too long is cut off in the end.
      if (reply.isLate === true) return void incoming.socket.destroy()
      const isHtml = typeof reply.body === 'string'
      outgoing.writeHead(reply.status, { 'content-type': isHtml ? 'text/html' : JSON_TYPE, ...reply.headers })
      outgoing.end(isHtml ? reply.body : JSON.stringify(reply.body))
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { ...controls, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function parseBody(incoming: IncomingMessage, sent: Buffer): unknown {
  if (isFile(incoming)) return sent
  const { method } = incoming
  return method === 'PUT' || method === 'POST' ? JSON.parse(sent.toString('utf8')) : undefined
}

function isFile({ method, url = '' }: IncomingMessage): boolean {
  return method === 'PUT' && url.startsWith('/api/v2/files/')
}
