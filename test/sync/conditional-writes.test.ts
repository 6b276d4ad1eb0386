// On a target with the extension `etag`, changes after the last read of an article are not overwritten.
import { describe, expect, test } from 'vitest'
import type { OutgoingRequest, SendRequest } from '../../src/api/client/send-request.ts'
import { startBuiltinService } from '../support/builtin-service.ts'
import { createMemoryCheckout } from '../support/memory-project.ts'
import { createMemoryService, type MemoryService } from '../support/memory-service.ts'
import { article } from '../support/project.ts'
import { SERVICE_KEY, type ServiceHabits } from '../support/strict-service.ts'
import { createSyncProject, outcomeOf } from '../support/sync-project.ts'

const HABITS: readonly (readonly [string, ServiceHabits])[] = [
  ['one by one', { extensions: ['update', 'etag'], duplicateSlugs: 'refused-409' }],
  ['in batches', { extensions: ['update', 'ids', 'batch', 'etag'], duplicateSlugs: 'refused-409' }],
]

async function startSynced(habits: ServiceHabits) {
  const service = createMemoryService(habits)
  const names = ['First', 'Second', 'Third']
  const files = Object.fromEntries(names.map((name) => [`content/${name.toLowerCase()}.md`, article(name)]))
  const checkout = createMemoryCheckout(service, files)
  await checkout.sync()
  service.forget()
  const changed = {
    'content/first.md': article('First', { body: 'Changed.' }),
    'content/second.md': article('Second', { body: 'Changed.' }),
  }
  return { service, checkout, changeFiles: () => checkout.write(changed) }
}

const isWrite = ({ method }: OutgoingRequest) => !['GET', 'OPTIONS'].includes(method)

/** A connection on which `act` runs before the first writes, after the last read. */
function actingBefore(service: MemoryService, writes: number, act: (number: number) => void): SendRequest {
  const send = service.connect()
  let count = 0
  return (request) => {
    if (isWrite(request) && count < writes) act(++count)
    return send(request)
  }
}

const edited = (text: string) => text.replace('Text', 'Edited text')

test.each(HABITS)('an edit right before an update is a conflict (%s)', async (_, habits) => {
  const { service, checkout, changeFiles } = await startSynced(habits)
  const { content } = service.articleAt('first')
  changeFiles()
  const send = actingBefore(service, 1, () => service.edit('first', { content: edited(content) }))
  const result = await checkout.sync({ client: { send } })
  expect(outcomeOf(result)).toEqual({
    updated: 1,
    unchanged: 1,
    conflicts: 1,
    operations: ['conflict first.md skipped: it was edited on the target', 'update second.md done'],
  })
  expect(service.articleAt('first').content).toBe(edited(content))
})

test.each(HABITS)('a change that readers cannot see is not a conflict (%s)', async (_, habits) => {
  const { service, checkout, changeFiles } = await startSynced(habits)
  changeFiles()
  const send = actingBefore(service, 1, () => service.edit('first', {}))
  expect(outcomeOf(await checkout.sync({ client: { send } }))).toMatchObject({ updated: 2, unchanged: 1 })
  expect(service.articleAt('first').content).toContain('Changed.')
})

test.each(HABITS)('an article that keeps changing is left to the next run (%s)', async (_, habits) => {
  const { service, checkout, changeFiles } = await startSynced(habits)
  changeFiles()
  const touch = () => {
    service.edit('first', {})
    service.edit('second', {})
  }
  const busy = actingBefore(service, 10, touch)
  expect(outcomeOf(await checkout.sync({ client: { send: busy } }))).toMatchObject({
    failed: 2,
    operations: [
      'update first.md failed: it was changed on the target at the same time; run again',
      'update second.md failed: it was changed on the target at the same time; run again',
    ],
  })
  expect(outcomeOf(await checkout.sync())).toMatchObject({ updated: 2 })
})

test.each(
  HABITS.flatMap(([name, habits]) => [
    { name, habits, isFresh: false },
    { name, habits, isFresh: true },
  ]),
)(
  'an edit right before a deletion is a conflict ($name, on a fresh checkout: $isFresh)',
  async ({ habits, isFresh }) => {
    const { service, checkout } = await startSynced(habits)
    const { content } = service.articleAt('third')
    checkout.remove('content/third.md')
    if (isFresh) checkout.forgetState()
    const send = actingBefore(service, 1, () => service.edit('third', { content: edited(content) }))
    const result = await checkout.sync({ prune: true, yes: true, client: { send } })
    expect(outcomeOf(result)).toMatchObject({ unchanged: 2, conflicts: 1 })
    expect(service.articleAt('third').content).toBe(edited(content))
  },
)

/** Targets that replace articles: the old version is deleted after the new one was sent, or before. */
const REPLACING = [{ duplicateSlugs: 'allowed' }, { duplicateSlugs: 'refused-409' }] as const

