// A fresh checkout without state recognises the articles of an earlier run, whatever has changed on either side since.
import { expect, test } from 'vitest'
import { article, type Files } from '../support/project.ts'
import { heldBy, type MemoryCheckout, startSyncedInMemory, writesTo } from '../support/memory-project.ts'
import type { MemoryService } from '../support/memory-service.ts'
import type { ServiceHabits } from '../support/strict-service.ts'
import { outcomeOf } from '../support/sync-project.ts'

const FILES: Files = {
  'content/first.md': article('First'),
  'content/second.md': article('Second', { body: 'It is [first](first.md), or [so](https://a.example).' }),
  'content/third.md': article('Third'),
}

const HABITS: readonly (readonly [string, ServiceHabits])[] = [
  ['allows two of one slug', {}],
  ['refuses a taken slug', { duplicateSlugs: 'refused-409' }],
  ['updates in place', { duplicateSlugs: 'refused-200', extensions: ['update'] }],
  ['rewrites HTML', { rewritesHtml: true }],
  ['leaves out members', { isSparse: true }],
  ['has numeric ids', { numericIds: true }],
]

interface Case {
  readonly name: string
  readonly change: (checkout: MemoryCheckout, service: MemoryService) => void
  /** Actions and sources of the next run. */
  readonly operations: readonly string[]
  readonly held: readonly string[]
}

const FIRST = 'first: First: Text of First.'
const SECOND = 'second: Second: It is first, or so.'
const THIRD = 'third: Third: Text of Third.'

const CASES: readonly Case[] = [
  { name: 'nothing', change: () => {}, operations: [], held: [FIRST, SECOND, THIRD] },
  {
    name: 'a file is moved',
    change: (checkout) => checkout.move('content/third.md', 'content/deep/third.md'),
    operations: [],
    held: [FIRST, SECOND, THIRD],
  },
  {
    name: 'a title changes',
    change: (checkout) =>
      checkout.write({ 'content/third.md': article('Dritte', { body: 'Text of Third.' }) }),
    operations: ['change third.md done'],
    held: [FIRST, SECOND, 'third: Dritte: Text of Third.'],
  },
  {
    name: 'title, slug and text change together',
    change: (checkout) =>
      checkout.write({ 'content/third.md': article('Dritte', { slug: 'dritte', body: 'New.' }) }),
    operations: ['move third.md done'],
    held: ['dritte: Dritte: New.', FIRST, SECOND],
  },
  {
    name: 'somebody deletes an article',
    change: (_, service) => service.drop('third'),
    operations: ['create third.md done'],
    held: [FIRST, SECOND, THIRD],
  },
  {
    name: 'somebody edits the title of an article',
    change: (_, service) => service.edit('third', { title: 'Somebodys' }),
    operations: ['conflict third.md skipped'],
    held: [FIRST, SECOND, 'third: Somebodys: Text of Third.'],
  },
  {
    name: 'somebody edits the text of an article',
    change: (_, service) =>
      service.edit('third', { content: service.articleAt('third').content.replace('Text', 'Word') }),
    operations: ['conflict third.md skipped'],
    held: [FIRST, SECOND, 'third: Third: Word of Third.'],
  },
  {
    name: 'an article without review date is found by its links',
    change: (_, service) => {
      const { createdMs } = service.articleAt('second')
      service.edit('second', { reviewDate: '', editedMs: createdMs })
    },
    operations: [],
    held: [FIRST, SECOND, THIRD],
  },
]

const ALL = HABITS.flatMap(([habit, habits]) =>
  CASES.map((each) => [each.name, habit, each, habits] as const),
)

test.each(ALL)(
  'without state: %s (a service that %s)',
  async (_, __, { change, operations, held }, habits) => {
    const { service, checkout } = await startSyncedInMemory(habits, FILES)
    change(checkout, service)
    checkout.forgetState()
    service.forget()
    const result = outcomeOf(await checkout.sync())
    const seen = (result.operations ?? []).map((each) =>
      each.replace(/:.*/, '').replace(/^(replace|update)/, 'change'),
    )
    expect([seen, heldBy(service)]).toEqual([operations, held])
    const isLeft = operations.some((each) => each.startsWith('conflict'))
    service.forget()
    checkout.forgetState()
    await checkout.sync()
    expect([isLeft && writesTo(service), writesTo(service)]).toEqual([isLeft && [], []])
  },
)
