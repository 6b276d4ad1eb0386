import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ApiClient } from '../../../src/api/client/create-client.ts'
import type { KbError } from '../../../src/core/errors/kb-error.ts'
import { refusal, startFaultProxy } from '../../support/fault-proxy.ts'
import { type ForeignAnswer, startForeignService } from './foreign-service.ts'
import { KEY, openClient } from './test-client.ts'

async function serve(...answers: ForeignAnswer[]) {
  const service = await startForeignService((_, index) => answers[Math.min(index, answers.length - 1)] ?? {})
  onTestFinished(() => service.close())
  return service
}

/** A sink that stores all entries, and counts its starts. */
function createCollector<Entry>() {
  let begun = 0
  return {
    begun: () => begun,
    begin: () => {
      begun++
      const entries: Entry[] = []
      return { add: (entry: Entry) => void entries.push(entry), end: (): readonly Entry[] => entries }
    },
  }
}

const collect = () => createCollector<unknown>().begin

/** The result of a read, or code, message and hint of its failure. */
async function outcomeOf(read: Promise<unknown>): Promise<unknown> {
  return read.then(
    (value) => ({ value }),
    ({ code, message, hint }: KbError) => ({ code, message, hint }),
  )
}

/** Reads the list of links as a whole and entry by entry. */
async function readBothWays(client: ApiClient) {
  const whole = await outcomeOf(client.listLinks().then(({ data }) => data))
  return { whole, streamed: await outcomeOf(client.streamLinks(collect())) }
}

const PERSON = { username: 'ann', first_name: 'Ann', last_name: 'Other', email_address: 'ann@example.com' }

/** Articles as any service may list them, including unusual ones. */
const DATED = [
  { id: 'a', name: 'One', status: 'published', article_review_date: '2026-01-31T00:00:00Z', language: null },
  { id: 7, name: null, status: 'gone', article_review_date: null, users_articles_created_byTousers: PERSON },
  { id: 'b', users_articles_created_byTousers: { ...PERSON, first_name: null, extra: 'x' } },
  { id: 'c', name: '&lt;b&gt; \u2028 \u202e', users_articles_created_byTousers: 'Ann' },
  { id: '' },
  { name: 'No id' },
  null,
  'a text',
  [],
  JSON.parse('{"id":"d","__proto__":{"name":"Two"}}') as unknown,
]

const DATED_READ = [
  { id: 'a', name: 'One', status: 'published', article_review_date: '2026-01-31T00:00:00Z' },
  { id: '7' },
  { id: 'b' },
  { id: 'c', name: '&lt;b&gt; \u2028 \u202e' },
  { id: 'd' },
]

const LINKS = [
  {
    id: 1,
    site_id: 's',
    article_id: 2,
    url: 'https://example.com/?a=1&amp;b=2',
    created_date: null,
    working: 'no',
    articles: { id: 2, name: 'Two' },
  },
  { article_id: 'x', working: false, articles: null },
  { id: 'l', url: 'https://example.com/' },
]

