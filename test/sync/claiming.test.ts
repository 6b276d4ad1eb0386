// Claims articles that kb-sync never sent because they equal a file: only without any other evidence, never from
// another project, and with a backup before they are changed.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exitCodeOfSync } from '../../src/cli/results/exit-code.ts'
import { createPullProject } from '../authoring/pull/pull-project.ts'
import { article, type Files } from '../support/project.ts'
import { type ServiceHabits, type StrictService, startStrictService } from '../support/strict-service.ts'
import { createSyncProject, outcomeOf, type SyncProject } from '../support/sync-project.ts'

const FIRST: Files = { 'content/first.md': article('First') }
const SECOND: Files = { 'content/second.md': article('Second') }
const CHANGED: Files = { 'content/second.md': article('Second', { body: 'Changed in the file.' }) }
const STRIPS: ServiceHabits = { stripsComments: true }
const FOREIGN = 'the slug belongs to an article that kb-sync did not create'

const writesTo = ({ requests }: StrictService) => requests.filter((each) => !/^(GET|OPTIONS)/.test(each))

/** HTML of each backup. */
function backups(project: SyncProject): string[] {
  const folder = project.path('.kb/backups')
  return readdirSync(folder).map((name) => {
    const { data } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { data: { content: string } }
    return data.content
  })
}

/** An article exactly as its file would be sent, but without a marker. */
async function addUnmarked(service: StrictService, files: Files) {
  const helper = await startStrictService(STRIPS)
  await createSyncProject(helper.url, files).sync()
  for (const { id: _, ...sent } of helper.articles()) service.add(sent)
}

/** A service with the articles of these files, without markers, and a checkout without state. */
async function startUnmarked(habits: ServiceHabits, files: Files = { ...FIRST, ...SECOND }) {
  const service = await startStrictService(habits)
  await addUnmarked(service, files)
  const project = createPullProject(service.url, files)
  return { service, project }
}

describe('a target whose articles have no markers, without state', () => {
  test.each<[string, ServiceHabits, string]>([
    ['replaced', STRIPS, 'replace'],
    ['replaced in place', { ...STRIPS, duplicateSlugs: 'refused-409' }, 'replace'],
    ['updated', { ...STRIPS, extensions: ['update'] }, 'update'],
  ])(
    'an article that equals its file is claimed, and backed up before it is %s',
    async (_, habits, action) => {
      const { service, project } = await startUnmarked(habits)
      expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2 })
      const { content } = service.articleAt('second')
      project.write(CHANGED)
      expect(outcomeOf(await project.sync())).toMatchObject({ operations: [`${action} second.md done`] })
      expect(backups(project)).toEqual([content])
      expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2 })
      expect(service.articles()).toHaveLength(2)
    },
  )

  test('if the target turns out to keep markers, claimed articles are changed only on request', async () => {
    const { service, project } = await startUnmarked({})
    expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2 })
    const before = service.articles()
    project.write(CHANGED)
    const conflict = { unchanged: 1, conflicts: 1, operations: [`conflict second.md skipped: ${FOREIGN}`] }
    // The new version returns with its marker, and is removed.
    expect(outcomeOf(await project.sync())).toEqual(conflict)
    expect(service.articles()).toEqual(before)
    service.forget()
    expect(outcomeOf(await project.sync({ onConflict: 'overwrite' }))).toEqual(conflict)
    expect(writesTo(service)).toEqual([])
    expect(outcomeOf(await project.sync({ adopt: ['second'] }))).toMatchObject({ replaced: 1, unchanged: 1 })
    expect(backups(project)).toContain(before.find(({ slug }) => slug === 'second')?.content)
  })

  test('an article adopted by name is sent with our marker, even without a difference', async () => {
    const { service, project } = await startUnmarked({ extensions: ['update'] })
    await project.sync()
    expect(outcomeOf(await project.sync({ adopt: ['second'] }))).toMatchObject({
      operations: ['update second.md done: adopted'],
    })
    project.forgetState()
    project.write(CHANGED)
    expect(outcomeOf(await project.sync())).toMatchObject({
      updated: 1,
      operations: [`conflict first.md skipped: ${FOREIGN}`, 'update second.md done'],
    })
    expect(service.articles()).toHaveLength(2)
  })
})

