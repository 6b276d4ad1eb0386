// Several jobs that send one shard each leave the same on the target as one run, in any order and at the same time.
import { readdirSync } from 'node:fs'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { KbConfig } from '../../src/core/config/schema.ts'
import type { SyncContentOptions, SyncResult } from '../../src/sync/sync-options.ts'
import { drawLots } from '../support/draw-lots.ts'
import {
  anyEdit,
  apply,
  asPages,
  asWanted,
  type Edit,
  type Page,
  plainEdit,
  toFiles,
  toHeld,
} from '../support/history-pages.ts'
import { createMemoryCheckout, type MemoryCheckout, writesTo } from '../support/memory-project.ts'
import { createMemoryService, type MemoryService } from '../support/memory-service.ts'
import { article, createProject, type Files } from '../support/project.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'
import type { ServiceHabits } from '../support/strict-service.ts'
import { syncInProcess } from '../support/sync-in-process.ts'
import { outcomeOf } from '../support/sync-project.ts'

const RUNS = readRuns('HISTORIES', 4)
const PATIENCE = timeoutOf(RUNS, 5000)

const HABITS: readonly (readonly [string, ServiceHabits])[] = [
  ['allows two of one slug', {}],
  ['refuses a taken slug', { duplicateSlugs: 'refused-409' }],
  ['updates in place', { extensions: ['update'], duplicateSlugs: 'refused-409' }],
  [
    'offers all extensions',
    {
      extensions: ['update', 'languages', 'ids', 'batch', 'etag'],
      duplicateSlugs: 'refused-409',
      languages: ['en', 'fr', 'de'],
    },
  ],
]

interface Chapter {
  readonly edits: readonly Edit[]
  readonly losesState: boolean
  /** In this order if they run one after the other. */
  readonly order: readonly number[]
}

function historyWith(hasLanguages: boolean, shards: number): fc.Arbitrary<Chapter[]> {
  const edits = fc.array(hasLanguages ? anyEdit : plainEdit, { maxLength: 9 })
  const numbers = Array.from({ length: shards }, (_, index) => index + 1)
  const order = fc.shuffledSubarray(numbers, { minLength: shards })
  return fc.array(fc.record({ edits, losesState: fc.boolean(), order }), { minLength: 1, maxLength: 5 })
}

/** The jobs of a pipeline, each with its own checkout. */
function createJobs(service: MemoryService, count: number) {
  const jobs = Array.from({ length: count }, () => createMemoryCheckout(service, { 'content/.keep': '' }))
  const run = (number: number, options?: Parameters<MemoryCheckout['sync']>[0]) => {
    const job = jobs[number - 1] as MemoryCheckout
    return job.sync({ prune: true, yes: true, shard: { number, count }, ...options })
  }
  return { jobs, run }
}

function openOf({ operations, failure, guard, diagnostics, orphans }: SyncResult) {
  const open = operations.filter(({ outcome }) => outcome !== 'done')
  return [...open, ...diagnostics, ...orphans, failure, guard].filter((each) => each !== undefined)
}

function write(
  jobs: readonly MemoryCheckout[],
  before: ReadonlyMap<string, Page>,
  pages: ReadonlyMap<string, Page>,
) {
  for (const job of jobs) {
    job.remove(...[...before.keys()].map((name) => `content/${name}`))
    job.write(toFiles(pages))
  }
}

const COUNT = 3

const hasLanguages = ({ extensions = [] }: ServiceHabits) => extensions.includes('languages')

