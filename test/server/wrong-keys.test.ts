// Keys that are tried one after another, over real sockets.
import { expect, onTestFinished, test, vi } from 'vitest'
import { hashApiKey } from '../../src/server/api-key.ts'
import { listen } from '../../src/server/http/listen.ts'
import { NOW, openTestServer } from '../support/server.ts'
import { addKey } from '../support/with-admin.ts'

const PATH = '/api/v2/categories'
const SHORT_KEY = 'short'
const LONG_KEY = 'sixteen-or-more-'

/** A server with a short key and a long one; requests have the client address that a proxy states. */
async function start(trustedProxies?: readonly string[]) {
  vi.useFakeTimers({ now: new Date(NOW), toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = await openTestServer({ apiKey: SHORT_KEY, trustedProxies, clock: () => new Date() })
  await addKey(server.db, { siteId: server.store.defaultSiteId, hash: hashApiKey(LONG_KEY) })
  const listening = await listen(server, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => listening.close())
  const ask = async (key: string, from = '', path = PATH) => {
    const headers = { Authorization: `Bearer ${key}`, ...(from !== '' && { 'X-Forwarded-For': from }) }
    const response = await fetch(`${listening.url}${path}`, { headers })
    const { message } = (await response.json()) as { message: string }
    return { status: response.status, retryAfter: response.headers.get('retry-after'), message }
  }
  const tryWrong = async (count: number, from = '') => {
    const statuses = new Set<number>()
    for (let at = 0; at < count; at++) statuses.add((await ask(`wrong-${at}`, from)).status)
    return [...statuses]
  }
  return { server, ask, tryWrong }
}

test('after 100 wrong keys in a minute, the status is 429, even for right short keys', async () => {
  const { ask, tryWrong } = await start()
  expect(await tryWrong(100)).toEqual([401])
  const refused = {
    status: 429,
    retryAfter: '60',
    message: 'Your address has sent more than 100 different unknown API keys in a minute: wait 60 seconds',
  }
  expect(await ask('wrong')).toEqual(refused)
  expect(await ask('wrong', '', '/api/v2/none')).toEqual(refused)
  expect(await ask(SHORT_KEY)).toEqual(refused)
  // A long key cannot be guessed, so a client with one need not wait for others.
  expect((await ask(LONG_KEY)).status).toBe(200)
  // Keys that are sent while all are refused count later.
  expect(await tryWrong(201)).toEqual([429])
  vi.advanceTimersByTime(60_000)
  expect(await tryWrong(201)).toEqual([401, 429])
  vi.advanceTimersByTime(60_000)
  expect((await ask(SHORT_KEY)).status).toBe(200)
  expect((await ask('wrong')).status).toBe(401)
})

test('right keys, a repeated wrong one, and requests without one, are not counted', async () => {
  const { ask, server } = await start()
  for (let at = 0; at < 120; at++) {
    expect((await ask(SHORT_KEY)).status).toBe(200)
    expect((await ask('repeated')).status).toBe(401)
    expect((await server.app.request(PATH)).status).toBe(401)
  }
  expect((await ask('wrong')).status).toBe(401)
})

test('the address that a client states is ignored, that of a trusted proxy counts', async () => {
  const plain = await start()
  expect(await plain.tryWrong(50, '203.0.113.1')).toEqual([401])
  expect(await plain.tryWrong(101, '203.0.113.2')).toEqual([401, 429])

  const { ask, tryWrong } = await start(['127.0.0.1', '10.0.0.0/8', '2001:db8:1::/48'])
  // Everything before the last address that is not a proxy was written by the client.
  expect(await tryWrong(100, '198.51.100.7, 203.0.113.1, 10.1.2.3')).toEqual([401])
  expect((await ask('wrong', '203.0.113.1')).status).toBe(429)
  expect((await ask('wrong', '192.0.2.9, ::ffff:203.0.113.1')).status).toBe(429)
  expect((await ask('wrong', '203.0.113.1:51234, 2001:db8:1::5')).status).toBe(429)
  expect((await ask(SHORT_KEY, '203.0.113.2')).status).toBe(200)
  expect((await ask('wrong', '203.0.113.2')).status).toBe(401)
  // Without an address, the proxy itself is counted.
  expect((await ask('wrong', 'unknown')).status).toBe(401)
})

test('an IPv6 network of 64 bits is one client', async () => {
  const { ask, tryWrong } = await start(['127.0.0.1'])
  expect(await tryWrong(99, '2001:db8:0:7::1')).toEqual([401])
  expect((await ask('wrong', '2001:0db8:0000:0007:ffff:ffff:ffff:ffff')).status).toBe(401)
  expect((await ask('wrong', '[2001:DB8:0:7:0:1::]:4711')).status).toBe(429)
  expect((await ask('wrong', '2001:db8:0:7::192.0.2.1')).status).toBe(429)
  expect((await ask('wrong', '2001:db8:0:8::1')).status).toBe(401)
})
