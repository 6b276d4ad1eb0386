// Several jobs that each execute one shard of a saved plan have the same result as one run, in any order, at the same
// time, and if they are killed and run again.
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { KbError } from '../../src/core/errors/kb-error.ts'
import { optionsOfPlan } from '../../src/sync/saved/saved-plan-options.ts'
import type { SavedPlan } from '../../src/sync/plan/saved/saved-plan.ts'
import type { SyncContentOptions, SyncResult } from '../../src/sync/sync-options.ts'
import { startBuiltinService } from '../support/builtin-service.ts'
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
import { createMemoryCheckout, heldBy, type MemoryCheckout, writesTo } from '../support/memory-project.ts'
import { createMemoryService, type MemoryService } from '../support/memory-service.ts'
import { article, createProject, type Files, manyArticles } from '../support/project.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'
import type { ServiceHabits } from '../support/strict-service.ts'
import { createSyncProject, outcomeOf, type RunOptions, type SyncProject } from '../support/sync-project.ts'
import { syncInProcess } from '../support/sync-in-process.ts'

const RUNS = readRuns('HISTORIES', 4)
const PATIENCE = timeoutOf(RUNS, 8000)
const COUNT = 3
const NUMBERS = [1, 2, 3]

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

const hasLanguages = ({ extensions = [] }: ServiceHabits) => extensions.includes('languages')

const EMPTY: Files = { 'content/.keep': '' }

async function save(project: SyncProject, options: Partial<SyncContentOptions> = {}): Promise<SavedPlan> {
  const { savedPlan } = await project.plan({ prune: true, yes: true, ...options, savesPlan: true })
  if (savedPlan === undefined) throw new Error('no plan was made')
  return savedPlan
}

/** The options of a run of one shard. */
function shardOf(plan: SavedPlan, number: number, count = COUNT): Partial<SyncContentOptions> {
  return { savedPlan: { file: 'plan.json', plan, shard: { number, count } }, ...optionsOfPlan(plan, false) }
}

function write(checkout: SyncProject, before: ReadonlyMap<string, Page>, pages: ReadonlyMap<string, Page>) {
  checkout.remove(...[...before.keys()].map((name) => `content/${name}`))
  checkout.write(toFiles(pages))
}

function openOf({ operations, failure, guard, diagnostics, orphans }: SyncResult) {
  const open = operations.filter(({ outcome }) => outcome !== 'done')
  return [...open, ...diagnostics, ...orphans, failure, guard].filter((each) => each !== undefined)
}

const nameOf = ({ kind, action, source = '', slug, language, id = '' }: SavedPlan['operations'][number]) =>
  `${kind} ${action} ${source} ${slug} ${language} ${action.startsWith('delete') ? id : ''}`

/** One run of the pipeline: a plan, and the jobs that execute it. */
interface Push {
  readonly edits: readonly Edit[]
  readonly losesState: boolean
  /** The order, if they run one after the other. */
  readonly order: readonly number[]
  readonly atOnce: number | undefined
  /** By job: the number of requests before it is killed, and the start of its next run. */
  readonly kills: readonly {
    readonly number: number
    readonly after: number
    readonly keepsJournal: boolean
  }[]
}

function pushesWith(habits: ServiceHabits, kills: fc.Arbitrary<Push['kills']>): fc.Arbitrary<Push[]> {
  return fc.array(
    fc.record({
      edits: fc.array(hasLanguages(habits) ? anyEdit : plainEdit, { maxLength: 9 }),
      losesState: fc.boolean(),
      order: fc.shuffledSubarray(NUMBERS, { minLength: COUNT }),
      atOnce: fc.option(fc.nat(), { nil: undefined }),
      kills,
    }),
    { minLength: 1, maxLength: 5 },
  )
}

/** A client whose requests take some turns, so that those of others come in between. */
function slowClient(service: MemoryService, seed: number): NonNullable<RunOptions['client']> {
  const lots = drawLots(seed)
  const pause = async () => {
    for (let turn = Math.floor(lots() * 4); turn > 0; turn--)
      await new Promise((resolve) => setImmediate(resolve))
  }
  return { send: service.connect(new Map(), pause), sleep: () => Promise.resolve() }
}

