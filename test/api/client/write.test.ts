import { describe, expect, onTestFinished, test } from 'vitest'
import { type Fault, closedAddress, redirectTo, refusal, startFaultProxy } from '../../support/fault-proxy.ts'
import { type ForeignAnswer, startForeignService } from './foreign-service.ts'
import { ARTICLE, createFakeClock, KEY, openClient } from './test-client.ts'

const DONE = { body: { success: true, message: 'Article "Reset your password" was created' } }

async function startServiceBehindProxy(answer: ForeignAnswer = DONE) {
  const service = await startForeignService(() => answer)
  const proxy = await startFaultProxy(service.url)
  onTestFinished(async () => {
    await proxy.close()
    await service.close()
  })
  return { service, proxy }
}

test('each write is sent as documented', async () => {
  const { service, proxy } = await startServiceBehindProxy()
  const client = openClient(proxy.url)
  const category = { name: 'Guides', slug: 'guides', priority: 1, lang: 'en' }
  const tag = { id: 't/1', name: 'Safety', slug: 'safety', lang: 'en' }
  await client.createArticle({ ...ARTICLE, surplus: 1 } as typeof ARTICLE)
  await client.updateCategory('c1', category)
  await client.updateTag('t/1', tag)
  await client.deleteArticle('a1')
  expect(service.requests.map(({ method, path, body }) => [method, path, body && JSON.parse(body)])).toEqual([
    ['PUT', '/api/v2/articles', ARTICLE],
    ['POST', '/api/v2/categories/c1', category],
    ['POST', '/api/v2/tags/t%2F1', tag],
    ['DELETE', '/api/v2/articles/a1', ''],
  ])
  expect(service.requests.map(({ headers }) => headers['content-type'])).toEqual(
    Array(4).fill('application/json'),
  )
  expect(client.countRequests()).toEqual({ PUT: 1, POST: 2, DELETE: 1 })
})

test('a batch is sent as the JSON of its articles', async () => {
  const { service, proxy } = await startServiceBehindProxy()
  const articles = [ARTICLE, { ...ARTICLE, id: 'a1', content: '<p>“Größe” 😀</p>' }]
  await openClient(proxy.url).writeArticles(articles)
  expect(service.requests.map(({ body }) => JSON.parse(body))).toEqual([{ articles }])
  const length = String(Buffer.byteLength(service.requests[0]?.body ?? ''))
  expect(service.requests.map(({ headers }) => headers['content-length'])).toEqual([length])
})

test('a body that violates the contract is a bug and is not sent', async () => {
  const { service, proxy } = await startServiceBehindProxy()
  const sending = openClient(proxy.url).createArticle({ ...ARTICLE, excerpt: 'x'.repeat(161) })
  await expect(sending).rejects.toThrow('Wrong body for "Create an article": excerpt must be at most 160')
  expect(service.requests).toEqual([])
})

describe('the id of a new article', () => {
  const ID = '01890000-0000-7000-8000-000000000000'
  const create = (location: string, base = '', body: object = DONE.body) => {
    const answer = {
      kind: 'answered',
      status: 200,
      headers: { location },
      text: JSON.stringify(body),
    } as const
    return openClient(`http://kb.test${base}`, { send: () => Promise.resolve(answer) }).createArticle(ARTICLE)
  }

  test.each([
    [`/api/v2/articles/${ID}`, '', ID],
    [`http://kb.test/api/v2/articles/${ID}`, '', ID],
    ['/api/v2/articles/17', '', '17'],
    // Behind a proxy, with its path or without.
    [`/kb/api/v2/articles/${ID}`, '/kb/', ID],
    [`/api/v2/articles/${ID}`, '/kb/', ID],
    [`/kb/api/v2/articles/${ID}`, '', undefined],
    [`http://elsewhere.test/api/v2/articles/${ID}`, '', undefined],
    [`/api/v2/articles/${ID}/draft`, '', undefined],
    [`/api/v2/articles/${ID}?lang=fr`, '', undefined],
    [`/api/v2/categories/${ID}`, '', undefined],
    [`articles/${ID}`, '', undefined],
    ['/api/v2/articles/..', '', undefined],
    ['/api/v2/articles/', '', undefined],
    [`/api/v2/articles/${'x'.repeat(201)}`, '', undefined],
    ['', '', undefined],
  ])('is read from the header Location: %s, at http://kb.test%s', async (location, base, id) => {
    const done = { kind: 'done', message: 'Article "Reset your password" was created' }
    expect(await create(location, base)).toEqual(id === undefined ? done : { ...done, id })
  })

  test('is not read from a rejection', async () => {
    const refused = await create(`/api/v2/articles/${ID}`, '', { success: false, message: 'Slug taken' })
    expect(refused).toEqual({ kind: 'refused', status: 200, message: 'Slug taken' })
  })
})