describe('entries are the same as from the lenient schemas', () => {
  test('of review dates, without people', async () => {
    const service = await serve({ body: { success: true, message: '', data: DATED } })
    const client = openClient(service.url)
    const entries = await client.streamReviewDates(collect())
    expect(entries).toEqual(DATED_READ)
    expect(entries).toEqual((await client.listReviewDates()).data)
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/v2/tools/review_dates',
      'GET /api/v2/tools/review_dates',
    ])
  })

  test('of review dates with their authors, on request', async () => {
    const service = await serve({ body: { success: true, message: '', data: DATED } })
    const entries = await openClient(service.url).streamAuthoredReviewDates(collect())
    const { first_name: _, ...nameless } = PERSON
    expect(entries).toEqual(
      DATED_READ.map((entry) => {
        if (entry.id === '7') return { ...entry, users_articles_created_byTousers: PERSON }
        return entry.id === 'b' ? { ...entry, users_articles_created_byTousers: nameless } : entry
      }),
    )
  })

  test('of links', async () => {
    const service = await serve({ body: { data: LINKS, success: true } })
    const client = openClient(service.url)
    expect(await client.streamLinks(collect())).toEqual([
      {
        id: '1',
        site_id: 's',
        article_id: '2',
        url: 'https://example.com/?a=1&amp;b=2',
        articles: { id: '2', name: 'Two' },
      },
      { article_id: 'x', working: false },
    ])
    const { whole, streamed } = await readBothWays(client)
    expect(streamed).toEqual(whole)
  })

  test('the first articles help to detect a missing id', async () => {
    const missing = { success: false, message: 'No such article' }
    const service = await startForeignService(({ path }) => {
      if (path.endsWith('/review_dates')) return { body: { success: true, data: [{ id: 'listed' }] } }
      return { body: path.endsWith('/listed') ? { success: true, data: { id: 'listed' } } : missing }
    })
    onTestFinished(() => service.close())
    const client = openClient(service.url)
    await client.streamReviewDates(collect())
    expect(await client.readArticle('x')).toBeUndefined()
  })
})

describe('callers that need the list', () => {
  const needing = (client: ApiClient) => [
    client.streamReviewDates(collect(), { needsList: true }),
    client.streamAuthoredReviewDates(collect(), { needsList: true }),
    client.streamLinks(collect(), { needsList: true }),
  ]

  test.each([[{ success: true }], [{ success: true, data: null }]])(
    '%j is not an empty one',
    async (body) => {
      const service = await serve({ body })
      const operations = ['tools/review_dates', 'tools/review_dates', 'tools/link_manager']
      expect(await Promise.all(needing(openClient(service.url)).map(outcomeOf))).toEqual(
        operations.map((path) => ({
          code: 'TARGET_ANSWER_INVALID',
          message: `The target ${service.url} answered GET /api/v2/${path}, but these members are missing or have the wrong type: data.`,
          hint: 'Check that the URL is that of a knowledge base; kb-sync adds /api/v2 to it.',
        })),
      )
    },
  )

  test('an empty list is accepted, and so is a long one', async () => {
    const service = await serve({ body: { success: true, data: [] } })
    expect(await Promise.all(needing(openClient(service.url)))).toEqual([[], [], []])
    const long = Array.from({ length: 3 }, (_, index) => ({ article_id: index, url: 'x'.repeat(8_000_000) }))
    const longService = await serve({ body: { success: true, data: long } })
    const found = await openClient(longService.url).streamLinks(collect(), { needsList: true })
    expect(found).toHaveLength(3)
  })
})

