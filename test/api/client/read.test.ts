import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { KbError } from '../../../src/core/errors/kb-error.ts'
import { closedAddress, redirectTo, refusal, startFaultProxy } from '../../support/fault-proxy.ts'
import { type ForeignAnswer, startForeignService } from './foreign-service.ts'
import { SELF_SIGNED } from './self-signed.ts'
import { createFakeClock, KEY, openClient } from './test-client.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const EMPTY_LIST = { body: { success: true, data: [] } }

async function serve(...answers: ForeignAnswer[]) {
  const service = await startForeignService((_, index) => answers[Math.min(index, answers.length - 1)] ?? {})
  onTestFinished(() => service.close())
  return service
}

/** Lets the event loop turn, so that everything that is ready happens. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await setImmediate()
}

async function listenOn(server: Server): Promise<string> {
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A service with endless responses, a byte every few milliseconds. */
function listenTrickling(): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{')
    const timer = setInterval(() => socket.write(' '), 5)
    socket.on('close', () => clearInterval(timer))
  })
  return listenOn(server)
}

/** Returns code and message of a failure, with the address of the service as URL. */
async function failureOf(promise: Promise<unknown>, url: string) {
  const error = await promise.then(
    () => expect.unreachable('it should have failed'),
    (reason: unknown) => reason as KbError,
  )
  expect(JSON.stringify([error.message, error.hint])).not.toContain(KEY)
  return { code: error.code, message: error.message.replaceAll(url, 'URL') }
}

describe('a request', () => {
  test('has key, content type, accepted types and user agent, even without body', async () => {
    const service = await serve(EMPTY_LIST)
    await openClient(`${service.url}/help/`).listCategories()
    expect(service.requests).toMatchObject([
      {
        method: 'GET',
        path: '/help/api/v2/categories',
        body: '',
        headers: {
          authorization: `Bearer ${KEY}`,
          'content-type': 'application/json',
          accept: 'application/json',
          'user-agent': `kb-sync/${version}`,
        },
      },
    ])
  })

  test('has an encoded id', async () => {
    const service = await serve({ status: 404, body: { success: false, message: 'No such article' } })
    await openClient(service.url).readArticle('../tags/$& x')
    expect(service.requests[0]?.path).toBe('/api/v2/articles/..%2Ftags%2F%24%26%20x')
  })
})

