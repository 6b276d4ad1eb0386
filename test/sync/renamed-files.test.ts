// A renamed file keeps its article, recognised by its text. If that is uncertain, a new article is created.
import { describe, expect, test } from 'vitest'
import {
  createMemoryCheckout,
  heldBy,
  type MemoryCheckout,
  startSyncedInMemory,
  writesTo,
} from '../support/memory-project.ts'
import { createMemoryService, type MemoryService } from '../support/memory-service.ts'
import { article, type Files } from '../support/project.ts'
import type { ServiceHabits } from '../support/strict-service.ts'
import { outcomeOf } from '../support/sync-project.ts'

const WORDS =
  'Open the settings of your account and choose Security. Select Reset password there. ' +
  'We send you a link by mail, which is valid for a day. Ask your administrator if it does not come.'
const EDITED = WORDS.replace('for a day', 'for one hour')

const FILES: Files = {
  'content/first.md': article('First'),
  'content/reset.md': article('Reset your password', { body: WORDS }),
}

const UPDATES: ServiceHabits = { extensions: ['update'], duplicateSlugs: 'refused-409' }

interface Case {
  readonly name: string
  readonly change: (checkout: MemoryCheckout, service: MemoryService) => void
  readonly operations: readonly string[]
  /** Slugs on the target afterwards; default: those of the files. */
  readonly held?: readonly string[]
}

const MOVED = 'move help/password.md done: moved reset.md -> help/password.md'
const rename = (checkout: MemoryCheckout, written?: string) => {
  checkout.move('content/reset.md', 'content/help/password.md')
  if (written !== undefined) checkout.write({ 'content/help/password.md': written })
}

const CASES: readonly Case[] = [
  { name: 'is renamed', change: (checkout) => rename(checkout), operations: [MOVED] },
  {
    name: 'gets other frontmatter',
    change: (checkout) => rename(checkout, article('Reset your password', { order: 3, body: WORDS })),
    operations: [MOVED],
  },
  {
    name: 'gets another title and text',
    change: (checkout) => rename(checkout, article('Forgotten passwords', { body: EDITED })),
    operations: [MOVED],
  },
  {
    name: 'gets a text that has little of the old one',
    change: (checkout) =>
      rename(checkout, article('Reset your password', { body: `${WORDS.slice(0, 80)} New.` })),
    operations: ['create help/password.md done'],
    held: ['first', 'password', 'reset'],
  },
  {
    name: 'is copied',
    change: (checkout) =>
      checkout.write({ 'content/help/password.md': article('Reset your password', { body: WORDS }) }),
    operations: ['create help/password.md done'],
    held: ['first', 'password', 'reset'],
  },
  {
    name: 'is renamed and copied',
    change: (checkout) => {
      rename(checkout)
      checkout.write({ 'content/other.md': article('Reset your password', { body: EDITED }) })
    },
    // Of two equally similar files, the one with the same text has the article.
    operations: ['create other.md done', MOVED],
    held: ['first', 'other', 'password'],
  },
  {
    name: 'is replaced by two of its text',
    change: (checkout) => {
      rename(checkout)
      checkout.write({ 'content/other.md': checkout.read('content/help/password.md') })
    },
    operations: ['create help/password.md done', 'create other.md done'],
    held: ['first', 'other', 'password', 'reset'],
  },
  {
    name: 'is renamed to the slug of a foreign article',
    change: (checkout, service) => {
      service.add({ title: 'By hand', slug: 'password' })
      rename(checkout)
    },
    operations: [
      'conflict help/password.md skipped: the slug belongs to an article that kb-sync did not create',
    ],
    held: ['first', 'password', 'reset'],
  },
  {
    name: 'is renamed after its article was edited',
    change: (checkout, service) => {
      service.edit('reset', { content: service.articleAt('reset').content.replace('a day', 'a week') })
      rename(checkout)
    },
    operations: ['conflict help/password.md skipped: it was edited on the target'],
    held: ['first', 'reset'],
  },
  {
    name: 'is renamed in a project whose article someone has written by hand',
    change: (checkout, service) => {
      service.drop('reset')
      service.add({ title: 'Reset your password', slug: 'reset', content: `<p>${WORDS}</p>` })
      checkout.forgetState()
      rename(checkout)
    },
    operations: ['create help/password.md done'],
    held: ['first', 'password', 'reset'],
  },
]

const slugsOf = (service: MemoryService) =>
  service
    .articles()
    .map(({ slug }) => slug)
    .toSorted()

