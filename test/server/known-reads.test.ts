import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createApiKey, hashApiKey, keyIdOf } from '../../src/server/api-key.ts'
import { listen } from '../../src/server/http/listen.ts'
import { createMetrics } from '../../src/server/observe/create-metrics.ts'
import { createMemoryLog } from '../support/memory-log.ts'
import { articleBody, createArticle, openTestServer, type TestServer } from '../support/server.ts'
import { addKey, withAdmin } from '../support/with-admin.ts'

const KEY = createApiKey()

/** A server on a socket; `ways` has an entry for each request that the app did not answer. */
async function start(options: Parameters<typeof openTestServer>[0] = {}) {
  const server = await openTestServer({ apiKey: KEY, ...options })
  const ways: string[] = []
  const answerKnownRead: TestServer['answerKnownRead'] = (request, response) => {
    const isAnswered = server.answerKnownRead(request, response)
    if (isAnswered) ways.push(request.url ?? '')
    return isAnswered
  }
  const listening = await listen({ ...server, answerKnownRead }, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => listening.close())
  const { port, hostname } = new URL(listening.url)
  /** Returns the bytes of a response, without its date. */
  async function send(request: string): Promise<string> {
    const socket = connect({ port: Number(port), host: hostname })
    await once(socket, 'connect')
    socket.end(request.replaceAll('\n', '\r\n'))
    return (await text(socket)).replace(/\r\nDate: [^\r]*/, '')
  }
  const { apiKey = KEY } = options
  const key = typeof apiKey === 'string' ? apiKey : KEY
  const call: TestServer['call'] = (method, path, body, headers) =>
    server.call(method, path, body, { Authorization: `Bearer ${key}`, ...headers })
  return { server: { ...server, call }, ways, send }
}

function read(path: string, { key = KEY, more = '', method = 'GET' } = {}): string {
  return `${method} ${path} HTTP/1.1\nHost: kb\nAuthorization: Bearer ${key}\nX-Request-Id: given\n${more}\n`
}

/** Reads an article twice: the app answers the first request, but not the second. */
async function readTwice({ send, ways }: Awaited<ReturnType<typeof start>>, path: string, key?: string) {
  const before = ways.length
  const first = await send(read(path, { ...(key !== undefined && { key }) }))
  expect(ways).toHaveLength(before)
  const second = await send(read(path, { ...(key !== undefined && { key }) }))
  expect(ways.slice(before)).toEqual([path])
  return [first, second] as const
}

test('a known read has the same bytes, log line and metrics as any other', async () => {
  const log = createMemoryLog('info')
  const metrics = createMetrics({ version: '9.9.9', db: undefined })
  const started = await start({ log, metrics })
  const path = `/api/v2/articles/${await createArticle(started.server, { content: '<p>Grüße 🙂</p>' })}`
  const before = log.entries().length
  const [first, second] = await readTwice(started, path)
  expect(first).toMatch(/^HTTP\/1.1 200 OK\r\n.*Grüße 🙂/s)
  expect(second).toBe(first)
  const [line, again, ...others] = log.entries().slice(before)
  expect(line).toMatchObject({ requestId: 'given', route: '/api/v2/articles/{id}', status: 200 })
  expect([again, others]).toEqual([line, []])
  const lines = (await metrics.render()).split('\n')
  expect(lines).toContain('kb_http_requests_total{method="GET",route="/api/v2/articles/{id}",status="200"} 2')
  expect(lines).toContain('kb_http_requests_in_flight 0')
})

test('a request that depends on more than article and key goes to the app, with the same result', async () => {
  const { server, ways, send } = await start({ languages: ['en', 'fr'] })
  const id = await createArticle(server, { content: 'x'.repeat(2000) })
  const path = `/api/v2/articles/${id}`
  const [, tag = ''] = /ETag: (\S+)/.exec(await send(read(path))) ?? []
  const statusOf = async (request: string) => Number((await send(request)).split(' ')[1])
  const plain = read(path)
  const found = [
    [plain.replace('Host: kb\n', ''), 400],
    [plain.replace('HTTP/1.1\nHost: kb', 'HTTP/1.0'), 200],
    [plain.replace('Host: kb', 'Host: a b'), 400],
    [plain.replace('Authorization', 'X-Other'), 401],
    [plain.replace('\n\n', `\nAuthorization: Bearer ${KEY}\n\n`), 401],
    [plain.replace('Bearer', 'Basic'), 401],
    [read(path, { key: createApiKey() }), 401],
    [read(path, { more: `If-None-Match: ${tag}\n` }), 304],
    [read(path, { more: 'Accept-Encoding: gzip\n' }), 200],
    [read(path, { method: 'HEAD' }), 200],
    [read(`${path}?lang=fr`), 200],
    [read(`${path}?lang=xx`), 400],
    [read(path.toUpperCase().replace('/API/V2/ARTICLES', '/api/v2/articles')), 200],
    [read(`${path}/`), 404],
    [read('/api/v2/articles/unknown'), 404],
    [read('/api/v2/articles/'), 404],
  ] as const
  for (const [request, status] of found) expect([request, await statusOf(request)]).toEqual([request, status])
  expect(ways).toEqual([])
  // Background work may have changed the database since the first read.
  expect([await statusOf(plain), await statusOf(plain)]).toEqual([200, 200])
  expect(new Set(ways)).toEqual(new Set([path]))
})