describe.each(REPLACING)('replacing an article (duplicates $duplicateSlugs)', (habits) => {
  /**
   * @param act called right before each of the first `times` deletions of the old version of `first`, which it may edit
   */
  async function replaceWhile(
    times: number,
    act: (edit: (changes: { readonly content?: string }) => void) => void,
  ) {
    const { service, checkout } = await startSynced({ ...habits, extensions: ['etag'] })
    // The first sync finds out how the target handles a taken slug.
    checkout.write({ 'content/first.md': article('First', { body: 'Text, changed.' }) })
    await checkout.sync()
    const { id } = service.articleAt('first')
    const send = service.connect()
    let left = times
    checkout.write({ 'content/first.md': article('First', { body: 'Text, changed again.' }) })
    const result = await checkout.sync({
      client: {
        send: (request) => {
          if (request.method === 'DELETE' && request.path.endsWith(id) && left-- > 0)
            act((changes) => service.editById(id, changes))
          return send(request)
        },
      },
    })
    return { service, checkout, result: outcomeOf(result) }
  }

  const textsOf = ({ articles }: MemoryService) =>
    articles().flatMap(({ slug, content }) =>
      slug === 'first' ? [/Text[^<.]*|Edited/.exec(content)?.[0]] : [],
    )

  test('an edit right before the old version is deleted is a conflict', async () => {
    const { service, result } = await replaceWhile(1, (edit) => edit({ content: '<p>Edited</p>' }))
    expect(result).toMatchObject({
      conflicts: 1,
      operations: ['conflict first.md skipped: it was edited on the target'],
    })
    expect(textsOf(service)).toEqual(['Edited'])
  })

  test('a change that readers cannot see is not a conflict', async () => {
    const { service, result } = await replaceWhile(1, (edit) => edit({}))
    expect(result).toMatchObject({ replaced: 1 })
    expect(textsOf(service)).toEqual(['Text, changed again'])
  })

  test('an article that keeps changing is left to the next run', async () => {
    const { service, checkout, result } = await replaceWhile(9, (edit) => edit({}))
    expect(result).toMatchObject({
      failed: 1,
      operations: ['replace first.md failed: it was changed on the target at the same time; run again'],
    })
    await checkout.sync()
    expect(textsOf(service)).toEqual(['Text, changed again'])
  })
})

test('articles that swap their slugs stay if one of them is changed in the meantime', async () => {
  const { service, checkout } = await startSynced({ extensions: ['etag'], duplicateSlugs: 'refused-409' })
  const { id } = service.articleAt('first')
  checkout.write({
    'content/first.md': article('First', { slug: 'second' }),
    'content/second.md': article('Second', { slug: 'first' }),
  })
  const send = service.connect()
  const result = await checkout.sync({
    client: {
      send: (request) => {
        if (request.method === 'DELETE' && request.path.endsWith(id)) service.editById(id, {})
        return send(request)
      },
    },
  })
  expect(outcomeOf(result)).toMatchObject({
    failed: 2,
    operations: [
      'move second.md failed: the article that has its slug could not be removed; the old version was restored',
      'move first.md failed: it was changed on the target at the same time; run again',
    ],
  })
  await checkout.sync()
  expect(
    service
      .articles()
      .map(({ slug, title }) => `${slug}: ${title}`)
      .toSorted(),
  ).toEqual(['first: Second', 'second: First', 'third: Third'])
})

test('the built-in server rejects a version that no longer exists, and the sync explains it', async () => {
  const service = await startBuiltinService()
  try {
    const files = { 'content/first.md': article('First'), 'content/second.md': article('Second') }
    const project = createSyncProject(service.url, files)
    await project.sync()
    project.write({ 'content/first.md': article('First', { body: 'Changed.' }) })
    project.remove('content/second.md')
    const headers = { authorization: `Bearer ${SERVICE_KEY}`, 'content-type': 'application/json' }
    const call: SendRequest = async ({ method, path, headers: own, body }) => {
      const answer = await fetch(`${service.url}${path}`, {
        method,
        headers: { ...headers, ...own },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const { status, headers: given } = answer
      return { kind: 'answered', status, headers: Object.fromEntries(given), text: await answer.text() }
    }
    const [category] = (await service.articles()).flatMap((each) => each.article_relationships)
    let count = 0
    // An article contains the name of its category.
    const renameCategory = () =>
      call({
        method: 'POST',
        path: `/api/v2/categories/${category?.category_id}`,
        body: { name: `Guides ${++count}`, slug: 'guides', priority: 1, lang: 'en' },
      })
    const result = await project.sync({
      prune: true,
      client: {
        send: async (request) => {
          if (isWrite(request)) await renameCategory()
          return call(request)
        },
      },
    })
    expect(outcomeOf(result).operations).toEqual([
      'update first.md failed: it was changed on the target at the same time; run again',
      'delete-orphan second failed: it was changed on the target at the same time; run again',
    ])
  } finally {
    await service.close()
  }
})

test.each([
  ['after its creation', article('First')],
  ['after our update', article('First', { body: 'Updated.' })],
])('an edit on the built-in server right %s is a conflict', async (_, written) => {
  const service = await startBuiltinService()
  try {
    const project = createSyncProject(service.url, { 'content/first.md': article('First') })
    await project.sync()
    project.write({ 'content/first.md': written })
    await project.sync()
    const [stored] = await service.articles()
    await fetch(`${service.url}/api/v2/articles/${stored?.id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SERVICE_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        title: 'First',
        slug: 'first',
        categories: [{ value: stored?.article_relationships[0]?.category_id }],
        excerpt: '',
        ordering: 0,
        status: 'published',
        content: '<p>Somebody wrote this.</p>',
      }),
    })
    project.write({ 'content/first.md': article('First', { body: 'Changed.' }) })
    expect(outcomeOf(await project.sync())).toEqual({
      conflicts: 1,
      operations: ['conflict first.md skipped: it was edited on the target'],
    })
    expect((await service.articles()).map(({ content }) => content)).toEqual(['<p>Somebody wrote this.</p>'])
  } finally {
    await service.close()
  }
})
