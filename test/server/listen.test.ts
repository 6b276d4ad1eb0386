import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../src/server/http/listen.ts'
import { API_KEY, articleBody, openTestServer, type TestServer } from '../support/server.ts'

const HEADERS = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' }

async function start(options: Parameters<typeof openTestServer>[0] = {}) {
  const server = await openTestServer(options)
  const listening = await listen(server, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => listening.close())
  return { server, listening, url: new URL(listening.url) }
}

async function answerOf(
  sent: ReturnType<typeof request>,
): Promise<{ status: number | undefined; body: unknown }> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode, body: JSON.parse(await text(response)) }
}

function put(url: URL, agent?: Agent) {
  return request(new URL('/api/v2/articles', url), {
    method: 'PUT',
    headers: HEADERS,
    ...(agent && { agent }),
  })
}

function bodyOf(server: TestServer, changes: object = {}): string {
  return JSON.stringify(articleBody(server, changes))
}

test('an article is sent over the network and returned', async () => {
  const { server, url } = await start()
  const created = await fetch(new URL('/api/v2/articles', url), {
    method: 'PUT',
    headers: HEADERS,
    body: bodyOf(server, { articleReviewDate: '2027-01-31', content: '<p>Grüße 🙂</p>' }),
  })
  expect(await created.json()).toEqual({
    success: true,
    message: 'Article "Reset your password" was created',
  })
  const list = await fetch(new URL('/api/v2/tools/review_dates', url), { headers: HEADERS })
  const { data } = (await list.json()) as { data: { id: string }[] }
  for (const _ of ['from the store', 'from the cache']) {
    const read = await fetch(new URL(`/api/v2/articles/${data[0]?.id}`, url), { headers: HEADERS })
    expect(read.headers.get('content-type')).toBe('application/json')
    expect(await read.json()).toMatchObject({ data: { content: '<p>Grüße 🙂</p>' } })
  }
})

test('a list that fails after its first page is aborted, and only the operator sees the reason', async () => {
  const faults: unknown[] = []
  const { server, url } = await start({ onError: (error) => faults.push(error) })
  const content = Array.from({ length: 1100 }, (_, n) => `<a href="/page-${n}">x</a>`).join('')
  await server.call('PUT', '/api/v2/articles', articleBody(server, { content }))
  const page = Array.from({ length: 500 }, (_, n) => ({
    id: `0${n}`,
    articleId: 'a',
    articleName: 'A',
    url: '/x',
    createdDate: '2026-03-01T10:00:00.000Z',
    working: true,
  }))
  // The driver cannot be made to fail at a given page, so the store's method is replaced.
  const pages = [page]
  const fault = new Error('the disk is gone')
  Object.assign(server.store, {
    listLinks: () => (pages.length > 0 ? Promise.resolve(pages.pop()) : Promise.reject(fault)),
  })
  const socket = connect(Number(url.port), url.hostname)
  socket.write(
    `GET /api/v2/tools/link_manager HTTP/1.1\r\nHost: kb\r\nAuthorization: Bearer ${API_KEY}\r\n\r\n`,
  )
  const answer = await text(socket).catch((error: Error) => error.message)
  expect(answer).not.toMatch(/\r\n0\r\n\r\n$/)
  expect(answer).not.toContain('disk')
  expect(faults).toEqual([fault])
})

test('a request followed by garbage is answered, and then the garbage', async () => {
  const { server, url } = await start()
  const body = bodyOf(server)
  const socket = connect(Number(url.port), url.hostname)
  socket.write(
    `PUT /api/v2/articles HTTP/1.1\r\nHost: kb\r\nAuthorization: Bearer ${API_KEY}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}` +
      'no http at all\r\n\r\n',
  )
  const answers = await text(socket)
  expect([...answers.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '400'])
  expect(answers).toContain('was created')
})

