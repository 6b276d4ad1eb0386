// The number of requests of a run, counted where they arrive.
import { expect, onTestFinished, test } from 'vitest'
import { type Fault, refusal, startFaultProxy } from '../support/fault-proxy.ts'
import { createMemoryService } from '../support/memory-service.ts'
import { article, manyArticles } from '../support/project.ts'
import { type ServiceHabits, startStrictService } from '../support/strict-service.ts'
import { createSyncProject, outcomeOf, type RunOptions } from '../support/sync-project.ts'

async function startBehindProxy(count: number, habits: ServiceHabits = {}) {
  const service = await startStrictService({ articleLimit: 5000, ...habits })
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  const project = createSyncProject(proxy.url, manyArticles(count))
  expect(outcomeOf(await project.sync())).toMatchObject({ created: count })
  let first = proxy.seen.length
  /** `METHOD path` of all requests since the last call. */
  const asked = () => {
    const since = proxy.seen
      .slice(first)
      .map(({ method, path }) => `${method} ${path.replace('/api/v2/', '')}`)
    first = proxy.seen.length
    return since
  }
  return { service, project, asked }
}

const LISTS = ['GET categories', 'GET tools/link_manager', 'GET tools/review_dates']
const isReading = (request: string) => request.startsWith('GET articles/')

test('an unchanged run of 1,000 documents takes at most six requests', async () => {
  const { project, asked } = await startBehindProxy(1000)
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 1000 })
  expect(asked().length).toBeLessThanOrEqual(6)
})

test('a fresh checkout requests each list once, and reads each article at most once', async () => {
  const { service, project, asked } = await startBehindProxy(60)
  for (let index = 0; index < 20; index++) service.add({ title: `By hand ${index}` })
  asked()
  project.forgetState()
  project.write({ 'content/newest.md': article('Newest') })
  expect(outcomeOf(await project.plan({ prune: true }))).toMatchObject({ created: 1, unchanged: 60 })
  const requests = asked()
  const readings = requests.filter(isReading)
  // One more request asks if all articles can be listed, which would save the reads.
  expect(requests.filter((each) => !isReading(each)).toSorted()).toEqual([...LISTS, 'OPTIONS articles'])
  expect(readings).toHaveLength(80)
  expect(new Set(readings).size).toBe(80)
})

test('with state, only unknown articles are read, each once', async () => {
  const { service, project, asked } = await startBehindProxy(60)
  for (let index = 0; index < 20; index++) service.add({ title: `By hand ${index}` })
  project.write({ 'content/newest.md': article('Newest') })
  expect(outcomeOf(await project.plan())).toMatchObject({ created: 1, unchanged: 60 })
  const requests = asked()
  expect(requests.filter((each) => !isReading(each)).toSorted()).toEqual(LISTS)
  expect(requests.filter(isReading)).toHaveLength(20)

  expect(outcomeOf(await project.sync())).toMatchObject({ created: 1, unchanged: 60 })
  asked()
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 61 })
  expect(asked().length).toBeLessThanOrEqual(6)
})

// The lists, a read of the old version, and the write; then the list with the new one and, if both may exist, a read of
// it before the old one is deleted.
const EDITS: readonly (readonly [string, ServiceHabits, readonly string[]])[] = [
  [
    'allows two of one slug',
    {},
    ['GET categories', 'GET dates', 'GET old', 'PUT', 'GET dates', 'GET new', 'DELETE old'],
  ],
  [
    'refuses a taken slug',
    { duplicateSlugs: 'refused-409' },
    ['GET categories', 'GET dates', 'GET old', 'DELETE old', 'PUT', 'GET dates'],
  ],
  [
    'changes a taken slug',
    { duplicateSlugs: 'suffixed' },
    ['GET categories', 'GET dates', 'GET old', 'DELETE old', 'PUT', 'GET dates'],
  ],
  [
    'updates in place',
    { extensions: ['update'] },
    ['GET categories', 'GET dates', 'OPTIONS', 'GET old', 'POST old', 'GET old'],
  ],
  [
    'updates in place and refuses a taken slug',
    { extensions: ['update', 'languages'], duplicateSlugs: 'refused-409' },
    ['GET categories', 'GET dates', 'OPTIONS', 'GET old', 'POST old', 'GET old'],
  ],
]

