// Foreign articles, and articles that others edited, are detected before they are changed.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exitCodeOfSync } from '../../src/cli/results/exit-code.ts'
import { article, type Files } from '../support/project.ts'
import { type ServiceHabits, type StrictService, startStrictService } from '../support/strict-service.ts'
import { createSyncProject, outcomeOf, type SyncProject } from '../support/sync-project.ts'

const TWO: Files = { 'content/first.md': article('First'), 'content/second.md': article('Second') }

const writes = ({ requests }: StrictService) => requests.filter((each) => !/^(GET|OPTIONS)/.test(each))

async function startSynced(habits?: ServiceHabits) {
  const service = await startStrictService(habits)
  const project = createSyncProject(service.url, TWO)
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 2 })
  service.forget()
  return { service, project }
}

const changeSecond = (project: SyncProject) =>
  project.write({ 'content/second.md': article('Second', { body: 'Changed in the file.' }) })

test.each(['known', 'forgotten'])('a foreign article keeps its slug (state %s)', async (state) => {
  const service = await startStrictService()
  service.add({ title: 'Older', slug: 'second', content: '<p>By hand</p>' })
  const before = service.articleAt('second')
  const project = createSyncProject(service.url, TWO)
  const expected = {
    created: 1,
    conflicts: 1,
    operations: [
      'conflict second.md skipped: the slug belongs to an article that kb-sync did not create',
      'create first.md done',
    ],
  }
  const result = await project.sync()
  expect(outcomeOf(result)).toEqual(expected)
  expect([exitCodeOfSync(result, 'fail'), exitCodeOfSync(result, 'skip')]).toEqual([4, 0])
  if (state === 'forgotten') project.forgetState()
  const again = { unchanged: 1, conflicts: 1, operations: expected.operations.slice(0, 1) }
  expect(outcomeOf(await project.sync())).toEqual(again)
  expect(outcomeOf(await project.sync({ onConflict: 'overwrite' }))).toEqual(again)
  expect(service.articleAt('second')).toEqual(before)
})

test('a foreign article that moved away is no longer a conflict', async () => {
  const service = await startStrictService()
  service.add({ title: 'Older', slug: 'second', content: '<p>By hand</p>' })
  const project = createSyncProject(service.url, TWO)
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 1, conflicts: 1 })
  service.edit('second', { slug: 'elsewhere' })
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 1, unchanged: 1 })
  expect(service.articleAt('elsewhere')).toMatchObject({ content: '<p>By hand</p>' })
})

test('a managed article that was deleted on the target does not occupy its slug', async () => {
  const { service, project } = await startSynced()
  service.drop('first')
  service.add({ title: 'Older', slug: 'taken', content: '<p>By hand</p>' })
  project.write({
    'content/first.md': article('First', { slug: 'taken' }),
    'content/third.md': article('Third', { slug: 'first' }),
  })
  expect(outcomeOf(await project.sync())).toEqual({
    created: 1,
    unchanged: 1,
    conflicts: 1,
    operations: [
      'conflict first.md skipped: the slug belongs to an article that kb-sync did not create',
      'create third.md done',
    ],
  })
  expect(service.articleAt('first').title).toBe('Third')
})

test('a foreign article is adopted only by name, after a backup', async () => {
  const service = await startStrictService()
  service.add({ title: 'Older', slug: 'second', content: '<p>By hand</p>' })
  const project = createSyncProject(service.url, TWO)
  expect(outcomeOf(await project.sync({ adopt: ['second'] }))).toEqual({
    created: 1,
    replaced: 1,
    operations: ['create first.md done', 'replace second.md done: adopted'],
  })
  expect(service.articleAt('second').content).toContain('Text of Second.')
  expect(backups(project)).toEqual(['<p>By hand</p>'])
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2 })
})

test("another project's article is foreign, even if its file has the same name", async () => {
  const { service } = await startSynced()
  const before = service.articles()
  const other = createSyncProject(service.url, TWO, { project: 'other' })
  const reason = 'the slug belongs to an article of the project "demo"'
  expect(outcomeOf(await other.sync({ prune: true, yes: true }))).toEqual({
    conflicts: 2,
    operations: [`conflict first.md skipped: ${reason}`, `conflict second.md skipped: ${reason}`],
  })
  other.remove('content/first.md')
  expect(outcomeOf(await other.sync({ prune: true, yes: true }))).toMatchObject({ conflicts: 1 })
  expect(service.articles()).toEqual(before)
})

