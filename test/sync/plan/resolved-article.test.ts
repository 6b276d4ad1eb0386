import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createArticleRequest } from '../../../src/api/contract/request.ts'
import type { LocalArticle } from '../../../src/core/model/document.ts'
import { readMarker } from '../../../src/core/model/marker.ts'
import type { Operation, Outcome } from '../../../src/core/model/plan.ts'
import { claimUnmarked } from '../../../src/sync/plan/matches-local.ts'
import {
  buildPayload,
  fieldsToSend,
  languageToSend,
  resolveArticle,
  reviewDateToSend,
  withOriginal,
} from '../../../src/sync/plan/resolved-article.ts'
import { summarise } from '../../../src/sync/plan/summarise.ts'
import { TODAY, changed, desired, foreign, remoteArticle, sent, wanted } from './examples.ts'
import { hashSentFields } from '../../../src/sync/plan/remote-entry.ts'

const fingerprintOf = (article: LocalArticle, categoryIds = ['c1'], tagIds: string[] = []) =>
  resolveArticle(article, categoryIds, tagIds).fingerprint

describe('the fingerprint', () => {
  const example = desired('a.md')
  test.each<Partial<LocalArticle>>([
    { title: 'x' },
    { slug: 'x' },
    { excerpt: 'x' },
    { order: 1 },
    { status: 'published' },
    { hideFromSearch: true },
    { seoBannerUrl: 'https://x' },
    { review: { kind: 'never' } },
    { review: { kind: 'date', date: '2027-01-31' } },
    { language: 'fr' },
    { contentHash: '0'.repeat(32) },
  ])('changes with %j', (change) => {
    expect(fingerprintOf({ ...example, ...change })).not.toBe(fingerprintOf(example))
  })

  test('is the same as in earlier releases without an original', () => {
    expect(fingerprintOf(example)).toBe('3a4c87a8fd743affd8728f51d4bc37a9')
  })

  test("changes with the article of a translation's original", () => {
    const translation = resolveArticle({ ...example, language: 'fr' }, ['c1'], [])
    const related = ['', 'id1', 'id2'].map((id) => withOriginal(translation, id).fingerprint)
    expect(new Set([translation.fingerprint, ...related]).size).toBe(4)
  })

  test('changes with the ids of categories and tags, but not with their order', () => {
    expect(fingerprintOf(example, ['c1', 'c2'])).not.toBe(fingerprintOf(example))
    expect(fingerprintOf(example, ['c1'], ['t1'])).not.toBe(fingerprintOf(example))
    expect(fingerprintOf(example, ['c1', 'c2'], ['t1', 't2'])).toBe(
      fingerprintOf(example, ['c2', 'c1'], ['t2', 't1']),
    )
  })

  test('does not change with what is not sent: path, key, names of categories, days of a default review', () => {
    const unsent = fc.record({
      source: fc.string(),
      key: fc.string(),
      sourceHash: fc.string(),
      inputKey: fc.string(),
      projectionHash: fc.string(),
      categories: fc.array(fc.string()),
      tags: fc.array(fc.string()),
      translationOf: fc.option(fc.string(), { nil: undefined }),
      review: fc.record({ kind: fc.constant('default' as const), afterDays: fc.nat() }),
    })
    fc.assert(
      fc.property(unsent, (change) => {
        expect(fingerprintOf({ ...example, ...change })).toBe(fingerprintOf(example))
      }),
    )
  })
})

describe('the review date to send', () => {
  const date = { kind: 'date', date: '2028-02-29' } as const
  const never = { kind: 'never' } as const
  const onTarget = (reviewDate: string, sourceHash?: string) => {
    const entry = sent(wanted('a.md'), 'id1')
    const fields = { ...fieldsToSend(wanted('a.md'), reviewDate) }
    const ours = entry.ours && { ...entry.ours, sourceHash: sourceHash ?? entry.ours.sourceHash }
    return { ...changed(entry, { fields }), ours }
  }
  test.each([
    ['written', { review: date }, undefined, '2028-02-29'],
    ['never', { review: never }, undefined, '9999-12-31'],
    ['by default', {}, undefined, '2027-06-30'],
    ['kept from the target', {}, onTarget('2027-03-03'), '2027-03-03'],
    [
      'kept from the target over a written one, while the text is the same',
      { review: date },
      onTarget('2027-03-03'),
      '2027-03-03',
    ],
    ['written, after the text changed', { review: date }, onTarget('2027-03-03', 'other'), '2028-02-29'],
    ['by default, after the text changed', {}, onTarget('2027-03-03', 'other'), '2027-06-30'],
    ['by default where the target has none', {}, onTarget(''), '2027-06-30'],
    [
      'by default over that of a foreign article',
      {},
      { ...onTarget('2027-03-03'), ours: undefined },
      '2027-06-30',
    ],
  ])('is %s', (_, change, existing, expected) => {
    expect(reviewDateToSend(desired('a.md', change), existing, TODAY)).toBe(expected)
  })
})

