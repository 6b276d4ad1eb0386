// Clients that take too long or send too much, over real sockets.
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describe, expect, type MockInstance, onTestFinished, test, vi } from 'vitest'
import { createBoundedServer, listen, type ListenOptions } from '../../src/server/http/listen.ts'
import type { RefusedConnection } from '../../src/server/http/reject-before-app.ts'
import { API_KEY, createArticle, openTestServer } from '../support/server.ts'
import { fileName, PNG } from '../support/stored-files.ts'

async function start(options: Partial<ListenOptions> = {}): Promise<URL> {
  const faults: unknown[] = []
  const server = await openTestServer({ onError: (error) => faults.push(error) })
  const listening = await listen(server, { host: '127.0.0.1', port: 0, ...options })
  onTestFinished(async () => {
    await listening.close()
    expect(faults).toEqual([])
  })
  return new URL(listening.url)
}

/** Sends `sent`, keeps the connection open, and returns what is received until the server closes it. */
async function exchange({ port, hostname }: URL, sent: string) {
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  socket.write(sent)
  const received = await text(socket)
  socket.end()
  const [head = '', body = ''] = received.split('\r\n\r\n')
  const [line = '', ...headers] = head.split('\r\n')
  return {
    status: line.split(' ').slice(1).join(' '),
    headers,
    body: body === '' ? '' : (JSON.parse(body) as unknown),
  }
}

const PUT = `PUT /api/v2/articles HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${API_KEY}\r\nContent-Type: application/json\r\n`

const FILE = PUT.replace('articles', `files/${'0'.repeat(64)}.png`)

test.each([
  ['headers', 'GET /api/v2/categories HTTP/1.1\r\nHost: x\r\n'],
  ['a body', `${PUT}Content-Length: 1000\r\n\r\n{"title":`],
  ['a body of unknown length', `${PUT}Transfer-Encoding: chunked\r\n\r\n5\r\n{"tit\r\n`],
])('%s that never end', async (_, sent) => {
  const url = await start({ limits: { headersMs: 50, requestMs: 100 } })
  const { status, headers, body } = await exchange(url, sent)
  expect([status, body]).toEqual([
    '408 Request Timeout',
    { success: false, message: 'The request did not arrive in time' },
  ])
  expect(headers).toContain('Connection: close')
  expect(headers).toContain('X-Content-Type-Options: nosniff')
})

