// A service that can change an article in place: ids stay the same, and everything that protects an article from a
// replacement still works.
import { readdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { type FaultProxy, refusal, startFaultProxy } from '../support/fault-proxy.ts'
import { article, type Files } from '../support/project.ts'
import { readRuns, shareOf } from '../support/runs.ts'
import { type ServiceHabits, type StrictService, startStrictService } from '../support/strict-service.ts'
import { createSyncProject, outcomeOf, type SyncProject } from '../support/sync-project.ts'

const THREE: Files = {
  'content/first.md': article('First'),
  'content/second.md': article('Second'),
  'content/third.md': article('Third'),
}

const isPost = (method: string) => method === 'POST'

async function startSynced(
  habits: ServiceHabits = {},
): Promise<{ service: StrictService; proxy: FaultProxy; project: SyncProject }> {
  const service = await startStrictService({
    extensions: ['update'],
    duplicateSlugs: 'refused-409',
    ...habits,
  })
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  const project = createSyncProject(proxy.url, THREE)
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 3 })
  service.forget()
  return { service, proxy, project }
}

const changeSecond = (project: SyncProject) =>
  project.write({ 'content/second.md': article('Second', { body: 'Changed in the file.' }) })

const idsByTitle = (service: StrictService) =>
  Object.fromEntries(service.articles().map(({ title, id }) => [title, id]))

const titlesBySlug = (service: StrictService) =>
  Object.fromEntries(service.articles().map(({ title, slug }) => [slug, title]))

const writes = ({ requests }: StrictService) => requests.filter((each) => !/^(GET|OPTIONS)/.test(each))

test('a changed article is updated: its id stays, and a plan shows that', async () => {
  const { service, project } = await startSynced()
  const { id, createdMs } = service.articleAt('second')
  changeSecond(project)
  expect(outcomeOf(await project.plan())).toEqual({
    updated: 1,
    unchanged: 2,
    operations: ['update second.md planned'],
  })
  service.forget()
  const result = await project.sync()
  expect(outcomeOf(result)).toEqual({ updated: 1, unchanged: 2, operations: ['update second.md done'] })
  expect(result.operations).toMatchObject([{ action: 'update', id, outcome: 'done' }])
  // Categories, dates, the article before the write, and its result on the target.
  expect(result.requests).toEqual({ OPTIONS: 1, GET: 4, POST: 1 })
  expect(service.articleAt('second')).toMatchObject({ id, createdMs, order: 0 })
  expect(service.articleAt('second').content).toContain('Changed in the file.')
  expect(service.events).toEqual([{ did: 'updated', id, slug: 'second' }])
})

test('only a run with writes asks for extensions', async () => {
  const { service, project } = await startSynced()
  expect((await project.sync()).requests).toEqual({ GET: 2 })
  project.forgetState()
  expect((await project.sync()).requests).toEqual({ GET: 6 })
  project.write({ 'content/new.md': article('New') })
  expect((await project.sync()).requests).toMatchObject({ OPTIONS: 1, PUT: 1 })
  expect(service.articles()).toHaveLength(4)
})

test.each(['known', 'forgotten'])('after updates, nothing is left to send (state %s)', async (state) => {
  const { service, project } = await startSynced()
  for (const words of ['One.', 'Two.']) {
    project.write({ 'content/second.md': article('Second', { body: words }) })
    expect(outcomeOf(await project.sync())).toMatchObject({ updated: 1 })
    if (state === 'forgotten') project.forgetState()
    service.forget()
    expect(outcomeOf(await project.sync())).toEqual({ unchanged: 3 })
    expect(writes(service)).toEqual([])
  }
})

test.each<[string, ServiceHabits]>([
  ['strips comments', { stripsComments: true }],
  ['rewrites HTML', { rewritesHtml: true }],
  ['leaves out members', { isSparse: true }],
  ['has numeric ids', { numericIds: true }],
  ['has lists that lag', { listLag: 2 }],
  ['allows two of one slug', { duplicateSlugs: 'allowed' }],
])('a service that %s: updated twice, unchanged', async (_, habits) => {
  const { service, project } = await startSynced(habits)
  const ids = idsByTitle(service)
  for (const words of ['One.', 'Two.']) {
    project.write({ 'content/second.md': article('Second', { body: words }) })
    expect(outcomeOf(await project.sync())).toMatchObject({ updated: 1, unchanged: 2 })
    expect(outcomeOf(await project.sync())).toEqual({ unchanged: 3 })
    expect(service.articleAt('second').content).toContain(words)
  }
  expect(idsByTitle(service)).toEqual(ids)
})

