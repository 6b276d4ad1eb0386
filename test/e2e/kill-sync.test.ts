// The built program is killed at every single request, before it reaches the service and after it was answered: the
// next run ends with exactly the wanted articles. SYNC_KILLS sets how many of the moments are tried for each service,
// evenly spread; all of them where it is large.
import { rmSync } from 'node:fs'
import pLimit from 'p-limit'
import { expect, test } from 'vitest'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { AFTER, BEFORE, DROPPED, WANTED } from '../support/changes.ts'
import { heldBy, writesTo } from '../support/memory-project.ts'
import { configFile } from '../support/project.ts'
import { SERVICE_KEY, type ServiceHabits, startStrictService } from '../support/strict-service.ts'
import { createSyncProject } from '../support/sync-project.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'

const RUNS = readRuns('SYNC_KILLS', 2)
const { numRuns: KILLS } = RUNS
const ARGS = ['sync', '--prune', '--yes', '--json']

const HABITS: readonly (readonly [string, ServiceHabits])[] = [
  ['allows two of one slug', {}],
  ['refuses a taken slug', { duplicateSlugs: 'refused-409' }],
  ['updates in place', { duplicateSlugs: 'refused-409', extensions: ['update'] }],
  ['strips comments', { stripsComments: true }],
  ['strips comments and refuses a taken slug', { stripsComments: true, duplicateSlugs: 'refused-200' }],
]

/** A synced project behind a proxy, whose files have then changed. */
async function startChanged(habits: ServiceHabits) {
  const service = await startStrictService(habits)
  const proxy = await startFaultProxy(service.url)
  const config = { sync: { settle: '100ms' } }
  const project = createSyncProject(proxy.url, BEFORE, config)
  project.write({ 'kb.config.ts': configFile({ project: 'demo', ...config }) })
  await project.sync({ concurrency: 1 })
  project.write(AFTER)
  project.remove(DROPPED)
  const run = { env: { KB_URL: proxy.url, KB_API_KEY: SERVICE_KEY } }
  return { service, proxy, project, run }
}

type Moment = readonly [request: number, when: 'before' | 'after']

/** Kills a run at the moment, then runs again until the end. @returns what is wrong then */
async function killAndRunAgain(habits: ServiceHabits, [request, when]: Moment, losesFolder: boolean) {
  const { service, proxy, project, run } = await startChanged(habits)
  try {
    const first = proxy.seen.length + request
    if (when === 'after') proxy.inject({ kind: 'hold' }, { matches: () => proxy.seen.length === first })
    proxy.inject({ kind: 'silence' }, { times: 1000, matches: () => proxy.seen.length >= first })
    const killed = project.start(ARGS, run)
    await (when === 'after' ? proxy.waitForHeld(1) : proxy.waitForSeen(first + 1))
    killed.process.kill('SIGKILL')
    await killed.ended
    proxy.clear()
    if (losesFolder) rmSync(project.path('.kb'), { recursive: true })

    const next = await project.run(ARGS, run)
    const articles = heldBy(service)
    service.forget()
    const last = await project.sync({ prune: true, yes: true })
    const writes = writesTo(service)
    return { code: next.code, articles, writes, isLastClean: last.operations.length === 0 }
  } finally {
    await proxy.close()
  }
}

/** Every request of a run, as often as it can be killed there. */
async function momentsOf(habits: ServiceHabits): Promise<Moment[]> {
  const { proxy, project, run } = await startChanged(habits)
  const before = proxy.seen.length
  expect((await project.run(ARGS, run)).code).toBe(0)
  const moments = Array.from({ length: proxy.seen.length - before }, (_, request) => [
    [request, 'before'] as const,
    [request, 'after'] as const,
  ]).flat()
  await proxy.close()
  const step = Math.max(1, moments.length / KILLS)
  return Array.from({ length: Math.floor(moments.length / step) }, (_, index) => {
    const chosen = moments[Math.floor(index * step)]
    return chosen as Moment
  })
}

test.each(HABITS)('killed on a service that %s', timeoutOf(RUNS, 5000), async (_, habits) => {
  const moments = await momentsOf(habits)
  const limit = pLimit(2)
  const ends = await Promise.all(
    moments.map((moment, index) =>
      limit(async () => {
        // Without markers, nothing but the folder tells what is ours.
        const losesFolder = index % 3 === 2 && habits.stripsComments !== true
        const end = await killAndRunAgain(habits, moment, losesFolder)
        return { moment, losesFolder, ...end }
      }),
    ),
  )
  const wanted = { code: 0, articles: WANTED, writes: [], isLastClean: true }
  expect(ends).toEqual(ends.map(({ moment, losesFolder }) => ({ moment, losesFolder, ...wanted })))
})
