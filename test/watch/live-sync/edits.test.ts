// Single edits on a target that stays open: their cost, when they need a full run, and their state on disk.
import { existsSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createLiveCheckout, type LiveCheckout } from '../../support/live-checkout.ts'
import { createMemoryService, type MemoryService } from '../../support/memory-service.ts'
import { writesTo } from '../../support/memory-project.ts'
import { article, type Files } from '../../support/project.ts'
import type { ServiceHabits } from '../../support/strict-service.ts'
import { outcomeOf } from '../../support/sync-project.ts'

const THREE: Files = {
  'content/first.md': article('First'),
  'content/second.md': article('Second'),
  'content/third.md': article('Third'),
}

const KIND: ServiceHabits = { extensions: ['update', 'languages'], duplicateSlugs: 'refused-409' }

async function startSaved(
  habits: ServiceHabits = {},
  files: Files = THREE,
): Promise<{ readonly service: MemoryService; readonly checkout: LiveCheckout }> {
  const service = createMemoryService({ ...KIND, ...habits })
  const checkout = createLiveCheckout(service, files)
  const { failure, summary } = await checkout.save()
  expect({ failure, created: summary.created }).toEqual({
    failure: undefined,
    created: Object.keys(files).length,
  })
  service.catchUp()
  service.forget()
  return { service, checkout }
}

const edit = (checkout: LiveCheckout, body: string, more: object = {}) =>
  checkout.write({ 'content/second.md': article('Second', { body, ...more }) })

const UPDATED = { updated: 1, operations: ['update second.md done'] }

test('an edit takes a read before and after the write, and the extensions are known from the first run', async () => {
  const { service, checkout } = await startSaved()
  const { id } = service.articleAt('second')
  for (const words of ['One.', 'Two.', 'Three.']) {
    service.forget()
    edit(checkout, words)
    const result = await checkout.save()
    expect(outcomeOf(result)).toEqual(UPDATED)
    const path = `/api/v2/articles/${id}`
    expect(service.requests).toEqual([`GET ${path}`, `POST ${path}`, `GET ${path}`])
    expect(result.requests).toEqual({ GET: 2, POST: 1 })
    expect(service.articleAt('second')).toMatchObject({ id })
    expect(service.articleAt('second').content).toContain(words)
  }
  await checkout.close()
  expect(outcomeOf(await checkout.sync())).toEqual({ unchanged: 3 })
})

test('a file that is renamed and edited keeps its article', async () => {
  const words = 'This text is long enough to be recognised after a part of it was changed by its author.'
  const { service, checkout } = await startSaved(
    {},
    { ...THREE, 'content/long.md': article('Long', { body: words }) },
  )
  const { id } = service.articleAt('long')
  checkout.remove('content/long.md')
  checkout.write({ 'content/moved.md': article('Long', { body: words.replace('by its author', 'since') }) })
  expect(outcomeOf(await checkout.save())).toMatchObject({
    operations: ['move moved.md done: moved long.md -> moved.md'],
  })
  expect(service.articleAt('moved')).toMatchObject({ id })
  // An edit of only the text reads no other articles.
  service.forget()
  checkout.write({ 'content/moved.md': article('Long', { body: words }) })
  expect(outcomeOf(await checkout.save())).toEqual({ updated: 1, operations: ['update moved.md done'] })
  expect(writesTo(service)).toHaveLength(1)
})

test('extensions are not requested again after a full run', async () => {
  const { service, checkout } = await startSaved()
  edit(checkout, 'One.')
  await checkout.save()
  checkout.write({ 'content/fourth.md': article('Fourth') })
  expect(outcomeOf(await checkout.save())).toMatchObject({ created: 1 })
  service.forget()
  edit(checkout, 'Two.')
  expect((await checkout.save()).requests).toEqual({ GET: 2, POST: 1 })
})

test('every field of an article except its slug can be edited alone', async () => {
  const service = createMemoryService(KIND)
  const [tag] = service.tags()
  const checkout = createLiveCheckout(service, {
    ...THREE,
    'content/_tags.yml': `- name: Safety\n  id: ${tag?.id}\n`,
  })
  await checkout.save()
  checkout.write({
    'content/second.md': article('Second, renamed', {
      slug: 'second',
      tags: ['Safety'],
      categories: ['Guides', 'Guides/Accounts'],
      excerpt: 'In short.',
      status: 'published',
      order: 3,
      reviewDate: '2030-01-01',
      body: 'All is new.',
    }),
  })
  expect(outcomeOf(await checkout.save())).toEqual(UPDATED)
  expect(checkout.lastWay()).toBe('edited')
  await checkout.flush()
  expect(outcomeOf(await checkout.sync())).toEqual({ unchanged: 3 })
  expect(service.articleAt('second')).toMatchObject({
    title: 'Second, renamed',
    excerpt: 'In short.',
    status: 'published',
    order: 3,
    reviewDate: '2030-01-01',
    tagIds: [tag?.id],
  })
})

