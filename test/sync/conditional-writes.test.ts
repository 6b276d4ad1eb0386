// On a target with the extension `etag`, what someone changes after the last read of an article is not overwritten.
import { expect, test } from 'vitest'
import type { SendRequest } from '../../src/api/client/send-request.ts'
import { createMemoryCheckout } from '../support/memory-project.ts'
import { createMemoryService, type MemoryService } from '../support/memory-service.ts'
import { article } from '../support/project.ts'
import type { ServiceHabits } from '../support/strict-service.ts'
import { outcomeOf } from '../support/sync-project.ts'

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

/** A connection on which `act` comes before the first writes: after the last read. */
function actingBefore(service: MemoryService, writes: number, act: (number: number) => void): SendRequest {
  const send = service.connect()
  let count = 0
  return (request) => {
    const isWrite = !['GET', 'OPTIONS'].includes(request.method)
    if (isWrite && count < writes) act(++count)
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

test.each(HABITS)('a change that a reader cannot see is none (%s)', async (_, habits) => {
  const { service, checkout, changeFiles } = await startSynced(habits)
  changeFiles()
  const send = actingBefore(service, 1, () => service.edit('first', {}))
  expect(outcomeOf(await checkout.sync({ client: { send } }))).toMatchObject({ updated: 2, unchanged: 1 })
  expect(service.articleAt('first').content).toContain('Changed.')
})

test.each(HABITS)(
  'an article that changes again and again is left to the next run (%s)',
  async (_, habits) => {
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
        'update first.md failed: the target refused it: The article has changed',
        'update second.md failed: the target refused it: The article has changed',
      ],
    })
    expect(outcomeOf(await checkout.sync())).toMatchObject({ updated: 2 })
  },
)

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
