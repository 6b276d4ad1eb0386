import { describe, expect, test } from 'vitest'
import { updateCategoryRequest, updateTagRequest } from '../../../src/api/contract/request.ts'
import type { RemoteCategory, RemoteTag } from '../../../src/core/model/remote-article.ts'
import type { LocalCategory } from '../../../src/core/model/taxonomy.ts'
import { planTaxonomy } from '../../../src/sync/plan/taxonomy/plan-taxonomy.ts'
import type { TaxonomyPlanInput } from '../../../src/sync/plan/taxonomy/compare-taxonomy.ts'
import {
  ALL_CAPABILITIES,
  NO_CAPABILITIES,
  type TargetCapabilities,
} from '../../../src/sync/plan/target-capabilities.ts'
import { explainAllMissing, resolveReferences } from '../../../src/sync/plan/taxonomy/resolve-references.ts'
import {
  createTaxonomyIndex,
  type TaxonomyIndexInput,
} from '../../../src/sync/plan/taxonomy/taxonomy-index.ts'
import { localCategory, localTag } from '../../support/local-taxonomy.ts'
import { desired } from './examples.ts'

const category = (path: string, changes: Partial<LocalCategory> = {}) =>
  localCategory(path.split('/'), changes)

const remote = (id: string, name: string, parentName?: string, order = 0): RemoteCategory => ({
  id,
  name,
  parentName,
  order,
  translations: [],
})

const index = (changes: Partial<TaxonomyIndexInput>) =>
  createTaxonomyIndex({
    local: { categories: undefined, tags: undefined },
    categories: [],
    categoryIds: {},
    tagIds: {},
    target: 'production',
    createsMissing: false,
    ...changes,
  })

const TREE = [
  remote('c1', 'Guides'),
  remote('c2', 'FAQ'),
  remote('c3', 'Accounts', 'Guides'),
  remote('c4', 'Accounts', 'FAQ'),
  remote('c5', 'Deep', 'Accounts'),
  remote('c6', 'Mail', 'Guides'),
]

describe('a category of the target, if no file lists any', () => {
  test.each([
    ['Guides', { kind: 'id', id: 'c1' }],
    ['Mail', { kind: 'id', id: 'c6' }],
    ['Guides/Accounts', { kind: 'id', id: 'c3' }],
    ['FAQ/Accounts', { kind: 'id', id: 'c4' }],
    // The list names only parents: above an ambiguous one, nothing is known.
    ['Accounts/Deep', { kind: 'id', id: 'c5' }],
    ['Accounts', { kind: 'ambiguous', name: 'Accounts' }],
    ['Guides/Nope', { kind: 'missing', name: 'Guides/Nope' }],
    ['guides', { kind: 'missing', name: 'guides' }],
  ])('%s', (reference, expected) => {
    expect(index({ categories: TREE }).category(reference)).toEqual(expected)
  })

  test('is found even if parents form a cycle', () => {
    const circle = [remote('c1', 'A', 'B'), remote('c2', 'B', 'A')]
    expect(index({ categories: circle }).category('A')).toEqual({ kind: 'id', id: 'c1' })
  })
})

