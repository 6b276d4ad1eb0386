import * as fc from 'fast-check'
import { Agent } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import {
  type AddressGuard,
  createGuardedConnector,
  isPublicAddress,
  type ResolveHost,
} from '../../../src/api/link-probe/address-guard.ts'
import { checkAddress } from '../../../src/api/link-probe/check-address.ts'
import { createHostRests } from '../../../src/api/link-probe/host-rests.ts'
import type { Observation } from '../../../src/api/link-probe/observation.ts'
import { createRequestLimiter } from '../../../src/api/link-probe/request-limiter.ts'
import { createSendProbe } from '../../../src/api/link-probe/send-probe.ts'
import { SELF_SIGNED } from '../client/self-signed.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { closedAddress } from '../../support/fault-proxy.ts'
import { cut, onHead, redirect, resolveToLoopback, serveWeb, silence } from './web-fixture.ts'
import { readRuns } from '../../support/runs.ts'

interface CheckOptions {
  readonly isAllowed?: AddressGuard
  readonly resolve?: ResolveHost
  readonly requestTimeoutMs?: number
  readonly checkTimeoutMs?: number
}

const NOW_MS = Date.parse('2026-03-01T10:00:00.000Z')

/** The check of a URL as in the checker; private addresses are allowed by default. */
function createCheck(options: CheckOptions = {}): (address: string) => Promise<Observation> {
  const { isAllowed = () => true, resolve = resolveToLoopback } = options
  const { requestTimeoutMs = 20_000, checkTimeoutMs = 40_000 } = options
  const connect = createGuardedConnector(isAllowed, resolve, 20_000)
  const dispatcher = new Agent({ connect, pipelining: 0 })
  onTestFinished(() => dispatcher.destroy())
  const limits = { concurrency: 4, perHost: 1, hostPauseMs: 0 }
  const parts = {
    sendProbe: createSendProbe(dispatcher, 'agent', new AbortController().signal),
    limitRequest: createRequestLimiter(limits, async () => undefined),
    rests: createHostRests(() => NOW_MS),
    requestTimeoutMs,
    checkTimeoutMs,
    nowMs: () => NOW_MS,
    elapsedMs: () => performance.now(),
  }
  return (address) => checkAddress(address, parts)
}

const works = (status = 200): Observation => ({ kind: 'works', status })
const broken = (reason: string, status: number | null = null): Observation => ({
  kind: 'broken',
  status,
  reason,
})
const PRIVATE: Observation = { kind: 'closed', status: null, reason: 'private address' }

/** Returns method and page of every request. */
const methods = (web: { readonly seen: readonly { method: string; page: string }[] }) =>
  web.seen.map(({ method, page }) => `${method} ${page}`)

test('an existing page is requested once, with HEAD', async () => {
  const web = await serveWeb({ 'a.test/page?q=1': 200 })
  expect(await createCheck()(web.url('a.test/page?q=1'))).toEqual(works())
  expect(methods(web)).toEqual(['HEAD a.test/page?q=1'])
})

test('no credentials are sent', async () => {
  const web = await serveWeb({ 'a.test/': 200 })
  await createCheck()(web.url('a.test/').replace('a.test', 'user:secret@a.test'))
  expect(web.seen.map(({ headers }) => headers)).toEqual([
    { host: `a.test:${web.port}`, connection: 'close', 'user-agent': 'agent', accept: '*/*' },
  ])
})

test('if HEAD finds no page, GET decides', async () => {
  const statuses = [400, 403, 404, 405, 500, 501, 503]
  const web = await serveWeb({
    ...Object.fromEntries(statuses.map((status) => [`a.test/${status}`, onHead(status, 200)])),
    'a.test/cut': onHead(cut, 204),
    'a.test/gone': onHead(405, 410),
    'a.test/closed': 403,
  })
  const check = createCheck()
  for (const status of statuses) expect(await check(web.url(`a.test/${status}`))).toEqual(works())
  expect(await check(web.url('a.test/cut'))).toEqual(works(204))
  expect(await check(web.url('a.test/gone'))).toEqual(broken('410 Gone', 410))
  expect(await check(web.url('a.test/closed'))).toEqual({
    kind: 'closed',
    status: 403,
    reason: '403 Forbidden',
  })
})