describe('a response is judged as if it was read as a whole', () => {
  test.each<[string, ForeignAnswer]>([
    ['no list', { body: { success: true } }],
    ['null for a list', { body: { success: true, data: null } }],
    ['an empty list', { body: { success: true, data: [] } }],
    ['an object for a list', { body: { success: true, data: { 0: LINKS[0] } } }],
    ['a text for a list', { body: { success: true, data: '[]' } }],
    ['a list twice', { body: '{"success":true,"data":[{"article_id":"a"}],"data":[{"article_id":"b"}]}' }],
    ['a refusal', { body: { success: false, message: 'Out of order' } }],
    ['a refusal behind a list', { body: { data: LINKS, success: false, message: 'Out of order' } }],
    ['no word of success', { body: { data: LINKS } }],
    ['a success that is a text', { body: { success: 'true', data: LINKS } }],
    ['a list of its own', { body: LINKS }],
    ['nothing', { body: '' }],
    ['white space', { body: ' \n' }],
    ['a page', { body: '<!doctype html><title>Sign in</title>' }],
    ['text', { body: `Rate limit of ${KEY} exceeded` }],
    [
      'a notice before it',
      { body: 'Notice: x {"success":true,"data":[{"email_address":"ada@example.com"}]}' },
    ],
    ['a number', { body: '1' }],
    ['JSON that ends early', { body: '{"success":true,"data":[{"article_id":"a"},' }],
    ['JSON that goes on', { body: '{"success":true,"data":[{"article_id":"a"}]}}' }],
    ['JSON with a comma too many', { body: '{"success":true,"data":[{"article_id":"a"},]}' }],
    ['a byte order mark', { body: '\uFEFF{"success":true,"data":[{"article_id":"a"}]}' }],
    [
      'bytes that are no text',
      { body: Buffer.from('{"success":true,"data":[{"article_id":"\xe9"}]}', 'latin1') },
    ],
    ['a list that is refused', { status: 403, body: { success: true, data: LINKS } }],
    ['no key', { status: 401, body: { success: false, message: `Key ${KEY} is unknown` } }],
    ['a redirect', { status: 302, headers: { location: 'https://example.com/login?key=secret' } }],
    ['an address that is none', { status: 404, body: '<h1>Not found</h1>' }],
    ['a fault', { status: 501, body: { success: false, message: 'Not implemented' } }],
  ])('%s', async (_, answer) => {
    const service = await serve(answer)
    const { whole, streamed } = await readBothWays(openClient(service.url))
    expect(streamed).toEqual(whole)
    expect(JSON.stringify(streamed)).not.toContain(KEY)
  })

  const long = 'x'.repeat(400_000)

  test.each([
    ['an empty list', { success: true, data: [], other: long }],
    ['null for a list', { other: [long], data: null, success: true }],
    ['no list', { message: long, success: true }],
    ['an object for a list', { data: { 0: LINKS[0] }, success: true, other: long }],
    ['a text for a list', { success: true, data: long }],
    ['a refusal', { message: 'Out of order', other: { long }, success: false }],
  ])('%s in a long response', async (_, body) => {
    const service = await serve({ body })
    const { whole, streamed } = await readBothWays(openClient(service.url))
    expect(streamed).toEqual(whole)
  })

  // More than is kept whole: the entries are read one by one.
  const list = JSON.stringify(
    Array.from({ length: 1700 }, (_, index) => ({
      id: `link-${index}`,
      article_id: `article-${index}`,
      url: `https://example.com/${'long-'.repeat(2000)}${index}?a=é&amp;b=😀`,
      working: index % 3 !== 0,
    })),
  )

  test.each([
    ['all is well', `{"success":true,"message":"","data":${list}}`],
    ['a refusal stands behind', `{"data":${list},"success":false,"message":"Out of order"}`],
    ['it ends early', `{"success":true,"data":${list.slice(0, -1)}`],
    [
      'a comma is missing',
      `{"success":true,"data":${list.replace('},{"id":"link-900"', '}{"id":"link-900"')}}`,
    ],
  ])('if it is long, and %s', async (_, body) => {
    expect(body.length).toBeGreaterThan(16 * 1024 * 1024)
    const service = await serve({ body })
    const { whole, streamed } = await readBothWays(openClient(service.url))
    expect(streamed).toEqual(whole)
    expect(JSON.stringify(streamed)).not.toContain(KEY)
  })

  test.each([
    [
      'in one piece',
      `{"success":true,"message":"${'x'.repeat(18e6)}","data":[]}`,
      'with "more than 16 MB in one piece"',
    ],
    [
      'without a list',
      `{"message":"${'x'.repeat(15e6)}","success":true,"data":null}${' '.repeat(3e6)}`,
      'but these members are missing or have the wrong type: data',
    ],
  ])('a long response %s is rejected', async (_, body, words) => {
    const service = await serve({ body })
    expect(await outcomeOf(openClient(service.url).streamLinks(collect()))).toEqual({
      code: 'TARGET_ANSWER_INVALID',
      message: `The target ${service.url} answered GET /api/v2/tools/link_manager, ${words}.`,
      hint: 'Check that the URL is that of a knowledge base; kb-sync adds /api/v2 to it.',
    })
  })
})

/** A service that starts a list and leaves the rest of it to the test. */
async function startSlowService(answer: (response: ServerResponse, index: number) => void) {
  let asked = 0
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    answer(response, asked++)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked }
}

