// Failures while a target stays open, and how it continues: based on files and target.
import { expect, test } from 'vitest'
import { takeLock } from '../../../src/sync/state/lock.ts'
import { workspaceOf, stateFiles } from '../../../src/sync/state/workspace.ts'
import { createLiveCheckout, type LiveCheckout } from '../../support/live-checkout.ts'
import { createMemoryService, type MemoryService, type Mishap } from '../../support/memory-service.ts'
import { article, type Files } from '../../support/project.ts'
import type { ServiceHabits } from '../../support/strict-service.ts'
import { outcomeOf } from '../../support/sync-project.ts'

const THREE: Files = {
  'content/first.md': article('First'),
  'content/second.md': article('Second'),
  'content/third.md': article('Third'),
}

/** Saved, and edited once, so that the target's extensions are known. */
async function startEdited(
  habits: ServiceHabits = {},
): Promise<{ readonly service: MemoryService; readonly checkout: LiveCheckout }> {
  const service = createMemoryService({ extensions: ['update'], duplicateSlugs: 'refused-409', ...habits })
  const checkout = createLiveCheckout(service, THREE)
  await checkout.save()
  edit(checkout, 'One.')
  expect(outcomeOf(await checkout.save())).toEqual(UPDATED)
  return { service, checkout }
}

const edit = (checkout: LiveCheckout, body: string) =>
  checkout.write({ 'content/second.md': article('Second', { body }) })

const UPDATED = { updated: 1, operations: ['update second.md done'] }

const idsOf = (service: MemoryService) => service.articles().map(({ id, slug }) => `${slug} ${id}`)

const READ = 0
const WRITE = 1

test.each<[string, number, Mishap, object]>([
  ['the look is cut off', READ, 'cut-before', { throws: 'TARGET_UNREACHABLE' }],
  ['the look is refused', READ, 'failed-before', { throws: 'TARGET_FAILED' }],
  ['the write does not arrive', WRITE, 'cut-before', { failed: 1 }],
  ['the write is refused', WRITE, 'failed-before', { failed: 1 }],
  ['the answer is lost', WRITE, 'cut-after', UPDATED],
  ['the answer says that it failed', WRITE, 'failed-after', UPDATED],
])('%s: the next run sends the missing changes', async (_, request, mishap, end) => {
  const { service, checkout } = await startEdited()
  const ids = idsOf(service)
  edit(checkout, 'Two.')
  const met = await checkout
    .save({ mishaps: [[request, mishap]] })
    .then(outcomeOf, (error: unknown) => ({ throws: (error as { readonly code: string }).code }))
  expect(met).toMatchObject(end)
  const next = await checkout.save()
  expect({ failed: next.summary.failed, failure: next.failure }).toEqual({ failed: 0, failure: undefined })
  expect(service.articleAt('second').content).toContain('Two.')
  edit(checkout, 'Three.')
  expect(outcomeOf(await checkout.save())).toEqual(UPDATED)
  expect(checkout.lastWay()).toBe('edited')
  expect(idsOf(service)).toEqual(ids)
  await checkout.close()
  expect(outcomeOf(await checkout.sync())).toEqual({ unchanged: 3 })
})

test('after a failure, the connection is opened again, and the known state is written', async () => {
  const { checkout } = await startEdited()
  edit(checkout, 'Two.')
  await checkout.save({ mishaps: [[READ, 'cut-before']] }).catch(() => undefined)
  expect((await checkout.plan()).recovery).toBeUndefined()
})

test('an interruption ends the run, and the next one continues', async () => {
  const { service, checkout } = await startEdited()
  const interruption = new AbortController()
  const pause = (path: string) => {
    if (path.includes('tools')) interruption.abort()
    return Promise.resolve()
  }
  checkout.write({ 'content/fourth.md': article('Fourth') })
  const { signal } = interruption
  await expect(checkout.save({ pause, signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect(service.articles()).toHaveLength(3)
  expect(outcomeOf(await checkout.save())).toMatchObject({ created: 1, unchanged: 3 })
  edit(checkout, 'Two.')
  const late = AbortSignal.abort()
  await expect(checkout.save({ signal: late })).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect(outcomeOf(await checkout.save())).toMatchObject({ updated: 1 })
})

test('if another process is running, a run reports it, and the known state is kept', async () => {
  const { checkout } = await startEdited()
  const { settings } = checkout
  const { lock } = stateFiles(settings.target, settings, workspaceOf(settings.root))
  const unlock = takeLock(lock, new Date())
  edit(checkout, 'Two.')
  await expect(checkout.save()).rejects.toMatchObject({ code: 'LOCKED' })
  await checkout.flush()
  unlock()
  expect(outcomeOf(await checkout.save())).toMatchObject({ updated: 1 })
  await checkout.close()
  expect((await checkout.plan()).recovery).toBeUndefined()
})

test('a sync of another process in between is noticed', async () => {
  const { service, checkout } = await startEdited()
  checkout.write({ 'content/third.md': article('Third', { body: 'By the other one.' }) })
  expect(outcomeOf(await checkout.sync())).toMatchObject({ updated: 1 })
  edit(checkout, 'Two.')
  expect(outcomeOf(await checkout.save())).toMatchObject({ updated: 1, unchanged: 2 })
  expect(checkout.lastWay()).toBe('all')
  expect(service.articles()).toHaveLength(3)
  edit(checkout, 'Three.')
  expect(outcomeOf(await checkout.save())).toEqual(UPDATED)
})

test('a state that was removed in between is written again', async () => {
  const { checkout } = await startEdited()
  await checkout.flush()
  checkout.forgetState()
  edit(checkout, 'Two.')
  expect(outcomeOf(await checkout.save())).toMatchObject({ updated: 1, unchanged: 2 })
  expect(checkout.lastWay()).toBe('all')
  await checkout.close()
  expect(outcomeOf(await checkout.sync())).toEqual({ unchanged: 3 })
})

test('a connection that leads to another target is opened again', async () => {
  const service = createMemoryService({ extensions: ['update'] })
  let isCurrent = true
  let opened = 0
  const checkout = createLiveCheckout(service, THREE, {
    wrapConnect: (connect) => async (options) => {
      opened++
      isCurrent = true
      return { ...(await connect(options)), isCurrent: () => isCurrent }
    },
  })
  await checkout.save()
  edit(checkout, 'One.')
  await checkout.save()
  expect({ opened, way: checkout.lastWay() }).toEqual({ opened: 1, way: 'edited' })
  isCurrent = false
  edit(checkout, 'Two.')
  expect(outcomeOf(await checkout.save())).toMatchObject({ updated: 1, unchanged: 2 })
  expect({ opened, way: checkout.lastWay() }).toEqual({ opened: 2, way: 'all' })
})

test('a remote target is asked whether articles are updated in place', async () => {
  const { checkout } = await startEdited()
  expect(await checkout.updatesInPlace()).toBe(true)
  const plain = createLiveCheckout(createMemoryService({}), THREE)
  await plain.save()
  expect(await plain.updatesInPlace()).toBe(false)
})