test('an edit without an effect sends no request', async () => {
  const { service, checkout } = await startSaved()
  checkout.write({ 'content/second.md': `${article('Second')}\n` })
  expect(outcomeOf(await checkout.save())).toEqual({ unchanged: 1 })
  expect(checkout.lastWay()).toBe('edited')
  expect(service.requests.filter((each) => !each.startsWith('OPTIONS'))).toEqual([])
})

test('a translation is edited beside its original', async () => {
  const files = {
    'content/second.md': article('Second'),
    'content/second.fr.md': article('Second', { language: 'fr', translationOf: 'second.md', slug: 'deux' }),
  }
  const { service, checkout } = await startSaved({ languages: ['en', 'fr'] }, files)
  const before = service.articleAt('deux')
  checkout.write({
    'content/second.fr.md': article('Deux', {
      language: 'fr',
      translationOf: 'second.md',
      slug: 'deux',
      body: 'Autre texte.',
    }),
  })
  expect(outcomeOf(await checkout.save())).toMatchObject({ updated: 1 })
  expect(checkout.lastWay()).toBe('edited')
  const { id, languageParent, language } = before
  expect(service.articleAt('deux')).toMatchObject({ id, languageParent, language, title: 'Deux' })
  await checkout.flush()
  service.forget()
  expect(outcomeOf(await checkout.sync())).toEqual({ unchanged: 2 })
  expect(writesTo(service)).toEqual([])
})

test('an edit on the target is a conflict, which requires full runs until it is resolved', async () => {
  const { service, checkout } = await startSaved()
  edit(checkout, 'Mine.')
  await checkout.save()
  service.edit('second', { content: service.articleAt('second').content.replace('Mine', 'Theirs') })
  service.forget()
  edit(checkout, 'Mine again.')
  const conflict = { conflicts: 1, operations: ['conflict second.md skipped: it was edited on the target'] }
  expect(outcomeOf(await checkout.save())).toEqual(conflict)
  expect(checkout.lastWay()).toBe('edited')
  edit(checkout, 'Once more.')
  expect(outcomeOf(await checkout.save())).toEqual({ ...conflict, unchanged: 2 })
  expect(checkout.lastWay()).toBe('all')
  expect(writesTo(service)).toEqual([])
  edit(checkout, 'Theirs.')
  expect(outcomeOf(await checkout.save())).toMatchObject({ updated: 1 })
  edit(checkout, 'Done.')
  expect(outcomeOf(await checkout.save())).toEqual(UPDATED)
  expect(checkout.lastWay()).toBe('edited')
})

test('if conflicts are overwritten, an edit on the target is backed up first', async () => {
  const service = createMemoryService(KIND)
  const checkout = createLiveCheckout(service, THREE, { onConflict: 'overwrite' })
  await checkout.save()
  edit(checkout, 'Mine.')
  await checkout.save()
  service.edit('second', { content: '<p>Theirs</p>' })
  edit(checkout, 'Mine again.')
  expect(outcomeOf(await checkout.save())).toMatchObject({ updated: 1 })
  expect(checkout.lastWay()).toBe('edited')
  expect(service.articleAt('second').content).toContain('Mine again.')
  expect(readdirSync(checkout.path('.kb/backups'))).toHaveLength(1)
})

test('an open draft is a conflict', async () => {
  const { service, checkout } = await startSaved()
  service.edit('second', { draftId: 'draft-1' })
  edit(checkout, 'Mine.')
  expect(outcomeOf(await checkout.save())).toMatchObject({ conflicts: 1 })
  expect(writesTo(service)).toEqual([])
})

test('an article that was deleted on the target is created again, by a full run', async () => {
  const { service, checkout } = await startSaved()
  edit(checkout, 'One.')
  await checkout.save()
  service.drop('second')
  edit(checkout, 'Two.')
  expect(outcomeOf(await checkout.save())).toEqual({
    created: 1,
    unchanged: 2,
    operations: ['create second.md done: it was deleted on the target'],
  })
  expect(checkout.lastWay()).toBe('all')
  edit(checkout, 'Three.')
  expect(outcomeOf(await checkout.save())).toEqual(UPDATED)
})

