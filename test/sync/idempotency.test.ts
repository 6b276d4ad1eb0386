// On a target with the extension `idempotency`, a create whose response was lost is sent again with its key.
import { expect, onTestFinished, test } from 'vitest'
import { startBuiltinService } from '../support/builtin-service.ts'
import { type Fault, startFaultProxy } from '../support/fault-proxy.ts'
import { article, manyArticles } from '../support/project.ts'
import { createSyncProject, outcomeOf } from '../support/sync-project.ts'

async function startBehindProxy(files = manyArticles(1)) {
  const service = await startBuiltinService()
  onTestFinished(() => service.close())
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  const project = createSyncProject(proxy.url, files)
  const sync = () => project.sync({ client: { retries: 1 } })
  const writes = () => proxy.seen.filter(({ method }) => ['PUT', 'POST'].includes(method))
  return { service, proxy, project, sync, writes }
}

const isWrite = (method: string) => ['PUT', 'POST'].includes(method)

const LOSSES: readonly Fault[] = [
  { kind: 'cut-before' },
  { kind: 'cut-after' },
  { kind: 'cut-within' },
  { kind: 'answer', status: 502, body: 'Bad gateway' },
]

test.each(LOSSES)(
  'an article that is sent alone is created once by two requests after: $kind $status',
  async (fault) => {
    // Too large for a request with other articles.
    const large = article('Large', { body: 'A long text. '.repeat(70_000) })
    const { service, proxy, sync, writes } = await startBehindProxy({
      ...manyArticles(1),
      'content/large.md': large,
    })
    proxy.inject(fault, { matches: isWrite })
    expect(outcomeOf(await sync())).toMatchObject({ created: 2 })
    const keys = writes().map(({ method, headers }) => `${method} ${String(headers['idempotency-key'])}`)
    expect(keys).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^PUT "[\da-f-]{36}"$/)))
    expect(new Set(keys).size).toBe(2)
    expect(await service.articles()).toHaveLength(2)
    expect(outcomeOf(await sync())).toMatchObject({ unchanged: 2 })
  },
)

test('the only article of a run is, too', async () => {
  const { service, proxy, sync, writes } = await startBehindProxy()
  proxy.inject({ kind: 'cut-after' }, { matches: isWrite })
  expect(outcomeOf(await sync())).toMatchObject({ created: 1 })
  const [first, again] = writes()
  const key = first?.headers['idempotency-key']
  expect([writes().length, key]).toEqual([2, expect.stringMatching(/^"[\da-f-]{36}"$/)])
  expect(again?.headers['idempotency-key']).toBe(key)
  expect(await service.articles()).toHaveLength(1)
  expect(outcomeOf(await sync())).toEqual({ unchanged: 1 })
})

test.each(LOSSES)('many articles in one request are, too, after: $kind $status', async (fault) => {
  const { service, proxy, sync, writes } = await startBehindProxy(manyArticles(40))
  proxy.inject(fault, { matches: isWrite })
  expect(outcomeOf(await sync())).toMatchObject({ created: 40 })
  const [first, again] = writes()
  expect([writes().length, again?.body]).toEqual([2, first?.body])
  expect(await service.articles()).toHaveLength(40)
  expect(outcomeOf(await sync())).toEqual({ unchanged: 40 })
})

test('updates are not repeated, nor creates if the target does not recognise them', async () => {
  const { service, proxy, project, sync, writes } = await startBehindProxy()
  await sync()
  project.write({ 'content/page-0.md': article('Page 0', { body: 'Changed.' }) })
  proxy.inject({ kind: 'cut-after' }, { matches: isWrite })
  const before = writes().length
  await sync()
  expect(writes().length - before).toBe(1)
  expect(outcomeOf(await sync())).toEqual({ unchanged: 1 })

  const announced = { 'kb-extensions': 'update, languages, ids', 'content-type': 'application/json' }
  const body = JSON.stringify({ success: true, message: '' })
  proxy.inject(
    { kind: 'answer', status: 200, headers: announced, body },
    { matches: (method) => method === 'OPTIONS' },
  )
  project.write({ 'content/new.md': article('New') })
  proxy.inject({ kind: 'cut-after' }, { matches: isWrite })
  const between = writes().length
  await sync()
  const [sent, ...others] = writes().slice(between)
  expect([sent?.headers['idempotency-key'], others]).toEqual([undefined, []])
  expect(outcomeOf(await sync())).toEqual({ unchanged: 2 })
  expect(await service.articles()).toHaveLength(2)
})
