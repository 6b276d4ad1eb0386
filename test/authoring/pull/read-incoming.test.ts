// Three-way decisions: what was sent last, what is in the file, what is on the target.
import { expect, test } from 'vitest'
import { type ArticleFields, hashFields } from '../../../src/core/model/article-fields.ts'
import type { LocalArticle } from '../../../src/core/model/document.ts'
import type { RemoteArticle } from '../../../src/core/model/remote-article.ts'
import { decideEdit, type EditDecision } from '../../../src/authoring/pull/read-incoming.ts'
import { sent, wanted } from '../../sync/plan/examples.ts'

interface Edit extends Partial<ArticleFields> {
  readonly text?: string
  readonly remote?: Partial<RemoteArticle>
}

const SOURCE = 'a.md'
const WRITTEN = { review: { kind: 'date', date: '2027-06-01' } } as const

/** Decides for changes in `file` and an edit on the `target`. */
function decide(file: Partial<LocalArticle>, target: Edit, base: Partial<LocalArticle> = {}): EditDecision {
  const before = wanted(SOURCE, base)
  const { ours, remote } = sent(before, 'id-1')
  if (ours === undefined || remote === undefined) throw new Error('nothing was sent')
  const { text, remote: others, ...changes } = target
  const fields = { ...remote.fields, ...changes }
  const edited: RemoteArticle = {
    ...remote,
    fields,
    fieldsHash: hashFields(fields),
    undatedFieldsHash: hashFields({ ...fields, reviewDate: '' }),
    htmlHash: 'h',
    projectionHash: text ?? remote.projectionHash,
    editedMs: 9_000_000,
    ...others,
  }
  const isChanged = Object.keys(file).length > 0
  return decideEdit(
    wanted(SOURCE, { ...base, ...(isChanged && { sourceHash: 'another' }), ...file }),
    ours,
    edited,
  )
}

const textTo = (text: string) => ({ projectionHash: text, contentHash: text })
const KEEP: EditDecision = { kind: 'keep' }
const take = (fields: string[], text: boolean) => ({ kind: 'take', fields, text })
const conflict = (fields: string[], text: boolean) => ({ kind: 'conflict', fields, text })

test.each<[string, Partial<LocalArticle>, Edit, unknown]>([
  ['nothing changed', {}, {}, KEEP],
  ['the text of the file', textTo('new'), {}, KEEP],
  ['the text of the target', {}, { text: 'new' }, take([], true)],
  ['both texts, to the same', textTo('new'), { text: 'new' }, KEEP],
  ['both texts', textTo('one'), { text: 'two' }, conflict([], true)],
  ['bold in the file, the text of the target', { contentHash: 'bold' }, { text: 'new' }, conflict([], true)],
  ['a title of the file, the text of the target', { title: 'New' }, { text: 'new' }, take([], true)],
  [
    'a title and bold in the file, the text of the target',
    { title: 'New', contentHash: 'bold' },
    { text: 'new' },
    conflict([], true),
  ],
  ['a field of the target', {}, { order: 9 }, take(['order'], false)],
  ['a field of the file', { order: 9 }, {}, KEEP],
  ['another field on each side', { title: 'New' }, { order: 9 }, take(['order'], false)],
  ['a field of the target, the text of the file', textTo('new'), { order: 9 }, take(['order'], false)],
  ['the same field', { title: 'One' }, { title: 'Two' }, conflict(['title'], false)],
  [
    'the same field, and the text of the target',
    { title: 'One' },
    { title: 'Two', text: 'new' },
    conflict(['title'], true),
  ],
  ['categories in another order', {}, { categoryIds: ['c1'], text: 'new' }, take([], true)],
  ['a default review date', {}, { reviewDate: '2029-01-01' }, KEEP],
  ['a default review date and the text', {}, { reviewDate: '2029-01-01', text: 'new' }, take([], true)],
  ['a draft is open', {}, { text: 'new', remote: { draftId: 'd' } }, { kind: 'draft' }],
  ['never edited: the target rewrites', {}, { text: 'new', remote: { editedMs: 1_000_000 } }, KEEP],
])('edited: %s', (_, file, target, expected) => {
  expect(decide(file, target)).toEqual(expected)
})

test('a review date in the file counts', () => {
  expect(decide({}, { reviewDate: '2029-01-01' }, WRITTEN)).toEqual(take(['reviewDate'], false))
  expect(decide({ title: 'New' }, { reviewDate: '2029-01-01' }, WRITTEN)).toEqual(take(['reviewDate'], false))
})
