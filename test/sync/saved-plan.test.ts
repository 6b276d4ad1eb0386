// A saved plan is executed as it was shown, or not at all.
import { existsSync } from 'node:fs'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { KbError } from '../../src/core/errors/kb-error.ts'
import { readSavedPlan, writeSavedPlan } from '../../src/sync/saved/saved-plan-file.ts'
import { optionsOfPlan } from '../../src/sync/saved/saved-plan-options.ts'
import type { SavedPlan } from '../../src/sync/plan/saved/saved-plan.ts'
import type { SyncContentOptions } from '../../src/sync/sync-options.ts'
import { article, type Files } from '../support/project.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'
import { type ServiceHabits, type StrictService, startStrictService } from '../support/strict-service.ts'
import { createSyncProject, outcomeOf, type SyncProject } from '../support/sync-project.ts'

const THREE: Files = {
  'content/first.md': article('First'),
  'content/second.md': article('Second'),
  'content/third.md': article('Third'),
}

const writes = ({ requests }: StrictService) => requests.filter((each) => !/^(GET|OPTIONS)/.test(each))

async function startSynced(habits?: ServiceHabits, files: Files = THREE) {
  const service = await startStrictService(habits)
  const project = createSyncProject(service.url, files)
  await project.sync()
  service.forget()
  return { service, project }
}

async function save(project: SyncProject, options: Partial<SyncContentOptions> = {}): Promise<SavedPlan> {
  const { savedPlan } = await project.plan({ ...options, savesPlan: true })
  if (savedPlan === undefined) throw new Error('no plan was made')
  return savedPlan
}

const runSaved = (project: SyncProject, plan: SavedPlan, options: Partial<SyncContentOptions> = {}) =>
  project.sync({ savedPlan: { file: 'plan.json', plan }, ...optionsOfPlan(plan, false), ...options })

const outdated = (...lines: string[]) =>
  expect.objectContaining({
    code: 'PLAN_OUTDATED',
    message: ['The plan in plan.json is out of date, so nothing was sent:', ...lines].join('\n  '),
    hint: 'Run kb plan --out plan.json again, and review the plan.',
  }) as unknown

const changeFiles = (project: SyncProject) =>
  project.write({
    'content/second.md': article('Second', { body: 'Changed in the file.' }),
    'content/fourth.md': article('Fourth'),
  })

test('a plan is executed, even from a fresh checkout and on another day', async () => {
  const { service, project } = await startSynced()
  changeFiles(project)
  const plan = await save(project)
  project.forgetState()
  const now = () => new Date('2026-03-02T00:00:01Z')
  const result = await runSaved(project, plan, { now })
  expect(outcomeOf(result)).toEqual({
    created: 1,
    replaced: 1,
    unchanged: 2,
    operations: ['create fourth.md done', 'replace second.md done'],
  })
  expect(result.savedPlan).toEqual(plan)
  expect(service.articles().map(({ slug }) => slug)).toEqual(['first', 'third', 'fourth', 'second'])
})

test('a saved plan takes as many requests as any sync, and a read of each article to change', async () => {
  const [held, plain] = [await startSynced(), await startSynced()]
  changeFiles(held.project)
  changeFiles(plain.project)
  const plan = await save(held.project)
  const { requests } = await runSaved(held.project, plan)
  const others = (await plain.project.sync()).requests
  expect(requests).toEqual({ ...others, GET: (others['GET'] ?? 0) + 1 })
})

test('the same files and target result in the same plan except for the time', async () => {
  const { service, project } = await startSynced()
  changeFiles(project)
  const plan = await save(project)
  const later = await save(project, { now: () => new Date('2026-03-09T00:00:00Z') })
  project.forgetState()
  expect([later, await save(project)]).toEqual([{ ...plan, madeAt: '2026-03-09T00:00:00.000Z' }, plan])
  expect(plan).toEqual({
    format: 'kb-sync plan',
    version: 2,
    madeAt: '2026-03-01T12:00:00.000Z',
    project: 'demo',
    target: {
      name: 'default',
      address: service.url,
      identity: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    },
    options: {
      prune: false,
      onConflict: 'fail',
      adopt: [],
      maxDeletes: { kind: 'share', share: 0.1 },
      yes: false,
      sources: null,
      verify: false,
      taxonomy: 'check',
    },
    operations: [
      savedArticle('fourth', { action: 'create', restsOn: undefined }),
      savedArticle('second', { action: 'replace', id: expect.stringMatching(/^id-/) as string }),
    ],
    unchanged: { articles: 2, taxonomy: 0 },
    orphans: 0,
    guard: null,
  })
})