describe('a response', () => {
  test('is read leniently', async () => {
    const data = { id: 7, name: null, content: '<p>x</p>', surprise: true }
    const service = await serve({ body: { success: true, data } })
    expect(await openClient(service.url).readArticle('7')).toEqual({
      data: { id: '7', content: '<p>x</p>', tags_relationship: [], article_relationships: [] },
      categories: [],
      tags: [],
    })
  })

  test('of each other operation is parsed', async () => {
    const list = { body: { success: true, message: '', data: [{ id: 'a', article_id: 'b' }, { id: '' }] } }
    const categories = {
      body: { success: true, data: [{ id: 1, name: 'Guides' }], languages: ['en'], limit: 9 },
    }
    const service = await serve(list, list, categories, { body: { success: true, data: { id: 't' } } })
    const client = openClient(service.url)
    expect(await client.listReviewDates()).toEqual({ message: '', data: [{ id: 'a' }] })
    expect(await client.listLinks()).toEqual({ message: '', data: [{ id: 'a', article_id: 'b' }] })
    expect(await client.listCategories()).toEqual({
      data: [{ id: '1', name: 'Guides', other_categories_categories_language_parentTocategories: [] }],
      languages: ['en'],
      limit: 9,
    })
    expect(await client.readTag('t')).toEqual({ data: { id: 't' } })
    expect(service.requests.map(({ path }) => path)).toEqual([
      '/api/v2/tools/review_dates',
      '/api/v2/tools/link_manager',
      '/api/v2/categories',
      '/api/v2/tags/t',
    ])
    expect(client.countRequests()).toEqual({ GET: 4 })
  })

  test.each([
    { status: 404, body: { success: false, message: 'No such article' } },
    { status: 404, body: { error: 'not found' } },
    { status: 410, body: { success: false } },
  ])('that says that the item does not exist gives undefined: %j', async (answer) => {
    const service = await serve(answer)
    const client = openClient(service.url)
    expect(await client.readArticle('x')).toBeUndefined()
    expect(await client.readTag('x')).toBeUndefined()
  })

  describe('that reports a failure with status 200', () => {
    const refuse = (message: string) => ({ body: { success: false, message } })
    const LISTED = { body: { success: true, data: [{ id: 'listed' }, { id: 'x' }] } }
    const READ = { body: { success: true, data: { id: 'listed' } } }

    /** The response to each request, by the requested item: `x`, a listed one, or one that cannot exist. */
    async function serveItems(x: readonly ForeignAnswer[], listed: ForeignAnswer, unknown: ForeignAnswer) {
      let asked = 0
      const service = await startForeignService(({ path }) => {
        if (path.endsWith('/review_dates')) return LISTED
        if (path.endsWith('/link_manager')) return { body: { success: true, data: [] } }
        if (path.endsWith('/articles/listed')) return listed
        return path.endsWith('/x') ? (x[asked++] ?? {}) : unknown
      })
      onTestFinished(() => service.close())
      const client = openClient(service.url)
      await client.listReviewDates()
      return { service, client }
    }

    test.each([
      ['Article not found', 'Article not found'],
      ['No article x', 'No article {id}'],
    ])('means a missing item if it is the same for one that cannot exist: %s', async (message, unknown) => {
      const missing = refuse(message)
      const service = await startForeignService(({ path }) => {
        if (path.endsWith('/review_dates')) return LISTED
        if (path.endsWith('/listed')) return READ
        const id = path.split('/').at(-1) ?? ''
        return id === 'x' ? missing : refuse(unknown.replace('{id}', id))
      })
      onTestFinished(() => service.close())
      const client = openClient(service.url)
      await client.listReviewDates()
      expect(await client.readArticle('x')).toBeUndefined()
      expect(client.countRequests()).toEqual({ GET: 5 })
    })

    test.each([
      ['x', 400, undefined],
      ['x', 403, undefined],
      ['unlisted', 500, undefined],
      ['unlisted', 503, { code: 'TARGET_FAILED' }],
      // The target fails to read an article that it lists.
      ['x', 500, { code: 'TARGET_FAILED' }],
    ])('or for %s with status %i', async (id, status, failure) => {
      const missing = { status, body: { success: false, message: 'No such article' } }
      const { client } = await serveItems(
        Array.from({ length: 8 }, () => missing),
        READ,
        missing,
      )
      const read = client.readArticle(id).catch((error: unknown) => error)
      expect(await read).toEqual(failure && expect.objectContaining(failure))
    })

    test.each<[string, readonly ForeignAnswer[], ForeignAnswer, ForeignAnswer]>([
      ['it has other words for what cannot exist', [refuse('Locked')], READ, refuse('Not found')],
      [
        'it has the same words for everything',
        [refuse('Out of order')],
        refuse('Out of order'),
        refuse('Out of order'),
      ],
      ['it has other words the next time', [refuse('Busy'), refuse('Busier')], READ, refuse('Busy')],
      ['it finds what cannot exist', [refuse('Locked')], READ, READ],
    ])('is a failure if %s', async (_, x, listed, unknown) => {
      const { service, client } = await serveItems(x, listed, unknown)
      const [first] = x as readonly [{ readonly body: { readonly message: string } }]
      expect(await failureOf(client.readArticle('x'), service.url)).toEqual({
        code: 'TARGET_FAILED',
        message: `The target URL failed at GET /api/v2/articles/x (200 OK): ${first.body.message}.`,
      })
    })
  })

  test.each([
    [
      { status: 404, body: '<html><head><title>Not here</title></head></html>' },
      'TARGET_FAILED',
      'The target URL failed at GET /api/v2/articles/x: 404 Not Found, with a web page, "Not here".',
    ],
    [
      { status: 404, body: { success: true, data: { id: 'x' } } },
      'TARGET_FAILED',
      'The target URL failed at GET /api/v2/articles/x: 404 Not Found, with "success": true.',
    ],
    [
      { status: 400, body: { success: false, message: `\u001b[31mkey ${KEY}\nis bad.` } },
      'TARGET_FAILED',
      'The target URL failed at GET /api/v2/articles/x (400 Bad Request): \\u{1b}[31mkey [the API key] is bad.',
    ],
    [
      { status: 401, body: { success: false, message: 'Unknown key' } },
      'TARGET_REFUSED',
      'The target URL refused GET /api/v2/articles/x: Unknown key.',
    ],
    [
      { status: 403 },
      'TARGET_REFUSED',
      'The target URL refused GET /api/v2/articles/x: 403 Forbidden, with an empty body.',
    ],
    [
      { status: 302, headers: { location: 'https://elsewhere.example/?token=1' } },
      'TARGET_REDIRECTED',
      'The target URL redirected GET /api/v2/articles/x to https://elsewhere.example/.',
    ],
    [
      { body: 'Hello there' },
      'TARGET_ANSWER_INVALID',
      'The target URL answered GET /api/v2/articles/x, with "Hello there".',
    ],
    [
      { status: 204 },
      'TARGET_ANSWER_INVALID',
      'The target URL answered GET /api/v2/articles/x, with an empty body.',
    ],
    [
      { body: '{"success":true,"data":{"email_address":"ada@example.com",}}' },
      'TARGET_ANSWER_INVALID',
      'The target URL answered GET /api/v2/articles/x, with invalid JSON.',
    ],
    [
      { body: 'Warning: a notice in x.php {"success":true,"data":{"email_address":"ada@example.com"}}' },
      'TARGET_ANSWER_INVALID',
      'The target URL answered GET /api/v2/articles/x, with "Warning: a notice in x.php".',
    ],
    [
      { body: ')]}\',\n[{"email_address":"ada@example.com"}]' },
      'TARGET_ANSWER_INVALID',
      'The target URL answered GET /api/v2/articles/x, with ")]}\',".',
    ],
    [
      { body: { success: 'yes', data: {} } },
      'TARGET_ANSWER_INVALID',
      'The target URL answered GET /api/v2/articles/x, with JSON that has no boolean "success".',
    ],
    [
      { body: { success: true, data: { id: '' } } },
      'TARGET_ANSWER_INVALID',
      'The target URL answered GET /api/v2/articles/x, but these members are missing or have the wrong type: data.id.',
    ],
  ])('that is a failure is reported: %j', async (answer, code, message) => {
    const service = await serve(answer)
    expect(await failureOf(openClient(service.url).readArticle('x'), service.url)).toEqual({ code, message })
    expect(service.requests).toHaveLength(1)
  })

  const url = 'Check the URL of the target; kb-sync adds /api/v2 to it.'
  test.each([
    [200, `Check KB_API_KEY. ${url}`],
    [400, `Check KB_API_KEY. ${url}`],
    [404, `${url} If it is correct, check KB_API_KEY.`],
    [405, `${url} If it is correct, check KB_API_KEY.`],
  ])('with status %i advises first what is likely', async (status, hint) => {
    const service = await serve({ status, body: { success: false, message: 'No' } })
    await expect(openClient(service.url).listCategories()).rejects.toMatchObject({
      code: 'TARGET_FAILED',
      hint,
    })
  })

  test('of any length and script is cut to a line', async () => {
    const service = await serve({ status: 400, body: `\u202e${'x\r\n'.repeat(100_000)}` })
    const { message } = await failureOf(openClient(service.url).listLinks(), service.url)
    expect(message).toMatch(/400 Bad Request, with "\\u\{202e\}x x x [x ]+…"\.$/)
    expect(message.length).toBeLessThan(450)
  })
})

