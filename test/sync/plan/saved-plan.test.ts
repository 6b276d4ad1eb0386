// Whether a saved plan may still be executed: what counts as a change, and how it is described.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { comparePlans } from '../../../src/sync/plan/saved/compare-plans.ts'
import { saveOperations } from '../../../src/sync/plan/saved/save-operations.ts'
import type { SavedOperation } from '../../../src/sync/plan/saved/saved-plan.ts'
import { readRuns } from '../../support/runs.ts'
import { sent, wanted } from './examples.ts'

const operation = (source: string, changes: object = {}): SavedOperation => ({
  kind: 'article',
  action: 'update',
  source,
  slug: source.replace('.md', ''),
  language: null,
  id: `id of ${source}`,
  sends: 'sent 1',
  restsOn: 'read 1',
  ...changes,
})

const category = (slug: string, changes: object = {}) =>
  operation('_categories.yml', { kind: 'category', slug, id: `id of ${slug}`, ...changes })

test('an equal plan is valid, whatever its order and wording', () => {
  const saved = [operation('a.md', { reason: 'worded so' }), operation('b.md'), category('guides')]
  const fresh = [category('guides', { reason: 'new words' }), operation('b.md'), operation('a.md')]
  expect(comparePlans(saved, fresh)).toEqual([])
})

test.each<[string, object | undefined, object | undefined, string[]]>([
  ['the file', {}, { sends: 'sent 2' }, ['a.md: the file, or one that it uses, was edited since']],
  ['the target', {}, { restsOn: 'read 2' }, ['a.md: the article was edited on the target since']],
  [
    'both sides',
    {},
    { sends: 'sent 2', restsOn: 'read 2' },
    ['a.md: the file, or one that it uses, was edited since, and so was the article on the target'],
  ],
  [
    'the action',
    {},
    { action: 'conflict', restsOn: 'read 2', reason: 'it was edited on the target' },
    [
      'a.md: to be updated in the plan; now it would be left alone as a conflict (it was edited on the target)',
    ],
  ],
  ['the id', {}, { id: 'id-9' }, ['a.md: the plan is about another article on the target']],
  [
    'a move, by how it is sent',
    { action: 'move', by: 'update' },
    { action: 'move', by: 'replace' },
    ['a.md: to be moved in the plan; now it would be moved to a new article'],
  ],
  [
    'nothing but a new one',
    undefined,
    { action: 'create' },
    ['a.md: not in the plan; now it would be created'],
  ],
  ['nothing but one less', {}, undefined, ['a.md: to be updated in the plan; now there is nothing to do']],
])('a change of %s is named', (_, before, now, expected) => {
  const one = (changes: object | undefined) => (changes === undefined ? [] : [operation('a.md', changes)])
  expect(comparePlans([operation('b.md'), ...one(before)], [...one(now), operation('b.md')])).toEqual(
    expected,
  )
})

test('orphans, categories and rejected items are named by what they have', () => {
  const subject = { kind: 'article', slug: 'old-page', language: null, id: 'id-1' } as const
  const orphan = { ...subject, action: 'delete-orphan', restsOn: 'read 1' } as const
  const error = { code: 'category-unknown', severity: 'error', line: 1, column: 1 } as const
  const message = 'The target has no category "Guides".'
  expect(
    comparePlans(
      [orphan, category('guides')],
      [category('guides', { restsOn: 'read 2' }), { ...orphan, restsOn: 'read 2' }],
      [{ ...error, file: 'content/a.md', message }],
      new Map([['id-1', '"Old page"']]),
    ),
  ).toEqual([
    `content/a.md: ${message}`,
    'category guides: the category was edited on the target since',
    '"Old page": the article was edited on the target since',
  ])
})

test.each([
  [{ action: 'delete-orphan' }, 'deleted'],
  [{ action: 'delete-copy', source: 'a.md' }, 'deleted as a duplicate'],
])('an action is described in plain words: %o', (changes, word) => {
  const before = { ...operation('a.md'), source: undefined, ...changes } as SavedOperation
  const [line] = comparePlans([before], [])
  expect(line).toContain(`to be ${word} in the plan; now there is nothing to do`)
})

const operations = fc.uniqueArray(
  fc.record({
    kind: fc.constantFrom('article', 'category', 'tag'),
    action: fc.constantFrom(
      'create',
      'restore',
      'update',
      'replace',
      'delete-orphan',
      'delete-copy',
      'conflict',
      'skip',
    ),
    source: fc.constantFrom(undefined, 'a.md', 'b.md', 'c/d.md'),
    slug: fc.constantFrom('a', 'b', 'c'),
    language: fc.constantFrom(null, 'fr'),
    id: fc.constantFrom(undefined, 'id-1', 'id-2'),
    sends: fc.constantFrom(undefined, 's1', 's2'),
    restsOn: fc.constantFrom(undefined, 'r1', 'r2'),
  }) as fc.Arbitrary<SavedOperation>,
  { selector: (each) => JSON.stringify(each), maxLength: 8 },
)

test('plans are valid exactly if their operations are the same', () => {
  fc.assert(
    fc.property(operations, operations, fc.boolean(), (saved, other, isSame) => {
      const fresh = isSame ? saved.toReversed() : other
      const asSet = (each: readonly SavedOperation[]) => each.map((one) => JSON.stringify(one)).toSorted()
      const areEqual = JSON.stringify(asSet(saved)) === JSON.stringify(asSet(fresh))
      expect(comparePlans(saved, fresh).length === 0).toBe(areEqual)
    }),
    readRuns('FUZZ', 300),
  )
})

test('a plan depends on fields, text, last edit and draft of the article that was read', () => {
  const page = wanted('page.md')
  const entry = sent(wanted('page.md', { title: 'Old' }), 'id-1')
  const subject = { source: 'page.md', slug: 'page', language: null, id: 'id-1' }
  const plan = { kind: 'article', action: 'update', ...subject } as const
  const grounds = (remote: typeof entry.remote) =>
    saveOperations([plan], {
      wanted: new Map([['page.md', page]]),
      entries: [{ ...entry, remote }],
      categories: [],
      steps: [],
    }).map(({ restsOn }) => restsOn)
  const { remote } = entry
  if (remote === undefined) throw new Error('it was read')
  const variants = [
    remote,
    { ...remote, fieldsHash: 'other' },
    { ...remote, projectionHash: 'other' },
    { ...remote, editedMs: 5 },
    { ...remote, draftId: 'draft' },
    { ...remote, language: 'fr' },
    { ...remote, languageParent: 'id-7' },
  ].flatMap(grounds)
  expect(new Set(variants).size).toBe(variants.length)
  expect(grounds({ ...remote, createdMs: 7 })).toEqual(grounds(remote))
})