test.each(HABITS)('the parts of a plan are the plan, on a service that %s', PATIENCE, async (_, habits) => {
  expect.hasAssertions()
  const property = fc.asyncProperty(historyWith(hasLanguages(habits), COUNT), async (chapters) => {
    const service = createMemoryService(habits)
    const { jobs, run } = createJobs(service, COUNT)
    const whole = createMemoryCheckout(service, { 'content/.keep': '' })
    let pages: ReadonlyMap<string, Page> = new Map()
    for (const { edits, order } of chapters) {
      const before = pages
      pages = edits.reduce(apply, pages)
      write([...jobs, whole], before, pages)
      const options = { prune: true, mode: 'plan' } as const
      // The jobs have no state, either.
      whole.forgetState()
      const { operations, summary } = await whole.plan(options)
      const parts = []
      for (const number of order) parts.push(await run(number, options))
      expect(parts.flatMap((part) => part.operations.map(named)).toSorted()).toEqual(
        operations.map(named).toSorted(),
      )
      expect(parts.reduce((sum, part) => sum + part.summary.unchanged, 0)).toBe(summary.unchanged)
      await whole.sync({ prune: true, yes: true })
    }
  })
  await fc.assert(property, RUNS)
})

const named = ({ action, source = '', slug, language }: SyncResult['operations'][number]) =>
  `${action} ${source} ${slug} ${language}`

test.each(HABITS)('one after the other, on a service that %s', PATIENCE, async (_, habits) => {
  expect.hasAssertions()
  const property = fc.asyncProperty(historyWith(hasLanguages(habits), COUNT), async (chapters) => {
    const service = createMemoryService(habits)
    const { jobs, run } = createJobs(service, COUNT)
    let pages: ReadonlyMap<string, Page> = new Map()
    for (const { edits, losesState, order } of chapters) {
      const before = pages
      pages = edits.reduce(apply, pages)
      write(jobs, before, pages)
      if (losesState) for (const job of jobs) job.forgetState()
      for (const number of order) expect(openOf(await run(number))).toEqual([])
      expect(asPages(service.articles().map(toHeld))).toEqual(asWanted(pages))
      await expectNothingToDo(service, order, run, pages.size)
    }
  })
  await fc.assert(property, RUNS)
})

/** A second round writes nothing. */
async function expectNothingToDo(
  service: MemoryService,
  order: readonly number[],
  run: (number: number) => Promise<SyncResult>,
  articles: number,
): Promise<void> {
  service.forget()
  const again = []
  for (const number of order.toReversed()) again.push(await run(number))
  expect(again.flatMap(openOf)).toEqual([])
  expect(again.reduce((sum, { summary }) => sum + summary.unchanged, 0)).toBe(articles)
  expect(writesTo(service)).toEqual([])
}

test.each(HABITS)('at the same time, on a service that %s', PATIENCE, async (_, habits) => {
  expect.hasAssertions()
  const history = historyWith(hasLanguages(habits), COUNT)
  const property = fc.asyncProperty(history, fc.nat(), async (chapters, seed) => {
    const lots = drawLots(seed)
    const service = createMemoryService(habits)
    const { jobs, run } = createJobs(service, COUNT)
    const pause = async () => {
      for (let turn = Math.floor(lots() * 4); turn > 0; turn--)
        await new Promise((resolve) => setImmediate(resolve))
    }
    const client = () => ({ send: service.connect(new Map(), pause), sleep: () => Promise.resolve() })
    let pages: ReadonlyMap<string, Page> = new Map()
    for (const { edits, losesState, order } of chapters) {
      const before = pages
      pages = edits.reduce(apply, pages)
      write(jobs, before, pages)
      if (losesState) for (const job of jobs) job.forgetState()
      const results = await Promise.all(order.map((number) => run(number, { client: client() })))
      expect(results.flatMap(openOf)).toEqual([])
      expect(asPages(service.articles().map(toHeld))).toEqual(asWanted(pages))
      await expectNothingToDo(service, order, run, pages.size)
    }
  })
  await fc.assert(property, RUNS)
})

const TEN: Files = Object.fromEntries(
  Array.from({ length: 10 }, (_, index) => [`content/page-${index}.md`, article(`Page ${index}`)]),
)
const NUMBERS = [1, 2, 3]