async function runShards(
  service: MemoryService,
  jobs: readonly MemoryCheckout[],
  plan: SavedPlan,
  { order, atOnce }: Pick<Push, 'order' | 'atOnce'>,
): Promise<SyncResult[]> {
  const run = (number: number, options?: RunOptions) =>
    (jobs[number - 1] as MemoryCheckout).sync({ ...shardOf(plan, number), ...options })
  if (atOnce !== undefined)
    return Promise.all(order.map((number) => run(number, { client: slowClient(service, atOnce + number) })))
  const results = []
  for (const number of order) results.push(await run(number))
  return results
}

function createPipeline(habits: ServiceHabits) {
  const service = createMemoryService(habits)
  const create = () => createMemoryCheckout(service, EMPTY)
  return { service, jobs: NUMBERS.map(create), planner: create() }
}

/** Makes each push in all checkouts, and a plan of it in the last one. */
async function* planEach(pushes: readonly Push[], checkouts: readonly MemoryCheckout[]) {
  let pages: ReadonlyMap<string, Page> = new Map()
  for (const push of pushes) {
    const before = pages
    pages = push.edits.reduce(apply, pages)
    for (const checkout of checkouts) write(checkout, before, pages)
    if (push.losesState) for (const checkout of checkouts) checkout.forgetState()
    yield { push, pages, plan: await save(checkouts.at(-1) as MemoryCheckout) }
  }
}

test.each(HABITS)(
  'each shard executes its part of the plan, on a service that %s',
  PATIENCE,
  async (_, habits) => {
    expect.hasAssertions()
    const property = fc.asyncProperty(pushesWith(habits, fc.constant([])), async (pushes) => {
      const { service, jobs, planner } = createPipeline(habits)
      for await (const { push, pages, plan } of planEach(pushes, [...jobs, planner])) {
        const results = await runShards(service, jobs, plan, push)
        expect(results.flatMap(openOf)).toEqual([])
        const done = results.flatMap(({ operations }) => operations.map(nameOf))
        const planned = plan.operations.map(nameOf)
        expect(done.toSorted()).toEqual(planned.toSorted())
        expect(asPages(service.articles().map(toHeld))).toEqual(asWanted(pages))
        // Whatever its job was, a full run finds nothing to do, and records that.
        await expectNothingToDo(service, [...jobs, planner])
      }
    })
    await fc.assert(property, RUNS)
  },
)

async function expectNothingToDo(
  service: MemoryService,
  checkouts: readonly MemoryCheckout[],
): Promise<void> {
  service.forget()
  for (const checkout of checkouts)
    expect(openOf(await checkout.sync({ prune: true, yes: true }))).toEqual([])
  expect(writesTo(service)).toEqual([])
}

const kills: fc.Arbitrary<Push['kills']> = fc.array(
  fc.record({ number: fc.constantFrom(...NUMBERS), after: fc.nat(25), keepsJournal: fc.boolean() }),
  { minLength: 1, maxLength: 3 },
)

test.each(HABITS)('killed jobs are run again, on a service that %s', PATIENCE, async (_, habits) => {
  expect.hasAssertions()
  const property = fc.asyncProperty(pushesWith(habits, kills), async (pushes) => {
    const { service, jobs, planner } = createPipeline(habits)
    for await (const { push, pages, plan } of planEach(pushes, [...jobs, planner])) {
      for (const { number, after, keepsJournal } of push.kills) {
        const job = jobs[number - 1] as MemoryCheckout
        await job.meet([[after, after % 2 === 0 ? 'killed-before' : 'killed-after']], shardOf(plan, number))
        if (!keepsJournal) job.remove('.kb')
      }
      await finish(service, { jobs, planner, plan }, push)
      expect(asPages(service.articles().map(toHeld))).toEqual(asWanted(pages))
      await expectNothingToDo(service, [planner, ...jobs])
    }
  })
  await fc.assert(property, RUNS)
})

