// A run was interrupted by a kill or lost responses: the next one finds out what arrived, restores what was deleted,
// and reports it.
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { SendRequest } from '../../src/api/client/send-request.ts'
import { article, type Files, manyArticles } from '../support/project.ts'
import { createMemoryService, Killed, type MemoryService } from '../support/memory-service.ts'
import type { ServiceHabits } from '../support/strict-service.ts'
import { createSyncProject, outcomeOf, type RunOptions } from '../support/sync-project.ts'

const ADDRESS = 'http://service.test'
const ONE: Files = { 'content/page.md': article('Page') }
const NEW: Files = { 'content/page.md': article('Page', { body: 'New text.' }) }
const UNIQUE: ServiceHabits = { duplicateSlugs: 'refused-409' }
const UNMARKED: ServiceHabits = { ...UNIQUE, stripsComments: true }

async function startSynced(habits: ServiceHabits, files = ONE) {
  const service = createMemoryService(habits)
  const project = createSyncProject(ADDRESS, files)
  const sync = (options: RunOptions = {}) => project.sync({ client: { send: service.connect() }, ...options })
  expect(outcomeOf(await sync())).toMatchObject({ created: Object.keys(files).length })
  service.forget()
  return { service, project, sync, hasJournal: () => existsSync(project.path('.kb/journal')) }
}

/** Kills the program at the nth request of this method, before it is sent or after the service has acted. */
function killAt(service: MemoryService, method: string, when: 'before' | 'after', nth = 1): RunOptions {
  const through = service.connect()
  let left = nth
  const send: SendRequest = async (request) => {
    if (left === 0) throw new Killed()
    if (request.method !== method || --left > 0) return through(request)
    if (when === 'after') await through(request)
    throw new Killed()
  }
  return { client: { send } }
}

/** Loses the response to the nth request of this method. */
function loseAt(
  service: MemoryService,
  method: string,
  when: 'cut-before' | 'cut-after',
  nth = 1,
): RunOptions {
  const [through, cut] = [service.connect(), service.connect(new Map([[0, when]]))]
  let left = nth
  return {
    client: { send: async (request) => (request.method === method && --left === 0 ? cut : through)(request) },
  }
}

const writesOf = ({ requests }: MemoryService) => requests.filter((request) => !request.startsWith('GET'))