describe('a read is repeated', () => {
  test.each([408, 429, 500, 502, 503, 504])('after %i', async (status) => {
    const service = await serve({ status }, { status }, EMPTY_LIST)
    const clock = createFakeClock()
    const client = openClient(service.url, clock)
    expect(await client.listLinks()).toEqual({ data: [] })
    expect(clock.slept).toEqual([300, 600])
    expect(client.countRequests()).toEqual({ GET: 3 })
  })

  test('after every kind of cut', async () => {
    const service = await serve({ body: { success: true, data: [{ id: 'a' }] } })
    const proxy = await startFaultProxy(service.url)
    onTestFinished(() => proxy.close())
    proxy.inject({ kind: 'cut-before' })
    proxy.inject({ kind: 'cut-after' })
    proxy.inject({ kind: 'cut-within' })
    expect(await openClient(proxy.url).listReviewDates()).toEqual({ data: [{ id: 'a' }] })
    expect(proxy.seen.map(({ fault }) => fault)).toEqual(['cut-before', 'cut-after', 'cut-within', undefined])
    expect(service.requests).toHaveLength(3)
  })

  test('after a body that is cut off, although its framing is complete', async () => {
    const whole = JSON.stringify(EMPTY_LIST.body)
    const service = await serve(...[2, 1].map((left) => ({ body: whole.slice(0, -left) })), EMPTY_LIST)
    const delays: unknown[] = []
    const client = openClient(service.url, { onDelay: (delay) => delays.push(delay) })
    expect(await client.listLinks()).toEqual({ data: [] })
    expect(delays).toEqual([300, 600].map((ms) => ({ ms, reason: 'the response was incomplete' })))
    const broken = await serve({ body: whole.slice(0, -1) })
    await expect(openClient(broken.url, { retries: 1 }).readArticle('x')).rejects.toMatchObject({
      code: 'TARGET_ANSWER_INVALID',
      hint: 'Try again later; if it keeps failing, ask the operator of the target.',
    })
    expect(broken.requests).toHaveLength(2)
  })

  test('after a silence', async () => {
    const service = await serve(EMPTY_LIST)
    const proxy = await startFaultProxy(service.url)
    onTestFinished(() => proxy.close())
    proxy.inject({ kind: 'silence' })
    expect(await openClient(proxy.url, { timeoutMs: 2000 }).listLinks()).toEqual({ data: [] })
    expect(proxy.seen).toHaveLength(2)
  })

  test('not after a response that takes longer than the time limit of a request', async () => {
    const client = openClient(await listenTrickling(), { timeoutMs: 100, retries: 1 })
    await expect(client.readArticle('a')).rejects.toMatchObject({
      code: 'TARGET_UNREACHABLE',
      hint: 'If its responses take that long, raise sync.timeout in the configuration.',
      exitCode: 3,
    })
    expect(client.countRequests()).toEqual({ GET: 2 })
  })

  test('up to the limit, then the last failure is reported', async () => {
    const service = await serve({ status: 500, body: { success: false, message: 'Out of order' } })
    const client = openClient(service.url, { retries: 2 })
    expect(await failureOf(client.listLinks(), service.url)).toEqual({
      code: 'TARGET_FAILED',
      message:
        'The target URL failed at GET /api/v2/tools/link_manager (500 Internal Server Error): Out of order.',
    })
    expect(client.countRequests()).toEqual({ GET: 3 })
  })

  test('and each pause is reported with its reason', async () => {
    const busy = { status: 429, headers: { 'retry-after': '30' } }
    const service = await serve(busy, { status: 500 }, EMPTY_LIST)
    const delays: unknown[] = []
    await openClient(service.url, { onDelay: (delay) => delays.push(delay) }).listLinks()
    expect(delays).toEqual([
      { ms: 30_000, reason: 'the target is busy (429)' },
      { ms: 600, reason: 'the target failed (500)' },
    ])
  })

  test.each([400, 405, 409, 501])('but not after %i', async (status) => {
    const service = await serve({ status })
    await failureOf(openClient(service.url).listLinks(), service.url)
    expect(service.requests).toHaveLength(1)
  })

  test('but never at the target of a redirect', async () => {
    const elsewhere = await serve(EMPTY_LIST)
    const service = await serve(EMPTY_LIST)
    const proxy = await startFaultProxy(service.url)
    onTestFinished(() => proxy.close())
    for (const status of [301, 302, 303, 307, 308]) {
      proxy.inject(redirectTo(`${elsewhere.url}/api/v2/categories`, status))
      const failure = await failureOf(openClient(proxy.url).listCategories(), elsewhere.url)
      expect(failure).toMatchObject({ code: 'TARGET_REDIRECTED' })
    }
    expect([elsewhere.requests, service.requests]).toEqual([[], []])
  })
})

