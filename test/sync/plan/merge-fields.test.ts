import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ArticleFields, type FieldName, hashFields } from '../../../src/core/model/article-fields.ts'
import { mergeFields } from '../../../src/sync/plan/merge-fields.ts'
import { readRuns } from '../../support/runs.ts'

const FIELDS: ArticleFields = {
  title: 'Reset your password',
  slug: 'reset-password',
  excerpt: 'How to reset it.',
  order: 3,
  status: 'published',
  hideFromSearch: false,
  seoBannerUrl: '',
  reviewDate: '2027-01-31',
  categoryIds: ['guides', 'accounts'],
  tagIds: ['safety'],
}

const CHANGED: ArticleFields = {
  title: 'Passwords',
  slug: 'passwords',
  excerpt: '',
  order: 0,
  status: 'draft',
  hideFromSearch: true,
  seoBannerUrl: 'https://example.com/banner.png',
  reviewDate: '2028-01-01',
  categoryIds: ['guides'],
  tagIds: [],
}

const merge = (sent: ArticleFields, wanted: Partial<ArticleFields>, remote: Partial<ArticleFields>) => {
  const merged = mergeFields(hashFields(sent), { ...FIELDS, ...wanted }, { ...FIELDS, ...remote })
  return merged.kind === 'merged' ? merged.taken : merged
}

test.each<[string, Partial<ArticleFields>, Partial<ArticleFields>, ReturnType<typeof merge>]>([
  ['nothing changed', {}, {}, []],
  ['the file alone changed', { title: 'New' }, {}, []],
  ['the target alone changed', {}, { title: 'New', order: 9 }, ['title', 'order']],
  ['each side changed another field', { title: 'New' }, { order: 9 }, ['order']],
  ['both changed a field to the same', { title: 'New' }, { title: 'New', order: 9 }, ['order']],
  ['both changed a field', { title: 'One' }, { title: 'Two' }, { kind: 'conflict', disputed: ['title'] }],
  ['the order of categories', {}, { categoryIds: ['accounts', 'guides'] }, []],
])('three-way merge: %s', (_, wanted, remote, expected) => {
  expect(merge(FIELDS, wanted, remote)).toEqual(expected)
})

test.each<[string, string, string, string, ReturnType<typeof merge>]>([
  ['a default, moved on the target', '', '', '2028-01-01', []],
  ['a default that the file writes down now', '', '2027-06-01', '2028-01-01', []],
  ['a written one that is a default now', '2027-01-31', '', '2027-01-31', []],
  ['a written one, moved on the target', '2027-01-31', '2027-01-31', '2028-01-01', ['reviewDate']],
])('a review date: %s', (_, sent, wanted, remote, expected) => {
  const named = (reviewDate: string) => ({ reviewDate })
  expect(merge({ ...FIELDS, ...named(sent) }, named(wanted), named(remote))).toEqual(expected)
})

test('the changes of each side follow from the hash alone', () => {
  const names = Object.keys(FIELDS) as FieldName[]
  const sides = fc.constantFrom('nobody', 'file', 'target')
  fc.assert(
    fc.property(fc.array(sides, { minLength: names.length, maxLength: names.length }), (who) => {
      const changedBy = (side: string) => names.filter((_, index) => who[index] === side)
      const changes = (side: string) =>
        Object.fromEntries(changedBy(side).map((name) => [name, CHANGED[name]]))
      expect(merge(FIELDS, changes('file'), changes('target'))).toEqual(changedBy('target'))
    }),
    readRuns('FUZZ', 200),
  )
})
