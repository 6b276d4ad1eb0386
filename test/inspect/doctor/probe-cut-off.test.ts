// A probe is interrupted at any request: by the network, by Ctrl-C, by a kill. Each test tries a different share of the
// requests; with RUNS=10, all of them.
import { expect, onTestFinished, test } from 'vitest'
import { type Fault, startFaultProxy } from '../../support/fault-proxy.ts'
import { createProject } from '../../support/project.ts'
import { readRuns, shareOf } from '../../support/runs.ts'
import { type ServiceHabits, startStrictService } from '../../support/strict-service.ts'
import { CONTENT, examine, findingOf, troubles } from './doctor-project.ts'

const RUNS = readRuns('MOMENTS', 4)

/** The numbers of the requests in test `turn`. */
const someOf = (count: number, turn: number) =>
  shareOf(
    Array.from({ length: count }, (_, index) => index + 1),
    RUNS,
    turn,
  )

const EVERYTHING: ServiceHabits = { extensions: ['update', 'languages'], languages: ['en', 'fr'] }

async function startBehindProxy(habits: ServiceHabits) {
  const service = await startStrictService(habits)
  service.add({ title: 'Theirs', slug: 'theirs' })
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  return { service, proxy, before: service.articles(), project: createProject(CONTENT) }
}

/** The number of requests of an undisturbed run with a probe. */
async function countRequests(habits: ServiceHabits): Promise<number> {
  const { proxy, project } = await startBehindProxy(habits)
  await examine(project.root, proxy.url, { probe: true })
  return proxy.seen.length
}

test.each<readonly [Fault['kind'], ServiceHabits, number]>([
  ['cut-before', EVERYTHING, 0],
  ['cut-after', EVERYTHING, 1],
  ['cut-within', { stripsComments: true, isSparse: true, listLag: 3 }, 2],
])(
  'any request has %s, and nothing is left behind',
  async (kind, habits, turn) => {
    const count = await countRequests(habits)
    expect(count).toBeGreaterThan(15)
    for (const number of someOf(count, turn)) {
      const { service, proxy, before, project } = await startBehindProxy(habits)
      proxy.inject({ kind } as Fault, { matches: () => proxy.seen.length + 1 === number })
      const report = await examine(project.root, proxy.url, { probe: true })
      expect({ number, articles: service.articles() }).toEqual({ number, articles: before })
      expect({ number, removed: findingOf(report, 'probe.removed') }).toMatchObject({
        number,
        removed: expect.stringMatching(/^(ok|warning)/) as unknown,
      })
    }
  },
  120_000,
)

test('Ctrl-C at any request removes created articles', async () => {
  const count = await countRequests(EVERYTHING)
  for (const number of someOf(count, 3)) {
    const { service, proxy, before, project } = await startBehindProxy(EVERYTHING)
    const controller = new AbortController()
    proxy.inject({ kind: 'hold' }, { matches: () => proxy.seen.length + 1 === number })
    const running = examine(project.root, proxy.url, { probe: true, signal: controller.signal })
    await proxy.waitForSeen(number)
    controller.abort()
    proxy.release()
    const { exit } = troubles(await running)
    expect({ number, articles: service.articles() }).toEqual({ number, articles: before })
    if (number < count / 2) expect({ number, exit }).toEqual({ number, exit: 1 })
  }
}, 120_000)

test.each<readonly [ServiceHabits, number]>([
  [EVERYTHING, 4],
  [{ stripsComments: true, isSparse: true }, 5],
])(
  'articles of a killed probe are removed by the next one',
  async (habits, turn) => {
    const count = await countRequests(habits)
    let leftovers = 0
    const numbers = someOf(count, turn)
    for (const number of numbers) {
      const { service, proxy, before, project } = await startBehindProxy(habits)
      proxy.inject({ kind: 'cut-before' }, { times: 10_000, matches: () => proxy.seen.length + 1 >= number })
      await examine(project.root, proxy.url, { probe: true })
      leftovers += service.articles().length - before.length
      proxy.clear()
      const report = await examine(project.root, proxy.url, { probe: true })
      expect({ number, articles: service.articles() }).toEqual({ number, articles: before })
      expect(findingOf(report, 'probe.leftovers')).toMatch(/^ok/)
    }
    // A single moment may be one without any articles.
    if (numbers.length > 1) expect(leftovers / numbers.length).toBeGreaterThan(5 / count)
  },
  120_000,
)
