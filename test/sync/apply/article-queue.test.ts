import { EventEmitter, once } from 'node:events'
import { expect, test } from 'vitest'
import { createClient } from '../../../src/api/client/create-client.ts'
import type { Answer } from '../../../src/api/client/send-request.ts'
import type { ArticleRequest, BatchArticle } from '../../../src/api/contract/request.ts'
import { ArticleQueue } from '../../../src/sync/apply/article-queue.ts'

const bodyOf = (slug: string, content = ''): ArticleRequest => ({
  title: slug,
  slug,
  categories: [],
  excerpt: '',
  ordering: 0,
  status: 'draft',
  content,
})

const answer = (status: number, body: object): Answer => ({
  kind: 'answered',
  status,
  headers: {},
  text: JSON.stringify(body),
})

const wholly = (articles: readonly BatchArticle[]) =>
  answer(200, {
    success: true,
    message: '',
    results: articles.map(({ id = 'new', slug }) => ({ status: 200, success: true, message: slug, id })),
  })

/** A queue, and the batches that it sends. The test responds to each. */
function startQueue(answerTo: (articles: readonly BatchArticle[]) => Answer = wholly) {
  const batches: { readonly slugs: string; readonly answer: () => void }[] = []
  const single: string[] = []
  const events = new EventEmitter()
  const client = createClient({
    url: 'http://kb.test',
    apiKey: 'key',
    timeoutMs: 30_000,
    retries: 0,
    concurrency: 8,
    send: ({ method, path, body }) => {
      if (path !== '/api/v2/articles' || method === 'PUT') {
        single.push(`${method} ${path} ${(body as ArticleRequest).slug}`)
        return Promise.resolve(answer(200, { success: true, message: 'alone' }))
      }
      const { articles } = body as { readonly articles: readonly BatchArticle[] }
      return new Promise((resolve) => {
        batches.push({
          slugs: articles.map(({ slug }) => slug).join(' '),
          answer: () => resolve(answerTo(articles)),
        })
        events.emit('batch')
      })
    },
  })
  const queue = new ArticleQueue(client, 8)
  return {
    batches,
    single,
    slugs: () => batches.map(({ slugs }) => slugs),
    until: async (count: number) => {
      while (batches.length < count) await once(events, 'batch')
    },
    send: (slug: string, { id, content }: { readonly id?: string; readonly content?: string } = {}) =>
      queue.send({ id, toBody: () => bodyOf(slug, content) }),
    queue,
  }
}

test('articles that are ready together are sent in one request, in order, and each has its own outcome', async () => {
  const { batches, slugs, until, send } = startQueue((articles) =>
    answer(200, {
      success: true,
      message: '',
      results: articles.map(({ slug, id = '17' }) =>
        slug === 'taken'
          ? { status: 409, success: false, message: 'The slug is taken' }
          : { status: slug === 'broken' ? 500 : 200, success: slug !== 'broken', message: slug, id },
      ),
    }),
  )
  const outcomes = Promise.all([send('one'), send('taken'), send('two', { id: '7' }), send('broken')])
  await until(1)
  expect(slugs()).toEqual(['one taken two broken'])
  batches[0]?.answer()
  expect(await outcomes).toEqual([
    { kind: 'done', message: 'one', id: '17' },
    { kind: 'refused', status: 409, message: 'The slug is taken' },
    { kind: 'done', message: 'two', id: '7' },
    { kind: 'lost', reason: '500 Internal Server Error: broken' },
  ])
})

test('a single article is sent in its own request', async () => {
  const { batches, single, send } = startQueue()
  await send('one')
  await send('two', { id: '7' })
  expect([batches, single]).toEqual([[], ['PUT /api/v2/articles one', 'POST /api/v2/articles/7 two']])
})

test('two requests run concurrently, and articles that become ready wait for the next one', async () => {
  const { batches, slugs, until, send } = startQueue()
  const large = { content: 'é'.repeat(150_000) }
  const outcomes = Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((slug) => send(slug, large)))
  await until(2)
  expect(slugs()).toEqual(['a b', 'c d'])
  batches[0]?.answer()
  await until(3)
  expect(slugs()).toEqual(['a b', 'c d', 'e f'])
  for (const batch of batches) batch.answer()
  expect(await outcomes).toHaveLength(6)
})

