// Several articles in one request: the extension `batch`.
import { describe, expect, test } from 'vitest'
import { createMemoryLog } from '../support/memory-log.ts'
import {
  articleBody,
  createArticle,
  openTestServer,
  reviewedIds,
  type TestServer,
} from '../support/server.ts'

const PATH = '/api/v2/articles'
const UNKNOWN = '01890000-0000-7000-8000-000000000000'

interface Result {
  readonly status: number
  readonly success: boolean
  readonly message: string
  readonly id?: string
}

const body = (server: TestServer, changes: object) =>
  articleBody(server, { articleReviewDate: '2027-01-31', ...changes })

async function write(server: TestServer, articles: readonly object[], headers?: Record<string, string>) {
  const answer = await server.call('POST', PATH, { articles }, headers)
  const { results = [], ...rest } = answer.body as { results?: readonly Result[] }
  return { status: answer.status, body: rest, results }
}

/** Articles of every kind: new, changed, invalid, rejected; drafts of published ones; in an order that matters. */
const mixOf = (server: TestServer, id: string): readonly { readonly id?: string }[] => [
  body(server, { slug: 'new', title: 'New' }),
  body(server, { slug: 'new', title: 'Draft', status: 'draft' }),
  body(server, { slug: 'new', title: 'Taken' }),
  body(server, { slug: 'a b', excerpt: 'x'.repeat(161) }),
  { ...body(server, { slug: 'moved', title: 'Moved' }), id },
  body(server, { slug: 'first', title: 'At the slug that was left' }),
  { ...body(server, { slug: 'gone' }), id: UNKNOWN },
  body(server, { slug: 'uncategorised', categories: [{ value: UNKNOWN }] }),
  body(server, { slug: 'autre', lang: 'fr', languageParent: id, title: 'Autre' }),
  body(server, { slug: 'autre', lang: 'xx' }),
  { id: '' },
]

async function openWithOne() {
  const server = await openTestServer({ languages: ['en', 'fr'] })
  return { server, id: await createArticle(server, { slug: 'first', title: 'First' }) }
}

/** Returns what readers see, without ids. */
async function stored(server: TestServer) {
  const ids = await reviewedIds(server)
  const texts = await Promise.all(ids.map(async (id) => (await server.call('GET', `${PATH}/${id}`)).body))
  return JSON.parse(
    JSON.stringify(texts).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => String(ids.indexOf(id) >= 0)),
  ) as unknown
}

test('every article has the same result and effect as if it had been sent alone', async () => {
  const { server: single, id: singleId } = await openWithOne()
  const alone: Result[] = []
  for (const { id, ...article } of mixOf(single, singleId)) {
    const isNew = id === undefined
    const { status, body: answer } =
      id === ''
        ? await single.call('PUT', PATH, {})
        : await single.call(isNew ? 'PUT' : 'POST', isNew ? PATH : `${PATH}/${id}`, article)
    alone.push({ status, ...(answer as Pick<Result, 'success' | 'message'>) })
  }
  const { server, id } = await openWithOne()
  const { body: answer, results, ...whole } = await write(server, mixOf(server, id))
  expect([whole.status, answer]).toEqual([200, { success: true, message: '5 of 11 articles were written' }])
  const last = results.at(-1)
  expect(last?.message).toContain('id must not be empty')
  expect(results.slice(0, -1).map(({ status, success, message }) => ({ status, success, message }))).toEqual(
    alone.slice(0, -1),
  )
  expect(await stored(server)).toEqual(await stored(single))
})

test('the result of a written article has its id, and no other has one', async () => {
  const { server, id } = await openWithOne()
  const { results } = await write(server, mixOf(server, id.toUpperCase()))
  expect(results.map((result) => result.id !== undefined)).toEqual(results.map(({ success }) => success))
  expect(results[4]?.id).toBe(id)
  for (const { id: written = '' } of results.filter(({ success }) => success))
    expect((await server.call('GET', `${PATH}/${written}`)).status).toBe(200)
})

test('all articles of a batch share a commit, and each has a line in the log', async () => {
  const log = createMemoryLog('info')
  const server = await openTestServer({ log })
  const before = await server.store.revision()
  const { results } = await write(
    server,
    [1, 2, 3].map((number) => body(server, { slug: `page-${number}` })),
  )
  expect(await server.store.revision()).toBe(before + 1)
  const audit = log.entries().filter(({ msg }) => msg === 'audit')
  expect(audit.map(({ action, id }) => [action, id])).toEqual(results.map(({ id }) => ['create', id]))
})

test('the article limit applies within a batch', async () => {
  const server = await openTestServer({ articleLimit: 2 })
  const { results } = await write(
    server,
    [1, 2, 3].map((number) => body(server, { slug: `page-${number}` })),
  )
  expect(results.map(({ status }) => status)).toEqual([200, 200, 403])
  expect(results[2]?.message).toBe('The article limit of 2 is reached')
})

test('a batch of more than a megabyte is written by the thread for large calls', async () => {
  const server = await openTestServer()
  const articles = ['one', 'two', 'one'].map((slug) =>
    body(server, { slug, content: `<p>${'x'.repeat(500_000)}</p>` }),
  )
  const { results } = await write(server, articles)
  expect(results.map(({ status }) => status)).toEqual([200, 200, 409])
  expect(await reviewedIds(server)).toEqual(results.slice(0, 2).map(({ id }) => id))
})

describe('a batch is rejected as a whole, and nothing is written,', () => {
  test.each([
    ['without articles', () => [], 400, /^articles must have at least one entry$/],
    ['with too many articles', () => Array(257).fill(''), 400, /^articles must have at most 256 entries$/],
    [
      'with too many values',
      (one: object) => [one, ...Array.from({ length: 250 }, () => Array(41).fill(1))],
      400,
      /too many values/,
    ],
    ['that is too large', (one: object) => [{ ...one, content: 'x'.repeat(900) }], 413, /too large/],
  ])('%s', async (_, make, status, message) => {
    const server = await openTestServer(status === 413 ? { bodyLimitBytes: 900 } : {})
    const answer = await server.call('POST', PATH, { articles: make(body(server, {})) })
    expect(answer).toMatchObject({
      status,
      body: { success: false, message: expect.stringMatching(message) },
    })
    expect(await reviewedIds(server)).toEqual([])
  })

  test('in an invalid form', async () => {
    const server = await openTestServer()
    for (const wrong of [{}, [], { articles: {} }, { articles: null }])
      expect((await server.call('POST', PATH, wrong)).status).toBe(400)
  })

  test('with a read-only, an unknown or no key', async () => {
    const server = await openTestServer()
    const { status } = await write(server, [body(server, {})], { Authorization: 'Bearer unknown' })
    expect(status).toBe(401)
    expect(await reviewedIds(server)).toEqual([])
  })
})