function savedArticle(slug: string, changes: object) {
  const digest = expect.stringMatching(/^[0-9a-f]{32}$/) as string
  const subject = { kind: 'article', source: `${slug}.md`, slug, language: null }
  return { ...subject, sends: digest, content: digest, restsOn: digest, ...changes }
}

test('nothing is sent if files or target have changed', async () => {
  const { service, project } = await startSynced()
  changeFiles(project)
  const plan = await save(project)
  project.write({ 'content/fourth.md': article('Fourth', { body: 'Changed again.' }) })
  await expect(runSaved(project, plan)).rejects.toEqual(
    outdated('fourth.md: the file, or one that it uses, was edited since'),
  )
  changeFiles(project)
  service.edit('second', { content: `${service.articleAt('second').content}<p>More</p>` })
  await expect(runSaved(project, plan)).rejects.toEqual(
    outdated(
      'second.md: to be replaced in the plan; now it would be left alone as a conflict (it was edited on the target)',
    ),
  )
  project.write({ 'content/fifth.md': article('Fifth') })
  project.remove('content/fourth.md')
  await expect(runSaved(project, plan)).rejects.toEqual(
    outdated(
      'fifth.md: not in the plan; now it would be created',
      'second.md: to be replaced in the plan; now it would be left alone as a conflict (it was edited on the target)',
      'fourth.md: to be created in the plan; now there is nothing to do',
    ),
  )
  expect(writes(service)).toEqual([])
})

test('an edit is detected even if it was planned to be overwritten', async () => {
  const { service, project } = await startSynced()
  changeFiles(project)
  service.edit('second', { title: 'Second, edited' })
  const plan = await save(project, { onConflict: 'overwrite' })
  service.edit('second', { title: 'Second, edited again' })
  await expect(runSaved(project, plan)).rejects.toMatchObject({
    message: expect.stringMatching(
      /:\n {2}second\.md: the article was edited on the target since$/,
    ) as string,
    hint: 'Run kb plan --on-conflict overwrite --out plan.json again, and review the plan.',
  })
  expect(writes(service)).toEqual([])
})

test('an orphan is named by the title of its article', async () => {
  const { project } = await startSynced()
  const plan = await save(project, { prune: true })
  project.remove('content/second.md')
  await expect(runSaved(project, plan)).rejects.toEqual(
    expect.objectContaining({
      message: expect.stringContaining('\n  "Second": not in the plan; now it would be deleted') as string,
    }),
  )
})

test('a plan is outdated if another run has already executed it', async () => {
  const { service, project } = await startSynced()
  changeFiles(project)
  const plan = await save(project)
  await project.sync()
  service.forget()
  await expect(runSaved(project, plan)).rejects.toEqual(
    outdated(
      'fourth.md: to be created in the plan; now there is nothing to do',
      'second.md: to be replaced in the plan; now there is nothing to do',
    ),
  )
  expect(writes(service)).toEqual([])
})

test('the fix repeats the options of the plan', async () => {
  const { project } = await startSynced()
  changeFiles(project)
  const isSelected = (source: string) => source === 'second.md' || source === "it's.md"
  const given = { adopt: ['two words', 'b'], onConflict: 'skip', verify: true, yes: true } as const
  const some = { ...given, sources: ['second.md', "it's.md"], isSelected }
  const all = { prune: true, maxDeletes: { kind: 'share', share: 29 / 100 } } as const
  const commandOf = async (options: Partial<SyncContentOptions>) => {
    changeFiles(project)
    const plan = await save(project, options)
    project.write({ 'content/second.md': article('Second', { body: 'Changed again.' }) })
    const refused = await runSaved(project, plan, options).catch((error: unknown) => error)
    return refused instanceof KbError ? refused.hint : refused
  }
  expect([await commandOf(some), await commandOf(all), await commandOf({})]).toEqual([
    String.raw`Run kb plan 'content/it'\''s.md' content/second.md --on-conflict skip --adopt b --adopt 'two words' --verify --yes --out plan.json again, and review the plan.`,
    'Run kb plan --prune --max-deletes 29% --out plan.json again, and review the plan.',
    'Run kb plan --out plan.json again, and review the plan.',
  ])
})

test('many differences are counted', async () => {
  const { project } = await startSynced()
  const plan = await save(project)
  const names = Array.from({ length: 7 }, (_, index) => `page-${index}.md`)
  project.write(Object.fromEntries(names.map((name) => [`content/${name}`, article(name)])))
  await expect(runSaved(project, plan)).rejects.toEqual(
    outdated(
      ...names.slice(0, 5).map((name) => `${name}: not in the plan; now it would be created`),
      'and 2 more',
    ),
  )
})