/** Runs all jobs again. Without a journal, the rest of a killed one may need another plan. */
async function finish(
  service: MemoryService,
  { jobs, planner, plan }: { jobs: readonly MemoryCheckout[]; planner: MemoryCheckout; plan: SavedPlan },
  push: Push,
): Promise<void> {
  const results = await Promise.allSettled(
    push.order.map(async (number) =>
      runShards(service, jobs, plan, { order: [number], atOnce: push.atOnce }),
    ),
  )
  const refused = results.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
  for (const reason of refused) expect(reason).toMatchObject({ code: 'PLAN_OUTDATED' })
  const open = results.flatMap((each) => (each.status === 'fulfilled' ? each.value.flatMap(openOf) : []))
  if (refused.length === 0 && open.length === 0) return
  expect(push.kills.some(({ keepsJournal }) => !keepsJournal)).toBe(true)
  expect(openOf(await planner.sync({ prune: true, yes: true }))).toEqual([])
}

test.each(HABITS)(
  'a late job of an older push does not change a newer one, on a service that %s',
  PATIENCE,
  async (_, habits) => {
    expect.hasAssertions()
    const edits = fc.array(hasLanguages(habits) ? anyEdit : plainEdit, { minLength: 1, maxLength: 9 })
    const property = fc.asyncProperty(
      edits,
      edits,
      edits,
      fc.nat(),
      fc.boolean(),
      async (first, older, newer, seed, hasState) => {
        const { service, jobs, planner } = createPipeline(habits)
        const start = first.reduce(apply, new Map<string, Page>())
        const old = older.reduce(apply, start)
        const pages = newer.reduce(apply, old)
        write(planner, new Map(), start)
        await planner.sync({ prune: true, yes: true })
        write(planner, start, old)
        const plan = await save(planner)
        for (const job of jobs) {
          write(job, new Map(), old)
          if (hasState) await job.plan()
        }
        // One of the jobs is on time.
        await (jobs[seed % COUNT] as MemoryCheckout).sync(shardOf(plan, (seed % COUNT) + 1))
        write(planner, old, pages)
        // Its state is older than what the job has sent.
        planner.forgetState()
        expect(openOf(await planner.sync({ prune: true, yes: true }))).toEqual([])
        const wanted = service.articles()
        const ends = await Promise.allSettled(
          NUMBERS.map((number) =>
            (jobs[number - 1] as MemoryCheckout).sync({
              ...shardOf(plan, number),
              client: slowClient(service, seed + number),
            }),
          ),
        )
        for (const end of ends) if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(KbError)
        expect(service.articles()).toEqual(expect.arrayContaining([...wanted]))
        // At most, articles that the newer push removed or never had are created again, because nothing on the target
        // shows that.
        const slugs = new Set(
          plan.operations.flatMap(({ action, slug }) => (action === 'create' ? [slug] : [])),
        )
        const more = service.articles().filter(({ id }) => !wanted.some((each) => each.id === id))
        expect(more.filter(({ slug }) => !slugs.has(slug))).toEqual([])
      },
    )
    await fc.assert(property, RUNS)
  },
)

test('concurrent jobs of two pushes result in the newer one', PATIENCE, async () => {
  expect.hasAssertions()
  const [, habits] = HABITS[3] as (typeof HABITS)[number]
  const edits = fc.array(plainEdit, { minLength: 1, maxLength: 9 })
  const property = fc.asyncProperty(edits, edits, edits, fc.nat(), async (first, older, newer, seed) => {
    const { service, jobs, planner } = createPipeline(habits)
    const newJobs = NUMBERS.map(() => createMemoryCheckout(service, EMPTY))
    const start = first.reduce(apply, new Map<string, Page>())
    const old = older.reduce(apply, start)
    const pages = newer.reduce(apply, old)
    write(planner, new Map(), start)
    await planner.sync({ prune: true, yes: true })
    write(planner, start, old)
    const oldPlan = await save(planner)
    write(planner, old, pages)
    const plan = await save(planner)
    for (const job of jobs) write(job, new Map(), old)
    for (const job of newJobs) write(job, new Map(), pages)
    const runs = [
      ...jobs.map((job, index) =>
        job.sync({ ...shardOf(oldPlan, index + 1), client: slowClient(service, seed + index) }),
      ),
      ...newJobs.map((job, index) =>
        job.sync({ ...shardOf(plan, index + 1), client: slowClient(service, seed * 2 + index) }),
      ),
    ]
    const ends = await Promise.allSettled(runs)
    const sent = ends
      .slice(COUNT)
      .flatMap((end) =>
        end.status === 'fulfilled' ? end.value.operations.filter(({ outcome }) => outcome === 'done') : [],
      )
    const held = new Map(asPages(service.articles().map(toHeld)).map((page) => [(page as Page).slug, page]))
    const wanted = new Map(asWanted(pages).map((page) => [(page as Page).slug, page]))
    for (const { action, slug } of sent) {
      if (['create', 'update', 'move'].includes(action)) expect(held.get(slug)).toEqual(wanted.get(slug))
    }
  })
  await fc.assert(property, RUNS)
})