test('the payload is a valid request whose marker describes its content', () => {
  const each = resolveArticle(desired('a.md', { status: 'published', order: 2 }), ['c1', 'c2'], ['t1'])
  const fields = fieldsToSend(each, '2027-06-30')
  const payload = buildPayload(each, fields, '<p>Text</p>\n', {
    project: 'my docs',
    fieldsHash: hashSentFields(fields, each.article.review),
  })
  expect(createArticleRequest.parse(payload)).toEqual(payload)
  expect(payload).toEqual({
    title: 'a.md',
    slug: 'a',
    categories: [{ value: 'c1' }, { value: 'c2' }],
    tags: [{ value: 't1' }],
    excerpt: 'Excerpt',
    ordering: 2,
    status: 'published',
    content: expect.stringMatching(/^<p>Text<\/p>\n<!--.*-->\n$/) as string,
    hideFromSearch: false,
    seoBannerUrl: '',
    articleReviewDate: '2027-06-30',
  })
  const { key, sourceHash, projectionHash } = each.article
  const { fingerprint } = each
  const expected = {
    project: 'my docs',
    documentKey: key,
    fingerprint,
    sourceHash,
    fieldsHash: hashSentFields(fields, each.article.review),
    projectionHash,
  }
  expect(readMarker(payload.content)).toEqual(expected)
})

describe('an article without marker', () => {
  const each = wanted('a.md')
  const unmarked = { ...sent(each, 'id1'), ours: undefined }
  const withDate = (reviewDate: string) => ({
    ...unmarked,
    remote: remoteArticle('id1', fieldsToSend(each, reviewDate), {
      projectionHash: each.article.projectionHash,
    }),
  })
  const claimed = (entry: typeof unmarked, by = each) => claimUnmarked([entry], [by])[0]?.ours !== undefined

  test('is managed if it equals what we would send, whatever its default review date', () => {
    const { key, sourceHash, projectionHash } = each.article
    const { fingerprint } = each
    const { fieldsHash, htmlHash } = withDate('2031-01-01').remote
    const ours = { key, fingerprint, sourceHash, fieldsHash, projectionHash, htmlHash, isClaimed: true }
    expect(claimUnmarked([withDate('2031-01-01')], [each])).toEqual([{ ...withDate('2031-01-01'), ours }])
  })

  test.each([
    ['its text differs', changed(unmarked, { projectionHash: 'x' }), each],
    ['a field differs', unmarked, wanted('a.md', { title: 'Other' })],
    ['its slug differs', { ...unmarked, slug: 'b' }, each],
    ['its language differs', { ...unmarked, language: 'fr' }, each],
    ['it was not read', { ...unmarked, remote: undefined }, each],
    ['it belongs to another project', { ...unmarked, project: 'other' }, each],
    [
      'its review date is not the written one',
      withDate('2031-01-01'),
      wanted('a.md', { review: { kind: 'date', date: '2031-01-02' } }),
    ],
    ['its review is not never', withDate('2031-01-01'), wanted('a.md', { review: { kind: 'never' } })],
  ])('stays foreign if %s', (_, entry, by) => {
    expect(claimed(entry as typeof unmarked, by)).toBe(false)
  })

  test('is managed if its written review date is the same', () => {
    expect(
      claimed(withDate('2031-01-02'), wanted('a.md', { review: { kind: 'date', date: '2031-01-02' } })),
    ).toBe(true)
    expect(claimed(withDate('9999-12-31'), wanted('a.md', { review: { kind: 'never' } }))).toBe(true)
  })

  test('that is already managed stays unchanged', () => {
    const entries = [sent(each, 'id1'), foreign('id2', 'b')]
    expect(claimUnmarked(entries, [each])).toEqual(entries)
  })
})

test('a summary counts done or planned operations, and failed ones separately', () => {
  const subject = {
    kind: 'article',
    source: 'a.md',
    slug: 'a',
    language: null,
    id: 'a',
    reason: 'why',
  } as const
  const result = (action: Exclude<Operation['action'], 'move'>, outcome: Outcome) =>
    ({ ...subject, action, outcome }) as const
  const moved = (by: 'update' | 'replace', outcome: Outcome) =>
    ({ ...subject, action: 'move', by, outcome }) as const
  const results = [
    result('create', 'done'),
    result('create', 'planned'),
    result('create', 'failed'),
    result('restore', 'done'),
    moved('update', 'done'),
    moved('replace', 'planned'),
    moved('replace', 'failed'),
    result('update', 'done'),
    result('replace', 'done'),
    result('replace', 'failed'),
    result('delete-orphan', 'done'),
    result('delete-copy', 'done'),
    result('delete-orphan', 'skipped'),
    result('conflict', 'skipped'),
    result('skip', 'skipped'),
  ]
  expect(summarise(results, 5, 3)).toEqual({
    created: 3,
    updated: 2,
    replaced: 2,
    deleted: 2,
    unchanged: 5,
    conflicts: 1,
    failed: 3,
    skipped: 2,
    orphans: 3,
  })
})

describe('the language to send', () => {
  const original = wanted('a.md')
  const french = wanted('fr/a.md', { language: 'fr' })
  const translation = withOriginal(french, 'id1')
  const inPlace = { language: 'fr', languageParent: 'id1' }
  test.each([
    ['nothing for one in the default language', original, undefined, {}],
    ['its own', french, undefined, { lang: 'fr' }],
    ['with its original', translation, undefined, { lang: 'fr', languageParent: 'id1' }],
    ['the same in place', translation, inPlace, { lang: 'fr', languageParent: 'id1' }],
    ['no original any more', french, inPlace, { lang: 'fr', languageParent: '' }],
    ['the default language again', original, inPlace, { lang: 'en', languageParent: '' }],
    ['nothing in place where nothing changes', original, { language: null, languageParent: undefined }, {}],
  ])('is %s', (_, article, existing, expected) => {
    expect(languageToSend(article, existing, 'en')).toEqual(expected)
  })
})