describe('a category of the file', () => {
  const local = [
    category('Guides', { slug: 'guides' }),
    category('Guides/Accounts'),
    category('FAQ/Accounts'),
    category('New'),
    category('Named', { id: { production: 'c6', staging: 'x' } }),
    category('Fixed', { id: 'c2' }),
    category('Lost', { id: 'gone' }),
  ]
  const resolve = (reference: string, changes: Partial<TaxonomyIndexInput> = {}) =>
    index({ categories: TREE, local: { categories: local, tags: undefined }, ...changes }).category(reference)

  test.each([
    ['guides', { kind: 'id', id: 'c1' }],
    ['Guides/Accounts', { kind: 'id', id: 'c3' }],
    ['FAQ/Accounts', { kind: 'id', id: 'c4' }],
    ['Named', { kind: 'id', id: 'c6' }],
    ['Fixed', { kind: 'id', id: 'c2' }],
    ['Lost', { kind: 'missing', name: 'Lost' }],
    ['New', { kind: 'missing', name: 'New' }],
    ['Mail', { kind: 'missing', name: 'Mail' }],
  ])('%s', (reference, expected) => {
    expect(resolve(reference)).toEqual(expected)
  })

  test('that will be created already has an id; ids in the file belong to remote targets', () => {
    expect(resolve('New', { createsMissing: true })).toEqual({ kind: 'id', id: 'new category New' })
    expect(resolve('Fixed', { createsMissing: true, target: 'builtin' })).toEqual({
      kind: 'id',
      id: 'new category Fixed',
    })
    expect(resolve('Named', { target: 'other' })).toEqual({ kind: 'missing', name: 'Named' })
  })
})

describe('a tag', () => {
  const tagIds = { security: 't1', Other: 't2' }
  test.each([
    ['without file, by what is known', {}, 'security', { kind: 'id', id: 't1' }],
    ['without file, unknown', {}, 'toString', { kind: 'missing', name: 'toString' }],
    [
      'by the slug of its entry',
      { tags: [localTag('Security', { slug: 'security' })] },
      'Security',
      { kind: 'id', id: 't1' },
    ],
    ['by the name of its entry', { tags: [localTag('Other', { slug: 'o' })] }, 'o', { kind: 'id', id: 't2' }],
    ['by its written id', { tags: [localTag('Other', { id: 't9' })] }, 'Other', { kind: 'id', id: 't9' }],
    ['not in the file', { tags: [localTag('Other')] }, 'security', { kind: 'missing', name: 'security' }],
  ])('%s', (_, local, reference, expected) => {
    expect(
      index({ tagIds, local: { categories: undefined, tags: undefined, ...local } }).tag(reference),
    ).toEqual(expected)
  })
})

describe('what the target lacks', () => {
  const article = (source: string, categories: string[], tags: string[] = []) =>
    desired(source, { categories, tags, positions: { 'categories[0]': { line: 3, column: 14 } } })

  test('is reported once, with the articles that use it, which are omitted', () => {
    const articles = [
      article('a.md', ['Guides', 'Guides']),
      ...['b', 'c', 'd', 'e'].map((name) => article(`${name}.md`, ['Nope'])),
      article('f.md', ['Accounts'], ['x']),
    ]
    const { wanted, missing } = resolveReferences(articles, index({ categories: TREE }), {
      isSelected: () => true,
    })
    const explained = (offers: TargetCapabilities) =>
      explainAllMissing(missing, { contentPrefix: 'content/', createsMissing: false, offers })
    expect(wanted.map(({ article: { source }, categoryIds }) => [source, categoryIds])).toEqual([
      ['a.md', ['c1']],
    ])
    const error = { severity: 'error', line: 3, column: 14 }
    expect(explained(NO_CAPABILITIES)).toEqual([
      {
        ...error,
        code: 'category-unknown',
        file: 'content/b.md',
        message: 'The target has no category "Nope" (used by b.md, c.md, d.md and 1 more).',
        hint: 'The API cannot create it. Create it in the web interface of the service.',
      },
      {
        ...error,
        code: 'category-ambiguous',
        file: 'content/f.md',
        message: 'The category "Accounts" matches several on the target (used by f.md).',
        hint: 'Use its path, such as Guides/Accounts, or add its id to _categories.yml.',
      },
      {
        ...error,
        code: 'tag-unknown',
        file: 'content/f.md',
        line: 1,
        column: 1,
        message: 'The target has no tag "x" (used by f.md).',
        hint: 'The API neither lists nor creates tags. Find its id, or create it, in the web interface of the service, and add the id as `id: …` to _tags.yml.',
      },
    ])
    expect(explained(ALL_CAPABILITIES).map(({ hint }) => hint)).toEqual([
      'The API cannot create it. On the server, run kb admin categories add Nope.',
      'Use its path, such as Guides/Accounts, or add its id to _categories.yml.',
      'The API neither lists nor creates tags. On the server, run kb admin tags list, or kb admin tags add x if it is not there, and add the id as `id: …` to _tags.yml.',
    ])
  })

  test("may be a path whose beginning is not in the target's list", () => {
    const categories = [remote('c1', 'About', 'Tools'), remote('c2', 'About', 'Tools')]
    const { missing } = resolveReferences([article('a.md', ['Tools/About'])], index({ categories }), {
      isSelected: () => true,
    })
    const options = { contentPrefix: 'content/', createsMissing: false, offers: NO_CAPABILITIES }
    expect(explainAllMissing(missing, options)).toMatchObject([
      {
        message: 'The category "Tools/About" matches several on the target (used by a.md).',
        hint: 'Add its id to _categories.yml: the list of the target names only the parent of each category.',
      },
    ])
  })
})