test("our own edit does not count as someone else's, even if the service adds text", async () => {
  const { service, project } = await startSynced()
  const addBanner = () =>
    service.edit('second', {
      content: service.articleAt('second').content.replace('<p>', '<p>A banner of the service. '),
      editedMs: service.articleAt('second').editedMs,
    })
  addBanner()
  changeSecond(project)
  expect(outcomeOf(await project.sync())).toMatchObject({ updated: 1 })
  addBanner()
  project.write({ 'content/second.md': article('Second', { body: 'Once more.' }) })
  expect(outcomeOf(await project.sync())).toMatchObject({ updated: 1 })
  service.edit('second', { content: '<p>By hand</p>' })
  changeSecond(project)
  expect(outcomeOf(await project.sync())).toMatchObject({ conflicts: 1 })
})

test('an edit on the target is a conflict, and is overwritten only after a backup', async () => {
  const { service, project } = await startSynced()
  changeSecond(project)
  await project.sync()
  const { id, content } = service.articleAt('second')
  service.edit('second', { content: content.replace('Changed', 'Edited') })
  project.write({ 'content/second.md': article('Second', { body: 'Changed again.' }) })
  expect(outcomeOf(await project.sync())).toEqual({
    conflicts: 1,
    unchanged: 2,
    operations: ['conflict second.md skipped: it was edited on the target'],
  })
  service.forget()
  expect(outcomeOf(await project.sync({ onConflict: 'overwrite' }))).toMatchObject({ updated: 1 })
  expect(service.articleAt('second')).toMatchObject({ id, slug: 'second' })
  expect(readdirSync(project.path('.kb/backups'))).toHaveLength(1)
})

test('an edit between plan and write is detected', async () => {
  const { service, project } = await startSynced()
  changeSecond(project)
  const { content } = service.articleAt('second')
  const result = await project.sync({
    onProgress: (phase) => {
      if (phase === 'send' && service.articleAt('second').content === content)
        service.edit('second', { content: content.replace('Text', 'Other text') })
    },
  })
  expect(outcomeOf(result)).toMatchObject({ conflicts: 1, unchanged: 2 })
  expect(writes(service)).toEqual([])
})

test('an open draft is a conflict', async () => {
  const { service, project } = await startSynced()
  service.edit('second', { draftId: 'draft-1' })
  changeSecond(project)
  expect(outcomeOf(await project.sync({ onConflict: 'overwrite' }))).toMatchObject({ conflicts: 1 })
  expect(writes(service)).toEqual([])
})

test('a foreign article is adopted in place', async () => {
  const { service, project } = await startSynced()
  const { id } = service.add({ title: 'Older', slug: 'fourth', content: '<p>By hand</p>' })
  project.write({ 'content/fourth.md': article('Fourth') })
  expect(outcomeOf(await project.sync({ adopt: ['fourth'] }))).toEqual({
    updated: 1,
    unchanged: 3,
    operations: ['update fourth.md done: adopted'],
  })
  expect(service.articleAt('fourth')).toMatchObject({ id, title: 'Fourth' })
  expect(readdirSync(project.path('.kb/backups'))).toHaveLength(1)
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 4 })
})

test('a review date set on the target is kept, unless the file itself changed', async () => {
  const { service, project } = await startSynced()
  service.edit('second', { reviewDate: '2030-05-05', editedMs: service.articleAt('second').createdMs })
  const linked = { 'content/second.md': article('Second', { order: 7 }) }
  project.write(linked)
  expect(outcomeOf(await project.sync())).toMatchObject({ updated: 1 })
  expect(service.articleAt('second')).toMatchObject({ reviewDate: '2026-08-28', order: 7 })
})

test('an article whose original is managed prevents only a replacement', async () => {
  const { service, project } = await startSynced()
  const { id } = service.articleAt('second')
  service.add({ title: 'Second', slug: 'deuxieme', language: 'fr', languageParent: id })
  project.forgetState()
  changeSecond(project)
  expect(outcomeOf(await project.sync())).toMatchObject({ updated: 1, unchanged: 2 })

  const plain = await startSynced({ extensions: [] })
  const original = plain.service.articleAt('second')
  plain.service.add({ title: 'Second', slug: 'deuxieme', language: 'fr', languageParent: original.id })
  plain.project.forgetState()
  changeSecond(plain.project)
  const conflict = {
    conflicts: 1,
    unchanged: 2,
    operations: ['conflict second.md skipped: it is the original of a translation, which would lose it'],
  }
  expect(outcomeOf(await plain.project.sync())).toEqual(conflict)
  // Known from the state, without reading the translation again.
  expect(outcomeOf(await plain.project.sync())).toEqual(conflict)
  expect(plain.service.articles()).toContainEqual(original)
})