describe('an article that was deleted for its new version', () => {
  async function startCutOff(habits: ServiceHabits = UNMARKED) {
    const started = await startSynced(habits)
    const { project, service, sync } = started
    // The first replacement finds out that slugs are unique.
    project.write({ 'content/page.md': article('Page', { body: 'Second text.' }) })
    await sync()
    const before = service.articleAt('page')
    project.write(NEW)
    await expect(sync(killAt(service, 'PUT', 'before'))).rejects.toThrow(Killed)
    expect(service.articles()).toEqual([])
    service.forget()
    return { ...started, before }
  }

  test('is created in its new version', async () => {
    const { service, sync, hasJournal, project } = await startCutOff()
    const result = await sync()
    expect(outcomeOf(result)).toEqual({ created: 1, operations: ['create page.md done'] })
    expect(result.recovery).toEqual({ writes: 2, arrived: 1, missing: ['page.md'] })
    expect(service.articleAt('page').content).toContain('New text.')
    expect(existsSync(project.path('.kb/journal')) && hasJournal()).toBe(true)
    expect(outcomeOf(await sync())).toEqual({ unchanged: 1 })
  })

  test('is restored as it was if the new version is rejected', async () => {
    const { service, sync, before } = await startCutOff()
    service.refuse(({ content }) => (content.includes('New') ? 'A forbidden word' : undefined))
    const result = await sync()
    expect(outcomeOf(result)).toEqual({
      failed: 1,
      operations: [
        'create page.md failed: the target refused it: A forbidden word; the old version was restored',
      ],
    })
    const { id: _, createdMs: __, editedMs: ___, ...same } = before
    expect(service.articleAt('page')).toMatchObject(same)
    // It is known to be managed, without a marker.
    service.refuse(undefined)
    expect(outcomeOf(await sync())).toMatchObject({ replaced: 1 })
    expect(outcomeOf(await sync())).toEqual({ unchanged: 1 })
  })

  test('stays recorded until it can be restored', async () => {
    const { service, sync, before } = await startCutOff()
    service.refuse(() => 'Not today')
    expect(outcomeOf(await sync())).toMatchObject({ failed: 1 })
    expect(outcomeOf(await sync())).toMatchObject({ failed: 1 })
    service.refuse(({ content }) => (content.includes('New') ? 'A forbidden word' : undefined))
    expect(outcomeOf(await sync())).toMatchObject({ failed: 1 })
    expect(service.articleAt('page').content).toBe(before.content)
  })

  test('is restored as it was if its file is gone and nothing is pruned', async () => {
    const { service, project, sync, before } = await startCutOff()
    project.remove('content/page.md')
    project.write({ 'content/other.md': article('Other') })
    const result = await sync()
    expect(outcomeOf(result)).toEqual({
      created: 2,
      operations: [
        'create other.md done',
        'restore page.md done: restores an article that an interrupted run deleted',
      ],
    })
    expect(service.articleAt('page').content).toBe(before.content)
  })

  test('is not restored if its file is gone and pruning is on', async () => {
    const { service, project, sync } = await startCutOff()
    project.remove('content/page.md')
    project.write({ 'content/other.md': article('Other') })
    expect(outcomeOf(await sync({ prune: true }))).toEqual({
      created: 1,
      operations: ['create other.md done'],
    })
    expect(service.articles().map(({ slug }) => slug)).toEqual(['other'])
  })

  test('is created for a file that has been moved since', async () => {
    const { service, project, sync } = await startCutOff()
    project.move('content/page.md', 'content/moved/page.md')
    service.refuse(({ content }) => (content.includes('New') ? 'A forbidden word' : undefined))
    expect(outcomeOf(await sync())).toMatchObject({ failed: 1 })
    expect(service.articles().map(({ slug }) => slug)).toEqual(['page'])
  })

  test('waits if the run selects other articles', async () => {
    const { service, project, sync } = await startCutOff()
    project.write({ 'content/other.md': article('Other') })
    await sync({ isSelected: (source) => source === 'other.md' })
    expect(service.articles().map(({ slug }) => slug)).toEqual(['other'])
    service.refuse(({ content }) => (content.includes('New') ? 'A forbidden word' : undefined))
    expect(outcomeOf(await sync())).toMatchObject({ failed: 1, unchanged: 1 })
    expect(service.articleAt('page').content).toContain('Second text.')
  })
})

describe('arrived writes are recognised without a marker', () => {
  test('a new article', async () => {
    const { service, project, sync } = await startSynced(UNMARKED)
    project.write({ 'content/more.md': article('More', { reviewDate: 'never' }) })
    await expect(sync(killAt(service, 'PUT', 'after'))).rejects.toThrow(Killed)
    service.forget()
    // It was changed since: only the journal shows that it is managed.
    project.write({ 'content/more.md': article('More', { body: 'Changed.' }) })
    const result = await sync()
    expect(outcomeOf(result)).toEqual({ replaced: 1, unchanged: 1, operations: ['replace more.md done'] })
    expect(result.recovery).toEqual({ writes: 1, arrived: 1, missing: [] })
  })

  test('an update in place', async () => {
    const { service, project, sync } = await startSynced({ ...UNMARKED, extensions: ['update'] })
    project.write(NEW)
    await expect(sync(killAt(service, 'POST', 'after'))).rejects.toThrow(Killed)
    service.forget()
    const result = await sync()
    expect(outcomeOf(result)).toEqual({ unchanged: 1 })
    expect(result.recovery).toEqual({ writes: 1, arrived: 1, missing: [] })
    expect(writesOf(service)).toEqual([])
  })

  test('an update in place, and the file changed again', async () => {
    const { service, project, sync } = await startSynced({ ...UNMARKED, extensions: ['update'] })
    project.write(NEW)
    await expect(sync(killAt(service, 'POST', 'after'))).rejects.toThrow(Killed)
    project.write({ 'content/page.md': article('Page', { body: 'Newer.' }) })
    expect(outcomeOf(await sync())).toEqual({ updated: 1, operations: ['update page.md done'] })
  })
})

