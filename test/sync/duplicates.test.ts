// Two articles of one document, left by an interrupted run or by two concurrent runs.
import { expect, test } from 'vitest'
import { article, type Files } from '../support/project.ts'
import { createMemoryCheckout } from '../support/memory-project.ts'
import { createMemoryService } from '../support/memory-service.ts'
import { startStrictService, type StoredArticle } from '../support/strict-service.ts'
import { createSyncProject, outcomeOf } from '../support/sync-project.ts'

const TWO: Files = { 'content/first.md': article('First'), 'content/second.md': article('Second') }

/** A synced project, a copy of its second article on the target, and no state. */
async function startWithDuplicate(changes: Partial<StoredArticle> = {}) {
  const service = await startStrictService()
  const project = createSyncProject(service.url, TWO)
  await project.sync()
  const kept = service.articleAt('second')
  const { id: _, createdMs: __, editedMs: ___, ...copied } = kept
  const duplicate = service.add({ ...copied, ...changes })
  project.forgetState()
  return { service, project, kept, duplicate }
}

test('an unchanged duplicate is deleted, and the older one stays', async () => {
  const { service, project, kept } = await startWithDuplicate()
  expect(outcomeOf(await project.sync())).toEqual({
    deleted: 1,
    unchanged: 2,
    operations: ['delete-copy second.md done: a second article for the same document'],
  })
  expect(service.articleAt('second')).toEqual(kept)
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2 })
})

test.each<[string, Partial<StoredArticle>]>([
  ['with another title', { title: 'Second, copied' }],
  ['at another slug', { slug: 'second-copy' }],
  ['in another language', { language: 'fr' }],
  ['with a draft open beside it', { draftId: 'draft-1' }],
])('a copy %s belongs to a person', async (_, changes) => {
  const { service, project, kept, duplicate } = await startWithDuplicate(changes)
  const { slug } = duplicate
  const left = {
    unchanged: 2,
    conflicts: 1,
    operations: ['conflict second.md skipped: the target has a second article for the same document'],
  }
  expect(outcomeOf(await project.sync({ prune: true }))).toEqual(left)
  expect(outcomeOf(await project.sync({ prune: true, onConflict: 'overwrite' }))).toEqual(left)
  // There is nothing else to search for now.
  expect(outcomeOf(await project.sync())).toEqual(left)
  expect(service.articles().filter((each) => [slug, kept.slug].includes(each.slug))).toEqual([
    kept,
    duplicate,
  ])
})

test.each([
  ['with state', true],
  ['without state', false],
])('an edited copy at the slug that a file now has is not adopted (%s)', async (_, hasState) => {
  const service = await startStrictService()
  const project = createSyncProject(service.url, TWO)
  await project.sync()
  const original = service.articleAt('second')
  service.duplicate(original.id, { slug: 'wanted' })
  service.edit('wanted', { content: `<p>Somebody wrote this.</p>${original.content}` })
  const copy = service.articleAt('wanted')
  if (!hasState) project.forgetState()
  project.write({ 'content/second.md': article('Second', { slug: 'wanted' }) })
  expect(outcomeOf(await project.sync({ prune: true, yes: true }))).toEqual({
    unchanged: 1,
    conflicts: 2,
    operations: [
      'conflict second.md skipped: the slug belongs to a copy of a managed article',
      'conflict second.md skipped: the target has a second article for the same document',
    ],
  })
  expect([service.articleAt('second'), service.articleAt('wanted')]).toEqual([original, copy])
})

test('two files swap their slugs while a copy of one of them is at another slug', async () => {
  const service = createMemoryService({ extensions: ['update'], duplicateSlugs: 'refused-409' })
  const checkout = createMemoryCheckout(service, TWO)
  await checkout.sync()
  service.duplicate(service.articleAt('second').id, { slug: 'copied' })
  checkout.write({
    'content/first.md': article('First', { slug: 'second' }),
    'content/second.md': article('Second', { slug: 'first' }),
  })
  const { operations } = outcomeOf(await checkout.sync())
  expect(operations).toEqual([
    'conflict second.md skipped: the target has a second article for the same document',
    'move first.md done',
    'move second.md done',
  ])
  expect([service.articleAt('first').title, service.articleAt('second').title]).toEqual(['Second', 'First'])
})

test.each(['Second', 'Second, renamed'])(
  'an article of another checkout that slow lists show later is noticed without markers (title %s)',
  async (title) => {
    const service = createMemoryService({ stripsComments: true, listLag: 1000, linkLag: 1000 })
    await createMemoryCheckout(service, TWO).sync()
    const checkout = createMemoryCheckout(service, {
      ...TWO,
      'content/second.md': article(title, { slug: 'second', body: 'Changed.' }),
    })
    expect(outcomeOf(await checkout.sync())).toMatchObject({ failed: 2 })
    service.catchUp()
    const [, older] = service.articles()
    const conflict = 'conflict second.md skipped: another article has the same slug'
    const left = { unchanged: 2, conflicts: 1, operations: [conflict] }
    expect(outcomeOf(await checkout.sync())).toEqual({
      ...left,
      deleted: 1,
      operations: [conflict, 'delete-copy first.md done: a second article for the same document'],
    })
    service.catchUp()
    expect(outcomeOf(await checkout.sync())).toEqual(left)
    service.dropById(older?.id ?? '')
    service.catchUp()
    expect(outcomeOf(await checkout.sync())).toEqual({ unchanged: 2 })
  },
)

test('an open draft of an article does not count as a second article at its slug', async () => {
  const service = await startStrictService({ stripsComments: true })
  const project = createSyncProject(service.url, TWO)
  await project.sync()
  const draft = service.add({ title: 'Second', slug: 'second', content: '<p>A draft</p>' })
  expect(outcomeOf(await project.sync())).toMatchObject({ unchanged: 2, conflicts: 1 })
  service.editById(service.articles()[1]?.id ?? '', { draftId: draft.id })
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 2 })
})