test('a body is not read', async () => {
  let closed = () => {}
  const wasClosed = new Promise<void>((resolve) => (closed = resolve))
  const web = await serveWeb({
    'a.test/endless': onHead(405, (_, response) => {
      response.on('close', closed).writeHead(200).write('x'.repeat(100_000))
      return undefined
    }),
  })
  expect(await createCheck()(web.url('a.test/endless'))).toEqual(works())
  await wasClosed
})

test('redirects are followed, across hosts', async () => {
  const web = await serveWeb({
    'a.test/1': (_, response) => {
      response.setHeader('location', '/2#part')
      return 301
    },
    'a.test/2': (_, response) => {
      response.setHeader('location', web.url('b.test/3'))
      return 308
    },
    'b.test/3': 200,
    'a.test/nowhere': redirect('http://[', 302),
    'a.test/mail': redirect('mailto:a@b.test'),
    'a.test/silent': 302,
    'a.test/dead': redirect('/404'),
  })
  const check = createCheck()
  expect(await check(web.url('a.test/1'))).toEqual(works())
  expect(methods(web)).toEqual(['HEAD a.test/1', 'HEAD a.test/2', 'HEAD b.test/3'])
  expect(await check(web.url('a.test/nowhere'))).toEqual(broken('the URL is not valid'))
  expect(await check(web.url('a.test/mail'))).toEqual({
    kind: 'closed',
    status: null,
    reason: 'redirects to mailto:',
  })
  expect(await check(web.url('a.test/silent'))).toEqual(works(302))
  expect(await check(web.url('a.test/dead'))).toEqual(broken('404 Not Found', 404))
})

test('redirect loops and endless chains end', async () => {
  const web = await serveWeb({
    'a.test/self': redirect('/self'),
    'a.test/ping': redirect('/pong'),
    'a.test/pong': redirect('/ping#again'),
    'b.test/*': (request, response) => {
      response.setHeader('location', `${request.url ?? ''}x`)
      return 302
    },
    'c.test/head': onHead(redirect('/head'), 200),
  })
  const check = createCheck()
  expect(await check(web.url('a.test/self'))).toEqual(broken('the redirects form a loop'))
  expect(await check(web.url('a.test/ping'))).toEqual(broken('the redirects form a loop'))
  expect(methods(web)).toEqual([
    'HEAD a.test/self',
    'GET a.test/self',
    'HEAD a.test/ping',
    'HEAD a.test/pong',
    'GET a.test/ping',
    'GET a.test/pong',
  ])
  expect(await check(web.url('b.test/'))).toEqual(broken('too many redirects'))
  expect(web.seen.filter(({ page }) => page.startsWith('b.test'))).toHaveLength(22)
  expect(await check(web.url('c.test/head'))).toEqual(works())
})

test('a server that does not respond is given up', async () => {
  const web = await serveWeb({ 'a.test/silent': silence, 'a.test/head': onHead(silence, 200) })
  const check = createCheck({ requestTimeoutMs: 2000 })
  expect(await check(web.url('a.test/silent'))).toEqual(broken('no response in time (TIMED_OUT)'))
  expect(await check(web.url('a.test/head'))).toEqual(works())
  const seen = web.seen.length
  const hurried = createCheck({ checkTimeoutMs: 100 })
  expect(await hurried(web.url('a.test/head'))).toEqual(broken('no response in time (TIMED_OUT)'))
  // No time was left for GET.
  expect(methods(web).slice(seen)).toEqual(['HEAD a.test/head'])
})

test('connection problems are described', async () => {
  const check = createCheck()
  const secure = await serveWeb({ 'a.test/': 200 }, SELF_SIGNED)
  const plain = await serveWeb({ 'a.test/': 200 })
  const unknown: ResolveHost = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }))
  expect(await check(await closedAddress())).toEqual(broken('the connection was refused (ECONNREFUSED)'))
  expect(await check(secure.url('a.test/'))).toMatchObject({
    kind: 'broken',
    reason: expect.stringMatching(/^the certificate .* \(\w+\)$/) as string,
  })
  expect(await check(plain.url('a.test/').replace('http:', 'https:'))).toMatchObject({
    kind: 'broken',
    reason: expect.stringMatching(/^TLS failed \(\w+\)$/) as string,
  })
  expect(await createCheck({ resolve: unknown })('http://a.test/')).toEqual(
    broken('the host name does not exist (ENOTFOUND)'),
  )
  expect(await createCheck({ resolve: async () => [] })('http://a.test/')).toEqual(
    broken('the host name does not exist (ENOTFOUND)'),
  )
})

