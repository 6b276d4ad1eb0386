import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareDiagnostics, type Diagnostic } from '../../../src/core/model/diagnostic.ts'
import { lookUp } from '../../../src/core/model/taxonomy.ts'
import { formatCategoryPath, parseCategoryPath } from '../../../src/core/category-path.ts'

test.each([
  ['Guides', ['Guides']],
  ['Guides/Accounts', ['Guides', 'Accounts']],
  ['A\\/B/C', ['A/B', 'C']],
  ['A\\/B\\/C', ['A/B/C']],
])('the path %s is %j', (text, path) => {
  expect(parseCategoryPath(text)).toEqual(path)
  expect(formatCategoryPath(path)).toBe(text)
})

test('a path of any names is read as written', () => {
  // A backslash before a slash cannot be distinguished from an escape, so names that end in one are left out.
  const name = fc.string({ unit: fc.constantFrom('a', 'Ü', '/', ' ', '.'), minLength: 1 })
  fc.assert(
    fc.property(fc.array(name, { minLength: 1 }), (path) => {
      expect(parseCategoryPath(formatCategoryPath(path))).toEqual(path)
    }),
  )
})

describe('a reference', () => {
  const entries = [
    { name: 'Guides', slug: 'faq', path: ['Guides'] },
    { name: 'FAQ', slug: 'questions', path: ['FAQ'] },
    { name: 'Accounts', path: ['Guides', 'Accounts'] },
    { name: 'Accounts', path: ['FAQ', 'Accounts'] },
    { name: 'faq', path: ['Guides', 'faq'] },
    { name: 'Müll', path: ['Müll'] },
    { name: 'Guides/Accounts', path: ['Other', 'Guides/Accounts'] },
    { name: 'Other', path: ['Guides', 'Other'] },
    { name: 'Other', path: ['Other'] },
  ]
  const found = (index: number) => ({ kind: 'found', entry: entries[index] })
  test.each([
    ['a slug before a name', 'faq', found(0)],
    ['a name', 'FAQ', found(1)],
    ['a path', 'FAQ/Accounts', found(3)],
    ['a name before a path', 'Guides/Accounts', found(6)],
    ['a name in another encoding', 'Mu\u0308ll', found(5)],
    ['several', 'Accounts', { kind: 'ambiguous', entries: [entries[2], entries[3]] }],
    ['of several the one with that whole path', 'Other', found(8)],
    ['none in other letter case', 'guides', { kind: 'none' }],
    ['none by a part of a path', 'Other/Guides', { kind: 'none' }],
    ['none by nothing', '', { kind: 'none' }],
  ])('names %s: %s', (_, reference, expected) => {
    expect(lookUp(reference, entries)).toEqual(expected)
  })
})

test('diagnostics are sorted by file, position and code', () => {
  const at = (file: string, line: number, column: number, code: Diagnostic['code'] = 'tag-unknown') =>
    ({ file, line, column, code, severity: 'error', message: '' }) as const
  const sorted = [
    at('a.md', 1, 1, 'category-unknown'),
    at('a.md', 1, 1),
    at('a.md', 1, 2),
    at('a.md', 2, 1),
    at('a.md', 10, 1),
    at('b.md', 1, 1),
  ]
  fc.assert(
    fc.property(fc.shuffledSubarray(sorted, { minLength: sorted.length }), (shuffled) => {
      expect(shuffled.toSorted(compareDiagnostics)).toEqual(sorted)
    }),
  )
})