describe('an unreachable target', () => {
  test('is named with the reason in plain words', async () => {
    const url = await closedAddress()
    expect(await failureOf(openClient(url).listLinks(), url)).toEqual({
      code: 'TARGET_UNREACHABLE',
      message: 'The target URL did not answer after 4 tries: the connection was refused (ECONNREFUSED).',
    })
  })

  test('is not retried if its name does not exist', async () => {
    const client = openClient('http://no-such-host.invalid')
    const { code, message } = await failureOf(client.listLinks(), 'http://no-such-host.invalid')
    expect(code).toBe('TARGET_UNREACHABLE')
    expect(message).toMatch(/ENOTFOUND|EAI_AGAIN/)
  })

  test('is explained if it does not use TLS', async () => {
    const service = await serve(EMPTY_LIST)
    const url = service.url.replace('http:', 'https:')
    const { message } = await failureOf(openClient(url).listLinks(), url)
    expect(message).toContain('The target URL did not answer: it does not use TLS (')
  })

  test('is explained if its certificate is untrusted', async () => {
    const url = (await listenOn(createTlsServer(SELF_SIGNED))).replace('http:', 'https:')
    const client = openClient(url)
    const failure = {
      code: 'TARGET_UNREACHABLE',
      message: 'The target URL did not answer: its certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT).',
    }
    expect(await failureOf(client.listLinks(), url)).toEqual(failure)
    expect(await failureOf(client.deleteArticle('x'), url)).toEqual(failure)
  })

  test('is explained if it does not use HTTP', async () => {
    const url = await listenOn(createTcpServer((socket) => void socket.end('220 mail.example ESMTP\r\n')))
    const { message } = await failureOf(openClient(url).listLinks(), url)
    expect(message).toMatch(/^The target URL did not answer: the response is not HTTP \(HPE_[A-Z_]+\)\.$/)
  })
})