test('a busy host is not requested until the time that it stated', async () => {
  const web = await serveWeb({
    'a.test/busy': (_, response) => {
      response.setHeader('retry-after', '120')
      return 429
    },
    'a.test/other': 200,
    'b.test/': 200,
  })
  const check = createCheck()
  const reason = '429 Too Many Requests'
  expect(await check(web.url('a.test/busy'))).toEqual({
    kind: 'busy',
    status: 429,
    reason,
    retryAfterMs: 120_000,
  })
  expect(await check(web.url('a.test/other'))).toEqual({
    kind: 'busy',
    status: null,
    reason: 'the host limits the rate of requests',
    retryAfterMs: 120_000,
  })
  expect(await check(web.url('b.test/'))).toEqual(works())
  expect(methods(web)).toEqual(['HEAD a.test/busy', 'HEAD b.test/'])
})

// The guard. Nothing may reach the server below, which has a private address.

test('a private address is not connected to, however it is written', async () => {
  const web = await serveWeb({ 'a.test/*': 200 })
  const check = createCheck({ isAllowed: isPublicAddress })
  const hosts = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0',
    'a.test',
  ]
  for (const host of hosts) {
    for (const scheme of ['http', 'https']) {
      const address = `${scheme}://${host}:${web.port}/`
      expect([address, await check(address)]).toEqual([address, PRIVATE])
    }
  }
  expect(web.seen).toEqual([])
})

test('a name that resolves to another address the second time is rejected then', async () => {
  const web = await serveWeb({ 'a.test/': redirect('/again'), 'a.test/again': 200 })
  let lookups = 0
  const resolve: ResolveHost = async () => [{ address: `127.0.0.${++lookups}`, family: 4 }]
  const check = createCheck({ isAllowed: (address) => address === '127.0.0.1', resolve })
  expect(await check(web.url('a.test/'))).toEqual(PRIVATE)
  // One lookup per connection: the socket connects to the address that was checked, not to that of a second lookup.
  expect([methods(web), lookups]).toEqual([['HEAD a.test/'], 2])
})

test('of several addresses of a host, only allowed ones are used', async () => {
  const web = await serveWeb({ 'a.test/': 200 })
  const asked: string[] = []
  const isAllowed: AddressGuard = (address) => {
    asked.push(address)
    return address === '127.0.0.1'
  }
  const resolve: ResolveHost = async () => [
    { address: '127.0.0.2', family: 4 },
    { address: '::1', family: 6 },
    { address: '127.0.0.1', family: 4 },
  ]
  expect(await createCheck({ isAllowed, resolve })(web.url('a.test/'))).toEqual(works())
  expect(asked).toEqual(['127.0.0.2', '::1', '127.0.0.1'])
  expect(await createCheck({ isAllowed: () => false, resolve })(web.url('a.test/'))).toEqual(PRIVATE)
  expect(web.seen).toHaveLength(1)
})

test('a redirect to a private address is not followed', async () => {
  const secret = await serveWeb({ '127.0.0.2/*': 200 })
  const web = await serveWeb({
    'a.test/address': redirect(`http://127.0.0.2:${secret.port}/`),
    'a.test/name': redirect(`http://inside.test:${secret.port}/`),
  })
  const resolve: ResolveHost = async (hostname) => [
    { address: hostname === 'inside.test' ? '127.0.0.2' : '127.0.0.1', family: 4 },
  ]
  const check = createCheck({ isAllowed: (address) => address === '127.0.0.1', resolve })
  expect(await check(web.url('a.test/address'))).toEqual(PRIVATE)
  expect(await check(web.url('a.test/name'))).toEqual(PRIVATE)
  expect([web.seen.length, secret.seen.length]).toEqual([2, 0])
})

test('whatever the URL is, the check ends without throwing', async () => {
  const check = createCheck({ isAllowed: isPublicAddress })
  const address = fc.oneof(
    fc.string(),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string({ unit: anyCharacter }).map((text) => `http://a.test/${text}`),
    fc.string().map((host) => `https://${host}/`),
    fc.constantFrom(
      'http:',
      'http://',
      'http://a.test:99999/',
      'http://%00/',
      'ftp://a.test/',
      'javascript:1',
      '//',
    ),
  )
  await fc.assert(
    fc.asyncProperty(address, async (text) => {
      expect(['broken', 'closed']).toContain((await check(text)).kind)
    }),
    readRuns('FUZZ', 300),
  )
})