test('articles that the run itself was deleting do not count as missing', async () => {
  const { service, project, sync } = await startSynced({}, manyArticles(20))
  for (let index = 1; index < 20; index++) project.remove(`content/page-${index}.md`)
  const killing = killAt(service, 'DELETE', 'after', 12)
  await expect(sync({ prune: true, yes: true, ...killing })).rejects.toThrow(Killed)
  expect(service.articles()).toHaveLength(8)
  expect(outcomeOf(await sync())).toMatchObject({ unchanged: 1, orphans: 7 })
})

describe('a lost response', () => {
  test.each<ServiceHabits>([{}, UNIQUE, UNMARKED])(
    'is looked for in the same run: a create (%o)',
    async (habits) => {
      const { service, project, sync } = await startSynced(habits)
      project.write({ 'content/more.md': article('More') })
      expect(outcomeOf(await sync(loseAt(service, 'PUT', 'cut-after')))).toEqual({
        created: 1,
        unchanged: 1,
        operations: ['create more.md done'],
      })
      expect(writesOf(service)).toEqual(['PUT /api/v2/articles'])
      expect(outcomeOf(await sync())).toEqual({ unchanged: 2 })
    },
  )

  test('is looked for in the same run: a delete', async () => {
    const { service, project, sync } = await startSynced({})
    project.write(NEW)
    expect(outcomeOf(await sync(loseAt(service, 'DELETE', 'cut-after')))).toMatchObject({ replaced: 1 })
    expect(service.articles()).toHaveLength(1)
    expect(outcomeOf(await sync())).toEqual({ unchanged: 1 })
  })

  test.each(['refused-409', 'refused-200', 'suffixed'] as const)(
    'does not leave readers without the article: the old version is restored (slugs %s)',
    async (duplicateSlugs) => {
      const { service, project, sync } = await startSynced({ duplicateSlugs })
      project.write(NEW)
      expect(outcomeOf(await sync())).toMatchObject({ replaced: 1 })
      project.write({ 'content/page.md': article('Page', { body: 'Newer text.' }) })
      const result = await sync(loseAt(service, 'PUT', 'cut-before'))
      expect(outcomeOf(result)).toMatchObject({ failed: 1 })
      expect(result.operations[0]?.reason).toMatch(
        /^the response was lost \(.*\), and the target does not list it; the old version was restored$/,
      )
      expect(service.articleAt('page').content).toContain('New text.')
      expect(outcomeOf(await sync())).toMatchObject({ replaced: 1 })
      expect(service.articleAt('page').content).toContain('Newer text.')
      expect(service.articles()).toHaveLength(1)
    },
  )

  test('does not count as arrived because the slug is taken: a deleted article may keep it', async () => {
    const { service, project, sync } = await startSynced({ ...UNIQUE, keepsSlugs: true })
    project.write(NEW)
    // The first create is refused, which shows that slugs are unique.
    expect(outcomeOf(await sync(loseAt(service, 'PUT', 'cut-before', 2)))).toMatchObject({ failed: 1 })
    expect(outcomeOf(await sync())).toMatchObject({ failed: 1 })
    expect(service.articles()).toMatchObject([{ title: 'Page', slug: expect.stringMatching(/^page-kb-/) }])
  })

  test('leaves the article to the next run if the write did not arrive', async () => {
    const { service, project, sync } = await startSynced({})
    project.write({ 'content/more.md': article('More') })
    const result = await sync(loseAt(service, 'PUT', 'cut-before'))
    expect(outcomeOf(result)).toMatchObject({ failed: 1, unchanged: 1 })
    expect(result.operations[0]?.reason).toMatch(
      /^the response was lost \(.*\) and the target does not list it/,
    )
    expect(service.articles()).toHaveLength(1)
    expect(outcomeOf(await sync())).toMatchObject({ created: 1 })
  })
})

test('an article that was sent but is not listed yet is waited for, not sent again', async () => {
  const habits: ServiceHabits = { stripsComments: true, listLag: 6, linkLag: 6 }
  const service = createMemoryService(habits)
  const project = createSyncProject(ADDRESS, ONE)
  await expect(project.sync(killAt(service, 'PUT', 'after'))).rejects.toThrow(Killed)
  service.forget()
  const waits: number[] = []
  const result = await project.sync({
    client: { send: service.connect() },
    sleep: (ms) => {
      waits.push(ms)
      return Promise.resolve()
    },
  })
  expect(outcomeOf(result)).toEqual({ unchanged: 1 })
  expect(waits.length).toBeGreaterThan(2)
  expect(writesOf(service)).toEqual([])
})