describe('nothing is claimed', () => {
  test('if the target keeps markers', async () => {
    const service = await startStrictService()
    const project = createSyncProject(service.url, FIRST)
    await project.sync()
    await addUnmarked(service, SECOND)
    project.write(SECOND)
    const expected = { unchanged: 1, conflicts: 1, operations: [`conflict second.md skipped: ${FOREIGN}`] }
    expect(outcomeOf(await project.sync())).toEqual(expected)
    project.forgetState()
    expect(outcomeOf(await project.sync())).toEqual(expected)
    const { content } = service.articleAt('second')
    expect(outcomeOf(await project.sync({ adopt: ['second'] }))).toMatchObject({ replaced: 1 })
    expect(backups(project)).toEqual([content])
  })

  test("if only another project's marker shows that it does", async () => {
    const { service, project } = await startUnmarked({})
    const other = createSyncProject(service.url, { 'content/else.md': article('Else') }, { project: 'other' })
    await other.sync()
    expect(outcomeOf(await project.sync())).toMatchObject({ conflicts: 2 })
  })

  test('from another project, if the state knows the own articles', async () => {
    const service = await startStrictService(STRIPS)
    const other = createSyncProject(service.url, SECOND, { project: 'other' })
    await other.sync()
    const project = createSyncProject(service.url, FIRST)
    expect(outcomeOf(await project.sync())).toMatchObject({ created: 1 })
    const before = service.articles()
    for (const files of [SECOND, CHANGED]) {
      project.write(files)
      expect(outcomeOf(await project.sync())).toMatchObject({ conflicts: 1, unchanged: 1 })
    }
    expect(service.articles()).toEqual(before)
    expect(outcomeOf(await other.sync())).toEqual({ unchanged: 1 })
  })

  test('from another project in the same folder, if there is only its state', async () => {
    const service = await startStrictService(STRIPS)
    const other = createSyncProject(service.url, SECOND, { project: 'other' })
    await other.sync()
    const project = createSyncProject(service.url, SECOND, {}, other.root)
    const reason = 'the slug belongs to an article of the project "other"'
    for (const files of [SECOND, CHANGED]) {
      project.write(files)
      const { operations } = await project.sync()
      expect(operations.map((each) => [each.action, each.reason])).toEqual([['conflict', reason]])
    }
    expect(service.articleAt('second').content).not.toContain('Changed')
  })
})

describe('the file of an article that was never sent is deleted', () => {
  const startClaimed = async () => {
    const { service, project } = await startUnmarked(STRIPS)
    expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2 })
    return { service, project }
  }
  const startPulled = async () => {
    const service = await startStrictService()
    const project = createPullProject(service.url, FIRST)
    await project.sync()
    await addUnmarked(service, SECOND)
    expect((await project.pull()).summary).toMatchObject({ created: 1 })
    expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2 })
    return { service, project }
  }

  test.each([
    ['claimed', startClaimed],
    ['pulled', startPulled],
  ])('if it was %s, it is an orphan in every run, and deleted with --yes', async (_, start) => {
    const { service, project } = await start()
    project.remove('content/second.md')
    service.forget()
    for (const run of [project.plan, project.sync, project.sync]) {
      const result = await run()
      expect(outcomeOf(result)).toEqual({ unchanged: 1, orphans: 1 })
      expect(result.orphans.map(({ slug }) => slug)).toEqual(['second'])
    }
    const held = await project.sync({ prune: true })
    expect(outcomeOf(held)).toEqual({
      unchanged: 1,
      skipped: 1,
      operations: ['delete-orphan second skipped: held back by a guard'],
      guard:
        '1 article would be deleted that kb-sync never sent, only recognised or pulled; it was not changed. If you want that, run again with --yes.',
    })
    expect([exitCodeOfSync(held, 'fail'), held.orphans.length]).toEqual([1, 1])
    expect(writesTo(service)).toEqual([])
    const { content } = service.articleAt('second')
    expect(outcomeOf(await project.sync({ prune: true, yes: true }))).toMatchObject({ deleted: 1 })
    expect(backups(project)).toEqual([content])
    expect(outcomeOf(await project.sync())).toEqual({ unchanged: 1 })
  })

  test('beside sent articles, only the sent ones are deleted', async () => {
    const { service, project } = await startPulled()
    project.write({ 'content/third.md': article('Third') })
    await project.sync()
    project.remove('content/second.md', 'content/third.md')
    expect(outcomeOf(await project.sync({ prune: true }))).toMatchObject({ deleted: 1, skipped: 1 })
    expect(service.articles().map(({ slug }) => slug)).toEqual(['first', 'second'])
  })

  test('after it was sent, it is deleted like any other', async () => {
    const { service, project } = await startClaimed()
    project.write(CHANGED)
    await project.sync()
    project.remove('content/second.md')
    expect(outcomeOf(await project.sync({ prune: true }))).toMatchObject({ deleted: 1, unchanged: 1 })
    expect(service.articles()).toHaveLength(1)
  })
})

test('a pulled article is changed like a sent one, after a backup', async () => {
  const { service, project } = await startUnmarked({}, SECOND)
  project.remove('content/second.md')
  await project.pull()
  const { content } = service.articleAt('second')
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 1 })
  project.write({ 'content/second.md': project.read('content/second.md').replace('Text of', 'New text of') })
  expect(outcomeOf(await project.sync())).toMatchObject({ replaced: 1 })
  expect(backups(project)).toEqual([content])
})

test('articles claimed by a pull are remembered', async () => {
  const { project } = await startUnmarked(STRIPS)
  project.remove('content/second.md')
  expect((await project.pull()).summary).toMatchObject({ created: 1, unchanged: 1 })
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2 })
})
