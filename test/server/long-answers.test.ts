// Lists of several pages, and compressed responses.
import { once } from 'node:events'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listen } from '../../src/server/http/listen.ts'
import { API_KEY, createArticle, NOW, openTestServer, type TestServer } from '../support/server.ts'
import { openPagesServer } from './pages/open-pages.ts'

const PAGE = 500
const PAGES = 4
const LIST = '/api/v2/tools/review_dates'

/** Adds this number of pages of articles to the list of review dates. */
async function fillList({ store, guides }: TestServer, pages: number): Promise<void> {
  const made = Array.from({ length: pages * PAGE }, (_, index) =>
    store.createArticle(store.defaultSiteId, {
      title: `Article ${index}`,
      slug: `article-${index}`,
      categoryIds: [guides],
      tagIds: undefined,
      excerpt: '',
      order: 0,
      status: 'published',
      content: '',
      hideFromSearch: undefined,
      seoBannerUrl: undefined,
      reviewDate: '2030-01-31T00:00:00.000Z',
      language: undefined,
      languageParent: undefined,
      writtenBy: null,
      now: NOW,
    }),
  )
  await Promise.all(made)
}

test('other requests are answered between the pages of concurrent lists', async () => {
  const server = await openTestServer()
  await fillList(server, PAGES)
  const pages = vi.spyOn(server.store, 'listReviewDates')
  const others = vi.fn<() => void>()
  const read = new AbortController()
  async function ask(): Promise<void> {
    while (!read.signal.aborted) {
      await server.call('GET', '/healthz')
      others()
      await turn()
    }
  }
  const asking = ask()
  const answers = await Promise.all([1, 2, 3].map(() => server.call('GET', LIST)))
  read.abort()
  await asking
  const whole = PAGES * PAGE
  expect(answers.map(({ body }) => (body as { data: unknown[] }).data.length)).toEqual([whole, whole, whole])
  expect(pages).toHaveBeenCalledTimes(3 * (PAGES + 1))
  // Never two pages without a response to another request in between.
  const order = pages.mock.invocationCallOrder
  const answered = new Set(others.mock.invocationCallOrder)
  expect(order.slice(1).filter((page) => !answered.has(page - 1))).toEqual([])
})

async function open(pages = 0) {
  const faults: unknown[] = []
  const server = await openPagesServer({ onError: (error) => faults.push(error) })
  if (pages > 0) await fillList(server, pages)
  const listening = await listen(server, { host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    await listening.close()
    expect(faults).toEqual([])
  })
  const { port, hostname } = new URL(listening.url)
  /** Returns one response as it was sent, because fetch would decompress it. */
  async function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
    const socket = connect(Number(port), hostname)
    const all = { Host: 'x', Authorization: `Bearer ${API_KEY}`, Connection: 'close', ...headers }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
    const bytes = await buffer(socket)
    const end = bytes.indexOf('\r\n\r\n')
    const [line = '', ...fields] = bytes.subarray(0, end).toString('latin1').split('\r\n')
    const body = bytes.subarray(end + 4)
    const received = new Headers(fields.map((field) => field.split(/: (.*)/, 2) as [string, string]))
    const isChunked = received.get('transfer-encoding') === 'chunked'
    return { status: Number(line.split(' ')[1]), headers: received, body: isChunked ? unchunk(body) : body }
  }
  return { server, ask, url: listening.url, port: Number(port), hostname }
}

function unchunk(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16)
    if (size === 0) return Buffer.concat(parts)
    if (!(size > 0)) throw new Error('the response was incomplete')
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
}

test('a list, an article, a page and a file are compressed on request, with the same content', async () => {
  const { server, ask } = await open(2)
  const id = await createArticle(server, { slug: 'long', content: '<p>Words</p>'.repeat(1000) })
  const asset = /\/_kb\/[^"]+pages\.css/.exec((await ask('/articles/long')).body.toString())?.[0] ?? ''
  for (const path of [LIST, `/api/v2/articles/${id}`, '/articles/long', '/api/v2/openapi.json', asset]) {
    const plain = await ask(path)
    const packed = await ask(path, { 'Accept-Encoding': 'br, gzip' })
    expect([path, plain.status, packed.status]).toEqual([path, 200, 200])
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true)
    expect(packed.body.length).toBeLessThan(plain.body.length / 2)
    for (const { headers } of [plain, packed]) expect(headers.get('vary')).toMatch(/Accept-Encoding$/)
    // A compressed response is another sequence of bytes for the same version.
    const versions = [plain, packed].map(({ headers }) => headers.get('etag')?.replace(/^W\//, ''))
    expect(versions[1]).toBe(versions[0])
  }
})

test('Accept-Encoding decides, with its weights', async () => {
  const { server, ask } = await open()
  const id = await createArticle(server, { content: 'x'.repeat(2000) })
  for (const [accepted, coding] of [
    ['', null],
    ['identity', null],
    ['br', null],
    ['gzip;q=0', null],
    ['gzip;q=0, *', null],
    ['*;q=0', null],
    ['GZIP', 'gzip'],
    ['gzip;q=0.2, identity', 'gzip'],
    ['*', 'gzip'],
  ] as const) {
    const answer = await ask(`/api/v2/articles/${id}`, { 'Accept-Encoding': accepted })
    expect([accepted, answer.status, answer.headers.get('content-encoding')]).toEqual([accepted, 200, coding])
  }
})

test('short, empty and unchanged responses are not compressed', async () => {
  const { server, ask } = await open()
  await createArticle(server, { slug: 'long', content: '<p>Words</p>'.repeat(1000) })
  const gzip = { 'Accept-Encoding': 'gzip' }
  const short = await ask('/healthz', gzip)
  expect([short.status, short.headers.get('content-encoding')]).toEqual([200, null])
  const failure = await ask('/api/v2/nothing', gzip)
  expect([failure.status, failure.headers.get('content-encoding')]).toEqual([404, null])

  const head = await ask('/articles/long', gzip, 'HEAD')
  const page = await ask('/articles/long', gzip)
  expect([head.status, head.body.length]).toEqual([200, 0])
  const tag = page.headers.get('etag') ?? ''
  expect(tag).toMatch(/^W\//)
  for (const headers of [gzip, {}] as Record<string, string>[]) {
    const known = await ask('/articles/long', { ...headers, 'If-None-Match': tag })
    expect([known.status, known.body.length, known.headers.get('etag')]).toEqual([304, 0, tag])
    expect(known.headers.get('content-encoding')).toBeNull()
    expect(known.headers.get('vary')).toBe(page.headers.get('vary'))
  }
  expect(head.headers.get('vary')).toBe(page.headers.get('vary'))
})

test('a reader who disconnects during a compressed list ends the reading of it', async () => {
  const { server, url, port, hostname } = await open(PAGES)
  const list = vi.spyOn(server.store, 'listReviewDates')
  const socket = connect(port, hostname)
  socket.write(
    `GET ${LIST} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${API_KEY}\r\nAccept-Encoding: gzip\r\n\r\n`,
  )
  await once(socket, 'data')
  socket.destroy()
  await once(socket, 'close')
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect(list.mock.calls.length).toBeLessThanOrEqual(PAGES + 1)
})