test('an article that is never listed is sent again after the settle time', async () => {
  const service = createMemoryService({})
  const project = createSyncProject(ADDRESS, ONE)
  await expect(project.sync(killAt(service, 'PUT', 'before'))).rejects.toThrow(Killed)
  let waitedMs = 0
  const sleep = (ms: number) => {
    waitedMs += ms
    return Promise.resolve()
  }
  const result = await project.sync({ client: { send: service.connect() }, sleep })
  expect(outcomeOf(result)).toEqual({ created: 1, operations: ['create page.md done'] })
  expect(result.recovery).toEqual({ writes: 1, arrived: 0, missing: ['page.md'] })
  expect(waitedMs).toBe(10_000)
})

test('articles that another machine replaced or removed do not mean another knowledge base', async () => {
  const files = manyArticles(20)
  const { service, project, sync } = await startSynced({}, files)
  const other = createSyncProject(ADDRESS, files)
  const there = (options: RunOptions = {}) => other.sync({ client: { send: service.connect() }, ...options })
  expect(outcomeOf(await there())).toEqual({ unchanged: 20 })
  const changed = Object.fromEntries(
    Object.keys(files).map((name, index) => [name, article(`Page ${index}`, { body: 'Changed.' })]),
  )
  other.write(changed)
  expect(outcomeOf(await there())).toMatchObject({ replaced: 20 })
  project.write(changed)
  expect(outcomeOf(await sync())).toEqual({ unchanged: 20 })
})

describe('the article limit', () => {
  test('is checked before the first write', async () => {
    const { service, project, sync } = await startSynced({ articleLimit: 3 })
    project.write({ ...NEW, ...manyArticles(3) })
    const result = await sync()
    expect(outcomeOf(result)).toMatchObject({ replaced: 1, skipped: 3 })
    expect(result.guard).toBe(
      'The target accepts 3 articles and has 1. The run would create 3 more, so it created none. Delete articles there, or ask for a higher limit.',
    )
    expect(service.articles()).toHaveLength(1)
  })

  test('that is reached allows replacements in place', async () => {
    const { service, project, sync } = await startSynced({ articleLimit: 1 })
    project.write(NEW)
    expect(outcomeOf(await sync())).toMatchObject({ replaced: 1 })
    expect(service.articleAt('page').content).toContain('New text.')
  })
})

describe('a review date', () => {
  test('that was only a default may be changed on the target, and stays', async () => {
    const { service, project, sync } = await startSynced({})
    service.edit('page', { reviewDate: '2031-05-05' })
    project.write({ 'content/page.md': article('Page', { order: 3 }) })
    expect(outcomeOf(await sync({ verify: true }))).toMatchObject({ replaced: 1 })
  })

  test('that the file sets is drift if the target has another one', async () => {
    const dated = { reviewDate: '2030-01-01' }
    const { service, project, sync } = await startSynced({}, { 'content/page.md': article('Page', dated) })
    service.edit('page', { reviewDate: '2031-05-05' })
    project.write({ 'content/page.md': article('Page', { ...dated, order: 3 }) })
    expect(outcomeOf(await sync())).toMatchObject({ conflicts: 1 })
  })
})

test('an edit that the file already contains is no conflict', async () => {
  const { service, project, sync } = await startSynced({})
  service.edit('page', { content: '<p class="text">New text.</p>' })
  expect(outcomeOf(await sync({ verify: true }))).toMatchObject({ conflicts: 1 })
  project.write({ 'content/page.md': article('Page', { body: 'New text.', excerpt: 'Text of Page.' }) })
  expect(outcomeOf(await sync())).toEqual({
    replaced: 1,
    operations: ['replace page.md done: the file contains the edit made on the target'],
  })
  expect(outcomeOf(await sync({ verify: true }))).toEqual({ unchanged: 1 })
})

