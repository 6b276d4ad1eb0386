// The built program watches while files are edited, and is killed or stopped at a moment drawn by lot: the next sync ends
// with exactly what the files say, and the one after that has nothing to do. WATCH_KILLS sets how often, for each kind of
// target and each kind of end (default 1).
import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { drawLots } from '../support/draw-lots.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { article, configFile, createProject, type TestProject } from '../support/project.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'
import { SERVICE_KEY, type ServiceHabits, startStrictService } from '../support/strict-service.ts'
import { startWatchCommand } from '../support/watching.ts'

const RUNS = readRuns('WATCH_KILLS', 1)
const { numRuns: KILLS, seed: SEED } = RUNS

const COUNT = 8
const SAVES = 12
const SLUGS = Array.from({ length: COUNT }, (_, index) => `page-${index}`)

const HABITS: readonly (readonly [string, ServiceHabits])[] = [
  ['updates in place', { duplicateSlugs: 'refused-409', extensions: ['update'] }],
  ['replaces', {}],
]

/** Edits, renames and removes by lot; in the end there is every page, with the text of its last save. */
function save(project: TestProject, lot: () => number, round: number): void {
  const page = Math.floor(lot() * COUNT)
  const file = `content/page-${page}.md`
  const way = lot()
  if (way < 0.2) rmSync(project.path(file), { force: true })
  if (way < 0.3) project.write({ [file]: '---\ntitel: half a' })
  if (way < 0.4) project.write({ [file]: '' })
  project.write({ [file]: article(`Page ${page}`, { slug: `page-${page}`, body: `Save ${round}.` }) })
}

async function endAtSomeMoment(habits: ServiceHabits, end: 'SIGKILL' | 'SIGINT', lot: () => number) {
  const service = await startStrictService(habits)
  const proxy = await startFaultProxy(service.url)
  const env = { KB_URL: proxy.url, KB_API_KEY: SERVICE_KEY }
  const pages = SLUGS.map((slug, page) => [`content/${slug}.md`, article(`Page ${page}`, { slug })])
  const config = { project: 'demo', sync: { settle: '100ms' } }
  const project = createProject({ 'kb.config.ts': configFile(config), ...Object.fromEntries(pages) })
  try {
    const watch = startWatchCommand(project, { env })
    // Some are ended in the first sync, most while files are saved.
    const moment = Math.floor(lot() * (COUNT + 4 * SAVES))
    const reached = proxy.waitForSeen(moment)
    if (moment > 2 * COUNT) {
      await watch.next('ready')
      for (let round = 0; round < SAVES; round++) {
        save(project, lot, round)
        // In a burst, or one after the other.
        if (lot() < 0.5) await Promise.race([watch.next('sent'), watch.settled()])
      }
      await Promise.race([reached, watch.settled()])
    } else await Promise.race([reached, watch.next('ready')])
    watch.process.kill(end)
    const { code } = await watch.ended
    const next = await project.run(['sync', '--json'], { env })
    const last = await project.run(['sync', '--json'], { env })
    const { operations } = next.json as { operations: readonly object[] }
    // Whoever says that the target equals the files is right.
    const isHonest = code !== 0 || operations.length === 0
    return {
      moment,
      isHonest,
      codes: [next.code, last.code],
      slugs: service
        .articles()
        .map(({ slug }) => slug)
        .toSorted(),
      last: (last.json as { operations: readonly object[] }).operations,
    }
  } finally {
    await proxy.close()
  }
}

test.each(
  HABITS.flatMap(([name, habits]) => [[name, 'SIGKILL', habits] as const, [name, 'SIGINT', habits] as const]),
)('a watch on a service that %s, ended by %s', timeoutOf(RUNS, 40_000), async (_, end, habits) => {
  const lot = drawLots(SEED)
  for (let run = 0; run < KILLS; run++) {
    const { moment, ...outcome } = await endAtSomeMoment(habits, end, lot)
    expect({ moment, ...outcome }).toEqual({ moment, isHonest: true, codes: [0, 0], slugs: SLUGS, last: [] })
  }
})
