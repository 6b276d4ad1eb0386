import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCategoryCounter } from '../../../../src/web/dashboard/summary/summarize-categories.ts'
import type { ReviewStatus } from '../../../../src/web/dashboard/summary/summarize-reviews.ts'
import { readRuns } from '../../../support/runs.ts'

const RUNS = readRuns('FUZZ', 200)

test('an article counts in each of its categories, and one without a category nowhere', () => {
  const counter = createCategoryCounter()
  counter.addArticle(['Guides', 'Guides/Accounts', 'Guides'], 'overdue')
  counter.addArticle(['Guides'], 'due')
  counter.addArticle(['Guides'], 'later')
  counter.addArticle(['Guides'], undefined)
  counter.addArticle([], 'overdue')
  counter.addBrokenLinks(['Guides/Accounts', 'Linked only'])
  counter.addBrokenLinks(['Guides/Accounts'])
  counter.addBrokenLinks([])
  expect(counter.summary()).toEqual([
    { category: 'Guides', articles: 4, overdue: 1, due: 1, broken: 0 },
    { category: 'Guides/Accounts', articles: 1, overdue: 1, due: 0, broken: 2 },
    { category: 'Linked only', articles: 0, overdue: 0, due: 0, broken: 1 },
  ])
})

test('a category comes before its subcategories, and these before its siblings', () => {
  const paths = ['Guides!', 'Guides A', 'B', 'Guides/Z', 'Guides', 'Guides/Z/a', 'Guides/A']
  const counter = createCategoryCounter()
  counter.addArticle(paths, undefined)
  expect(counter.summary().map(({ category }) => category)).toEqual([
    'B',
    'Guides',
    'Guides/A',
    'Guides/Z',
    'Guides/Z/a',
    'Guides A',
    'Guides!',
  ])
})

test('random lists have the same counts as whole lists in memory', () => {
  const names = fc.array(fc.constantFrom('a', 'b', 'a/b', '__proto__', ''), { maxLength: 3 })
  const standing = fc.constantFrom<(ReviewStatus | undefined)[]>(
    'overdue',
    'due',
    'later',
    'never',
    'undated',
    undefined,
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(names, standing)), fc.array(names), (articles, links) => {
      const counter = createCategoryCounter()
      for (const [categories, stands] of articles) counter.addArticle(categories, stands)
      for (const categories of links) counter.addBrokenLinks(categories)
      const seen = new Set([...articles.flatMap(([categories]) => categories), ...links.flat()])
      expect(counter.summary()).toEqual(
        [...seen].toSorted().map((category) => {
          const inside = articles.filter(([categories]) => categories.includes(category))
          return {
            category,
            articles: inside.length,
            overdue: inside.filter(([, stands]) => stands === 'overdue').length,
            due: inside.filter(([, stands]) => stands === 'due').length,
            broken: links.filter((categories) => categories.includes(category)).length,
          }
        }),
      )
    }),
    RUNS,
  )
})
