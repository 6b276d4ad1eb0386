import { expect, test } from 'vitest'
import { findAlikeNames } from '../../../src/content/taxonomy/alike-names.ts'

test.each([
  ['letter case', 'Security', 'security'],
  ['a hyphen', 'sign-in', 'signin'],
  ['a space', 'Two factor', 'two-factor'],
  ['an underscore', 'two_factor', 'Two Factor'],
  ['a plural', 'payment', 'payments'],
  ['a plural with es', 'tax', 'taxes'],
  ['a plural with ies', 'Delivery', 'deliveries'],
  ['the form of Unicode', 'Caf\u00e9', 'Cafe\u0301'],
  ['full-width letters', 'API', 'ＡＰＩ'],
  ['a letter too few', 'integration', 'intergation'.replace('ga', 'a')],
  ['a wrong letter', 'accessibility', 'accessibilety'],
  ['letters that changed places', 'accessibility', 'accessibiltiy'],
])('alike: %s', (_, first, second) => {
  expect([...findAlikeNames([first, 'Other', second])]).toEqual([[second, first]])
})

test.each([
  ['short words', 'cat', 'car'],
  ['another first letter', 'building', 'guilding'],
  ['a number', 'version-1-notes', 'version-2-notes'],
  ['another number of digits', 'release-2024', 'release-20245'],
  ['two letters', 'connection', 'collection'],
  ['an ending of two letters', 'as', 'a'],
  ['double s', 'mas', 'mass'],
  ['scripts without plural', '価格', '価格表'],
  ['signs', 'C', 'C++'],
])('not alike: %s', (_, first, second) => {
  expect([...findAlikeNames([first, second])]).toEqual([])
})

test('each name is reported with the first similar one', () => {
  expect([...findAlikeNames(['Payments', 'payment', 'PAYMENTS', 'tax'])]).toEqual([
    ['PAYMENTS', 'Payments'],
    ['payment', 'Payments'],
  ])
})

test('many names take little time', () => {
  const names = Array.from({ length: 3000 }, (_, index) => `topic ${'abcdefghij'[index % 10]} ${index}`)
  expect(findAlikeNames(names).size).toBe(0)
})