test.each(EDITS)(
  'one edit takes at most seven requests on a service that %s',
  async (_, habits, expected) => {
    const { service, project, asked } = await startBehindProxy(20, habits)
    const edit = async (body: string) => {
      const { id } = service.articleAt('page-3')
      project.write({ 'content/page-3.md': article('Page 3', { body }) })
      asked()
      expect(outcomeOf(await project.sync())).toMatchObject({ unchanged: 19 })
      return asked().map((each) =>
        each
          .replace(`articles/${id}`, 'old')
          .replace(/articles\/.*/, 'new')
          .replace('tools/review_dates', 'dates')
          .replace(/ articles$/, ''),
      )
    }
    // The first edit finds out how the service handles a taken slug, that it offers no extensions, and that deletions
    // work.
    await edit('First.')
    const requests = await edit('Second.')
    expect([...requests.slice(0, 2).toSorted(), ...requests.slice(2)]).toEqual(expected)
  },
)

test('a service without extensions is asked again after a day, and for --verify', async () => {
  const { project, asked } = await startBehindProxy(2)
  const edit = async (body: string, options: RunOptions = {}) => {
    project.write({ 'content/page-1.md': article('Page 1', { body }) })
    asked()
    expect(outcomeOf(await project.sync(options))).toMatchObject({ replaced: 1 })
    return asked().filter((each) => each.startsWith('OPTIONS')).length
  }
  const at = (time: string) => ({ now: () => new Date(time) })
  // The first sync has requested them.
  expect(await edit('1.', at('2026-03-01T12:00:00Z'))).toBe(0)
  expect(await edit('2.', at('2026-03-02T11:59:59Z'))).toBe(0)
  expect(await edit('3.', { ...at('2026-03-02T11:59:59Z'), verify: true })).toBe(1)
  expect(await edit('4.', at('2026-03-03T11:59:58Z'))).toBe(0)
  expect(await edit('5.', at('2026-03-03T12:00:00Z'))).toBe(1)
  // A clock that was set back.
  expect(await edit('6.', at('2026-03-01T12:00:00Z'))).toBe(1)
})

test('the extensions of a service are requested in every run that would use them', async () => {
  const { project, asked } = await startBehindProxy(2, { extensions: ['update'] })
  for (const body of ['1.', '2.']) {
    project.write({ 'content/page-1.md': article('Page 1', { body }) })
    asked()
    expect(outcomeOf(await project.sync())).toMatchObject({ updated: 1 })
    expect(asked()).toContain('OPTIONS articles')
  }
})

test('a read of the old version that is half a second old is repeated before the deletion', async () => {
  const { service, project, asked } = await startBehindProxy(2)
  // The first deletion is verified, too.
  project.write({ 'content/page-1.md': article('Page 1', { body: 'First.' }) })
  await project.sync()
  const { id } = service.articleAt('page-1')
  let nowMs = Date.parse('2026-03-01T12:00:00Z')
  project.write({ 'content/page-1.md': article('Page 1', { body: 'New.' }) })
  asked()
  const result = await project.sync({ now: () => new Date((nowMs += 501)) })
  expect(outcomeOf(result)).toMatchObject({ replaced: 1 })
  const requests = asked()
  expect(requests.filter((each) => each === `GET articles/${id}`)).toHaveLength(2)
  expect(requests.at(-2)).toBe(`GET articles/${id}`)
})

test('deletions are verified until one was successful, and in every run with several writes', async () => {
  const { service, project, asked } = await startBehindProxy(3)
  const edit = async (body: string, ...pages: readonly number[]) => {
    const old = pages.map((page) => service.articleAt(`page-${page}`).id)
    for (const page of pages)
      project.write({ [`content/page-${page}.md`]: article(`Page ${page}`, { body }) })
    asked()
    expect(outcomeOf(await project.sync())).toMatchObject({ replaced: pages.length })
    const requests = asked()
    return old.map((id) =>
      requests.slice(requests.indexOf(`DELETE articles/${id}`) + 1).includes(`GET articles/${id}`),
    )
  }
  expect(await edit('1.', 1)).toEqual([true])
  expect(await edit('2.', 1)).toEqual([false])
  expect(await edit('3.', 1, 2)).toEqual([true, true])
})

