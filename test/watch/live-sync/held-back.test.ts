// Articles that are held back because of an error stay unchanged on the target, and everything else is sent.
import { expect, test } from 'vitest'
import { createLiveCheckout, type LiveCheckout } from '../../support/live-checkout.ts'
import { createMemoryService } from '../../support/memory-service.ts'
import { heldBy } from '../../support/memory-project.ts'
import { article, type Files } from '../../support/project.ts'
import { outcomeOf } from '../../support/sync-project.ts'

const THREE: Files = {
  'content/first.md': article('First'),
  'content/second.md': article('Second'),
  'content/third.md': article('Third'),
}

const BROKEN = '---\ntitle: [\n---\n'

async function startSaved() {
  const service = createMemoryService({ extensions: ['update'] })
  const checkout: LiveCheckout = createLiveCheckout(service, THREE)
  await checkout.save()
  service.forget()
  return { service, checkout }
}

const heldSecond = { held: new Set(['second.md']) }

test('an article that is held back is not sent until it is valid again', async () => {
  const { service, checkout } = await startSaved()
  checkout.write({
    'content/first.md': article('First', { body: 'New.', slug: 'primary' }),
    'content/second.md': article('Second', { body: 'Held.' }),
  })
  expect(outcomeOf(await checkout.save(heldSecond))).toEqual({
    updated: 1,
    unchanged: 1,
    operations: ['move first.md done'],
  })
  expect(service.articleAt('second').content).not.toContain('Held.')
  expect(outcomeOf(await checkout.save({ held: new Set() }))).toMatchObject({ updated: 1 })
  expect(service.articleAt('second').content).toContain('Held.')
})

test.each([
  ['with state', false],
  ['without state', true],
])('an unreadable file is not an orphan, and prune deletes nothing then (%s)', async (_, forgets) => {
  const { service, checkout } = await startSaved()
  await checkout.flush()
  checkout.write({ 'content/second.md': BROKEN, 'content/first.md': article('First', { body: 'New.' }) })
  checkout.remove('content/third.md')
  if (forgets) {
    checkout.kill()
    checkout.forgetState()
  }
  const result = await checkout.save({ ...heldSecond, prune: true })
  expect(result.orphans.map(({ slug }) => slug)).toEqual(['third'])
  expect(result.summary).toMatchObject({ updated: 1, orphans: 1, deleted: 0 })
  expect(heldBy(service)).toEqual([
    'first: First: New.',
    'second: Second: Text of Second.',
    'third: Third: Text of Third.',
  ])
  checkout.write({ 'content/second.md': article('Second', { body: 'Mended.' }) })
  expect((await checkout.save({ prune: true })).summary).toMatchObject({ updated: 1, deleted: 1 })
  expect(heldBy(service)).toEqual(['first: First: New.', 'second: Second: Mended.'])
})

test('only the article with a reference that the target lacks is held back', async () => {
  const { service, checkout } = await startSaved()
  checkout.write({
    'content/first.md': article('First', { body: 'New.' }),
    'content/second.md': article('Second', { categories: ['Nowhere'], body: 'Held.' }),
  })
  expect(outcomeOf(await checkout.save())).toEqual({
    updated: 1,
    unchanged: 1,
    skipped: 1,
    operations: [
      'skip second.md skipped: the target lacks one of its categories or tags',
      'update first.md done',
    ],
    diagnostics: ['category-unknown'],
  })
  expect(service.articleAt('second').content).not.toContain('Held.')
  checkout.write({ 'content/second.md': article('Second', { body: 'Back.' }) })
  await checkout.save()
  expect(service.articleAt('second').content).toContain('Back.')
})

test('references of an article that is held back are not looked up on the target', async () => {
  const { service, checkout } = await startSaved()
  checkout.write({
    'content/first.md': article('First', { body: 'New.' }),
    'content/second.md': article('Second', { categories: ['Nowhere'], tags: ['nothing'], body: 'Held.' }),
  })
  expect(outcomeOf(await checkout.save(heldSecond))).toEqual({
    updated: 1,
    unchanged: 1,
    operations: ['update first.md done'],
  })
  expect(service.articleAt('second').content).not.toContain('Held.')
  checkout.write({ 'content/second.md': article('Second', { body: 'Back.' }) })
  expect(outcomeOf(await checkout.save())).toMatchObject({ updated: 1 })
})

test('no orphan is deleted while the target holds an article back: it may be that article, at its old path', async () => {
  const { service, checkout } = await startSaved()
  checkout.remove('content/second.md')
  checkout.write({
    'content/moved.md': article('Second', { categories: ['Nowhere'], slug: 'moved', body: 'Held.' }),
  })
  const result = await checkout.save({ prune: true })
  expect(result.summary).toMatchObject({ skipped: 2, deleted: 0, orphans: 0 })
  expect(heldBy(service)).toEqual([
    'first: First: Text of First.',
    'second: Second: Text of Second.',
    'third: Third: Text of Third.',
  ])
  checkout.write({ 'content/moved.md': article('Second', { slug: 'moved', body: 'Sent.' }) })
  expect((await checkout.save({ prune: true })).summary).toMatchObject({ created: 1, deleted: 1, orphans: 0 })
})