test.each([
  ['is too large', answer(413, { success: false, message: 'The body is too large' })],
  ['is too large for a proxy', { ...answer(413, {}), text: '<title>413 Request Entity Too Large</title>' }],
  ['is not known', answer(404, { success: false, message: 'There is no such operation' })],
  ['is not allowed', { ...answer(405, {}), text: '' }],
  ['is not supported', { ...answer(501, {}), text: '<title>Not Implemented</title>' }],
])('after a request that %s, its articles are sent individually', async (_, given) => {
  const { batches, single, until, send } = startQueue(() => given)
  const outcomes = Promise.all([send('one'), send('two', { id: '7' })])
  await until(1)
  batches[0]?.answer()
  expect(await outcomes).toEqual([
    { kind: 'done', message: 'alone' },
    { kind: 'done', message: 'alone' },
  ])
  expect(single).toEqual(['PUT /api/v2/articles one', 'POST /api/v2/articles/7 two'])
})

test('each unsupported request halves the number of articles in the next ones', async () => {
  const { batches, single, slugs, until, send } = startQueue(() =>
    answer(404, { success: false, message: 'There is no such operation' }),
  )
  const sendAll = async (names: string) => {
    const before = batches.length
    const outcomes = Promise.all(names.split(' ').map((slug) => send(slug)))
    if (before < 2) {
      await until(before + 1)
      batches[before]?.answer()
    }
    await outcomes
  }
  await sendAll('a b c d')
  await sendAll('e f')
  await sendAll('g h i')
  expect(slugs()).toEqual(['a b c d', 'e f'])
  expect(single).toHaveLength(9)
})

test('a request that is too large halves the size of the next ones, in which small articles still share requests', async () => {
  const { batches, single, slugs, until, send } = startQueue((articles) =>
    articles.some(({ content }) => content.length > 2000)
      ? answer(413, { success: false, message: 'The body is too large' })
      : wholly(articles),
  )
  const large = { content: 'x'.repeat(390_000) }
  const first = Promise.all([send('a', large), send('b', large)])
  await until(1)
  batches[0]?.answer()
  await first

  const small = Array.from({ length: 300 }, (_, index) => send(`${index}`, { content: 'x'.repeat(2000) }))
  const rest = Promise.all([...small, send('c', large), send('d', large)])
  await until(3)
  batches[1]?.answer()
  batches[2]?.answer()
  await rest
  expect(slugs().map((each) => each.split(' ').length)).toEqual([2, 195, 105])
  expect(single.map((each) => each.split(' ').at(-1))).toEqual(['a', 'b', 'c', 'd'])
})

test.each([401, 429])(
  'after a response with status %i, articles are not sent individually',
  async (status) => {
    const { batches, single, until, send } = startQueue(() =>
      answer(status, { success: false, message: 'No' }),
    )
    const outcomes = Promise.all([send('one'), send('two', { id: '7' })])
    await until(1)
    batches[0]?.answer()
    const refused = { kind: 'refused', status, message: 'No' }
    expect([await outcomes, single]).toEqual([[refused, refused], []])
  },
)

test('after a failure that ends the run, waiting articles are not sent', async () => {
  const { batches, slugs, until, send } = startQueue(() => answer(429, { success: false, message: 'No' }))
  const large = { content: 'x'.repeat(300_000) }
  const outcomes = Promise.allSettled(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((slug) => send(slug, large)),
  )
  await until(2)
  batches[0]?.answer()
  await until(3)
  batches[1]?.answer()
  batches[2]?.answer()
  const statuses = (await outcomes).map(({ status }) => status)
  expect(slugs()).toEqual(['a b', 'c d', 'e f'])
  expect(statuses.filter((status) => status === 'fulfilled')).toHaveLength(2)
})

const DONE = { success: true, message: '' }

test.each([
  ['no results', answer(200, DONE)],
  ['too few results', answer(200, { ...DONE, results: [{ status: 200, ...DONE }] })],
  ['results without a status', answer(200, { ...DONE, results: [DONE, DONE] })],
  ['a failure of the server', answer(500, { success: false, message: 'Out of order' })],
  ['a web page', { ...answer(200, {}), text: '<p>Hello</p>' }],
])('after a response with %s, all outcomes are lost', async (_, given) => {
  const { batches, until, send } = startQueue(() => given)
  const outcomes = Promise.all([send('one'), send('two', { id: '7' })])
  await until(1)
  batches[0]?.answer()
  expect(await outcomes).toMatchObject([{ kind: 'lost' }, { kind: 'lost' }])
})

test('an article without a body fails individually', async () => {
  const { single, send, queue } = startQueue()
  const lost = queue.send({
    id: undefined,
    toBody: () => {
      throw new Error('The cache is gone')
    },
  })
  await expect(lost).rejects.toThrow('The cache is gone')
  await send('one')
  expect(single).toEqual(['PUT /api/v2/articles one'])
})
