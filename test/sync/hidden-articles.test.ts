// What a target reports, and what can be verified: an article that no list shows neither counts as sent nor is sent
// twice.
import { expect, test } from 'vitest'
import { createMemoryService } from '../support/memory-service.ts'
import { createMemoryCheckout, heldBy, startSyncedInMemory, writesTo } from '../support/memory-project.ts'
import { article, type Files } from '../support/project.ts'
import { outcomeOf } from '../support/sync-project.ts'

const NEAR = article('Page', { reviewDate: '2026-09-01' })
const NEVER = article('Page', { reviewDate: 'never', body: 'New.' })
const UNTIL = { listsUntil: '2027-12-31' }

const WAY_OUT =
  'Look for it in the knowledge base and delete it there if you find it, then run again with --yes. Some targets do not list drafts: publish it first. Some targets list only articles with a near review date or a link: add one of them first.'
const ACCEPTED = 'the target confirmed the creation but does not list it'
const HELD = `The target confirmed the creation of page.md but does not list it. It was not sent again. ${WAY_OUT}`

test('a new article that the lists hide has failed, with advice that avoids a duplicate', async () => {
  const service = createMemoryService(UNTIL)
  const checkout = createMemoryCheckout(service, { 'content/page.md': NEVER })
  expect(outcomeOf(await checkout.sync())).toEqual({
    failed: 1,
    operations: [`create page.md failed: ${ACCEPTED}. ${WAY_OUT}`],
  })
  service.forget()
  checkout.wait()
  expect(outcomeOf(await checkout.sync())).toMatchObject({ skipped: 1, guard: HELD })
  expect(writesTo(service)).toEqual([])

  service.drop('page')
  checkout.write({ 'content/page.md': NEAR })
  expect(outcomeOf(await checkout.sync({ yes: true }))).toMatchObject({ created: 1 })
  expect(outcomeOf(await checkout.sync())).toEqual({ unchanged: 1 })
  expect(heldBy(service)).toEqual(['page: Page: Text of Page.'])
})

test('a new article that the target lost is not reported as hidden', async () => {
  const service = createMemoryService()
  const page = article('Page', { reviewDate: '2026-09-01', status: 'published' })
  const checkout = createMemoryCheckout(service, { 'content/page.md': page })
  const [operation] = (await checkout.meet([[4, 'ignored']]))?.operations ?? []
  expect(operation).toMatchObject({
    outcome: 'failed',
    reason: expect.stringMatching(/then run again with --yes\.$/),
  })
  expect(outcomeOf(await checkout.sync({ yes: true }))).toMatchObject({ created: 1 })
})

test('with a link, the list of links shows an article that the review dates hide', async () => {
  const service = createMemoryService(UNTIL)
  const files: Files = {
    'content/page.md': article('Page', { reviewDate: 'never', body: '<https://example.org/>' }),
  }
  const checkout = createMemoryCheckout(service, files)
  expect(outcomeOf(await checkout.sync())).toMatchObject({ created: 1 })
  expect(outcomeOf(await checkout.sync())).toEqual({ unchanged: 1 })
})

test('if duplicate slugs are allowed, the old version stays beside a new one that the lists hide', async () => {
  const { service, checkout } = await startSyncedInMemory(UNTIL, { 'content/page.md': NEAR })
  checkout.write({ 'content/page.md': NEVER })
  const failed = `replace page.md failed: ${ACCEPTED}. ${WAY_OUT}`
  expect(outcomeOf(await checkout.sync())).toEqual({ failed: 1, operations: [failed] })
  for (const _ of [1, 2]) {
    checkout.wait()
    const result = await checkout.sync()
    expect([result.guard, result.recovery]).toEqual([HELD, undefined])
  }
  expect(heldBy(service)).toEqual(['page: Page: New.', 'page: Page: Text of Page.'])
})

test.each(['refused-409', 'refused-200', 'suffixed'] as const)(
  'if the old version must be deleted first, a new one that the lists hide is found by its slug (%s)',
  async (duplicateSlugs) => {
    const files: Files = { 'content/page.md': NEAR, 'content/other.md': article('Other') }
    const { service, checkout } = await startSyncedInMemory({ ...UNTIL, duplicateSlugs }, files)
    // From here on, slugs are known to be unique.
    checkout.write({ 'content/other.md': article('Other', { body: 'New.' }) })
    await checkout.sync()
    checkout.write({ 'content/page.md': NEVER })
    const failed = `${ACCEPTED}; its slug is taken, so it seems to exist. ${WAY_OUT}`
    expect(outcomeOf(await checkout.sync())).toMatchObject({
      failed: 1,
      operations: [`replace page.md failed: ${failed}`],
    })
    service.forget()
    checkout.wait()
    const result = await checkout.sync()
    expect([result.guard, result.recovery, writesTo(service)]).toEqual([HELD, undefined, []])
    expect(heldBy(service)).toEqual(['other: Other: New.', 'page: Page: New.'])
  },
)

test('an ineffective update of a category or tag has failed, and is sent again', async () => {
  const service = createMemoryService()
  const [tag] = service.tags()
  const files: Files = {
    'content/page.md': NEAR,
    'content/_categories.yml':
      '- name: Guides\n  slug: guides\n  priority: 7\n- name: Accounts\n  parent: Guides\n',
    'content/_tags.yml': `- name: Safety\n  slug: safety\n  description: All of it.\n  id: ${tag?.id}\n`,
  }
  const checkout = createMemoryCheckout(service, files, { sync: { taxonomy: 'update' } })
  await checkout.plan()
  const posts = service.requests.length
  const ignored = [posts + 1, posts + 2].map((request) => [request, 'ignored'] as const)
  const result = await checkout.meet(ignored)
  expect(result?.taxonomy).toMatchObject({ updated: 0, failed: 2 })
  expect((await checkout.sync()).taxonomy).toMatchObject({ updated: 2, failed: 0 })
  expect([service.categories()[0]?.order, service.tags()[0]?.description]).toEqual([7, 'All of it.'])
})
