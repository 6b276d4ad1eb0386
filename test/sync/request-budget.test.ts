// What a run may cost the service, counted where the requests arrive.
import { expect, onTestFinished, test } from 'vitest'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { createMemoryService } from '../support/memory-service.ts'
import { article, manyArticles } from '../support/project.ts'
import { startStrictService } from '../support/strict-service.ts'
import { createSyncProject, outcomeOf } from '../support/sync-project.ts'

async function startBehindProxy(count: number) {
  const service = await startStrictService({ articleLimit: 5000 })
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  const project = createSyncProject(proxy.url, manyArticles(count))
  expect(outcomeOf(await project.sync())).toMatchObject({ created: count })
  let first = proxy.seen.length
  /** `METHOD path` of all requests since it was last asked. */
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

test('a fresh checkout asks for each list once, and reads each article at most once', async () => {
  const { service, project, asked } = await startBehindProxy(60)
  for (let index = 0; index < 20; index++) service.add({ title: `By hand ${index}` })
  asked()
  project.forgetState()
  project.write({ 'content/newest.md': article('Newest') })
  expect(outcomeOf(await project.plan({ prune: true }))).toMatchObject({ created: 1, unchanged: 60 })
  const requests = asked()
  const readings = requests.filter(isReading)
  expect(requests.filter((each) => !isReading(each)).toSorted()).toEqual(LISTS)
  expect(readings).toHaveLength(80)
  expect(new Set(readings).size).toBe(80)
})

test('with state, only what state does not know is read, and that once for all', async () => {
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
        // What was let through before the answer arrived does not count.
        setImmediate(() => {
          pausedUntilMs = nowMs + 30_000
        })
        const headers = { 'retry-after': '30' }
        return Promise.resolve({ kind: 'answered', status: 429, headers, text: '{"success":false}' })
      },
      sleep: async (ms) => {
        const untilMs = nowMs + ms
        // Whoever does not wait has all the time it needs to send.
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