describe('an edit made on the target during the run', () => {
  test('between the new version and the deletion of the old one is not lost', async () => {
    const { service, project, sync } = await startSynced({})
    project.write(NEW)
    const through = service.connect()
    // A person needs a second to edit an article.
    let nowMs = Date.parse('2026-03-01T12:00:00Z')
    const send: SendRequest = async (request) => {
      const answer = await through(request)
      if (request.method === 'PUT') {
        service.editById(idOfFirst(service), { content: '<p>An edit.</p>' })
        nowMs += 1000
      }
      return answer
    }
    expect(outcomeOf(await sync({ client: { send }, now: () => new Date(nowMs) }))).toEqual({
      conflicts: 1,
      operations: ['conflict page.md skipped: it was edited on the target'],
    })
    expect(service.articles().map(({ content }) => content)).toEqual(['<p>An edit.</p>'])
  })
})

describe('an edited article that was deleted to make room', () => {
  const edited = { content: '<p>An edit.</p>' }

  test.each<ServiceHabits>([UNIQUE, UNMARKED])(
    'still counts as edited after it was restored (%o)',
    async (habits) => {
      const { service, project, sync } = await startSynced(habits)
      await sync({ verify: true })
      service.edit('page', edited)
      project.write(NEW)
      service.refuse(({ content }) => (content.includes('New') ? 'A forbidden word' : undefined))
      expect(outcomeOf(await sync({ onConflict: 'overwrite' }))).toMatchObject({ failed: 1 })
      expect(service.articleAt('page').content).toContain('An edit.')
      service.refuse(undefined)
      expect(outcomeOf(await sync())).toMatchObject({ conflicts: 1 })
      expect(service.articleAt('page').content).toContain('An edit.')
    },
  )
})

describe('a manual copy of a managed article', () => {
  test('is not pruned when the managed file is deleted', async () => {
    const { service, project, sync } = await startSynced({}, { ...ONE, 'content/other.md': article('Other') })
    const { content } = service.articleAt('page')
    const copy = service.add({
      title: 'My own',
      slug: 'my-own',
      content: `<p>Mine.</p>${content.slice(content.indexOf('<!--'))}`,
    })
    project.remove('content/page.md')
    expect(outcomeOf(await sync({ prune: true, yes: true }))).toMatchObject({ deleted: 1 })
    expect(service.articleAt('my-own')).toEqual(copy)
  })

  test('does not count as managed when the managed article is gone', async () => {
    const { service, sync } = await startSynced({})
    const { content } = service.articleAt('page')
    const copy = service.add({ title: 'Page', slug: 'page-copy', content })
    await sync({ prune: true })
    service.drop('page')
    expect(outcomeOf(await sync({ yes: true }))).toMatchObject({ created: 1 })
    expect(
      service
        .articles()
        .map(({ slug }) => slug)
        .toSorted(),
    ).toEqual(['page', 'page-copy'])
    expect(service.articleAt('page-copy')).toEqual(copy)
  })
})

test('a managed article that we never sent is not pruned', async () => {
  const { service, project, sync } = await startSynced({}, { ...ONE, 'content/other.md': article('Other') })
  const { content, ...fields } = service.articleAt('other')
  service.drop('other')
  const theirs = service.add({ ...fields, content: content.slice(0, content.indexOf('<!--')) })
  expect(outcomeOf(await sync({ yes: true }))).toEqual({ unchanged: 2 })
  project.remove('content/other.md')
  expect(outcomeOf(await sync({ prune: true, yes: true }))).toEqual({ unchanged: 1 })
  expect(service.articleAt('other')).toEqual(theirs)
})

test('a conflict is reported by every run until a person decides', async () => {
  const { service, project, sync } = await startSynced({}, { ...ONE, 'content/other.md': article('Other') })
  service.edit('page', { title: 'Another title' })
  const left = {
    conflicts: 1,
    unchanged: 1,
    operations: ['conflict page.md skipped: it was edited on the target'],
  }
  expect(outcomeOf(await sync())).toEqual(left)
  expect(outcomeOf(await sync())).toEqual(left)
  expect(outcomeOf(await sync())).toEqual(left)
  const kept = await sync({ onConflict: 'overwrite' })
  expect(kept.operations[0]?.backup).toMatch(/^\.kb\/backups\/2026-03-01T.*\.json$/)
  expect(JSON.parse(project.read(kept.operations[0]?.backup ?? ''))).toMatchObject({
    data: { name: 'Another title' },
  })
  expect(outcomeOf(await sync())).toEqual({ unchanged: 2 })
})

