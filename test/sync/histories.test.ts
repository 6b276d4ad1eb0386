// Whatever people do to their files, and whatever quirks the service has: after every sync the service has exactly the
// wanted articles, and the next run writes nothing.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { KbError } from '../../src/core/errors/kb-error.ts'
import { type Fault, type FaultProxy, refusal, startFaultProxy } from '../support/fault-proxy.ts'
import { startBuiltinService } from '../support/builtin-service.ts'
import {
  anyEdit,
  apply,
  asPages,
  asWanted,
  type Edit,
  type HeldArticle,
  type Page,
  plainEdit,
  toFiles,
  toHeld,
  toHeldFromWire,
} from '../support/history-pages.ts'
import { type DuplicateSlugs, type ServiceHabits, startStrictService } from '../support/strict-service.ts'
import { createSyncProject, type SyncProject } from '../support/sync-project.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'

const RUNS = readRuns('HISTORIES', 2)
const PATIENCE = timeoutOf(RUNS, 5000)

/** The fate of one request of a run. */
interface Accident {
  /** Number of preceding requests of the run. */
  readonly after: number
  readonly fault: Fault
}

/** Edits, then a sync. Before it, the state may get lost, and a sync with accidents may run. */
interface Chapter {
  readonly edits: readonly Edit[]
  readonly losesState: boolean
  readonly accidents: readonly Accident[]
}

const accident: fc.Arbitrary<Accident> = fc.record({
  after: fc.nat(20),
  fault: fc.constantFrom<Fault[]>(
    { kind: 'cut-before' },
    { kind: 'cut-after' },
    { kind: 'cut-within' },
    refusal(500, 'Out of order'),
    refusal(400, 'Refused for no reason'),
  ),
})
const losesState = fc.oneof(
  { weight: 3, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
)
function historyWith(accidents: fc.Arbitrary<Accident[]>, hasLanguages: boolean): fc.Arbitrary<Chapter[]> {
  const edits = fc.array(hasLanguages ? anyEdit : plainEdit, { maxLength: hasLanguages ? 9 : 6 })
  return fc.array(fc.record({ edits, losesState, accidents }), { minLength: 1, maxLength: 5 })
}

const MODES: readonly DuplicateSlugs[] = ['allowed', 'refused-409', 'refused-200', 'suffixed']
const HABITS: readonly (readonly [string, ServiceHabits])[] = MODES.flatMap((duplicateSlugs) =>
  [[], ['update'] as const, ['update', 'languages'] as const, ['update', 'ids', 'batch'] as const].map(
    (extensions) => [
      `duplicates ${duplicateSlugs}, extensions: ${extensions.join(' ') || 'none'}`,
      { duplicateSlugs, extensions, languages: ['en', 'fr', 'de'] },
    ],
  ),
)

const offers = ({ extensions = [] }: ServiceHabits, name: 'update' | 'languages') => extensions.includes(name)

test.each(HABITS)('every history ends with the wanted articles (%s)', PATIENCE, async (_, habits) => {
  expect.hasAssertions()
  const history = historyWith(fc.constant([]), offers(habits, 'languages'))
  const property = fc.asyncProperty(history, async (chapters) =>
    live(chapters, await startStrict(habits), offers(habits, 'update')),
  )
  await fc.assert(property, RUNS)
})

// Not if taken slugs are changed: an interrupted replacement leaves its new version at the changed slug.
test.each(HABITS.filter(([, { duplicateSlugs }]) => duplicateSlugs !== 'suffixed'))(
  'a run after one with accidents completes everything (%s)',
  PATIENCE,
  async (_, habits) => {
    expect.hasAssertions()
    const history = historyWith(fc.array(accident, { maxLength: 3 }), offers(habits, 'languages'))
    const property = fc.asyncProperty(history, async (chapters) =>
      live(chapters, await startStrict(habits), offers(habits, 'update')),
    )
    await fc.assert(property, RUNS)
  },
)

test.each([0, 3])('on the built-in server (at most %i accidents in a run)', PATIENCE, async (maxLength) => {
  expect.hasAssertions()
  const history = historyWith(fc.array(accident, { maxLength }), true)
  const property = fc.asyncProperty(history, async (chapters) => live(chapters, await startBuiltin(), true))
  await fc.assert(property, RUNS)
})

/** A service whose articles can be read, and which can be stopped. */
interface LiveService {
  readonly url: string
  readonly articles: () => Promise<readonly HeldArticle[]>
  readonly close: () => Promise<void>
}

async function startStrict(habits: ServiceHabits): Promise<LiveService> {
  const { url, articles } = await startStrictService(habits)
  const held = () => Promise.resolve(articles().map(toHeld))
  return { url, articles: held, close: () => Promise.resolve() }
}

async function startBuiltin(): Promise<LiveService> {
  const { url, articles, close } = await startBuiltinService()
  return { url, articles: async () => (await articles()).map(toHeldFromWire), close }
}

async function live(
  chapters: readonly Chapter[],
  service: LiveService,
  offersUpdate: boolean,
): Promise<void> {
  const proxy = await startFaultProxy(service.url)
  try {
    const project = createSyncProject(proxy.url, { 'content/.keep': '' })
    let pages: ReadonlyMap<string, Page> = new Map()
    for (const { edits, losesState: forgets, accidents } of chapters) {
      const before = pages
      pages = edits.reduce(apply, pages)
      project.remove(...[...before.keys()].map((name) => `content/${name}`))
      project.write(toFiles(pages))
      if (accidents.length > 0) await syncWithAccidents(project, proxy, accidents)
      // After an accident, only the state shows that we may remove an article at an old slug.
      else if (forgets) project.forgetState()
      const { replaced, ...end } = await outcome(project)
      expect(end).toEqual({ isClean: true })
      if (offersUpdate) expect(replaced).toBe(0)
      expect(asPages(await service.articles())).toEqual(asWanted(pages))
      const seen = proxy.seen.length
      expect(await outcome(project)).toEqual({ isClean: true, replaced: 0 })
      expect(proxy.seen.slice(seen).filter(({ method }) => method !== 'GET')).toEqual([])
    }
  } finally {
    await proxy.close()
    await service.close()
  }
}

/** Syncs. Returns true if nothing is left to do, otherwise what is. */
async function outcome(project: SyncProject) {
  const result = await project.sync({ prune: true, yes: true })
  const { operations, failure, guard, diagnostics, orphans, summary } = result
  const open = operations.filter(({ outcome: end }) => end !== 'done')
  const left = [...open, ...diagnostics, ...orphans, failure, guard].filter((each) => each !== undefined)
  return left.length === 0 ? { isClean: true, replaced: summary.replaced } : { left }
}

async function syncWithAccidents(
  project: SyncProject,
  proxy: FaultProxy,
  accidents: readonly Accident[],
): Promise<void> {
  const first = proxy.seen.length
  for (const { after, fault } of accidents)
    proxy.inject(fault, { matches: () => proxy.seen.length >= first + after })
  await project.sync({ prune: true, yes: true }).catch((error: unknown) => {
    if (!(error instanceof KbError)) throw error
  })
  proxy.clear()
}