test.each([false, true])(
  'an original that cannot be replaced counts as done once it was edited to equal its file (without state: %s)',
  async (forgets) => {
    const { service, project } = await startSynced({ extensions: [] })
    const { id } = service.articleAt('second')
    service.add({ title: 'Second', slug: 'zweite', language: 'de', languageParent: id })
    project.move('content/second.md', 'content/renamed.md')
    project.write({ 'content/renamed.md': article('Second', { order: 7 }) })
    const sync = () => {
      if (forgets) project.forgetState()
      return project.sync()
    }
    expect(outcomeOf(await sync())).toMatchObject({ conflicts: 1, unchanged: 2 })
    service.edit('second', { slug: 'renamed' })
    expect(outcomeOf(await sync())).toMatchObject({ conflicts: 1, unchanged: 2 })
    service.edit('renamed', { order: 7 })
    expect(outcomeOf(await sync())).toEqual({ unchanged: 3 })
    expect(service.articleAt('renamed').id).toBe(id)
    project.write({ 'content/renamed.md': article('Second', { order: 8 }) })
    expect(outcomeOf(await sync())).toMatchObject({ conflicts: 1, unchanged: 2 })
  },
)

const SWAP: Files = {
  'content/first.md': article('First', { slug: 'second' }),
  'content/second.md': article('Second', { slug: 'third' }),
  'content/third.md': article('Third', { slug: 'first', body: 'New.' }),
}
const SWAPPED = { first: 'Third', second: 'First', third: 'Second' }

test.each(['allowed', 'refused-409', 'refused-200'] as const)(
  'slugs are passed on in a cycle, and the ids stay (duplicates %s)',
  async (duplicateSlugs) => {
    const { service, project } = await startSynced({ duplicateSlugs })
    const ids = idsByTitle(service)
    project.write(SWAP)
    expect(outcomeOf(await project.sync())).toMatchObject({ updated: 3 })
    expect(titlesBySlug(service)).toEqual(SWAPPED)
    expect(idsByTitle(service)).toEqual(ids)
    expect(outcomeOf(await project.sync())).toEqual({ unchanged: 3 })
    project.forgetState()
    expect(outcomeOf(await project.sync())).toEqual({ unchanged: 3 })
  },
)

test('a slug that is passed on is free in time', async () => {
  const { service, project } = await startSynced()
  const ids = idsByTitle(service)
  project.write({
    'content/first.md': article('First', { slug: 'second' }),
    'content/second.md': article('Second', { slug: 'zweite' }),
    'content/new.md': article('New', { slug: 'first' }),
  })
  expect(outcomeOf(await project.sync())).toMatchObject({ updated: 2, created: 1, unchanged: 1 })
  expect(idsByTitle(service)).toMatchObject(ids)
  expect(titlesBySlug(service)).toEqual({ first: 'New', second: 'First', zweite: 'Second', third: 'Third' })
})

// Each kind of fault is tried at a different share of the requests; with RUNS=10, at all of them.
const MOMENTS = readRuns('MOMENTS', 3)
const CUTS = ['cut-before', 'cut-after', 'cut-within'] as const

const CIRCLES = CUTS.flatMap((kind) => [[kind, 'known'] as const, [kind, 'forgotten'] as const])

test.each(CIRCLES.map(([kind, state], turn) => [kind, state, turn] as const))(
  'a cycle with %s at any request is completed by the next run (state %s)',
  async (kind, state, turn) => {
    const { proxy: counter, project: whole } = await startSynced()
    whole.write(SWAP)
    const before = counter.seen.length
    await whole.sync()
    const count = counter.seen.length - before
    for (const at of shareOf([...Array(count).keys()], MOMENTS, turn)) {
      const { service, proxy, project } = await startSynced()
      const ids = idsByTitle(service)
      project.write(SWAP)
      const start = proxy.seen.length
      proxy.inject({ kind }, { matches: () => proxy.seen.length >= start + at })
      // A target that does not respond about its extensions has none. The cycle is then replaced, with new ids.
      const asksInVain = () =>
        proxy.seen.some(({ method, fault }) => method === 'OPTIONS' && fault !== undefined)
      await project.sync().catch(() => undefined)
      if (state === 'forgotten') project.forgetState()
      await project.sync()
      expect([at, titlesBySlug(service)]).toEqual([at, SWAPPED])
      if (!asksInVain()) expect([at, idsByTitle(service)]).toEqual([at, ids])
      expect([at, outcomeOf(await project.sync())]).toEqual([at, { unchanged: 3 }])
    }
  },
)

