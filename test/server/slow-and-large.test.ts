// Clients that take too long or send too much, over real sockets.
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { listen, type ListenOptions } from '../../src/server/http/listen.ts'
import { API_KEY, openTestServer } from '../support/server.ts'

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

/** Sends `sent`, keeps the connection open, and returns what comes back until the server closes it. */
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

test.each([
  ['headers', 'GET /api/v2/categories HTTP/1.1\r\nHost: x\r\n'],
  ['a body', `${PUT}Content-Length: 1000\r\n\r\n{"title":`],
  ['a body of unknown length', `${PUT}Transfer-Encoding: chunked\r\n\r\n5\r\n{"tit\r\n`],
])('%s that never come to an end', async (_, sent) => {
  const url = await start({ limits: { headersMs: 50, requestMs: 100 } })
  const { status, headers, body } = await exchange(url, sent)
  expect([status, body]).toEqual([
    '408 Request Timeout',
    { success: false, message: 'The request did not arrive in time' },
  ])
  expect(headers).toContain('Connection: close')
  expect(headers).toContain('X-Content-Type-Options: nosniff')
})

test('headers beyond any measure', async () => {
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

test('a client that goes away within its body is no fault of the server', async () => {
  const url = await start()
  for (const framing of ['Content-Length: 1000\r\n\r\n{', 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n']) {
    const socket = connect(Number(url.port), url.hostname)
    socket.write(PUT + framing)
    await once(socket, 'connect')
    // The server has met the request once it answers another one that was sent later.
    await fetch(new URL('/healthz', url))
    socket.destroy()
    await once(socket, 'close')
  }
  expect((await fetch(new URL('/healthz', url))).status).toBe(200)
})