test('too many deletions are held back as in any sync, unless they are allowed', async () => {
  const { service, project } = await startSynced()
  project.remove('content/second.md', 'content/third.md')
  const plan = await save(project, { prune: true })
  expect(plan).toMatchObject({ orphans: 2, guard: expect.stringContaining('2 of 3 articles') as string })
  const held = await runSaved(project, plan)
  const guard = plan.guard?.replace('a sync would delete nothing', 'nothing was deleted')
  expect([held.summary.deleted, held.guard]).toEqual([0, guard])
  expect(writes(service)).toEqual([])
  const done = await runSaved(project, plan, optionsOfPlan(plan, true))
  expect([done.summary.deleted, done.guard]).toEqual([2, undefined])
})

test('a plan for some articles ignores others', async () => {
  const { service, project } = await startSynced()
  changeFiles(project)
  const isSelected = (source: string) => source === 'second.md'
  const plan = await save(project, { sources: ['second.md'], isSelected })
  expect(plan.options.sources).toEqual(['second.md'])
  project.write({ 'content/third.md': article('Third', { body: 'Not meant.' }) })
  expect(outcomeOf(await runSaved(project, plan, { isSelected }))).toMatchObject({ replaced: 1 })
  expect(service.articleAt('third').content).not.toContain('Not meant.')
})

test('a change of categories on the target is detected', async () => {
  const categories = (priority: number) => ({
    'content/_categories.yml': `- name: Guides\n  slug: guides\n  priority: ${priority}\n`,
  })
  const { service, project } = await startSynced({}, { ...THREE, ...categories(0) })
  project.write(categories(4))
  const plan = await save(project)
  expect(plan.operations).toMatchObject([{ kind: 'category', action: 'skip', slug: 'guides' }])
  project.write(categories(0))
  await expect(runSaved(project, plan)).rejects.toEqual(
    outdated('category guides: to be skipped in the plan; now there is nothing to do'),
  )
  expect(writes(service)).toEqual([])
})

test('content with errors results in no plan', async () => {
  const { project } = await startSynced()
  project.write({ 'content/broken.md': '---\ntitel: Broken\n---\n' })
  expect((await project.plan({ savesPlan: true })).savedPlan).toBeUndefined()
  project.remove('content/broken.md')
  project.write({ 'content/lost.md': article('Lost', { categories: ['Nowhere'] }) })
  const result = await project.plan({ savesPlan: true })
  expect([result.diagnostics.map(({ code }) => code), result.savedPlan]).toEqual([
    ['category-unknown'],
    undefined,
  ])
})

test('a plan is read as it was written', async () => {
  const { project } = await startSynced()
  changeFiles(project)
  const plan = await save(project)
  await writeSavedPlan('plan.json', project.path('plan.json'), plan)
  expect(await readSavedPlan('plan.json', project.path('plan.json'))).toEqual(plan)
})

test.each([
  ['{"format": "kb-sync plan", "vers', 'plan.json is not a plan of kb-sync, or is damaged:'],
  ['[]', 'plan.json is not a plan of kb-sync.'],
  ['null', 'plan.json is not a plan of kb-sync.'],
  ['{"version": 1}', 'plan.json is not a plan of kb-sync.'],
  [
    '{"format": "kb-sync plan", "version": 1}',
    'The plan in plan.json has version 1, and this kb-sync reads version 2. Nothing was sent.',
  ],
  ['{"format": "kb-sync plan", "version": 2}', 'The plan in plan.json is damaged (at madeAt:'],
])('%s is not a plan', async (text, message) => {
  const { project } = await startSynced()
  project.write({ 'plan.json': text })
  await expect(readSavedPlan('plan.json', project.path('plan.json'))).rejects.toMatchObject({
    code: 'PLAN_INVALID',
    message: expect.stringContaining(message) as string,
  })
})

// In any situation, a plan is executed if nothing changes, and after one change only if the plan does not depend on it.

interface Change {
  readonly what: keyof typeof CHANGES
  readonly name: string
  readonly salt: number
}