describe('each request of the list starts from scratch', () => {
  const LIST = Array.from({ length: 2000 }, (_, index) => ({
    article_id: String(index),
    url: 'x'.repeat(10_000),
  }))

  test('after every kind of cut', async () => {
    const service = await serve({ body: { success: true, data: LIST } })
    const proxy = await startFaultProxy(service.url)
    onTestFinished(() => proxy.close())
    proxy.inject({ kind: 'cut-before' })
    proxy.inject({ kind: 'cut-within' })
    proxy.inject(refusal(503, 'Busy', { 'retry-after': '1' }))
    const { begin, begun } = createCollector()
    const entries = await openClient(proxy.url).streamLinks(begin)
    expect(proxy.seen.map(({ fault }) => fault)).toEqual(['cut-before', 'cut-within', 'answer', undefined])
    expect(entries).toEqual(LIST)
    // The response that was cut had begun.
    expect(begun()).toBe(2)
  })

  test('after a cut during the reading of entries, without counting any twice', async () => {
    const whole = `{"success":true,"data":${JSON.stringify(LIST)}}`
    const service = await startSlowService((response, index) => {
      if (index > 0) response.end(whole)
      else response.write(whole.slice(0, -1000), () => response.destroy())
    })
    const { begin, begun } = createCollector()
    expect(await openClient(service.url).streamLinks(begin)).toEqual(LIST)
    expect([begun(), service.asked()]).toEqual([2, 2])
  })

  test.each(['[]', 'null'])('and the start is discarded if the next response has %s', async (data) => {
    const whole = `{"success":true,"data":${JSON.stringify(LIST)}}`
    const service = await startSlowService((response, index) => {
      if (index > 0) response.end(`{"success":true,"data":${data}}`)
      else response.write(whole.slice(0, -1000), () => response.destroy())
    })
    expect(await openClient(service.url).streamLinks(collect())).toEqual([])
  })

  test('until it finally fails', async () => {
    const service = await startSlowService((response) => {
      response.write('{"success":true,"data":[{"article_id":"a"},')
    })
    const client = openClient(service.url, { timeoutMs: 50, retries: 1 })
    await expect(client.streamLinks(collect())).rejects.toMatchObject({
      code: 'TARGET_UNREACHABLE',
      message: `The target ${service.url} did not answer after 2 tries: no complete response arrived in time (ANSWER_TIMEOUT).`,
    })
  })
})

test('an endless list is aborted by an interruption', async () => {
  const line = `${JSON.stringify({ article_id: 'a', url: 'x'.repeat(1000) })},`.repeat(1000)
  const service = await startSlowService((response) => {
    response.write('{"success":true,"data":[')
    const go = () => {
      while (!response.destroyed && response.write(line));
    }
    response.on('drain', go)
    go()
  })
  const controller = new AbortController()
  const client = openClient(service.url, { signal: controller.signal })
  const begin = () => ({ add: () => controller.abort(), end: () => expect.unreachable() })
  await expect(client.streamLinks(begin)).rejects.toMatchObject({ code: 'INTERRUPTED' })
})

test.each([new TypeError('a fault of ours'), Object.assign(new Error('no room'), { code: 'ENOSPC' })])(
  'an error of a sink is neither a failure of the target nor a reason for a retry: %s',
  async (fault) => {
    const service = await serve({ body: { success: true, data: [{ article_id: 'a' }] } })
    const whole = JSON.stringify(Array.from({ length: 20_000 }, () => ({ article_id: 'x'.repeat(1000) })))
    const long = await serve({ body: `{"success":true,"data":${whole}}` })
    const begin = () => ({
      add: () => {
        throw fault
      },
      end: () => expect.unreachable(),
    })
    await expect(openClient(service.url).streamLinks(begin)).rejects.toBe(fault)
    await expect(openClient(long.url).streamLinks(begin)).rejects.toBe(fault)
    expect([service.requests.length, long.requests.length]).toEqual([1, 1])
  },
)