describe('a target that asks to wait', () => {
  test.each([
    ['2', {}],
    ['Sun, 01 Mar 2026 12:00:02 GMT', { date: 'Sun, 01 Mar 2026 12:00:00 GMT' }],
    ['Sun, 01 Mar 2026 13:00:02 GMT, by its own clock', { date: 'Sun, 01 Mar 2026 13:00:00 GMT' }],
    ['Sun, 01 Mar 2026 12:00:02 GMT, without a clock', { date: '' }],
  ])('gets no request during its Retry-After: %s', async (retryAfter, date) => {
    const headers = { ...date, 'retry-after': retryAfter.replace(/ GMT, .*/, ' GMT') }
    const service = await serve({ status: 429, headers }, EMPTY_LIST)
    const clock = createFakeClock()
    await openClient(service.url, clock).listLinks()
    expect(clock.slept).toEqual([2000])
  })

  test('stops the whole client, and gets half as many concurrent requests', async () => {
    const firstWave = new EventEmitter()
    let secondWave: Promise<number> | undefined
    const service = await startForeignService(async (_, index) => {
      if (index < 4) {
        await (index === 3 ? firstWave.emit('complete') : once(firstWave, 'complete'))
        return { status: 503, headers: { 'retry-after': '3' } }
      }
      secondWave ??= turns(50).then(() => service.requests.length - 4)
      await secondWave
      return EMPTY_LIST
    })
    onTestFinished(() => service.close())
    const sleeps: { readonly ms: number; readonly before: number }[] = []
    const clock = createFakeClock()
    const sleep = (ms: number) => {
      sleeps.push({ ms, before: service.requests.length })
      return clock.sleep(ms)
    }
    const client = openClient(service.url, { now: clock.now, sleep, concurrency: 4 })
    await Promise.all(Array.from({ length: 20 }, () => client.listLinks()))
    expect(service.requests).toHaveLength(24)
    expect(sleeps[0]).toEqual({ ms: 3000, before: 4 })
    expect([service.mostAtOnce(), await secondWave]).toEqual([4, 2])
  })

  test('does not use up the retries while others succeed', async () => {
    let served = 0
    // A limit of two requests in a window; each rejection opens the next window.
    const service = await startForeignService(() => {
      served = (served + 1) % 3
      return served === 0 ? { status: 429, headers: { 'retry-after': '1' } } : EMPTY_LIST
    })
    onTestFinished(() => service.close())
    const client = openClient(service.url, { retries: 1 })
    const lists = await Promise.all(Array.from({ length: 200 }, () => client.listLinks()))
    expect(lists).toHaveLength(200)
    expect(client.countRequests()['GET']).toBeGreaterThan(290)
  })

  test('endlessly finally fails', async () => {
    const service = await startForeignService(
      () => refusal(429, 'Too many', { 'retry-after': '1' }) as ForeignAnswer,
    )
    onTestFinished(() => service.close())
    const client = openClient(service.url, { retries: 2 })
    expect(await failureOf(client.listLinks(), service.url)).toEqual({
      code: 'TARGET_FAILED',
      message: 'The target URL failed at GET /api/v2/tools/link_manager (429 Too Many Requests): Too many.',
    })
    expect(client.countRequests()).toEqual({ GET: 3 })
  })
})

