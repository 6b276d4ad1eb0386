import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readRuns } from '../../support/runs.ts'
import {
  lenientListCategories,
  lenientListLinks,
  lenientListReviewDates,
  lenientReadArticle,
  lenientReadTag,
  readLinkEntry,
  readReviewDateEntry,
  wireEnvelope,
} from '../../../src/api/contract/lenient.ts'

function relationshipOf(article_relationships: unknown): unknown {
  return lenientListCategories.parse({ data: [{ id: 'c', article_relationships }] }).data[0]
    ?.article_relationships
}

describe('what a client accepts from other services', () => {
  test('an article may lack everything except its id', () => {
    expect(
      lenientReadArticle.parse({ data: { id: 7, name: null, order_by: 'x', language_parent: '' } }),
    ).toEqual({
      data: { id: '7', tags_relationship: [], article_relationships: [] },
      categories: [],
      tags: [],
    })
  })

  test('an article without id is rejected', () => {
    expect(lenientReadArticle.safeParse({ data: { name: 'x' } }).success).toBe(false)
    expect(lenientReadTag.safeParse({ data: { id: '' } }).success).toBe(false)
  })

  test('entries without a usable id are omitted', () => {
    const read = lenientReadArticle.parse({
      data: { id: 'a', tags_relationship: [{ tag_id: 't' }, { id: 'x' }, null, 'x'] },
      categories: [{ value: 'c' }, { id: 'x', label: 'y' }],
      isDraft: null,
    })
    expect(read.data.tags_relationship).toEqual([{ tag_id: 't' }])
    expect(read.categories).toEqual([{ value: 'c' }])
    expect(lenientListLinks.parse({ data: [{ id: 'l', url: 'u' }, { article_id: 3 }] }).data).toEqual([
      { article_id: '3' },
    ])
  })

  test('the relationships of a category may be an object, an array, null or missing', () => {
    expect([{ id: 'r' }, [{ id: 'r' }, { id: 's' }], [], null, undefined, 'x'].map(relationshipOf)).toEqual([
      { id: 'r' },
      { id: 'r' },
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  test('personal data is dropped', () => {
    const users_articles_created_byTousers = { email_address: 'someone@example.com' }
    const read = lenientListReviewDates.parse({ data: [{ id: 'a', users_articles_created_byTousers }] })
    expect(read).toEqual({ data: [{ id: 'a' }] })
  })

  test('a list may be missing or null, but nothing else', () => {
    expect(lenientListLinks.parse({}).data).toEqual([])
    expect(lenientListLinks.parse({ data: null }).data).toEqual([])
    expect(lenientListLinks.safeParse({ data: 'none' }).success).toBe(false)
  })

  test('the envelope must state whether the call was successful', () => {
    expect(wireEnvelope.safeParse({ message: 'x' }).success).toBe(false)
    expect(wireEnvelope.parse({ success: false, message: null, code: 1 })).toMatchObject({ success: false })
  })
})

/** Documented members, sometimes with other values, and missing or unknown members. */
function entriesOf(members: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<unknown> {
  const other = fc.constantFrom<unknown>(null, '', 'x', 7, true, [], {}, [{ id: 'x', name: 'y' }])
  const often = Object.fromEntries(
    Object.entries(members).map(([name, usual]) => [
      name,
      fc.oneof({ weight: 15, arbitrary: usual }, { weight: 1, arbitrary: other }),
    ]),
  )
  const entry = fc.record({ ...often, unknown: fc.string() }, { requiredKeys: [] })
  const whole = fc.record({ ...members, unknown: fc.string() })
  return fc.oneof(entry, whole, other)
}

const text = fc.string({ minLength: 1 })

test('an entry read without its schema equals one read by the schema', () => {
  const links = entriesOf({
    id: text,
    site_id: text,
    article_id: text,
    url: fc.string(),
    created_date: text,
    working: fc.boolean(),
    articles: entriesOf({ id: text, name: fc.string() }),
  })
  const reviews = entriesOf({
    id: text,
    name: fc.string(),
    status: fc.constantFrom('draft', 'published', 'other'),
    article_review_date: text,
    language: text,
    users_articles_created_byTousers: entriesOf({ email_address: text }),
  })
  fc.assert(
    fc.property(links, reviews, (link, review) => {
      expect(readLinkEntry(link)).toStrictEqual(lenientListLinks.parse({ data: [link] }).data[0])
      expect(readReviewDateEntry(review)).toStrictEqual(
        lenientListReviewDates.parse({ data: [review] }).data[0],
      )
    }),
    readRuns('FUZZ', 1000),
  )
})
