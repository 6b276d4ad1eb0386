// The API cannot change an article: the new version is sent and the old one deleted, without losing either.
import { expect, onTestFinished, test } from 'vitest'
import { article, type Files, manyArticles } from '../support/project.ts'
import { refusal, startFaultProxy } from '../support/fault-proxy.ts'
import { type ServiceHabits, startStrictService } from '../support/strict-service.ts'
import { createSyncProject, outcomeOf } from '../support/sync-project.ts'

const TWO: Files = { 'content/first.md': article('First'), 'content/second.md': article('Second') }

async function startSynced(habits?: ServiceHabits, files = TWO) {
  const service = await startStrictService(habits)
  const project = createSyncProject(service.url, files)
  expect(outcomeOf(await project.sync())).toMatchObject({ created: Object.keys(files).length })
  service.forget()
  return { service, project }
}

/** A project whose requests go through a fault proxy. */
async function startBehindProxy(files = TWO, habits?: ServiceHabits) {
  const service = await startStrictService(habits)
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  return { service, proxy, project: createSyncProject(proxy.url, files) }
}

const isPut = (method: string) => method === 'PUT'
const isDelete = (method: string) => method === 'DELETE'

test('if duplicate slugs are allowed, the article exists at every moment', async () => {
  const { service, project } = await startSynced()
  const { id } = service.articleAt('second')
  project.write({ 'content/second.md': article('Second', { body: 'New.' }) })
  expect(outcomeOf(await project.sync())).toMatchObject({ replaced: 1, unchanged: 1 })
  expect(service.events).toEqual([
    { did: 'created', id: service.articleAt('second').id, slug: 'second' },
    { did: 'deleted', id, slug: 'second' },
  ])
})

test.each(['refused-409', 'refused-200'] as const)(
  'if slugs are unique (%s), the old version is restored if the new one is rejected',
  async (duplicateSlugs) => {
    const { service, project } = await startSynced({ duplicateSlugs })
    const { id: _, createdMs: __, editedMs: ___, ...before } = service.articleAt('second')
    service.refuse(({ content }) => (content.includes('forbidden') ? 'A forbidden word' : undefined))
    project.write({ 'content/second.md': article('Second', { body: 'A forbidden word.' }) })
    const result = await project.sync()
    expect(outcomeOf(result)).toMatchObject({ failed: 1, unchanged: 1 })
    expect(result.operations[0]?.reason).toContain('A forbidden word')
    expect(service.articleAt('second')).toMatchObject(before)

    // Once slugs are known to be unique, the old one is deleted first.
    project.write({ 'content/first.md': article('First', { body: 'New.' }) })
    expect(outcomeOf(await project.sync())).toMatchObject({ replaced: 1, failed: 1 })
    const again = await project.sync()
    expect(outcomeOf(again)).toEqual({
      unchanged: 1,
      failed: 1,
      operations: [`replace second.md failed: ${again.operations[0]?.reason}`],
    })
    expect(service.articleAt('second')).toMatchObject(before)
    service.refuse(undefined)
    expect(outcomeOf(await project.sync())).toMatchObject({ replaced: 1, unchanged: 1 })
    expect(service.articles()).toHaveLength(2)
  },
)

test.each([
  {
    duplicateSlugs: 'refused-409',
    title: 'is refused the slug of a deleted one',
    aside: /^first-kb-[0-9a-f]{8}$/,
    reason:
      /The slug first already exists; the old version was refused its slug, too, and has the slug first-kb-/,
  },
  {
    duplicateSlugs: 'suffixed',
    title: 'gets another slug than a deleted one',
    aside: /^first-3$/,
    reason: /gave it the slug first-3, because its old version keeps it/,
  },
] as const)(
  'if a new version $title, only one article loses it, and the others are conflicts',
  async ({ duplicateSlugs, aside, reason }) => {
    const files = Object.fromEntries(
      ['First', 'Fourth', 'Second', 'Third'].map((title) => [
        `content/${title.toLowerCase()}.md`,
        article(title),
      ]),
    )
    const { service, project } = await startSynced({ duplicateSlugs, keepsSlugs: true }, files)
    const others = ['fourth', 'second', 'third'].map(service.articleAt)
    for (const [file, text] of Object.entries(files)) project.write({ [file]: `${text}\nNew.\n` })
    const result = await project.sync({ concurrency: 4 })
    expect(outcomeOf(result)).toMatchObject({ failed: 1, conflicts: 3 })
    expect(result.operations.find(({ outcome }) => outcome === 'failed')?.reason).toMatch(reason)
    const next = await project.sync()
    expect(outcomeOf(next)).toMatchObject({ conflicts: 3 })
    expect(next.operations.find(({ action }) => action === 'conflict')?.reason).toContain('keeps the slugs')
    expect(['fourth', 'second', 'third'].map(service.articleAt)).toEqual(others)
    expect(service.articles().filter(({ slug }) => aside.test(slug))).toHaveLength(1)
    expect(service.articles()).toHaveLength(4)
  },
)