describe.each([
  ['with state', false],
  ['without state', true],
])('%s, a file that', (_, forgets) => {
  describe.each([
    ['in place', UPDATES],
    ['by replacing', {}],
  ] as const)('(changes %s)', (how, habits) => {
    test.each(CASES)('$name', async ({ change, operations, held = ['first', 'password'] }) => {
      const { service, checkout } = await startSyncedInMemory(habits, FILES)
      const { id } = service.articleAt('reset')
      change(checkout, service)
      if (forgets) checkout.forgetState()
      const planned = outcomeOf(await checkout.plan())
      const done = outcomeOf(await checkout.sync())
      expect(done.operations?.toSorted()).toEqual(operations.toSorted())
      expect(planned.operations?.map((each) => each.replace(/ planned/, '')).toSorted()).toEqual(
        operations.map((each) => each.replace(/ (done|skipped)/, '')).toSorted(),
      )
      expect(slugsOf(service)).toEqual(held)
      if (operations.includes(MOVED) && how === 'in place') expect(service.articleAt('password').id).toBe(id)
      service.forget()
      checkout.wait()
      await checkout.sync()
      expect(writesTo(service)).toEqual([])
    })
  })
})

test('a renamed file does not count as a deletion, even if few are allowed', async () => {
  const { service, checkout } = await startSyncedInMemory(UPDATES, FILES)
  rename(checkout)
  const result = await checkout.sync({ prune: true, maxDeletes: { kind: 'count', count: 0 } })
  expect(outcomeOf(result)).toEqual({ updated: 1, unchanged: 1, operations: [MOVED] })
  expect(heldBy(service)).toEqual(['first: First: Text of First.', `password: Reset your password: ${WORDS}`])
})

test.each([false, true])('a run for the new path alone finds it (forgets its state: %s)', async (forgets) => {
  const { service, checkout } = await startSyncedInMemory(UPDATES, FILES)
  rename(checkout, article('Forgotten passwords', { body: EDITED }))
  if (forgets) checkout.forgetState()
  const isSelected = (source: string) => source === 'help/password.md'
  const result = await checkout.sync({ sources: ['help/password.md'], isSelected })
  expect(outcomeOf(result).operations).toEqual([MOVED])
  expect(slugsOf(service)).toEqual(['first', 'password'])
})

test('a run for another path leaves the move to the next one', async () => {
  const { checkout } = await startSyncedInMemory(UPDATES, FILES)
  rename(checkout)
  checkout.write({ 'content/first.md': article('First', { body: 'Other.' }) })
  const isSelected = (source: string) => source === 'first.md'
  const first = outcomeOf(await checkout.sync({ sources: ['first.md'], isSelected }))
  expect(first.operations).toEqual(['update first.md done'])
  expect(outcomeOf(await checkout.sync()).operations).toEqual([MOVED])
})

test('the article of a file that is held back is not available', async () => {
  const { service, checkout } = await startSyncedInMemory(UPDATES, FILES)
  rename(checkout)
  checkout.write({ 'content/reset.md': '---\ntitle: [\n---\n' })
  const { operations } = outcomeOf(await checkout.sync({ onError: 'hold' }))
  expect(operations).toContain('create help/password.md done')
  expect(slugsOf(service)).toEqual(['first', 'password', 'reset'])
})

test('an article that only the journal of a killed run knows stays managed if its file is renamed', async () => {
  const service = createMemoryService({ stripsComments: true })
  const checkout = createMemoryCheckout(service, { 'content/reset.md': FILES['content/reset.md'] ?? '' })
  expect(await checkout.meet([[4, 'killed-after']])).toBeUndefined()
  expect(slugsOf(service)).toEqual(['reset'])
  rename(checkout, article('Forgotten passwords', { body: 'Another text altogether.' }))
  checkout.wait()
  await checkout.sync({ prune: true, yes: true })
  expect(slugsOf(service)).toEqual(['password'])
})

test('orphans are read only to find the article of a new file, and not if there are many', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`content/old-${index}.md`, article(`Old ${index}`)]),
  )
  const { service, checkout } = await startSyncedInMemory(UPDATES, { ...FILES, ...many })
  const readings = async () => {
    service.forget()
    await checkout.plan()
    return service.requests.filter((each) => /^GET .*articles\/./.test(each)).length
  }
  checkout.remove(...Object.keys(many).slice(0, 5))
  expect(await readings()).toBe(0)
  checkout.write({ 'content/new.md': article('New') })
  expect(await readings()).toBe(5)
  checkout.remove(...Object.keys(many).slice(5))
  expect(await readings()).toBe(0)
})