const TEN: Files = Object.fromEntries(
  Array.from({ length: 10 }, (_, index) => [`content/page-${index}.md`, article(`Page ${index}`)]),
)

/** A service that has these files, and a checkout per job and for the planner. */
async function startSynced(files: Files = TEN, habits: ServiceHabits = { extensions: ['update', 'ids'] }) {
  const service = createMemoryService(habits)
  const planner = createMemoryCheckout(service, files)
  await planner.sync()
  const jobs = NUMBERS.map(() => createMemoryCheckout(service, files))
  const all = [planner, ...jobs]
  const run = (plan: SavedPlan, number: number, options: RunOptions = {}) =>
    (jobs[number - 1] as MemoryCheckout).sync({ ...shardOf(plan, number), ...options })
  return { service, planner, jobs, all, run }
}

const changed = (...numbers: number[]): Files =>
  Object.fromEntries(
    numbers.map((number) => [`content/page-${number}.md`, article(`Page ${number}`, { body: 'Changed.' })]),
  )

test('operations are divided evenly, and those that depend on each other stay together', async () => {
  const { planner, all, run } = await startSynced()
  for (const checkout of all) {
    checkout.write(changed(0, 1, 2, 3))
    checkout.write({
      'content/page-4.md': article('Page 4', { slug: 'page-5' }),
      'content/page-5.md': article('Page 5', { slug: 'page-4' }),
    })
    checkout.remove('content/page-6.md', 'content/page-7.md', 'content/page-8.md')
  }
  const plan = await save(planner)
  expect(plan.operations.filter(({ group }) => group !== undefined)).toMatchObject([
    { source: 'page-4.md', action: 'move', group: 'page-4.md' },
    { source: 'page-5.md', action: 'move', group: 'page-4.md' },
  ])
  const results = []
  for (const number of NUMBERS) results.push(await run(plan, number))
  expect(results.map(({ shard, summary: { updated, deleted } }) => [shard, updated, deleted])).toEqual([
    ['1/3', 3, 1],
    ['2/3', 2, 1],
    ['3/3', 1, 1],
  ])
})

test('the limit of deletions applies to the whole plan', async () => {
  const { service, planner, all, run } = await startSynced()
  for (const checkout of all) checkout.remove(...[1, 2, 3, 4].map((index) => `content/page-${index}.md`))
  const few = { yes: false, maxDeletes: { kind: 'count', count: 3 } } as const
  const held = await save(planner, few)
  for (const number of NUMBERS)
    expect((await run(held, number)).guard).toMatch(/^4 of 10 articles would be deleted, more than /)
  expect(service.articles()).toHaveLength(10)
  const deleted = []
  for (const number of NUMBERS) deleted.push((await run(held, number, { yes: true })).summary.deleted)
  expect([deleted, service.articles().length]).toEqual([[2, 1, 1], 6])
})

test('articles that a job is not sure of are read by the next run', async () => {
  const { planner, all, run, jobs } = await startSynced()
  for (const checkout of all) checkout.write(changed(0, 1, 2))
  const plan = await save(planner)
  // Each job knows the articles as they were before the others changed them.
  for (const number of NUMBERS) await run(plan, number)
  for (const checkout of all) checkout.write(TEN)
  for (const job of jobs) expect(outcomeOf(await job.plan())).toMatchObject({ updated: 3, unchanged: 7 })
})

test('an outdated state hides nothing', async () => {
  const { service, planner, jobs, run } = await startSynced()
  for (const job of jobs) await job.sync()
  planner.write(changed(0, 1, 2))
  await planner.sync()
  // Back to what the jobs know.
  planner.write(TEN)
  const plan = await save(planner)
  for (const number of NUMBERS) expect((await run(plan, number)).summary.updated).toBe(1)
  expect(heldBy(service).filter((each) => each.endsWith('Changed.'))).toEqual([])
})