const CHANGES = {
  'write a file': ({ name, salt }: Change, project: SyncProject) => {
    project.write({ [`content/${name}.md`]: article(name, { body: `Written ${salt}.` }) })
  },
  'remove a file': ({ name }: Change, project: SyncProject) => {
    if (readFile(project, name) !== undefined) project.remove(`content/${name}.md`)
  },
  'write the categories': ({ salt }: Change, project: SyncProject) => {
    project.write({ 'content/_categories.yml': `- name: Guides\n  slug: guides\n  priority: ${salt % 3}\n` })
  },
  'edit a text on the target': ({ name, salt }: Change, _: SyncProject, service: StrictService) => {
    const stored = findStored(service, name)
    if (stored !== undefined) service.edit(name, { content: `${stored.content}<p>Edited ${salt}</p>` })
  },
  'edit a title on the target': ({ name, salt }: Change, _: SyncProject, service: StrictService) => {
    if (findStored(service, name) !== undefined) service.edit(name, { title: `Edited ${salt}` })
  },
  'delete an article on the target': ({ name }: Change, _: SyncProject, service: StrictService) => {
    if (findStored(service, name) !== undefined) service.drop(name)
  },
}

function readFile(project: SyncProject, name: string): string | undefined {
  return existsSync(project.path(`content/${name}.md`)) ? project.read(`content/${name}.md`) : undefined
}

function findStored(service: StrictService, name: string) {
  return service.articles().find(({ slug }) => slug === name)
}

const changes: fc.Arbitrary<Change> = fc.record({
  what: fc.constantFrom(...(Object.keys(CHANGES) as (keyof typeof CHANGES)[])),
  name: fc.constantFrom('first', 'second', 'fourth'),
  salt: fc.nat(1000),
})

const habits = fc.record({
  extensions: fc.constantFrom<('update' | 'languages')[]>([], ['update']),
  stripsComments: fc.boolean(),
  rewritesHtml: fc.boolean(),
})

type ServiceKind = typeof habits extends fc.Arbitrary<infer Kind> ? Kind : never
interface Choice {
  readonly prune: boolean
  readonly onConflict: 'fail' | 'overwrite'
}

const RUNS = readRuns('HISTORIES', 12)

const WRITE: Change = { what: 'write a file', name: 'first', salt: 1 }
/** A valid and an invalid example, even with few random ones. */
const EXAMPLES = [null, { ...WRITE, salt: 2 }].map(
  (after): [ServiceKind, Change[], Change | null, Choice] => [
    { extensions: [], stripsComments: false, rewritesHtml: false },
    [WRITE],
    after,
    { prune: false, onConflict: 'fail' },
  ],
)

test('a plan of any situation is valid until something in it changes', timeoutOf(RUNS, 4000), async () => {
  let refused = 0
  let executed = 0
  await fc.assert(
    fc.asyncProperty(
      habits,
      fc.array(changes, { minLength: 1, maxLength: 4 }),
      fc.option(changes),
      fc.record<Choice>({ prune: fc.boolean(), onConflict: fc.constantFrom('fail', 'overwrite') }),
      async (kind, before, after, chosen) => {
        const { service, project } = await startSynced(kind)
        for (const each of before) CHANGES[each.what](each, project, service)
        const options = { ...chosen, maxDeletes: { kind: 'count', count: 9 } } as const
        const plan = await save(project, options)
        const isTouched = after !== null && touches(after, plan, project, service)
        const now = await save(project, options)
        const holds = JSON.stringify(withoutReasons(now)) === JSON.stringify(withoutReasons(plan))
        if (after === null || isTouched) expect(holds).toBe(after === null)
        service.forget()
        const result = await runSaved(project, plan).catch((error: unknown) => error)
        if (holds) {
          executed++
          expect(result).toMatchObject({ failure: undefined, guard: undefined, savedPlan: plan })
          const { operations } = result as Awaited<ReturnType<typeof runSaved>>
          const failed = operations.filter(({ outcome }) => outcome === 'failed')
          expect([operations.length, failed]).toEqual([plan.operations.length, []])
        } else {
          refused++
          expect(result).toMatchObject({ code: 'PLAN_OUTDATED' })
          expect(writes(service)).toEqual([])
        }
      },
    ),
    { ...RUNS, numRuns: RUNS.numRuns + EXAMPLES.length, examples: EXAMPLES },
  )
  expect([refused, executed].map((count) => count > 0)).toEqual([true, true])
})

/** Makes the change. Returns true if the plan certainly depends on it. */
function touches(change: Change, plan: SavedPlan, project: SyncProject, service: StrictService): boolean {
  const [text, stored] = [readFile(project, change.name), findStored(service, change.name)]
  CHANGES[change.what](change, project, service)
  const isPlanned = plan.operations.some(({ id, action }) => id === stored?.id && action !== 'skip')
  return readFile(project, change.name) !== text && change.what === 'write a file'
    ? true
    : isPlanned && findStored(service, change.name) !== stored
}

function withoutReasons({ operations }: SavedPlan) {
  return operations.map((operation) => ({ ...operation, reason: undefined }))
}