test('a rejected half of a swap does not make slugs look taken', async () => {
  const { service, project } = await startSynced({ duplicateSlugs: 'refused-409' })
  service.refuse(({ content }) => (content.includes('forbidden') ? 'A forbidden word' : undefined))
  project.write({
    'content/first.md': article('First', { slug: 'second' }),
    'content/second.md': article('Second', { slug: 'first', body: 'A forbidden word.' }),
  })
  expect(outcomeOf(await project.sync())).toMatchObject({ replaced: 1, failed: 1 })
  project.write({ 'content/first.md': article('First', { slug: 'second', body: 'New.' }) })
  expect(outcomeOf(await project.sync())).toMatchObject({ replaced: 1, failed: 1 })
  expect(service.articleAt('second').content).toContain('New.')
})

test('at an article limit lower than announced, old versions are deleted first, and no new article takes their room', async () => {
  const { service, project } = await startSynced({ articleLimit: 2, announcedLimit: 1000 })
  project.write({ 'content/second.md': article('Second', { body: 'New.' }) })
  expect(outcomeOf(await project.sync())).toMatchObject({ replaced: 1, unchanged: 1 })
  expect(service.events.map(({ did, slug }) => `${did} ${slug}`)).toEqual([
    'deleted second',
    'created second',
  ])
  project.write({
    'content/first.md': article('First', { body: 'New.' }),
    'content/new.md': article('New'),
    'content/second.md': article('Second', { body: 'Newer.' }),
    'content/third.md': article('Third'),
  })
  const result = await project.sync({ concurrency: 2 })
  expect(outcomeOf(result)).toMatchObject({ replaced: 2, failed: 2 })
  expect(
    service
      .articles()
      .map(({ slug }) => slug)
      .toSorted(),
  ).toEqual(['first', 'second'])
  expect(service.articleAt('second').content).toContain('Newer.')
})

test.each([0, -1])('an article limit of %i is none', async (announcedLimit) => {
  const { service } = await startSynced({ announcedLimit })
  expect(service.articles()).toHaveLength(2)
})

test.each(['too many characters in content', 'Rate limit exceeded', 'The title exceeds the maximum'])(
  'no old version is deleted because of another limit (%s)',
  async (reason) => {
    const { service, project } = await startSynced()
    service.refuse(() => reason)
    project.write({ 'content/second.md': article('Second', { body: 'New.' }) })
    expect(outcomeOf(await project.sync())).toMatchObject({ failed: 1, unchanged: 1 })
    expect(service.events).toEqual([])
  },
)

test.each(['allowed', 'refused-409', 'refused-200', 'suffixed'] as const)(
  'slugs are passed on in a cycle (duplicates %s)',
  async (duplicateSlugs) => {
    const files = { ...TWO, 'content/third.md': article('Third') }
    const { service, project } = await startSynced({ duplicateSlugs }, files)
    project.write({
      'content/first.md': article('First', { slug: 'second' }),
      'content/second.md': article('Second', { slug: 'third' }),
      'content/third.md': article('Third', { slug: 'first' }),
    })
    expect(outcomeOf(await project.sync())).toMatchObject({ replaced: 3 })
    expect(Object.fromEntries(service.articles().map(({ slug, title }) => [slug, title]))).toEqual({
      first: 'Third',
      second: 'First',
      third: 'Second',
    })
    expect(outcomeOf(await project.sync())).toEqual({ unchanged: 3 })
  },
)

test('a new file can have a slug that another gives up in the same run', async () => {
  const { service, project } = await startSynced({ duplicateSlugs: 'refused-409' })
  project.write({
    'content/second.md': article('Second', { slug: 'zweite' }),
    'content/new.md': article('New', { slug: 'second' }),
  })
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 1, replaced: 1, unchanged: 1 })
  expect(service.articleAt('second').title).toBe('New')
  expect(service.articleAt('zweite').title).toBe('Second')
})

test('a review date set on the target is kept, unless the file itself changed', async () => {
  const { service, project } = await startSynced()
  service.edit('second', { reviewDate: '2030-05-05', editedMs: service.articleAt('second').createdMs })
  const linked = createSyncProject(service.url, TWO, { links: { article: '/a/{slug}' } })
  expect(outcomeOf(await linked.sync())).toEqual({ unchanged: 2 })
  project.write({ 'content/second.md': article('Second', { body: 'New.' }) })
  expect(outcomeOf(await project.sync())).toMatchObject({ replaced: 1 })
  expect(service.articleAt('second').reviewDate).toBe('2026-08-28')
})