describe('a client that reads only after it has sent everything learns why it is rejected', () => {
  const declare = (size: number) => `Content-Length: ${size}\r\n\r\n`
  const chunk = (size: number) => `Transfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n`
  test.each([
    ['a body that is too large', PUT, declare, 413],
    ['a body that is too large, of unknown length', PUT, chunk, 413],
    ['another type', PUT.replace('/json', '/xml'), declare, 415],
    ['no key', PUT.replace(/Authorization.*\r\n/, ''), declare, 401],
    ['a file that is too large', FILE, declare, 413],
    ['a file of unknown length', FILE, chunk, 400],
    ['a file of another type', FILE, declare, 400, 20_000_000],
    ['an operation that does not exist', PUT.replace('articles', 'none'), declare, 404],
  ])('%s', async (_, head, framing, status, size = 40_000_000) => {
    for (const connection of ['close', 'keep-alive']) {
      const socket = connect(Number((await start()).port), '127.0.0.1')
      socket.write(`${head}Connection: ${connection}\r\n${framing(size)}`)
      // Without pauses, the rest arrives before anybody could close the connection.
      for (let sent = 0; sent < size; sent += 1_000_000) {
        const write = promisify(socket.write.bind(socket)) as (bytes: Uint8Array) => Promise<void>
        await write(Buffer.alloc(1_000_000, 'x'))
      }
      socket.end(framing === chunk ? '\r\n0\r\n\r\n' : '')
      expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*"success":false`))
    }
  })
})

test('rejected requests on one connection do not add up', async () => {
  const server = createBoundedServer({}, 1, (_, response) => void response.end('no'))
  const ended: MockInstance[] = []
  server.on('connection', (socket) => ended.push(vi.spyOn(socket, 'end')))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect({ port: (server.address() as AddressInfo).port, allowHalfOpen: true })
  const over = once(client, 'end')
  for (const connection of ['keep-alive', 'keep-alive', 'close']) {
    client.write(`PUT / HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\nContent-Length: 1\r\n\r\n`)
    for (let received = ''; !received.endsWith('no');) received += String(await once(client, 'data'))
    client.write('1')
  }
  await over
  client.end()
  await promisify(server.close.bind(server))()
  expect(ended.map(({ mock }) => mock.calls.length)).toEqual([1])
})

test('a file may take as long as it needs while its bytes arrive', async () => {
  const url = await start({ limits: { requestMs: 2000 } })
  const file = Buffer.concat([PNG, Buffer.alloc(3_000_000)])
  const put = (length: number) =>
    `PUT /api/v2/files/${fileName('png', file)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${API_KEY}\r\nContent-Length: ${length}\r\n\r\n`
  const socket = connect({ port: Number(url.port), host: url.hostname })
  onTestFinished(() => void socket.destroy())
  const answered = once(socket, 'data')
  socket.write(put(file.length))
  socket.write(file.subarray(0, 2_000_000))
  // When a later request times out, the file does, too.
  expect(await exchange(url, put(file.length))).toMatchObject({ status: '408 Request Timeout' })
  socket.write(file.subarray(2_000_000))
  expect(String(await answered)).toContain('HTTP/1.1 200 OK')
})

test('headers that are far too large', async () => {
  const url = await start()
  const { status, body } = await exchange(
    url,
    `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
  )
  expect([status, body]).toEqual([
    '431 Request Header Fields Too Large',
    { success: false, message: 'The headers of the request are too large' },
  ])
})

test('a client that disconnects within its body is not a server error', async () => {
  const url = await start()
  for (const framing of ['Content-Length: 1000\r\n\r\n{', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n']) {
    const socket = connect(Number(url.port), url.hostname)
    socket.write(PUT + framing)
    await once(socket, 'connect')
    // The server has received the request once it answers another one that was sent later.
    await fetch(new URL('/healthz', url))
    socket.destroy()
    await once(socket, 'close')
  }
  expect((await fetch(new URL('/healthz', url))).status).toBe(200)
})

test('connections above the limit are closed, idle ones are replaced, and active ones continue', async () => {
  const refused: RefusedConnection[] = []
  const url = await start({ mostConnections: 3, onRefused: (each) => refused.push(each) })
  const open = async (sent: string) => {
    const socket = connect({ port: Number(url.port), host: url.hostname })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(sent)
    return socket
  }
  const request = 'GET /healthz HTTP/1.1\r\nHost: x\r\n'
  const idle = await open(`${request}\r\n`)
  await once(idle, 'data')
  const slow = await open(request)
  const alsoSlow = await open(request)
  // The server has received both once it answers a request that was sent later: before that, they would be idle, too.
  idle.write(`${request}\r\n`)
  await once(idle, 'data')
  const closed = await open(`${request}\r\n`)
  await Promise.all([once(closed, 'close'), once(idle, 'close')])
  expect(refused).toEqual([{ status: 503, reason: 'There are too many connections' }])
  const next = await open(`${request}\r\n`)
  expect(String((await once(next, 'data'))[0])).toContain('200 OK')
  slow.write('\r\n')
  alsoSlow.write('\r\n')
  for (const socket of [slow, alsoSlow]) expect(String((await once(socket, 'data'))[0])).toContain('200 OK')
})

test('a client that does not read its response is disconnected', async () => {
  const server = await openTestServer()
  const content = 'x'.repeat(20_000_000)
  const id = await createArticle(server, { content })
  const listening = await listen(server, {
    host: '127.0.0.1',
    port: 0,
    graceMs: 2 ** 30,
    limits: { requestMs: 200 },
  })
  const { port, hostname } = new URL(listening.url)
  const socket = connect({ port: Number(port), host: hostname })
  onTestFinished(() => void socket.destroy())
  socket.pause()
  socket.write(`GET /api/v2/articles/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${API_KEY}\r\n\r\n`)
  await once(socket, 'connect')
  await once(socket, 'readable')
  // It would wait for this connection while it is open.
  await expect(listening.close()).resolves.toBeUndefined()
})
