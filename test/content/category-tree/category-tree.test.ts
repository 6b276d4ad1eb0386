import { describe, expect, test } from 'vitest'
import { localCategory } from '../../support/local-taxonomy.ts'
import { createCategoryTree } from '../../../src/content/category-tree/category-tree.ts'

describe('categories of the taxonomy file', () => {
  const tree = createCategoryTree(
    [
      localCategory(['Guides'], { slug: 'guides', priority: 2 }),
      localCategory(['Guides', 'Accounts']),
      localCategory(['Guides', 'A/B tests'], { slug: 'ab', priority: -1 }),
      localCategory(['Billing'], { slug: 'accounts' }),
    ],
    ['Elsewhere'],
  )

  test('are sorted by priority, a parent before its children', () => {
    expect(tree.categories.map(({ id, parentId, slug }) => [id, parentId, slug])).toEqual([
      ['Billing', undefined, 'accounts'],
      ['Guides', undefined, 'guides'],
      [String.raw`Guides/A\/B tests`, 'Guides', 'ab'],
      ['Guides/Accounts', 'Guides', 'accounts-2'],
    ])
  })

  test.each([
    ['guides', 'Guides'],
    ['Accounts', 'Guides/Accounts'],
    ['accounts', 'Billing'],
    ['Guides/Accounts', 'Guides/Accounts'],
    [String.raw`Guides/A\/B tests`, String.raw`Guides/A\/B tests`],
    ['Elsewhere', undefined],
  ])('%s is found', (reference, id) => {
    expect(tree.find(reference)?.id).toBe(id)
  })

  test('know their ancestors', () => {
    const category = tree.find('Guides/Accounts')

    expect(category && tree.wayTo(category).map(({ name }) => name)).toEqual(['Guides', 'Accounts'])
  })
})

describe('without a taxonomy file', () => {
  const tree = createCategoryTree(undefined, ['Accounts', 'Guides/Accounts', 'Zoo', 'guides', 'Zoo', 'A/B/C'])

  test('the names in articles form the tree, each category once', () => {
    expect(tree.categories.map(({ id, slug }) => [id, slug])).toEqual([
      ['A', 'a'],
      ['A/B', 'b'],
      ['A/B/C', 'c'],
      ['Guides', 'guides'],
      ['Guides/Accounts', 'accounts'],
      ['Zoo', 'zoo'],
    ])
  })

  test('a single name refers to a category that others write with its path', () => {
    expect([tree.find('Accounts')?.id, tree.find('guides')?.id]).toEqual(['Guides/Accounts', 'Guides'])
  })
})