describe('the outcome of a response', () => {
  test.each<[ForeignAnswer, object]>([
    [DONE, { kind: 'done', message: 'Article "Reset your password" was created' }],
    [
      { status: 201, body: { success: true } },
      { kind: 'done', message: '' },
    ],
    [
      { body: { success: false, message: `Slug taken by\n${KEY}` } },
      { kind: 'refused', status: 200, message: 'Slug taken by [the API key]' },
    ],
    [
      { status: 409, body: { success: false, message: 'Slug taken' } },
      { kind: 'refused', status: 409, message: 'Slug taken' },
    ],
    [
      { status: 403, body: { success: false, message: 'This key may only read' } },
      { kind: 'refused', status: 403, message: 'This key may only read' },
    ],
    [
      { status: 413, body: '<html></html>' },
      { kind: 'refused', status: 413, message: '413 Payload Too Large, with a web page' },
    ],
    [
      { status: 308, headers: { location: 'https://new.example/api' } },
      {
        kind: 'refused',
        status: 308,
        message: 'redirected to https://new.example/api, and kb-sync never follows a redirect',
      },
    ],
    [
      { status: 302, headers: { location: '/login' } },
      { kind: 'lost', reason: '302 Found: redirected to /login, and kb-sync never follows a redirect' },
    ],
    [
      { status: 500, body: { success: false, message: 'Out of order' } },
      { kind: 'lost', reason: '500 Internal Server Error: Out of order' },
    ],
    [
      { status: 503, body: 'busy' },
      { kind: 'lost', reason: '503 Service Unavailable, with "busy"' },
    ],
    [
      { status: 404, body: { success: true } },
      { kind: 'lost', reason: '404 Not Found, with "success": true' },
    ],
    [{ body: 'created' }, { kind: 'lost', reason: '200 OK, with "created"' }],
    [{ status: 204 }, { kind: 'lost', reason: '204 No Content, with an empty body' }],
    [{ body: { ok: true } }, { kind: 'lost', reason: '200 OK, with JSON that has no "success"' }],
  ])('%j', async (answer, expected) => {
    const { service, proxy } = await startServiceBehindProxy(answer)
    expect(await openClient(proxy.url).createArticle(ARTICLE)).toEqual(expected)
    expect(service.requests).toHaveLength(1)
  })
})

describe('a write whose response is lost is not repeated', () => {
  test.each<[Fault, number, string]>([
    [{ kind: 'cut-before' }, 0, 'the connection was lost'],
    [{ kind: 'cut-after' }, 1, 'the connection was lost'],
    [{ kind: 'cut-within' }, 1, 'the connection was lost'],
    [{ kind: 'silence' }, 0, 'no complete response arrived in time'],
  ])('%j', async (fault, served, reason) => {
    const { service, proxy } = await startServiceBehindProxy()
    proxy.inject(fault)
    // Only the silence lasts until the limit, which a loaded machine must not reach otherwise.
    const client = openClient(proxy.url, { timeoutMs: fault.kind === 'silence' ? 1000 : 30_000 })
    const outcome = await client.createArticle(ARTICLE)
    expect(outcome).toEqual({ kind: 'lost', reason: expect.stringContaining(reason) as string })
    expect([proxy.seen.length, service.requests.length]).toEqual([1, served])
    expect(await client.createArticle(ARTICLE)).toMatchObject({ kind: 'done' })
  })
})