test('a client that half-closes the connection after its request gets the response', async () => {
  const { server, url } = await start()
  // Parsed in a thread, long after the end was read.
  const body = bodyOf(server, { content: 'x'.repeat(1_500_000) })
  const socket = connect({ port: Number(url.port), host: url.hostname })
  socket.end(
    `PUT /api/v2/articles HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${API_KEY}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
})

test('a list longer than a page is complete', async () => {
  const { server, url } = await start()
  const content = Array.from({ length: 1100 }, (_, n) => `<a href="/page-${n}">x</a>`).join('')
  await server.call('PUT', '/api/v2/articles', articleBody(server, { content }))
  const list = await fetch(new URL('/api/v2/tools/link_manager', url), { headers: HEADERS })
  expect(await list.json()).toMatchObject({ success: true, data: { length: 1100 } })
})

test('HEAD has no body', async () => {
  const { url } = await start()
  const response = await fetch(new URL('/api/v2/categories', url), { method: 'HEAD', headers: HEADERS })
  expect([response.status, await response.text()]).toEqual([200, ''])
})

test('a body above the limit is rejected, announced or not', async () => {
  const { server, url } = await start({ bodyLimitBytes: 1000 })
  const body = bodyOf(server, { content: 'x'.repeat(5000) })
  const refused = {
    status: 413,
    body: { success: false, message: expect.stringContaining('at most 1000 bytes') },
  }
  const announced = put(url)
  announced.setHeader('Content-Length', Buffer.byteLength(body))
  announced.end(body)
  expect(await answerOf(announced)).toEqual(refused)
  const chunked = put(url)
  chunked.write(body.slice(0, 3000))
  chunked.end(body.slice(3000))
  expect(await answerOf(chunked)).toEqual(refused)
})

test.each([
  ['no HTTP', 'NONSENSE', 400],
  ['no Host header', 'GET / HTTP/1.1', 400],
  ['no Host header in HTTP/1.0', 'GET / HTTP/1.0', 404],
  ['two Host headers', 'GET / HTTP/1.1\r\nHost: x\r\nHOST: x', 400],
  ['a value that is named like the header', 'GET / HTTP/1.1\r\nHost: x\r\nX: host', 404],
  ['an address that is none', 'GET / HTTP/1.1\r\nHost: a b', 400],
  ['no path', 'OPTIONS * HTTP/1.1\r\nHost: x', 400],
  ['an expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: foo', 417],
  ['the wish for a tunnel', 'CONNECT x:1 HTTP/1.1\r\nHost: x', 405],
])('a request with %s is answered in the form of every failure', async (_, lines, status) => {
  const { url } = await start()
  const socket = connect(Number(url.port), url.hostname)
  socket.end(`${lines}\r\nConnection: close\r\n\r\n`)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  expect(Number(head.split(' ')[1])).toBe(status)
  expect(JSON.parse(body)).toEqual({ success: false, message: expect.any(String) })
})

test('the operator sees rejected connections, but not what was sent on them', async () => {
  const server = await openTestServer()
  const refused: unknown[] = []
  const listening = await listen(server, {
    host: '127.0.0.1',
    port: 0,
    onRefused: (each) => refused.push(each),
  })
  onTestFinished(() => listening.close())
  const { hostname, port } = new URL(listening.url)
  for (const sent of ['secret words\r\n\r\n', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`]) {
    const socket = connect(Number(port), hostname)
    socket.write(sent)
    await text(socket).catch(() => undefined)
  }
  expect(refused).toEqual([
    { status: 400, reason: 'The request is not valid HTTP' },
    { status: 431, reason: 'The headers of the request are too large' },
  ])
})

test('a taken port is reported with advice', async () => {
  const { url } = await start()
  const another = await openTestServer()
  const attempt = listen(another, { host: url.hostname, port: Number(url.port) })
  await expect(attempt).rejects.toMatchObject({
    code: 'PORT_UNAVAILABLE',
    hint: expect.stringContaining('--port'),
  })
})

test('a stop completes requests in progress, and rejects later ones on the same connection', async () => {
  const { server, listening, url } = await start()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const body = bodyOf(server)
  const running = put(url, agent)
  running.write(body.slice(0, 10))
  await once(running, 'socket')
  const [socket] = [running.socket]
  if (socket?.connecting === true) await once(socket, 'connect')
  // The server has received the request once it answers another one that was sent later.
  await fetch(new URL('/api/v2/openapi.json', url))
  const closed = listening.close()
  const late = request(new URL('/api/v2/categories', url), { headers: HEADERS, agent })
  late.end()
  running.end(body.slice(10))
  expect(await answerOf(running)).toMatchObject({ status: 200, body: { success: true } })
  const [outcome] = await Promise.allSettled([answerOf(late)])
  expect(outcome.status === 'rejected' || outcome.value.status === 503).toBe(true)
  await closed
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})
