// A probe that is cut off at every single request: by the network, by Ctrl-C, by a kill.
import { expect, onTestFinished, test } from 'vitest'
import { type Fault, startFaultProxy } from '../support/fault-proxy.ts'
import { createProject } from '../support/project.ts'
import { type ServiceHabits, startStrictService } from '../support/strict-service.ts'
import { CONTENT, examine, findingOf, troubles } from './doctor-project.ts'

const EVERYTHING: ServiceHabits = { extensions: ['update', 'languages'], languages: ['en', 'fr'] }

async function startBehindProxy(habits: ServiceHabits) {
  const service = await startStrictService(habits)
  service.add({ title: 'Theirs', slug: 'theirs' })
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  return { service, proxy, before: service.articles(), project: createProject(CONTENT) }
}

/** How many requests an undisturbed run takes, with a probe. */
async function countRequests(habits: ServiceHabits): Promise<number> {
  const { proxy, project } = await startBehindProxy(habits)
  await examine(project.root, proxy.url, { probe: true })
  return proxy.seen.length
}

test.each<readonly [Fault['kind'], ServiceHabits]>([
  ['cut-before', EVERYTHING],
  ['cut-after', EVERYTHING],
  ['cut-within', { stripsComments: true, isSparse: true, listLag: 3 }],
])(
  'one request meets %s, whichever it is, and nothing is left',
  async (kind, habits) => {
    const count = await countRequests(habits)
    expect(count).toBeGreaterThan(15)
    for (let number = 1; number <= count; number++) {
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

test('Ctrl-C at any request removes what was made', async () => {
  const count = await countRequests(EVERYTHING)
  for (let number = 1; number <= count; number++) {
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

test.each<ServiceHabits>([EVERYTHING, { stripsComments: true, isSparse: true }])(
  'what a killed probe left behind is removed by the next one',
  async (habits) => {
    const count = await countRequests(habits)
    let leftovers = 0
    for (let number = 1; number <= count; number++) {
      const { service, proxy, before, project } = await startBehindProxy(habits)
      proxy.inject({ kind: 'cut-before' }, { times: 10_000, matches: () => proxy.seen.length + 1 >= number })
      await examine(project.root, proxy.url, { probe: true })
      leftovers += service.articles().length - before.length
      proxy.clear()
      const report = await examine(project.root, proxy.url, { probe: true })
      expect({ number, articles: service.articles() }).toEqual({ number, articles: before })
      expect(findingOf(report, 'probe.leftovers')).toMatch(/^ok/)
    }
    expect(leftovers).toBeGreaterThan(5)
  },
  120_000,
)