test('with paths, a fresh checkout reads possible articles of these', async () => {
  const { service, project, asked } = await startBehindProxy(20)
  const [tag] = service.tags()
  const run = (source: string) => project.plan({ sources: [source], isSelected: (each) => each === source })
  project.forgetState()
  asked()
  expect(outcomeOf(await run('page-3.md'))).toEqual({ unchanged: 1 })
  expect(asked().filter(isReading)).toEqual([`GET articles/${service.articleAt('page-3').id}`])

  // An article may have another title than its file.
  project.write({ 'content/page-3.md': article('Renamed', { slug: 'page-3' }) })
  expect(outcomeOf(await run('page-3.md'))).toMatchObject({ replaced: 1 })
  expect(asked().filter(isReading)).toHaveLength(20)

  // The API lists no tags; articles name theirs.
  project.write({
    'content/page-3.md': article('Page 3', { tags: ['Safety'] }),
    'content/page-4.md': article('Page 4', { tags: ['Unheard of'] }),
  })
  service.edit('page-5', { tagIds: [tag?.id ?? ''] })
  asked()
  expect(outcomeOf(await run('page-3.md'))).toMatchObject({ replaced: 1 })
  expect(asked().filter(isReading)).toHaveLength(20)
})

test('one Retry-After pauses all requests', async () => {
  const service = createMemoryService()
  const project = createSyncProject('http://service.test', manyArticles(40))
  const answer = service.connect()
  let nowMs = 0
  let puts = 0
  let pausedUntilMs = 0
  let impatient = 0

  await project.sync({
    client: {
      retries: 5,
      now: () => nowMs,
      send: (request) => {
        if (nowMs < pausedUntilMs) impatient++
        if (request.method !== 'PUT' || ++puts !== 20) return answer(request)
        // Requests that were sent before the response do not count.
        setImmediate(() => {
          pausedUntilMs = nowMs + 30_000
        })
        const headers = { 'retry-after': '30' }
        return Promise.resolve({ kind: 'answered', status: 429, headers, text: '{"success":false}' })
      },
      sleep: async (ms) => {
        const untilMs = nowMs + ms
        // A client that does not wait has enough time to send.
        for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
        nowMs = Math.max(nowMs, untilMs)
      },
    },
  })
  expect(impatient).toBe(0)
  expect(nowMs).toBe(30_000)
  expect(puts).toBe(41)
  expect(service.articles()).toHaveLength(40)
})

test('a target that rejects all writes for now ends the run', async () => {
  const service = await startStrictService()
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  const project = createSyncProject(proxy.url, manyArticles(40))
  const quota = refusal(429, 'Quota', { 'retry-after': '60' })
  proxy.inject(quota, { times: Number.POSITIVE_INFINITY, matches: (method) => method === 'PUT' })
  const client = { retries: 2, sleep: () => Promise.resolve() }
  const result = await project.sync({ client })
  expect(outcomeOf(result)).toMatchObject({ failed: 1, skipped: 39, failure: 'TARGET_FAILED' })
  // Fewer than three times each of the eight that are sent at one time.
  expect(proxy.seen.filter(({ method }) => method === 'PUT').length).toBeLessThan(24)
  proxy.clear()
  expect(outcomeOf(await project.sync({ client }))).toMatchObject({ created: 40 })
  expect(service.articles()).toHaveLength(40)
})

const BATCHES = { extensions: ['update', 'ids', 'batch'] } as const
const isBatch = (method: string, path: string) => method === 'POST' && path === '/api/v2/articles'

async function startWithBatches(fault: Fault, times: number) {
  const service = await startStrictService(BATCHES)
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  proxy.inject(fault, { times, matches: isBatch })
  return { service, proxy, project: createSyncProject(proxy.url, manyArticles(40)) }
}

test.each([413, 404, 405, 501])(
  'articles of batches that are answered with %i are sent individually',
  async (status) => {
    const page = {
      kind: 'answer',
      status,
      headers: { 'content-type': 'text/html' },
      body: '<p>No</p>',
    } as const
    const { service, proxy, project } = await startWithBatches(page, Number.POSITIVE_INFINITY)
    expect(outcomeOf(await project.sync())).toMatchObject({ created: 40 })
    expect(proxy.seen.filter(({ fault }) => fault !== undefined)).toHaveLength(1)
    expect(service.articles()).toHaveLength(40)
    expect(outcomeOf(await project.sync())).toEqual({ unchanged: 40 })
  },
)

test('a batch that is answered with 429 is sent again', async () => {
  const { service, proxy, project } = await startWithBatches(refusal(429, 'Later', { 'retry-after': '3' }), 2)
  expect(outcomeOf(await project.sync({ client: { retries: 2 } }))).toMatchObject({ created: 40 })
  expect(proxy.seen.filter(({ method }) => !['GET', 'OPTIONS'].includes(method))).toHaveLength(3)
  expect(service.articles()).toHaveLength(40)
})
