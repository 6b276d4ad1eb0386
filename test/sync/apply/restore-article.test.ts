import { expect, test } from 'vitest'
import { toRemoved } from '../../../src/sync/apply/restore-article.ts'
import { changed, sent, wanted } from '../plan/examples.ts'

const EDITED = { editedMs: 2_000_000, projectionHash: 'edited' }

const READ = { data: { id: '1', tags_relationship: [], article_relationships: [] }, categories: [], tags: [] }

test.each([
  ['as the target stores it, is put back as it was sent', 'KB-RESET', {}, 'kb-reset'],
  ['as the target stores it, below an edited text, as well', 'KB-RESET', EDITED, 'kb-reset'],
  ['that somebody has chosen stays', 'chosen', EDITED, 'chosen'],
])('a slug %s', (_, slug, edit, expected) => {
  const document = wanted('reset.md', { slug: 'kb-reset' })
  const entry = { ...changed(sent(document, '1'), edit), slug }
  const { fields } = toRemoved({ wanted: document, read: READ, entry }) ?? {}
  expect(fields?.slug).toBe(expected)
})
