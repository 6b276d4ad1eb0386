// Calls that read or write a large text run in a separate thread.
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createLargeCalls } from '../../src/server/http/large-calls.ts'
import { temporaryFolder } from '../support/folder.ts'
import { articleBody, createArticle, openTestServer } from '../support/server.ts'
import { HttpError } from '../../src/server/operations/responses.ts'

/** As large as a body may be, with escapes and characters of every length. */
const LARGE = '<p>"Ünïcödé" \\ 🎈 <a href="/one">one</a></p>\n'.repeat(548_000)
/** Larger than texts in the main thread. */
const MEDIUM = LARGE.slice(0, 1_100_000)

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
  // If the main thread parsed it, no other request would be answered.
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
])('a large body is rejected with the same message: %s', async (_, make, message) => {
  const server = await openTestServer()
  const answer = await server.call('PUT', '/api/v2/articles', make('x'.repeat(2_000_000)))
  expect(answer).toMatchObject({
    status: 400,
    body: { success: false, message: expect.stringMatching(message) as string },
  })
})

test('concurrent large bodies are all accepted, and so are small ones in between', async () => {
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

test('a large article is changed, deleted and read in a language like any other', async () => {
  const server = await openTestServer({ languages: ['en', 'fr'] })
  const id = await createArticle(server, { content: MEDIUM })
  const path = `/api/v2/articles/${id}`
  const contentOf = ({ body }: { readonly body: unknown }) =>
    (body as { data: { content: string } }).data.content
  const copy = await server.call('GET', `${path}?lang=fr`)
  expect([copy.body, contentOf(copy) === MEDIUM]).toMatchObject([{ newVersion: true }, true])
  const small = articleBody(server, { content: 'small', title: 'Small now' })
  const updated = await server.call('POST', path, small)
  expect(updated).toMatchObject({ status: 200, body: { message: 'Article "Small now" was updated' } })
  expect(contentOf(await server.call('GET', path))).toBe('small')
  const large = articleBody(server, { content: MEDIUM })
  expect((await server.call('POST', path, large)).body).toMatchObject({ success: true })
  expect((await server.call('DELETE', path)).status).toBe(200)
  expect((await server.call('GET', path)).status).toBe(404)
  expect(await server.call('POST', path, large)).toMatchObject({ status: 404, body: { success: false } })
  // The other thread's writes count as this server's own.
  expect(await server.store.revision()).toBe(server.ownRevisions())
})

/** Such bodies are rejected before any database is opened. */
function startParsing(workerMemoryMb?: number) {
  const store = { db: join(temporaryFolder(), 'kb.db'), languages: ['en'], articleLimit: 10, now: '' }
  const { run, close } = createLargeCalls({
    store,
    fileLimits: { fileBytes: 1000, siteBytes: 1000 },
    ...(workerMemoryMb !== undefined && { workerMemoryMb }),
  })
  onTestFinished(close)
  const caller = { siteId: '', userId: '', readOnly: false }
  return (bytes: Uint8Array) =>
    run('createArticle', { caller, id: '', query: {}, conditions: {}, now: '' }, bytes)
}

test('if many large bodies are waiting, another one is deferred', async () => {
  const parse = startParsing()
  const bytes = Array.from({ length: 14 }, () => new TextEncoder().encode(`"${'x'.repeat(1_100_000)}"`))
  const ends = await Promise.allSettled(bytes.map((each) => parse(each)))
  const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []))
  const [taken, putOff] = [400, 503].map((status) =>
    reasons.filter((each) => each instanceof HttpError && each.status === status),
  )
  expect(putOff).toContainEqual(
    expect.objectContaining({
      message: 'Too many large articles wait to be read or written',
      headers: { 'Retry-After': '1' },
    }),
  )
  // The one that is parsed no longer waits.
  expect([8, 9]).toContain(taken?.length)
  await expect(parse(new TextEncoder().encode(`"${'x'.repeat(1_100_000)}"`))).rejects.toMatchObject({
    status: 400,
  })
})

test('a body that needs too much memory ends only its thread, and the next one is parsed', async () => {
  const parse = startParsing(18)
  const bytesOf = (body: object) => new TextEncoder().encode(JSON.stringify(body))
  // Many strings of medium length, because a long one may be outside of the limited heap.
  const tags = Array.from({ length: 9000 }, (_, index) => `${index}`.padEnd(1333, 'x'))
  await expect(parse(bytesOf({ tags }))).rejects.toMatchObject({
    status: 413,
    message: 'The body needs more memory than is available for one article: split it into several articles',
  })
  await expect(parse(bytesOf({ content: 'x'.repeat(1_100_000) }))).rejects.toMatchObject({ status: 400 })
})