/** Plans against these categories and tags of the target. */
function plan(changes: Partial<TaxonomyPlanInput>, on: Partial<TaxonomyIndexInput> = {}) {
  const { categories = [], tags = [] } = changes
  return planTaxonomy({
    categories,
    tags,
    index: index({ local: { categories, tags }, categories: TREE, ...on }),
    remoteTags: new Map(),
    known: {},
    mode: 'update',
    createsMissing: on.createsMissing ?? false,
    defaultLanguage: 'en',
    ...changes,
  })
}

describe('a category is', () => {
  const guides = (changes: Partial<LocalCategory> = {}) => category('Guides', { slug: 'guides', ...changes })
  const stepOf = (entry: LocalCategory, changes: Partial<TaxonomyPlanInput> = {}, on = {}) =>
    plan({ categories: [entry], ...changes }, on).steps[0]?.operation

  test('not changed if everything in the file is equal', () => {
    const { steps, unchanged, settled } = plan({
      categories: [guides({ priority: 0 }), category('Guides/Accounts')],
    })
    expect({ steps, unchanged, keys: Object.keys(settled) }).toEqual({
      steps: [],
      unchanged: 2,
      keys: ['category:Guides', 'category:Guides/Accounts'],
    })
  })

  test.each<[string, LocalCategory, Partial<TaxonomyPlanInput>, object, object]>([
    [
      'updated where its order differs',
      guides({ priority: 5 }),
      {},
      {},
      { action: 'update', id: 'c1', reason: 'differs in priority' },
    ],
    [
      'updated where its name differs',
      guides({ name: 'Manuals', path: ['Manuals'], id: 'c1' }),
      {},
      {},
      { action: 'update', id: 'c1', reason: 'differs in name' },
    ],
    [
      'updated where its texts changed since',
      guides({ description: 'x' }),
      { known: { 'category:Guides': 'other' } },
      {},
      { action: 'update', id: 'c1', reason: 'differs in its slug, texts or images' },
    ],
    [
      'reported in check mode',
      guides({ priority: 5 }),
      { mode: 'check' },
      {},
      { action: 'skip', id: 'c1', reason: 'differs in priority; sync.taxonomy is "check"' },
    ],
    [
      'reported where it has no slug',
      guides({ priority: 5, slug: undefined }),
      {},
      {},
      {
        action: 'skip',
        slug: 'Guides',
        id: 'c1',
        reason: 'differs in priority; an update requires its slug in _categories.yml',
      },
    ],
    [
      'reported where the target has none',
      category('New', { slug: 'new' }),
      {},
      {},
      {
        action: 'skip',
        slug: 'new',
        reason: 'the target has no such category, and the API cannot create one',
      },
    ],
    [
      'created where the target can',
      category('New', { slug: 'new' }),
      {},
      { createsMissing: true },
      { action: 'create', slug: 'new' },
    ],
  ])('%s', (_, entry, changes, on, expected) => {
    expect(stepOf(entry, changes, on)).toEqual({
      kind: 'category',
      source: '_categories.yml',
      slug: 'guides',
      language: null,
      ...expected,
    })
  })

  test('reported if it matches several', () => {
    const twice = { categories: [remote('c1', 'Guides'), remote('c2', 'Guides')] }
    expect(stepOf(guides(), {}, twice)).toMatchObject({
      action: 'skip',
      reason: 'it matches several categories on the target; add its id',
    })
  })

  test('sent with the fields in the file, and with required fields from the target', () => {
    const moved = category('FAQ/Mail', { slug: 'mail', id: 'c6', description: 'x' })
    const { steps } = plan(
      { categories: [category('FAQ'), moved] },
      { categories: [...TREE.slice(0, 5), remote('c6', 'Mail', 'Guides', 7)] },
    )
    const body = {
      name: 'Mail',
      slug: 'mail',
      priority: 7,
      categoryParent: 'c2',
      description: 'x',
      lang: 'en',
    }
    expect(steps).toMatchObject([
      { kind: 'category', operation: { action: 'update', id: 'c6', reason: 'differs in parent' }, body },
    ])
    expect(updateCategoryRequest.parse(body)).toEqual(body)
  })

  test('moved to the top explicitly, because an omitted field keeps its value', () => {
    const top = category('Mail', { slug: 'mail', id: 'c6' })
    expect(plan({ categories: [top] }).steps).toMatchObject([{ body: { categoryParent: '' } }])
    expect(plan({ categories: [guides({ priority: 5 })] }).steps).toEqual([
      expect.objectContaining({ body: { name: 'Guides', slug: 'guides', priority: 5, lang: 'en' } }),
    ])
  })
})