test('pipelined requests on a connection are answered in order', async () => {
  const { server, ways, send } = await start()
  const path = `/api/v2/articles/${await createArticle(server)}`
  const alone = await send(read(path))
  const answers = await send(read(path).repeat(3))
  expect(answers.replaceAll(/\r\nDate: [^\r]*/g, '')).toBe(alone.repeat(3))
  expect(ways).toEqual([path])
})

test.each(['the same process', 'another connection'])('a write of %s is visible at once', async (writer) => {
  const started = await start()
  const { server, send } = started
  const beside = await openTestServer({ db: server.db, apiKey: KEY })
  const call = writer === 'the same process' ? server.call : beside.call
  const key = { Authorization: `Bearer ${KEY}` }
  const path = `/api/v2/articles/${await createArticle(server)}`
  for (const title of ['One', 'Two', 'Three']) {
    await call('POST', path, articleBody(server, { title }), key)
    for (const answer of await readTwice(started, path)) expect(answer).toContain(`"name":"${title}"`)
  }
  await call('DELETE', path, undefined, key)
  expect(await send(read(path))).toMatch(/^HTTP\/1.1 404 /)
})

test('a key reads only its own site, until it is revoked, expires or is replaced', async () => {
  const time = { now: '2026-03-01T10:00:00.000Z' }
  const outside = { key: KEY }
  const started = await start({ clock: () => new Date(time.now), apiKey: () => outside.key })
  const { server, send, ways } = started
  const { db, store } = server
  const site = await withAdmin(db, (admin) =>
    admin.sites.add({ name: 'other', languages: ['en'], articleLimit: null, now: time.now }),
  )
  const [other, revoked, expiring] = [createApiKey(), createApiKey(), createApiKey()]
  await addKey(db, { hash: hashApiKey(other), siteId: site.id })
  await addKey(db, { hash: hashApiKey(revoked), siteId: store.defaultSiteId, readOnly: true })
  const expiresAt = '2026-03-02T10:00:00.000Z'
  await addKey(db, { hash: hashApiKey(expiring), siteId: store.defaultSiteId, expiresAt })
  const path = `/api/v2/articles/${await createArticle(server)}`
  const statusOf = async (key: string) => Number((await send(read(path, { key }))).split(' ')[1])
  for (const key of [KEY, revoked, expiring]) {
    expect(await statusOf(key)).toBe(200)
    expect(await statusOf(key)).toBe(200)
  }
  expect([await statusOf(other), await statusOf(other)]).toEqual([404, 404])
  expect(ways).toHaveLength(3)

  time.now = expiresAt
  expect([await statusOf(expiring), await statusOf(revoked)]).toEqual([401, 200])
  await withAdmin(db, (admin) =>
    admin.keys.revoke(store.defaultSiteId, keyIdOf(hashApiKey(revoked)), time.now),
  )
  expect([await statusOf(revoked), await statusOf(KEY)]).toEqual([401, 200])
  outside.key = createApiKey()
  expect([await statusOf(KEY), await statusOf(outside.key)]).toEqual([401, 200])
})

test.each([
  ['a key that can be guessed', { apiKey: 'k' }, 'k'],
  ['a key whose requests are counted', { rateLimit: 100 }, KEY],
])('the app answers all reads with %s', async (_, options, key) => {
  const { server, ways, send } = await start(options)
  const path = `/api/v2/articles/${await createArticle(server)}`
  for (let reads = 0; reads < 2; reads++) expect(await send(read(path, { key }))).toMatch(/^HTTP\/1.1 200 /)
  expect(ways).toEqual([])
})