test('at most `concurrency` requests run at one time', async () => {
  const service = await startForeignService(async () => {
    await turns(10)
    return EMPTY_LIST
  })
  onTestFinished(() => service.close())
  const client = openClient(service.url, { concurrency: 3 })
  await Promise.all(Array.from({ length: 60 }, () => client.listLinks()))
  expect(service.mostAtOnce()).toBe(3)
})

describe('fetchExtensions', () => {
  test.each<[ForeignAnswer, string[] | undefined]>([
    [{ status: 204, headers: { 'KB-Extensions': 'update, Languages' } }, ['update', 'languages']],
    [{ headers: { 'KB-Extensions': ' ' }, body: { success: true } }, []],
    [{ body: { success: true } }, []],
    [{ headers: { 'KB-Extensions': 'update' }, body: { success: false } }, []],
    [{ status: 404, headers: { 'KB-Extensions': 'update' } }, []],
    [{ status: 501 }, []],
    [{ status: 405 }, []],
    [{ status: 302, headers: { location: '/', 'KB-Extensions': 'update' } }, undefined],
    [{ status: 400, body: { success: false } }, undefined],
  ])('of %j is %j', async (answer, expected) => {
    const service = await serve(answer)
    const client = openClient(service.url)
    expect(await client.fetchExtensions()).toEqual(expected)
    expect(service.requests).toMatchObject([{ method: 'OPTIONS', path: '/api/v2/articles' }])
    expect(client.countRequests()).toEqual({ OPTIONS: 1 })
  })

  test('is unknown without a response, or with that of a failing target', async () => {
    expect(await openClient(await closedAddress()).fetchExtensions()).toBeUndefined()
    const service = await serve({ status: 500 })
    const client = openClient(service.url, { retries: 5 })
    expect(await client.fetchExtensions()).toBeUndefined()
    // Status 500 may mean that the service lacks the operation; a gateway that fails says nothing about it.
    expect(client.countRequests()).toEqual({ OPTIONS: 2 })
    const gateway = await serve({ status: 502 })
    const behind = openClient(gateway.url, { retries: 5 })
    expect(await behind.fetchExtensions()).toBeUndefined()
    expect(behind.countRequests()).toEqual({ OPTIONS: 6 })
  })

  test('is asked again after a first status 500, also if other failures came before', async () => {
    const announced = { status: 204, headers: { 'KB-Extensions': 'update' } }
    const service = await serve({ status: 502 }, { status: 502 }, { status: 500 }, announced)
    expect(await openClient(service.url, { retries: 5 }).fetchExtensions()).toEqual(['update'])
  })
})