test.each(['known', 'forgotten'])(
  'an update whose response was lost is looked for and not sent again (state %s)',
  async (state) => {
    const { service, proxy, project } = await startSynced()
    changeSecond(project)
    proxy.inject({ kind: 'cut-after' }, { matches: isPost })
    expect(outcomeOf(await project.sync())).toEqual({
      updated: 1,
      unchanged: 2,
      operations: ['update second.md done'],
    })
    expect(writes(service)).toHaveLength(1)
    if (state === 'forgotten') project.forgetState()
    expect(outcomeOf(await project.sync())).toEqual({ unchanged: 3 })
  },
)

test('an update that did not arrive is a failure, and the next run sends it', async () => {
  const { service, proxy, project } = await startSynced()
  changeSecond(project)
  proxy.inject({ kind: 'cut-before' }, { matches: isPost })
  const result = await project.sync()
  expect(outcomeOf(result)).toMatchObject({ failed: 1, unchanged: 2 })
  expect(result.operations[0]?.reason).toMatch(
    /^the response was lost \(.*\) and nothing was changed; the next run sends it again$/,
  )
  expect(writes(service)).toEqual([])
  expect(outcomeOf(await project.sync())).toMatchObject({ updated: 1, unchanged: 2 })
})

test('an edit that was to be overwritten does not prove that the lost update arrived', async () => {
  const { service, proxy, project } = await startSynced()
  // The marker is unchanged, because only the text was edited.
  const { content } = service.articleAt('second')
  service.edit('second', { content: content.replace('Text', 'Edited text') })
  proxy.inject({ kind: 'cut-before' }, { matches: isPost })
  const overwrite = { onConflict: 'overwrite', verify: true } as const
  expect(outcomeOf(await project.sync(overwrite))).toMatchObject({ failed: 1, unchanged: 2 })
  expect(outcomeOf(await project.sync(overwrite))).toMatchObject({ updated: 1, unchanged: 2 })
  expect(service.articleAt('second').content).toBe(content)
})

test('a target that does not respond about its extensions offers the last known ones', async () => {
  const { service, proxy, project } = await startSynced()
  changeSecond(project)
  await project.sync()
  const ids = idsByTitle(service)
  project.write({ 'content/second.md': article('Second', { body: 'Once more.' }) })
  proxy.inject({ kind: 'cut-before' }, { matches: (method) => method === 'OPTIONS' })
  expect(outcomeOf(await project.sync())).toMatchObject({ updated: 1, unchanged: 2 })
  expect(idsByTitle(service)).toEqual(ids)
  project.write({ 'content/second.md': article('Second', { body: 'And again.' }) })
  proxy.inject(refusal(404, 'No such operation'), { matches: (method) => method === 'OPTIONS' })
  expect(outcomeOf(await project.sync())).toMatchObject({ replaced: 1, unchanged: 2 })
})

test('an article that was deleted while it waited is created', async () => {
  const { service, project } = await startSynced()
  changeSecond(project)
  const result = await project.sync({
    onProgress: (phase, done) => {
      if (phase === 'send' && done === 0) service.drop('second')
    },
  })
  expect(outcomeOf(result)).toMatchObject({ updated: 1, unchanged: 2 })
  expect(service.articleAt('second').content).toContain('Changed in the file.')
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 3 })
})

test('progress counts what was sent, but not what an interruption left', async () => {
  const service = await startStrictService()
  const files = Object.fromEntries(['A', 'B', 'C', 'D'].map((name) => [`content/${name}.md`, article(name)]))
  const project = createSyncProject(service.url, files)
  const stop = new AbortController()
  const counts: string[] = []
  const result = await project.sync({
    concurrency: 1,
    signal: stop.signal,
    onProgress: (phase, done, total) => {
      if (phase !== 'send') return
      counts.push(`${done} of ${total}`)
      if (done === 1) stop.abort()
    },
  })
  expect(result.summary).toMatchObject({ created: 1, skipped: 3 })
  expect([counts, result.failure?.code]).toEqual([['0 of 4', '1 of 4'], 'INTERRUPTED'])
})
