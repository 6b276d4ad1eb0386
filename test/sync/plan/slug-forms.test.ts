import { expect, test } from 'vitest'
import { createSlugFormOf, temporarySlug } from '../../../src/sync/plan/slug-forms.ts'
import { sent, wanted } from './examples.ts'

const formOf = createSlugFormOf(() => ['straße/über', 'Reset'])

test.each([
  ['reset', 'RESET', 'letters'],
  ['Reset', 'reset', 'letters'],
  ['straße/über', 'strasse-uber', undefined],
  ['café', 'cafe\u0301', 'letters'],
  ['reset', 'kb-reset', 'after kb-'],
  ['reset', 'kb-kb-reset', 'after kb-'],
  ['reset', temporarySlug('KB-RESET', 'id-1').toUpperCase(), undefined],
  ['reset', temporarySlug('kb-reset', 'id-1'), 'after kb-'],
  ['reset', 'reset-copy', undefined],
  ['reset', 'something-else', undefined],
])('%j stored as %j: %j', (slug, stored, form) => {
  expect(formOf({ ...sent(wanted('a.md', { slug }), '1'), slug: stored })).toBe(form)
})