describe('a target that accepts articles but lists none', () => {
  test('does not get them twice', async () => {
    const service = createMemoryService({ listLag: 1000, linkLag: 1000 })
    const project = createSyncProject(ADDRESS, ONE)
    const sync = (options: RunOptions = {}) =>
      project.sync({ client: { send: service.connect() }, ...options })
    expect(outcomeOf(await sync())).toMatchObject({ failed: 1 })
    const later = () => new Date('2026-03-02T12:00:00Z')
    for (const _ of [1, 2]) {
      const result = await sync({ now: later })
      expect(outcomeOf(result)).toMatchObject({ skipped: 1 })
      expect(result.guard).toBe(
        'The target confirmed the creation of page.md but does not list it. It was not sent again. Look for it in the knowledge base and delete it there if you find it, then run again with --yes. Some targets do not list drafts: publish it first.',
      )
    }
    expect(service.articles()).toHaveLength(1)
    service.catchUp()
    expect(outcomeOf(await sync({ now: later }))).toEqual({ unchanged: 1 })
  })

  test('gets them again on request', async () => {
    const service = createMemoryService({ listLag: 1000, linkLag: 1000 })
    const project = createSyncProject(ADDRESS, ONE)
    const sync = (options: RunOptions = {}) =>
      project.sync({ client: { send: service.connect() }, ...options })
    await sync()
    service.drop('page')
    expect(outcomeOf(await sync({ yes: true }))).toMatchObject({ failed: 1 })
    expect(service.articles()).toHaveLength(1)
  })
})

test('an article deleted before a crash is restored even if the limit is reached', async () => {
  const { service, project, sync } = await startSynced(
    { ...UNIQUE, articleLimit: 2 },
    { ...ONE, 'content/other.md': article('Other') },
  )
  project.write({ 'content/page.md': article('Page', { body: 'Second text.' }) })
  await sync()
  project.write(NEW)
  await expect(sync(killAt(service, 'PUT', 'before'))).rejects.toThrow(Killed)
  project.write({ 'content/more.md': article('More') })
  const result = await sync()
  expect(outcomeOf(result)).toMatchObject({ created: 1, skipped: 1, unchanged: 1 })
  expect(
    service
      .articles()
      .map(({ slug }) => slug)
      .toSorted(),
  ).toEqual(['other', 'page'])
})

test('a foreign new article with the same title as a managed one is ignored', async () => {
  const { service, project, sync } = await startSynced({ listLag: 1 })
  project.write({ 'content/more.md': article('More') })
  const through = service.connect()
  let theirs: string | undefined
  const send: SendRequest = async (request) => {
    if (request.method === 'PUT')
      theirs = service.add({ title: 'More', slug: 'their-more', content: '<p>Theirs.</p>' }).id
    return through(request)
  }
  await sync({ client: { send } })
  service.editById(theirs ?? '', { content: '<p>Theirs, edited.</p>' })
  service.catchUp()
  project.remove('content/more.md')
  await sync({ prune: true, yes: true, onConflict: 'overwrite' })
  service.catchUp()
  await sync({ prune: true, yes: true, onConflict: 'overwrite' })
  expect(service.articleAt('their-more').content).toBe('<p>Theirs, edited.</p>')
})

const idOfFirst = (service: MemoryService) => service.articles()[0]?.id ?? ''

describe('a target that changes slugs', () => {
  test('gets no second article from a fresh checkout', async () => {
    const { service, project, sync } = await startSynced(
      {},
      { 'content/page.md': article('Page', { slug: 'Page' }) },
    )
    service.edit('Page', { slug: 'page', editedMs: service.articleAt('Page').createdMs })
    for (const _ of [1, 2, 3]) {
      project.forgetState()
      expect(outcomeOf(await sync())).toEqual({ unchanged: 1 })
    }
    expect(service.articles()).toHaveLength(1)
  })
})