test('another checkout sends nothing, even if it equals the target', async () => {
  const { service, planner, run } = await startSynced()
  planner.write(changed(0, 1, 2))
  const plan = await save(planner)
  service.forget()
  for (const number of NUMBERS)
    await expect(run(plan, number)).rejects.toMatchObject({
      code: 'PLAN_OUTDATED',
      message: `The plan in plan.json is out of date, so shard ${number}/3 sent nothing:
  page-${number - 1}.md: to be updated in the plan; now there is nothing to do`,
    })
  expect(writesTo(service)).toEqual([])
})

test('a renamed file keeps its article, whatever the other jobs have created before', async () => {
  const twins = (folder: string): Files => ({
    [`content/${folder}one.md`]: article('Twin', { slug: `${folder.replace('/', '-')}one` }),
    [`content/${folder}two.md`]: article('Twin', { slug: `${folder.replace('/', '-')}two` }),
  })
  const { service, planner, all, run } = await startSynced({ ...TEN, 'content/one.md': article('Twin') })
  for (const checkout of all) {
    checkout.remove('content/one.md')
    checkout.write(twins('new/'))
  }
  // Either of the two may be the old one, so the plan creates both.
  const plan = await save(planner)
  expect(plan.operations.map(({ action }) => action)).toEqual(['delete-orphan', 'create', 'create'])
  for (const number of [3, 1, 2]) expect((await run(plan, number)).failure).toBeUndefined()
  expect(service.articles().filter(({ title }) => title === 'Twin')).toHaveLength(2)
})

test('conflicts, copies and foreign articles are reported by one job, and stay', async () => {
  const { service, planner, all, run } = await startSynced()
  for (const checkout of all) {
    checkout.write(changed(0, 1, 2, 3))
    checkout.write({ 'content/new.md': article('New') })
    checkout.remove('content/page-4.md', 'content/page-5.md')
  }
  service.edit('page-0', { title: 'Edited on the target' })
  service.edit('page-4', { title: 'Edited on the target' })
  service.duplicate(service.articleAt('page-1').id, { slug: 'copy-of-1' })
  service.duplicate(service.articleAt('page-2').id, {
    slug: 'new',
    title: 'By hand',
    content: '<p>By hand</p>',
  })
  const plan = await save(planner)
  const results = []
  for (const number of NUMBERS) results.push(await run(plan, number))
  const reported = results.flatMap(({ operations }) => operations)
  expect(reported.map(nameOf).toSorted()).toEqual(plan.operations.map(nameOf).toSorted())
  expect(reported.filter(({ action }) => action === 'conflict').map(({ slug }) => slug)).toHaveLength(
    results.reduce((sum, { summary }) => sum + summary.conflicts, 0),
  )
  service.forget()
  planner.forgetState()
  const whole = await planner.sync({ prune: true, yes: true })
  expect(whole.operations.map(nameOf).toSorted()).toEqual(
    plan.operations
      .filter(({ action }) => ['conflict', 'skip'].includes(action))
      .map(nameOf)
      .toSorted(),
  )
  expect(writesTo(service)).toEqual([])
})

test('an article that another run changes or deletes after the check stays as it is', async () => {
  const { service, planner, jobs } = await startSynced()
  const newer = createMemoryCheckout(service, TEN)
  await newer.sync()
  const [job] = jobs as [MemoryCheckout]
  for (const checkout of [planner, job]) checkout.write(changed(0, 1, 2))
  const plan = await save(planner)
  newer.write({ 'content/page-0.md': article('Page 0', { body: 'Newer.' }) })
  newer.remove('content/page-1.md')
  const seen = new Set<string>()
  let newerRun: Promise<unknown> | undefined
  // The second read of an article is the one right before its write.
  const pause = async (path: string) => {
    const isAgain = /\/articles\/./.test(path) && seen.has(path)
    seen.add(path)
    if (isAgain) await (newerRun ??= newer.sync({ prune: true, yes: true }))
  }
  const client = { send: service.connect(new Map(), pause) }
  expect(outcomeOf(await job.sync({ ...shardOf(plan, 1, 1), client }))).toMatchObject({
    updated: 1,
    conflicts: 1,
    failed: 1,
    operations: expect.arrayContaining([
      'conflict page-0.md skipped: another run has changed it on the target since; create the plan again',
      'update page-1.md failed: another run has deleted it on the target since; create the plan again',
    ]) as string[],
  })
  expect(heldBy(service).filter((each) => /page-[012]:/.test(each))).toEqual([
    'page-0: Page 0: Newer.',
    'page-2: Page 2: Changed.',
  ])
})