test.each<[string, ServiceHabits]>([
  ['cannot update', { extensions: [] }],
  ['cannot update, and takes two of one slug', { extensions: [], duplicateSlugs: 'allowed' }],
  ['cannot update, and strips comments', { extensions: [], stripsComments: true }],
])('the lists of a service that %s are requested', async (_, habits) => {
  const { service, checkout } = await startSaved(habits)
  for (const words of ['One.', 'Two.']) {
    edit(checkout, words)
    expect(outcomeOf(await checkout.save())).toEqual({
      replaced: 1,
      unchanged: 2,
      operations: ['replace second.md done'],
    })
    expect(checkout.lastWay()).toBe('all')
  }
  expect(service.articles()).toHaveLength(3)
  await checkout.close()
  expect(outcomeOf(await checkout.sync())).toEqual({ unchanged: 3 })
})

test.each<[string, ServiceHabits]>([
  ['strips comments', { stripsComments: true }],
  ['rewrites HTML', { rewritesHtml: true }],
  ['leaves out members', { isSparse: true }],
  ['has numeric ids', { numericIds: true }],
  ['answers 200 for unknown ids', { unknownIdStatus: 200 }],
  ['allows two of one slug', { duplicateSlugs: 'allowed' }],
])('a service that %s: edited again and again, ids stay', async (_, habits) => {
  const { service, checkout } = await startSaved(habits)
  const ids = () => service.articles().map(({ id, slug }) => `${slug} ${id}`)
  const before = ids()
  for (const words of ['One.', 'Two.', 'Three.']) {
    edit(checkout, words)
    expect(outcomeOf(await checkout.save())).toEqual(UPDATED)
    expect(checkout.lastWay()).toBe('edited')
  }
  expect(ids()).toEqual(before)
  await checkout.close()
  service.forget()
  expect(outcomeOf(await checkout.sync())).toEqual({ unchanged: 3 })
  expect(writesTo(service)).toEqual([])
})

test('on a service with delayed lists, an article is edited alone once it is listed', async () => {
  const service = createMemoryService({ ...KIND, listLag: 1000 })
  const checkout = createLiveCheckout(service, THREE)
  await checkout.save()
  edit(checkout, 'One.')
  await checkout.save()
  expect(checkout.lastWay()).toBe('all')
  expect(service.articles()).toHaveLength(3)
  service.catchUp()
  checkout.wait()
  edit(checkout, 'Two.')
  await checkout.save()
  service.catchUp()
  checkout.wait()
  edit(checkout, 'Three.')
  expect(outcomeOf(await checkout.save())).toMatchObject({ updated: 1 })
  edit(checkout, 'Four.')
  expect(outcomeOf(await checkout.save())).toEqual(UPDATED)
  expect(checkout.lastWay()).toBe('edited')
  expect(service.articles()).toHaveLength(3)
})

test('more concurrent edits than connections need a full run', async () => {
  const { checkout } = await startSaved({}, Object.fromEntries(many('one')))
  checkout.write(Object.fromEntries(many('two')))
  expect(outcomeOf(await checkout.save())).toMatchObject({ updated: 9 })
  expect(checkout.lastWay()).toBe('all')
  checkout.write(Object.fromEntries(many('three').slice(1)))
  expect(outcomeOf(await checkout.save())).toMatchObject({ updated: 8 })
  expect(checkout.lastWay()).toBe('edited')
})

const many = (words: string) =>
  Array.from({ length: 9 }, (_, index) => [
    `content/page-${index}.md`,
    article(`Page ${index}`, { body: words }),
  ])

test('the state is written when it is quiet, and only the journal before', async () => {
  const { checkout } = await startSaved()
  const [journal = ''] = readdirSync(checkout.path('.kb/journal'))
  const isOpen = () => existsSync(checkout.path(`.kb/journal/${journal}`))
  await checkout.flush()
  expect(isOpen()).toBe(false)
  edit(checkout, 'One.')
  await checkout.save()
  expect(isOpen()).toBe(true)
  await checkout.flush()
  expect(isOpen()).toBe(false)
  expect((await checkout.plan()).recovery).toBeUndefined()
})

test('many writes are stored in the state at once', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`content/page-${index}.md`, article(`Page ${index}`)]),
  )
  const { checkout } = await startSaved({}, files)
  checkout.kill()
  const next = await checkout.sync()
  expect({ ...outcomeOf(next), recovery: next.recovery }).toEqual({ unchanged: 100 })
})