describe('a write that was certainly not processed is sent again', () => {
  test.each([
    [refusal(429, 'Slow down'), [300, 600]],
    [refusal(429, 'Slow down', { 'retry-after': '4' }), [4000, 4000]],
    [refusal(503, 'Stopping', { 'retry-after': '1' }), [1000, 1000]],
  ])('%j', async (fault, slept) => {
    const { service, proxy } = await startServiceBehindProxy()
    const clock = createFakeClock()
    proxy.inject(fault, { times: 2 })
    const client = openClient(proxy.url, clock)
    expect(await client.createArticle(ARTICLE)).toMatchObject({ kind: 'done' })
    expect(clock.slept).toEqual(slept)
    expect(service.requests).toHaveLength(1)
    expect(client.countRequests()).toEqual({ PUT: 3 })
  })

  test('and rejected in the end, and the next one fails as any other would', async () => {
    const { service, proxy } = await startServiceBehindProxy()
    proxy.inject(refusal(503, 'Stopping', { 'retry-after': '1' }), { times: 99 })
    const client = openClient(proxy.url, { retries: 2 })
    const rejected = { kind: 'refused', status: 503, message: 'Stopping' }
    expect(await client.deleteArticle('a')).toEqual(rejected)
    expect([proxy.seen.length, service.requests.length]).toEqual([3, 0])
    await expect(client.deleteArticle('b')).rejects.toMatchObject({
      code: 'TARGET_FAILED',
      message: `The target ${proxy.url} failed at DELETE /api/v2/articles/b (503 Service Unavailable): Stopping.`,
    })
    expect([proxy.seen.length, service.requests.length]).toEqual([6, 0])
  })

  test('and rejected alone if the target accepts others, one at a time', async () => {
    const { proxy } = await startServiceBehindProxy()
    const [matches, times] = [(_: string, path: string) => path.endsWith('/bad'), 99]
    proxy.inject(refusal(503, 'Too long', { 'retry-after': '1' }), { matches, times })
    const client = openClient(proxy.url, { retries: 1, concurrency: 1 })
    const kinds: string[] = []
    for (const id of ['bad', 'a', 'bad', 'b']) kinds.push((await client.deleteArticle(id)).kind)
    expect(kinds).toEqual(['refused', 'done', 'refused', 'done'])
  })

  test('and all at once, after as many pauses as one would have', async () => {
    const { service, proxy } = await startServiceBehindProxy()
    const clock = createFakeClock()
    proxy.inject(refusal(429, 'Quota', { 'retry-after': '9' }), { times: 99 })
    const client = openClient(proxy.url, { retries: 2, concurrency: 8, ...clock })
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const results = await Promise.allSettled(ids.map((id) => client.deleteArticle(id)))
    const failed = {
      status: 'rejected',
      reason: expect.objectContaining({ code: 'TARGET_FAILED' }) as unknown,
    }
    expect(results.filter(({ status }) => status === 'fulfilled')).toEqual([
      { status: 'fulfilled', value: { kind: 'refused', status: 429, message: 'Quota' } },
    ])
    expect(results.filter(({ status }) => status === 'rejected')).toEqual(
      Array.from({ length: 7 }, () => failed),
    )
    expect(new Set(clock.slept)).toEqual(new Set([9000]))
    expect(proxy.seen.length).toBeLessThan(8 * 3)
    expect(service.requests).toEqual([])
  })

  test('but a create with a key is lost after all retries, because it may have been written', async () => {
    const { proxy } = await startServiceBehindProxy()
    proxy.inject(refusal(503, 'Unknown', { 'retry-after': '1' }), { times: 99 })
    const client = openClient(proxy.url, { retries: 2 })
    const lost = { kind: 'lost', reason: '503 Service Unavailable: Unknown' }
    expect(await client.createArticle(ARTICLE, { idempotencyKey: 'one' })).toEqual(lost)
    expect(await client.writeArticles([{ ...ARTICLE, idempotencyKey: 'two' }])).toEqual([lost])
    expect(proxy.seen).toHaveLength(6)
  })

  test('and throws if no connection is possible', async () => {
    const client = openClient(await closedAddress(), { retries: 2 })
    await expect(client.createArticle(ARTICLE)).rejects.toMatchObject({ code: 'TARGET_UNREACHABLE' })
    expect(client.countRequests()).toEqual({ PUT: 3 })
  })
})

test('a 503 that leaves open whether the write was done makes the client wait, too', async () => {
  const { proxy } = await startServiceBehindProxy()
  const clock = createFakeClock()
  proxy.inject(refusal(503, 'Overloaded'))
  const client = openClient(proxy.url, clock)
  expect(await client.createArticle(ARTICLE)).toMatchObject({ kind: 'lost' })
  expect(clock.slept).toEqual([])
  await client.deleteArticle('a')
  expect(clock.slept).toEqual([300])
})

test('a write never follows a redirect', async () => {
  const elsewhere = await startServiceBehindProxy()
  const { proxy } = await startServiceBehindProxy()
  proxy.inject(redirectTo(elsewhere.proxy.url, 307))
  expect(await openClient(proxy.url).createArticle(ARTICLE)).toMatchObject({ kind: 'refused', status: 307 })
  expect(elsewhere.proxy.seen).toEqual([])
})