function startSynced(config: KbConfig = {}) {
  const service = createMemoryService({ extensions: ['update', 'ids'] })
  const jobs = NUMBERS.map(() => createMemoryCheckout(service, TEN, config))
  const inShard = (number: number, options: Partial<SyncContentOptions> = {}) =>
    (jobs[number - 1] as MemoryCheckout).sync({ shard: { number, count: 3 }, ...options })
  return { service, jobs, inShard }
}

test('the limit of deletions is for all shards together', async () => {
  const { service, jobs, inShard } = startSynced()
  for (const number of NUMBERS) await inShard(number)
  for (const job of jobs) job.remove(...[1, 2, 3, 4].map((index) => `content/page-${index}.md`))
  const prune = { prune: true, maxDeletes: { kind: 'count', count: 3 } } as const
  for (const number of NUMBERS) {
    expect((await inShard(number, prune)).guard).toMatch(/^4 of 10 articles would be deleted, more than /)
  }
  expect(service.articles()).toHaveLength(10)
  const allowed = { ...prune, maxDeletes: { kind: 'count', count: 4 } } as const
  const deleted = []
  for (const number of NUMBERS) deleted.push((await inShard(number, allowed)).summary.deleted)
  expect(deleted.reduce((sum, count) => sum + count, 0)).toBe(4)
  expect(service.articles()).toHaveLength(6)
})

test('shards of one folder keep their own state, and begin with that of a run of everything', async () => {
  const service = createMemoryService({ extensions: ['update', 'ids'] })
  const checkout = createMemoryCheckout(service, TEN)
  await checkout.sync()
  service.forget()
  const results = await Promise.all(NUMBERS.map((number) => checkout.sync({ shard: { number, count: 3 } })))
  expect(results.map(({ failure }) => failure)).toEqual([undefined, undefined, undefined])
  expect(results.reduce((sum, { summary }) => sum + summary.unchanged, 0)).toBe(10)
  expect(service.requests.filter((each) => each.startsWith('GET /api/v2/articles/'))).toEqual([])
  const names = readdirSync(checkout.path('.kb/state')).map((name) => name.replace(/^[0-9a-f]{32}/, ''))
  const ofShards = names.filter((name) => name.includes('-of-'))
  // No mark: no shard believes that everything was sent.
  expect(ofShards.toSorted()).toEqual(['-1-of-3.ndjson', '-2-of-3.ndjson', '-3-of-3.ndjson'])
})

test('categories and tags are updated by the first shard, and articles wait for no other', async () => {
  const { service, jobs, inShard } = startSynced({ sync: { taxonomy: 'update' } })
  for (const job of jobs)
    job.write({ 'content/_categories.yml': '- name: Guides\n  slug: guides\n  priority: 7\n' })
  const last = await inShard(3)
  expect([last.taxonomy.updated, last.summary.created > 0, last.failure]).toEqual([0, true, undefined])
  expect((await inShard(1)).taxonomy.updated).toBe(1)
  expect((await inShard(2)).taxonomy.updated).toBe(0)
  expect(service.articles()).toHaveLength(10)
})

test('on the built-in server, the shards create what is missing together', PATIENCE, async () => {
  const { root } = createProject({
    ...TEN,
    'content/_categories.yml': '- name: Guides\n  slug: guides\n',
    'content/_tags.yml': '- name: Safety\n  slug: safety\n',
  })
  const inShard = (number: number) => syncInProcess(root, { shard: { number, count: 3 }, prune: true })
  const results = await Promise.all(NUMBERS.map(inShard))
  expect(results.map((result) => openOf(result))).toEqual([[], [], []])
  const sum = (of: (result: SyncResult) => number) => results.reduce((total, each) => total + of(each), 0)
  expect([sum(({ summary }) => summary.created), sum(({ taxonomy }) => taxonomy.created)]).toEqual([10, 2])
  // No shard believes that everything was sent.
  expect(results.map(({ unrecorded }) => unrecorded)).toEqual(
    NUMBERS.map(() => 'the run covered only some articles'),
  )
  const whole = await syncInProcess(root)
  expect(outcomeOf(whole)).toEqual({ unchanged: 10 })
})