test.each([
  ['its text', { content: '<p>Edited by hand</p>' }],
  ['its text, marker kept', undefined],
  ['its title', { title: 'Second, edited' }],
  ['a field', { order: 9 }],
] as const)('an article is not overwritten if its %s was edited on the target', async (_, changes) => {
  const { service, project } = await startSynced()
  const { content } = service.articleAt('second')
  service.edit('second', changes ?? { content: content.replace('Text', 'Other text') })
  const edited = service.articleAt('second')
  changeSecond(project)
  const conflict = {
    unchanged: 1,
    conflicts: 1,
    operations: ['conflict second.md skipped: it was edited on the target'],
  }
  expect(outcomeOf(await project.sync())).toEqual(conflict)
  expect(outcomeOf(await project.sync())).toEqual(conflict)
  expect(service.articleAt('second')).toEqual(edited)
  expect(writes(service)).toEqual([])

  expect(outcomeOf(await project.sync({ onConflict: 'overwrite' }))).toEqual({
    replaced: 1,
    unchanged: 1,
    operations: ['replace second.md done: overwrites an edit made on the target'],
  })
  expect(service.articleAt('second')).toMatchObject({ title: 'Second', order: 0 })
  expect(service.articleAt('second').content).toContain('Changed in the file.')
  expect(backups(project)).toEqual([edited.content])
})

test('--verify finds edits even if there is nothing to send', async () => {
  const { service, project } = await startSynced()
  const { content } = service.articleAt('second')
  service.edit('second', { content: content.replace('Text', 'Other text') })
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2 })
  const conflict = {
    unchanged: 1,
    conflicts: 1,
    operations: ['conflict second.md skipped: it was edited on the target'],
  }
  expect(outcomeOf(await project.sync({ verify: true }))).toEqual(conflict)
  expect(writes(service)).toEqual([])
})

test('an edited orphan is not deleted', async () => {
  const { service, project } = await startSynced()
  service.edit('second', { title: 'Second, edited' })
  project.remove('content/second.md')
  expect(outcomeOf(await project.sync({ prune: true }))).toEqual({
    unchanged: 1,
    conflicts: 1,
    orphans: 1,
    operations: ['conflict second skipped: it has no file, but it was edited on the target'],
  })
  expect(service.articles()).toHaveLength(2)
})

test('an article with an open draft on the target is not changed', async () => {
  const { service, project } = await startSynced()
  service.edit('second', { draftId: 'draft-1' })
  changeSecond(project)
  expect(outcomeOf(await project.sync({ onConflict: 'overwrite' }))).toEqual({
    unchanged: 1,
    conflicts: 1,
    operations: ['conflict second.md skipped: it has an open draft on the target'],
  })
  expect(writes(service)).toEqual([])
})

test('an article that differs but was never edited is from a service that rewrites HTML', async () => {
  const { service, project } = await startSynced()
  const { content } = service.articleAt('second')
  service.edit('second', {
    content: content.replace('Text', '<b>A banner of the service.</b> Text'),
    editedMs: service.articleAt('second').createdMs,
  })
  changeSecond(project)
  expect(outcomeOf(await project.sync())).toMatchObject({ replaced: 1, unchanged: 1 })
})

test('an edit between plan and write is detected', async () => {
  const { service, project } = await startSynced()
  changeSecond(project)
  const { content } = service.articleAt('second')
  const result = await project.sync({
    onProgress: (phase) => {
      if (phase === 'render') service.edit('second', { content: content.replace('Text', 'Other text') })
    },
  })
  expect(outcomeOf(result)).toMatchObject({ conflicts: 1, unchanged: 1 })
  expect(writes(service)).toEqual([])
})

test('without markers and state, only an article that equals its file is managed', async () => {
  const { service, project } = await startSynced({ stripsComments: true })
  project.forgetState()
  changeSecond(project)
  expect(outcomeOf(await project.sync())).toEqual({
    unchanged: 1,
    conflicts: 1,
    operations: ['conflict second.md skipped: the slug belongs to an article that kb-sync did not create'],
  })
  expect(writes(service)).toEqual([])
})

test.each([
  ['in the second in which it was created', [], 500],
  ['on a day that the target does not part from that of its creation', [], 0],
  ['so, where articles are changed in place', ['update'], 500],
] as const)('an edit made %s is backed up before it is overwritten', async (_, extensions, afterMs) => {
  const { service, project } = await startSynced({ extensions })
  const { id, createdMs, content } = service.articleAt('second')
  const edited = `<p>Somebody wrote this.</p>${content}`
  service.editById(id, { content: edited, editedMs: createdMs + afterMs })
  changeSecond(project)
  const { operations } = await project.sync()
  expect(operations[0]?.backup).toMatch(/^\.kb\/backups\//)
  expect(backups(project)).toEqual([edited])
})

/** HTML of each backup of an overwritten article. */
function backups(project: SyncProject): string[] {
  const folder = project.path('.kb/backups')
  return readdirSync(folder).map((name) => {
    const { data } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { data: { content: string } }
    return data.content
  })
}
