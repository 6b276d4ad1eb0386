import { describe, expect, test } from 'vitest'
import { claimUnmarked, seesMarkers } from '../../../src/sync/plan/matches-local.ts'
import { isWronglyClaimed } from '../../../src/sync/plan/decide-change.ts'
import type { RemoteEntry } from '../../../src/sync/plan/remote-entry.ts'
import { changed, foreign, sent, wanted } from './examples.ts'

const a = wanted('a.md')
const { key, sourceHash, projectionHash } = a.article

/** The form of `entry` on a target that removes comments, before its owner is known. */
function unmarked(entry: RemoteEntry): RemoteEntry {
  return { ...changed(entry, { marker: undefined }), ours: undefined }
}

describe('an article without marker', () => {
  const entry = unmarked(sent(a, '1'))
  const translation = { ...wanted('a.fr.md', { slug: 'a', language: 'fr' }), translationOf: { id: '1' } }
  const unsettled = { ...translation, translationOf: { id: undefined } }
  const withParent = (languageParent: string | undefined) =>
    changed(unmarked(sent(translation, '2')), { languageParent })

  test('is managed if it equals a file', () => {
    const { fingerprint } = a
    const { fieldsHash, htmlHash } = entry.remote ?? {}
    const ours = { key, fingerprint, sourceHash, fieldsHash, projectionHash, htmlHash, isClaimed: true }
    expect(claimUnmarked([entry], [a])).toEqual([{ ...entry, ours }])
  })

  test.each<[string, RemoteEntry, typeof a]>([
    ['says something else', changed(entry, { projectionHash: 'e' }), a],
    ['has other fields', changed(entry, { fieldsHash: 'e' }), a],
    ['stands at another slug', { ...entry, slug: 'b' }, a],
    ['is in another language', { ...entry, language: 'fr' }, a],
    ['is known to be of another project', { ...entry, project: 'other' }, a],
    ['was not read', { ...entry, remote: undefined }, a],
    ['belongs to another original', withParent('9'), translation],
    ['belongs to no original', withParent(undefined), translation],
    ['belongs to an original that is yet to be sent', withParent('1'), unsettled],
    ['has an empty original as that which is yet to be sent', withParent(''), unsettled],
    ['is a translation, and an original is wanted', changed(entry, { languageParent: '9' }), a],
  ])('is foreign if it %s', (_, found, each) => {
    expect(claimUnmarked([found], [each])).toEqual([found])
  })

  test('is managed as the translation of its original', () => {
    expect(claimUnmarked([withParent('1')], [translation])).toMatchObject([
      { ours: { key: translation.article.key, isClaimed: true } },
    ])
  })
})

test.each([
  [true, true, true],
  [true, false, false],
  [true, undefined, false],
  [undefined, true, false],
])('claimed %s on a target that keeps comments %s: wrongly %s', (isClaimed, keepsComments, expected) => {
  const { ours } = sent(a, '1')
  expect(isWronglyClaimed(ours && { ...ours, isClaimed }, keepsComments)).toBe(expected)
  expect(isWronglyClaimed(undefined, keepsComments)).toBe(false)
})

test('a single marker of any project proves that a target keeps markers', () => {
  const marked = sent(a, '1')
  const without = unmarked(marked)
  const unread = foreign('2', 'b')
  expect(seesMarkers([])).toBeUndefined()
  expect(seesMarkers([without, unread])).toBeUndefined()
  expect(seesMarkers([without, unread, marked])).toBe(true)
  expect(seesMarkers([{ ...marked, ours: undefined, project: 'other' }])).toBe(true)
})
