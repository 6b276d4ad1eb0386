import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ArticleFields, hashFields } from '../../../src/core/model/article-fields.ts'
import {
  appendMarker,
  formatMarker,
  type Marker,
  readMarker,
  removeMarkers,
} from '../../../src/core/model/marker.ts'
import { projectHtml } from '../../../src/core/model/projection.ts'
import { anyCharacter } from '../../support/any-character.ts'

const hash = fc.stringMatching(/^[0-9a-f]{32}$/)
const marker: fc.Arbitrary<Marker> = fc.record({
  project: fc.string({ unit: anyCharacter, minLength: 1 }),
  documentKey: hash,
  fingerprint: hash,
  sourceHash: hash,
  fieldsHash: fc.stringMatching(/^[0-9a-f]{80}$/),
  projectionHash: hash,
})

describe('the marker', () => {
  test('is read as written, at the end of any HTML', () => {
    fc.assert(
      fc.property(marker, fc.string({ unit: 'grapheme' }), (written, html) => {
        const signed = appendMarker(html, written)
        expect(signed.startsWith(html)).toBe(true)
        expect(readMarker(signed)).toEqual(written)
      }),
    )
  })

  test('contains nothing that could end its comment or look like HTML', () => {
    fc.assert(
      fc.property(marker, (written) => {
        expect(formatMarker(written)).toMatch(/^<!--kb1[.0-9a-f]+-->$/)
      }),
    )
  })

  test('is read from a comment that a target has written with spaces', () => {
    const [example] = fc.sample(marker, 1) as [Marker]
    const spaced = appendMarker('<p>a</p>', example).replace('<!--', '<!-- ').replace('-->', '\n-->')
    expect(readMarker(spaced)).toEqual(example)
    expect(removeMarkers(spaced)).toBe('<p>a</p>')
  })

  test('is the last one if an article has several', () => {
    fc.assert(
      fc.property(marker, marker, (one, other) => {
        expect(readMarker(appendMarker(appendMarker('<p>a</p>', one), other))).toEqual(other)
      }),
    )
  })

  test('is invisible to readers', () => {
    const [example] = fc.sample(marker, 1) as [Marker]
    expect(projectHtml(appendMarker('<p>a</p>\n', example))).toEqual(projectHtml('<p>a</p>'))
  })

  test.each([
    '',
    '<p>a</p>',
    '<!-- kb1 -->',
    '<!--kb1.00.11-->',
    `<!--kb1.0.${Array(5).fill('0'.repeat(32)).join('.')}-->`,
    `<!--kb2.00.${Array(5).fill('0'.repeat(32)).join('.')}-->`,
  ])('is not in %j', (html) => {
    expect(readMarker(html)).toBeUndefined()
  })
})

describe('the hash of the fields', () => {
  const fields: ArticleFields = {
    title: 't',
    slug: 's',
    excerpt: 'e',
    order: 1,
    status: 'draft',
    hideFromSearch: false,
    seoBannerUrl: '',
    reviewDate: '2027-01-31',
    categoryIds: ['c1', 'c2'],
    tagIds: ['t1', 't2'],
  }

  test('does not depend on the order of categories and tags', () => {
    expect(hashFields({ ...fields, categoryIds: ['c2', 'c1'], tagIds: ['t2', 't1'] })).toBe(
      hashFields(fields),
    )
  })

  test.each<Partial<ArticleFields>>([
    { title: 'x' },
    { slug: 'x' },
    { excerpt: 'x' },
    { order: 1.5 },
    { status: 'published' },
    { hideFromSearch: true },
    { seoBannerUrl: 'x' },
    { reviewDate: '' },
    { categoryIds: ['c1'] },
    { tagIds: [] },
    { categoryIds: ['c1', 'c2', 't1', 't2'], tagIds: [] },
  ])('depends on %j', (change) => {
    expect(hashFields({ ...fields, ...change })).not.toBe(hashFields(fields))
  })
})
