// Syncs with a service that supports only the documented API.
import { expect, test } from 'vitest'
import { article, type Files, manyArticles } from '../support/project.ts'
import { type ServiceHabits, type StrictService, startStrictService } from '../support/strict-service.ts'
import { createSyncProject, outcomeOf, type SyncProject } from '../support/sync-project.ts'

const THREE: Files = {
  'content/first.md': article('First', { body: "It's the first, see [the second](second.md)." }),
  'content/second.md': article('Second', { status: 'published', order: 3, excerpt: 'Short.' }),
  'content/third.md': article('Third', { categories: ['Guides/Accounts'], hideFromSearch: true }),
}

async function start(habits: ServiceHabits = {}): Promise<{ service: StrictService; project: SyncProject }> {
  const service = await startStrictService(habits)
  return { service, project: createSyncProject(service.url, THREE) }
}

async function startSynced(habits?: ServiceHabits) {
  const started = await start(habits)
  expect(outcomeOf(await started.project.sync())).toMatchObject({ created: 3 })
  started.service.forget()
  return started
}

const writes = ({ requests }: StrictService) => requests.filter((each) => !/^(GET|OPTIONS)/.test(each))

test('everything is created as the API requires', async () => {
  const { service, project } = await start()
  expect(outcomeOf(await project.sync())).toEqual({
    created: 3,
    operations: ['create first.md done', 'create second.md done', 'create third.md done'],
  })
  const [guides, accounts] = service.categories().map(({ id }) => id)
  expect(service.articleAt('second')).toEqual({
    ...service.articleAt('second'),
    title: 'Second',
    content: expect.stringMatching(/^<p>Text of Second\.<\/p>\n<!--kb1\.64656d6f\.[0-9a-f.]+-->\n$/),
    excerpt: 'Short.',
    order: 3,
    status: 'published',
    categoryIds: [guides],
    hideFromSearch: false,
    reviewDate: '2026-08-28',
  })
  expect(service.articleAt('third')).toMatchObject({
    categoryIds: [accounts],
    hideFromSearch: true,
    excerpt: 'Text of Third.',
  })
  expect(service.articleAt('first').content).toContain('<a href="/articles/second">the second</a>')
})

const HABITS: readonly (readonly [string, ServiceHabits])[] = [
  ['allows two of one slug', {}],
  ['refuses a taken slug with 409', { duplicateSlugs: 'refused-409' }],
  ['refuses a taken slug with 200', { duplicateSlugs: 'refused-200' }],
  ['changes a taken slug', { duplicateSlugs: 'suffixed' }],
  ['strips comments', { stripsComments: true }],
  ['rewrites HTML', { rewritesHtml: true }],
  ['leaves out members', { isSparse: true }],
  ['has numeric ids', { numericIds: true }],
  ['has lists that lag', { listLag: 2 }],
]

test.each(HABITS)('a service that %s: created, unchanged, recognised, replaced', async (_, habits) => {
  const { service, project } = await startSynced(habits)
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 3 })
  project.forgetState()
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 3 })
  expect(writes(service)).toEqual([])

  project.write({ 'content/second.md': article('Second', { body: 'New.' }) })
  expect(outcomeOf(await project.sync())).toEqual({
    replaced: 1,
    unchanged: 2,
    operations: ['replace second.md done'],
  })
  service.forget()
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 3 })
  expect(writes(service)).toEqual([])
  expect(
    service
      .articles()
      .map(({ slug }) => slug)
      .toSorted(),
  ).toEqual(['first', 'second', 'third'])
  expect(service.articleAt('second').content).toContain('>New.</p>')
})

test('the default review dates of many new articles are spread, and the next run has nothing to do', async () => {
  const { service, project } = await start()
  project.write(manyArticles(200))
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 203 })
  const dates = service.articles().map(({ reviewDate }) => reviewDate)
  const counts = new Map(dates.map((date) => [date, dates.filter((each) => each === date).length]))
  expect([...counts.keys()].toSorted().at(0)).toBe('2026-08-28')
  expect([...counts.keys()].toSorted().at(-1)).toBe('2026-10-27')
  expect(Math.max(...counts.values())).toBeLessThan(12)
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 203 })
  project.forgetState()
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 203 })
})

test('an unchanged run of 200 documents takes at most six requests', async () => {
  const service = await startStrictService()
  const project = createSyncProject(service.url, manyArticles(200))
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 200 })
  service.forget()
  const result = await project.sync()
  expect(outcomeOf(result)).toEqual({ unchanged: 200 })
  expect(service.requests.length).toBeLessThanOrEqual(6)
  expect(result.requests).toEqual({ GET: service.requests.length })
})

test('a plan sends nothing', async () => {
  const { service, project } = await start()
  expect(outcomeOf(await project.plan())).toMatchObject({ created: 3 })
  expect(writes(service)).toEqual([])
})

test('an empty content folder does not delete everything', async () => {
  const { service, project } = await startSynced()
  project.remove(...Object.keys(THREE))
  const { guard, summary } = await project.sync({ prune: true, yes: true })
  expect(guard).toMatch(/^The content folder has no articles\. /)
  expect(summary).toMatchObject({ deleted: 0, orphans: 0, skipped: 3 })
  expect(service.articles()).toHaveLength(3)
})

test('articles in a language that the target does not accept still count as articles of the folder', async () => {
  const { service, project } = await startSynced()
  project.remove(...Object.keys(THREE))
  project.write({ 'content/un.md': article('Un', { language: 'fr' }) })
  const { guard, summary } = await project.sync({ prune: true, yes: true })
  expect(guard).toBe(
    'This target accepts none of the articles in the content folder, so nothing was deleted, even with --yes.',
  )
  expect(summary).toMatchObject({ deleted: 0, skipped: 4 })
  expect(service.articles()).toHaveLength(3)
})

test('a run that the target rejects counts nothing as sent, and no guard reports it', async () => {
  const { service, project } = await startSynced()
  project.write({ 'content/first.md': article('First', { body: 'New.' }) })
  project.write({ 'content/second.md': article('Second', { categories: ['Nowhere'] }) })
  project.remove('content/third.md')
  const expected = {
    skipped: 2,
    operations: [
      'replace first.md skipped: nothing is sent while the content has errors',
      'delete-orphan third skipped: nothing is sent while the content has errors',
    ],
    diagnostics: ['category-unknown'],
  }
  const asked = { prune: true, yes: true }
  const first = await project.plan(asked)
  expect(outcomeOf(first)).toEqual(expected)
  expect(outcomeOf(await project.sync(asked))).toEqual(expected)
  expect(service.articles()).toHaveLength(3)

  // No category resolves, but the folder has articles.
  project.write({ 'content/first.md': article('First', { categories: ['Nowhere'] }) })
  expect(outcomeOf(await project.sync(asked))).toMatchObject({
    skipped: 1,
    diagnostics: ['category-unknown'],
  })
  expect(outcomeOf(await project.sync(asked))).not.toHaveProperty('guard')
  expect(writes(service)).toEqual([])
})

test('a run does not record that nothing changed if someone else wrote to the database', async () => {
  const { project } = await start()
  let revision = 7
  const result = await project.sync({ readRevision: () => Promise.resolve(revision++) })
  expect(result.unrecorded).toBe(
    'another program wrote to the database during the run (its revision is 8 instead of 7)',
  )
  expect((await project.sync({ readRevision: () => Promise.resolve(9) })).unrecorded).toMatch(
    /^files were changed/,
  )
  expect(await project.sync()).not.toMatchObject({ unrecorded: expect.anything() })
})
