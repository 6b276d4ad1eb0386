import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { Pool } from 'undici'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listen } from '../../src/server/http/listen.ts'
import { API_KEY, articleBody, openTestServer } from '../support/server.ts'

const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' }

test('a stop during writes acknowledges only stored ones', async () => {
  const server = await openTestServer()
  const listening = await listen(server, { host: '127.0.0.1', port: 0 })
  const pool = new Pool(listening.url, { connections: 8 })
  onTestFinished(() => pool.destroy())
  const acknowledged: string[] = []
  const refused: (number | string)[] = []
  let next = 0
  let closing: Promise<void> | undefined

  async function work(): Promise<void> {
    while (closing === undefined || refused.length < 8) {
      const slug = `article-${next++}`
      const body = JSON.stringify(articleBody(server, { title: slug, slug, articleReviewDate: '2027-01-31' }))
      const status = await put(body)
      if (status === 200) acknowledged.push(slug)
      else refused.push(status)
      if (acknowledged.length === 100) closing = listening.close()
    }
  }
  async function put(body: string): Promise<number | string> {
    try {
      const response = await pool.request({ method: 'PUT', path: '/api/v2/articles', headers, body })
      await response.body.dump()
      return response.statusCode
    } catch {
      return 'no answer'
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  await closing

  expect(refused.filter((status) => status !== 503 && status !== 'no answer')).toEqual([])
  const again = await openTestServer({ db: server.db })
  const { body } = await again.call('GET', '/api/v2/tools/review_dates')
  const stored = new Set((body as { data: { name: string }[] }).data.map(({ name }) => name))
  expect(acknowledged.length).toBeGreaterThanOrEqual(100)
  expect(acknowledged.filter((slug) => !stored.has(slug))).toEqual([])
})

test('idle connections do not delay a stop', async () => {
  const server = await openTestServer()
  const listening = await listen(server, { host: '127.0.0.1', port: 0, graceMs: 2 ** 30 })
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const asked = request(new URL('/healthz', listening.url), { agent }).end()
  const [response] = (await once(asked, 'response')) as [NodeJS.ReadableStream]
  response.resume()
  await once(response, 'end')
  await listening.close()
  await expect(fetch(listening.url)).rejects.toThrow('fetch failed')
})

test('a connection whose last response is sent after the stop is closed as well', async () => {
  const server = await openTestServer()
  const listening = await listen(server, { host: '127.0.0.1', port: 0, graceMs: 2 ** 30 })
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const body = JSON.stringify(articleBody(server))
  const running = request(new URL('/api/v2/articles', listening.url), { method: 'PUT', headers, agent })
  running.write(body.slice(0, 10))
  await once(running, 'socket')
  // The server has received the request once it answers another one that was sent later.
  await fetch(new URL('/healthz', listening.url))
  const closed = listening.close()
  running.end(body.slice(10))
  const [response] = (await once(running, 'response')) as [NodeJS.ReadableStream & { statusCode: number }]
  response.resume()
  expect(response.statusCode).toBe(200)
  await closed
})

test('a draining server is not ready but responds, until it stops', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = await openTestServer()
  const listening = await listen(server, { host: '127.0.0.1', port: 0, drainMs: 30_000 })
  const statusOf = async (path: string) => (await server.app.request(path, { headers })).status
  expect(await statusOf('/readyz')).toBe(200)
  const closed = listening.close()
  expect((await fetch(new URL('/readyz', listening.url))).status).toBe(503)
  expect((await fetch(new URL('/healthz', listening.url))).status).toBe(200)
  expect((await fetch(new URL('/api/v2/categories', listening.url), { headers })).status).toBe(200)
  vi.advanceTimersByTime(30_000)
  vi.useRealTimers()
  await closed
  await expect(fetch(listening.url)).rejects.toThrow('fetch failed')
})
