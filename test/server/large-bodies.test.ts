// Bodies that are parsed in a thread of their own.
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createBodyParser } from '../../src/server/http/body-parser.ts'
import { articleBody, createArticle, openTestServer } from '../support/server.ts'
import { Refusal } from '../../src/server/operations/refusal.ts'

/** As large as a body may be, with escapes and characters of every length. */
const LARGE = '<p>"Ünïcödé" \\ 🎈 <a href="/one">one</a></p>\n'.repeat(548_000)

test('an article of 31 MB is stored as it was sent, with its links, while others are answered', async () => {
  const server = await openTestServer()
  const body = JSON.stringify(articleBody(server, { content: LARGE, articleReviewDate: '2027-01-31' }))
  expect(Buffer.byteLength(body)).toBeGreaterThan(31_000_000)
  const sent = new AbortController()
  let answered = 0
  const sending = server.call('PUT', '/api/v2/articles', body).finally(() => sent.abort())
  while (!sent.signal.aborted) {
    await server.call('GET', '/healthz')
    answered++
    await turn()
  }
  expect(await sending).toMatchObject({ status: 200 })
  // Parsed where it arrives, it would let nobody in.
  expect(answered).toBeGreaterThan(5)
  const { body: links } = await server.call('GET', '/api/v2/tools/link_manager')
  const [link] = (links as { data: { url: string; article_id: string }[] }).data
  expect(link).toMatchObject({ url: '/one' })
  const read = await server.call('GET', `/api/v2/articles/${link?.article_id}`)
  expect((read.body as { data: { content: string } }).data.content === LARGE).toBe(true)
})

test.each([
  ['no JSON', (large: string) => `{"title":"${large}`, /^The body is not JSON: /],
  ['too many values', (large: string) => `[${'[],'.repeat(large.length / 3)}[]]`, /too many values/],
  ['wrong fields', (large: string) => JSON.stringify({ content: large }), /^title is required; slug is/],
])('what is refused of a large body is refused in the same words: %s', async (_, make, message) => {
  const server = await openTestServer()
  const answer = await server.call('PUT', '/api/v2/articles', make('x'.repeat(2_000_000)))
  expect(answer).toMatchObject({
    status: 400,
    body: { success: false, message: expect.stringMatching(message) as string },
  })
})

test('large bodies that come at once are all taken, and so are small ones meanwhile', async () => {
  const server = await openTestServer()
  const put = (slug: string, content: string) =>
    server.call('PUT', '/api/v2/articles', articleBody(server, { slug, content }))
  const order: string[] = []
  const large = ['one', 'two', 'three'].map(async (slug) => {
    expect((await put(slug, 'x'.repeat(5_000_000))).status).toBe(200)
    order.push(slug)
  })
  expect((await put('small', 'x')).status).toBe(200)
  order.push('small')
  await Promise.all(large)
  expect(order).toEqual(['small', 'one', 'two', 'three'])
  await createArticle(server, { slug: 'after' })
})

test('where many large bodies wait already, another one is put off', async () => {
  const { parse, close } = createBodyParser()
  onTestFinished(close)
  const bytes = Array.from({ length: 14 }, () => new TextEncoder().encode(`"${'x'.repeat(1_100_000)}"`))
  const ends = await Promise.allSettled(bytes.map((each) => parse(each, 'createArticle')))
  const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []))
  const [taken, putOff] = [400, 503].map((status) =>
    reasons.filter((each) => each instanceof Refusal && each.status === status),
  )
  expect(putOff).toContainEqual(
    expect.objectContaining({
      message: 'Too many large bodies wait to be read',
      headers: { 'Retry-After': '1' },
    }),
  )
  // The one that is parsed waits no more.
  expect([8, 9]).toContain(taken?.length)
  await expect(
    parse(new TextEncoder().encode(`"${'x'.repeat(1_100_000)}"`), 'createArticle'),
  ).rejects.toMatchObject({ status: 400 })
})

test('a body that takes more memory than there is ends its thread alone, and the next one is parsed', async () => {
  const { parse, close } = createBodyParser(24)
  onTestFinished(close)
  const bytesOf = (content: string) => new TextEncoder().encode(JSON.stringify({ content }))
  await expect(parse(bytesOf('字'.repeat(10_000_000)), 'createArticle')).rejects.toMatchObject({
    status: 413,
    message: 'The body takes more memory than there is for one: send it in several articles',
  })
  await expect(parse(bytesOf('x'.repeat(1_100_000)), 'createArticle')).rejects.toMatchObject({ status: 400 })
})