describe('a tag is', () => {
  const entry = localTag('Security', { slug: 'security', description: 'new' })
  const onTarget: RemoteTag = {
    id: 't1',
    name: 'Security',
    slug: 'security',
    description: 'old',
    longDescription: '<p>kept</p>',
  }
  const read = { remoteTags: new Map([['t1', onTarget]]) }
  const ids = { tagIds: { security: 't1' } }
  const stepsOf = (changes: Partial<TaxonomyPlanInput>, on: Partial<TaxonomyIndexInput> = ids) =>
    plan({ tags: [entry], ...changes }, on).steps

  test('updated with the fields in the file', () => {
    const body = { id: 't1', name: 'Security', slug: 'security', description: 'new', lang: 'en' }
    expect(stepsOf(read)).toMatchObject([
      {
        kind: 'tag',
        stateKey: 'tag:Security',
        operation: { action: 'update', id: 't1', reason: 'differs in description' },
        body,
      },
    ])
    expect(updateTagRequest.parse(body)).toEqual(body)
  })

  test.each<[string, Partial<TaxonomyPlanInput>, Partial<TaxonomyIndexInput>, object[]]>([
    ['left alone where it was not read: then state knows it', {}, ids, []],
    [
      'left alone where it is the same',
      { remoteTags: new Map([['t1', { ...onTarget, description: 'new' }]]) },
      ids,
      [],
    ],
    [
      'reported in check mode',
      { ...read, mode: 'check' },
      ids,
      [{ operation: { action: 'skip', reason: 'differs in description; sync.taxonomy is "check"' } }],
    ],
    [
      'reported where its id is not known',
      {},
      {},
      [
        {
          operation: { action: 'skip', reason: 'its id on the target is unknown; add it as id to _tags.yml' },
        },
      ],
    ],
    ['created where the target can', {}, { createsMissing: true }, [{ operation: { action: 'create' } }]],
  ])('%s', (_, changes, on, expected) => {
    expect(stepsOf(changes, on)).toMatchObject(expected)
  })
})