test('categories and tags are updated by one job', async () => {
  const categories = (priority: number): Files => ({
    ...TEN,
    'content/_categories.yml': `- name: Guides\n  slug: guides\n  priority: ${priority}\n`,
  })
  const service = createMemoryService({ extensions: ['update', 'ids'] })
  const config = { sync: { taxonomy: 'update' } } as const
  const jobs = NUMBERS.map(() => createMemoryCheckout(service, categories(7), config))
  const planner = createMemoryCheckout(service, categories(7), config)
  const plan = await save(planner)
  const updated = []
  for (const number of [3, 1, 2, 1]) {
    const { taxonomy, failure } = await (jobs[number - 1] as MemoryCheckout).sync(shardOf(plan, number))
    expect(failure).toBeUndefined()
    updated.push(taxonomy.updated)
  }
  expect(updated).toEqual([0, 0, 1, 0])
  expect(outcomeOf(await planner.sync())).toEqual({ unchanged: 10 })
})

test('a target that removes comments does not support shards', async () => {
  const { service, planner, all, run } = await startSynced(TEN, { stripsComments: true })
  for (const checkout of all) checkout.write(changed(0, 1, 2))
  const plan = await save(planner)
  service.forget()
  await expect(run(plan, 1)).rejects.toMatchObject({ code: 'SHARD_UNSUPPORTED' })
  expect(writesTo(service)).toEqual([])
})

test('jobs of fresh checkouts read the built-in server in pages', async () => {
  const service = await startBuiltinService()
  onTestFinished(() => service.close())
  const files = manyArticles(60)
  const planner = createSyncProject(service.url, files)
  await planner.sync()
  const edited = Object.fromEntries(
    Object.keys(files)
      .slice(0, 30)
      .map((name, index) => [name, article(`Page ${index} again`)]),
  )
  planner.write(edited)
  const plan = await save(planner)
  const jobs = NUMBERS.map(() => createSyncProject(service.url, { ...files, ...edited }))
  const results = await Promise.all(jobs.map((job, index) => job.sync(shardOf(plan, index + 1))))
  expect(results.flatMap(openOf)).toEqual([])
  expect(results.map(({ summary }) => summary.updated)).toEqual([10, 10, 10])
  const fresh = createSyncProject(service.url, { ...files, ...edited })
  expect(outcomeOf(await fresh.sync({ prune: true }))).toEqual({ unchanged: 60 })
})

test('on the built-in target, jobs with one database create categories once', async () => {
  const { root } = createProject({
    ...TEN,
    'content/_categories.yml': '- name: Guides\n  slug: guides\n',
    'content/_tags.yml': '- name: Safety\n  slug: safety\n',
  })
  const { savedPlan } = await syncInProcess(root, { mode: 'plan', savesPlan: true })
  if (savedPlan === undefined) throw new Error('no plan was made')
  const results: SyncResult[] = []
  for (const number of [2, 3, 1]) results.push(await syncInProcess(root, shardOf(savedPlan, number)))
  expect(results.flatMap(openOf)).toEqual([])
  const sum = (of: (result: SyncResult) => number) => results.reduce((total, each) => total + of(each), 0)
  expect([sum(({ summary }) => summary.created), sum(({ taxonomy }) => taxonomy.created)]).toEqual([10, 2])
  // No shard concludes that everything was sent.
  expect(results.map(({ unrecorded }) => unrecorded)).toEqual(
    NUMBERS.map(() => 'the run covered only some articles'),
  )
  expect(outcomeOf(await syncInProcess(root))).toEqual({ unchanged: 10 })
})