test('a changed link URL replaces the article and keeps its review date', async () => {
  const files = { ...TWO, 'content/first.md': article('First', { body: '[Second](second.md)' }) }
  const { service, project } = await startSynced({}, files)
  const { createdMs } = service.articleAt('first')
  service.edit('first', { reviewDate: '2030-05-05', editedMs: createdMs })
  project.write({ 'content/second.md': article('Second', { slug: 'zweite' }) })
  expect(outcomeOf(await project.sync())).toMatchObject({ replaced: 2 })
  expect(service.articleAt('first')).toMatchObject({ reviewDate: '2030-05-05' })
  expect(service.articleAt('first').content).toContain('/articles/zweite')
})

test('an article that was deleted on the target is created again, and this is reported', async () => {
  const { service, project } = await startSynced()
  service.drop('second')
  expect(outcomeOf(await project.sync())).toEqual({
    created: 1,
    unchanged: 1,
    operations: ['create second.md done: it was deleted on the target'],
  })
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2 })
})

test('a target that lacks most articles counts as another one', async () => {
  const { service, project } = await startSynced({}, manyArticles(10))
  service.drop('page-1', 'page-2', 'page-3')
  service.forget()
  await expect(project.sync()).rejects.toMatchObject({ code: 'TARGET_DIFFERENT' })
  expect(service.requests.every((request) => request.startsWith('GET '))).toBe(true)
  expect(outcomeOf(await project.sync({ yes: true }))).toMatchObject({ created: 3, unchanged: 7 })
})

test('one failed create is one failure: the rest is done, and the next run completes', async () => {
  const { service, proxy, project } = await startBehindProxy(manyArticles(5))
  proxy.inject(refusal(500, 'Out of order'), { matches: isPut })
  const result = await project.sync()
  expect(outcomeOf(result)).toMatchObject({ created: 4, failed: 1 })
  expect(service.articles()).toHaveLength(4)
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 1, unchanged: 4 })
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 5 })
})

test.each(['known', 'forgotten'])(
  'a write whose response was lost is not repeated (state %s)',
  async (state) => {
    const { service, proxy, project } = await startBehindProxy()
    proxy.inject({ kind: 'cut-after' }, { matches: isPut })
    await project.sync()
    expect(service.articles()).toHaveLength(2)
    if (state === 'forgotten') project.forgetState()
    expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2 })
    expect(service.articles()).toHaveLength(2)
  },
)

test.each(['allowed', 'refused-409'] as const)(
  'a replacement interrupted anywhere is completed by the next run (duplicates %s)',
  async (duplicateSlugs) => {
    const cuts = [
      { kind: 'cut-before', matches: isPut },
      { kind: 'cut-after', matches: isPut },
      { kind: 'cut-before', matches: isDelete },
      { kind: 'cut-after', matches: isDelete },
    ] as const
    for (const { kind, matches } of cuts) {
      const { service, proxy, project } = await startBehindProxy(TWO, { duplicateSlugs })
      await project.sync()
      project.write({ 'content/second.md': article('Second', { body: 'New.' }) })
      proxy.inject({ kind }, { matches })
      await project.sync()
      await project.sync()
      const slugs = service.articles().map(({ slug }) => slug)
      expect({ kind, matches, slugs: slugs.toSorted() }).toEqual({
        kind,
        matches,
        slugs: ['first', 'second'],
      })
      expect(service.articleAt('second').content).toContain('New.')
      expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2 })
    }
  },
)

test.each(['allowed', 'refused-409', 'refused-200', 'suffixed'] as const)(
  'documents that pass on a slug keep their own articles (duplicates %s)',
  async (duplicateSlugs) => {
    const { service, project } = await startSynced({ duplicateSlugs })
    project.write({
      'content/first.md': article('First', { slug: 'second' }),
      'content/second.md': article('Second', { slug: 'third' }),
    })
    expect(outcomeOf(await project.sync())).toMatchObject({ replaced: 2 })
    const slugs = service.articles().map(({ slug, title }) => `${slug}: ${title}`)
    expect(slugs.toSorted()).toEqual(['second: First', 'third: Second'])
    expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2 })
  },
)

test('an interruption in the middle of a replacement does not lose the article', async () => {
  const { service, proxy, project } = await startBehindProxy(TWO, { duplicateSlugs: 'refused-409' })
  await project.sync()
  // From here on, slugs are known to be unique, so the old version is deleted first.
  project.write({ 'content/first.md': article('First', { body: 'New.' }) })
  await project.sync()
  const stop = new AbortController()
  proxy.inject({ kind: 'hold' }, { times: 1, matches: isDelete })
  const seen = proxy.seen.length
  project.write({ 'content/second.md': article('Second', { body: 'New.' }) })
  const running = project.sync({ signal: stop.signal })
  while (!proxy.seen.slice(seen).some(({ method }) => isDelete(method))) {
    await proxy.waitForSeen(proxy.seen.length + 1)
  }
  stop.abort()
  proxy.release()
  expect((await running).failure).toMatchObject({ code: 'INTERRUPTED' })
  expect(
    service
      .articles()
      .map(({ slug }) => slug)
      .toSorted(),
  ).toEqual(['first', 'second'])
  expect(service.articleAt('second').content).toContain('New.')
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2 })
})