test('an open draft prevents an article from being adopted', async () => {
  const { service, project, sync } = await startSynced({})
  const theirs = service.add({ title: 'Theirs', slug: 'theirs', draftId: 'draft-1' })
  project.write({ 'content/theirs.md': article('Theirs') })
  expect(outcomeOf(await sync({ adopt: ['theirs'] }))).toEqual({
    conflicts: 1,
    unchanged: 1,
    operations: ['conflict theirs.md skipped: it has an open draft on the target'],
  })
  expect(service.articleAt('theirs')).toEqual(theirs)
})

test('a draft opened just before the write is detected', async () => {
  const { service, project, sync } = await startSynced({})
  project.write(NEW)
  const through = service.connect()
  let reads = 0
  const send: SendRequest = async (request) => {
    if (request.path.includes('/articles/') && ++reads === 1)
      service.editById(idOfFirst(service), { draftId: 'draft-1' })
    return through(request)
  }
  expect(outcomeOf(await sync({ client: { send } }))).toMatchObject({ conflicts: 1 })
  expect(service.articleAt('page').content).toContain('Text of Page.')
})

test('an article that becomes foreign just before the write is not changed', async () => {
  const { service, project, sync } = await startSynced({})
  project.write(NEW)
  const through = service.connect()
  let reads = 0
  const send: SendRequest = async (request) => {
    if (request.path.includes('/articles/') && ++reads === 2) {
      const { id, content } = service.articleAt('page')
      service.editById(id, { content: content.replace('kb1.64656d6f.', 'kb1.6f74686572.') })
    }
    return through(request)
  }
  const result = await sync({ client: { send }, onConflict: 'overwrite' })
  expect(outcomeOf(result)).toMatchObject({ conflicts: 1 })
  expect(result.operations[0]?.reason).toBe('it is no longer managed by this project')
})

test('deletes come first if they make room for new articles', async () => {
  const { service, project, sync } = await startSynced(
    { articleLimit: 2 },
    { ...ONE, 'content/other.md': article('Other') },
  )
  project.remove('content/other.md')
  project.write({ 'content/more.md': article('More') })
  expect(outcomeOf(await sync({ prune: true }))).toMatchObject({ created: 1, deleted: 1, unchanged: 1 })
  expect(
    service
      .articles()
      .map(({ slug }) => slug)
      .toSorted(),
  ).toEqual(['more', 'page'])
})

test('articles that another machine pruned do not mean another knowledge base', async () => {
  const { service, project, sync } = await startSynced({}, manyArticles(20))
  for (let index = 0; index < 5; index++) {
    service.drop(`page-${index}`)
    project.remove(`content/page-${index}.md`)
  }
  expect(outcomeOf(await sync())).toEqual({ unchanged: 15 })
})

test('without a project name and without state, nothing is pruned', async () => {
  const service = createMemoryService()
  const project = createSyncProject(ADDRESS, manyArticles(20), { project: 'default' })
  const sync = (options: RunOptions = {}) => project.sync({ client: { send: service.connect() }, ...options })
  await sync()
  project.remove('content/page-0.md')
  project.forgetState()
  const result = await sync({ prune: true })
  expect(result.guard).toMatch(
    /^Without a project name, articles of another repository could be mistaken for yours/,
  )
  expect(service.articles()).toHaveLength(20)
})

test('the old version of an article is restored beside the article that has its slug now', async () => {
  const { service, project, sync } = await startSynced(UNIQUE, {
    'content/one.md': article('One', { slug: 'one' }),
    'content/two.md': article('Two', { slug: 'two' }),
  })
  project.write({
    'content/one.md': article('One', { slug: 'two', body: 'Forbidden.' }),
    'content/two.md': article('Two', { slug: 'one' }),
  })
  service.refuse(({ content }) => (content.includes('Forbidden') ? 'A forbidden word' : undefined))
  await sync()
  const titles = () =>
    service
      .articles()
      .map(({ title }) => title)
      .toSorted()
  expect(titles()).toEqual(['One', 'Two'])
  expect(
    service
      .articles()
      .map(({ content }) => content)
      .join(),
  ).toContain('Text of One.')
  await sync()
  expect(titles()).toEqual(['One', 'Two'])
  service.refuse(undefined)
  await sync()
  expect(service.articleAt('two').content).toContain('Forbidden.')
  expect(outcomeOf(await sync())).toEqual({ unchanged: 2 })
})
