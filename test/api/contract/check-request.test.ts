import { expect, test } from 'vitest'
import { checkRequest } from '../../../src/api/contract/check-request.ts'
import { createArticleRequest, updateCategoryRequest } from '../../../src/api/contract/request.ts'
import { toTimestamp } from '../../../src/core/timestamp.ts'

const valid = {
  title: 'T',
  slug: 's',
  categories: [{ value: 'c' }],
  excerpt: '',
  ordering: 0,
  status: 'draft',
  content: '',
}

const check = (changes: object) => checkRequest(createArticleRequest, { ...valid, ...changes })

test('the message names each field and its rule', () => {
  const checked = check({
    title: ' ',
    slug: 'a b',
    categories: [{ value: 'c' }, {}],
    excerpt: 7,
    status: 'live',
    hideFromSearch: 'yes',
    articleReviewDate: '2027-02-30',
  })
  expect(checked).toEqual({
    kind: 'invalid',
    message: [
      'title must not be empty',
      'slug must be 1 to 200 characters without white space, control characters or any of / ? #, neither . nor .. alone',
      'categories[1].value is required',
      'excerpt must be a string',
      'status must be one of draft, published',
      'hideFromSearch must be a boolean',
      'articleReviewDate must be a date such as 2027-01-31 or a full ISO 8601 timestamp, within the years 0000 to 9999 in UTC',
    ].join('; '),
  })
})

test('a body that is not an object is named as such', () => {
  expect(checkRequest(createArticleRequest, [])).toEqual({
    kind: 'invalid',
    message: 'the body must be an object',
  })
})

test('an excerpt is measured in code points', () => {
  expect(check({ excerpt: '🙂'.repeat(160) }).kind).toBe('valid')
  expect(check({ excerpt: '🙂'.repeat(161) }).kind).toBe('invalid')
})

test.each([
  ['s'.repeat(200), 'valid'],
  ['é-🙂_.~%', 'valid'],
  ['s'.repeat(201), 'invalid'],
  ['', 'invalid'],
  ['a/b', 'invalid'],
  ['a?b', 'invalid'],
  ['a#b', 'invalid'],
  ['a\u00a0b', 'invalid'],
])('slug %j is %s', (slug, kind) => {
  expect(check({ slug }).kind).toBe(kind)
})

const URLS = [
  ['https://example.com/b.png?x=1&y=ü', 'valid'],
  ['HTTP://example.com/b.png', 'valid'],
  ['//cdn.example.com/b.png', 'valid'],
  ['/images/b.png', 'valid'],
  ['../b.png?at=12:30', 'valid'],
  ['', 'valid'],
  ['javascript:alert(1)', 'invalid'],
  ['JavaScript:alert(1)', 'invalid'],
  [' javascript:alert(1)', 'invalid'],
  ['java\tscript:alert(1)', 'invalid'],
  ['\u0001javascript:alert(1)', 'invalid'],
  ['data:image/png;base64,AAAA', 'invalid'],
  ['DATA:Image/png;base64,AAAA', 'invalid'],
  ['data:image/svg+xml,<svg xmlns="x"/>', 'invalid'],
  ['data:text/html,x', 'invalid'],
  ['vbscript:x', 'invalid'],
  ['file:///etc/passwd', 'invalid'],
  ['blob:https://example.com/1', 'invalid'],
  ['https:example.com', 'invalid'],
  ['http://', 'invalid'],
] as const

test.each(URLS)('banner %j is %s', (seoBannerUrl, kind) => {
  expect(check({ seoBannerUrl }).kind).toBe(kind)
})

test.each(URLS)('image %j of a category is %s, unless it contains the image without spaces', (url, kind) => {
  const category = { name: 'Guides', slug: 'guides', priority: 1, lang: 'en' }
  for (const key of ['iconUrl', 'thumbnailUrl'])
    expect(checkRequest(updateCategoryRequest, { ...category, [key]: url }).kind).toBe(
      /^data:image\/\S*$/i.test(url) ? 'valid' : kind,
    )
})

test('text that a store cannot keep byte for byte is rejected', () => {
  expect(check({ content: 'a\0b' }).kind).toBe('invalid')
  expect(check({ content: 'a\ud800b' }).kind).toBe('invalid')
})

test('undocumented members are ignored', () => {
  expect(check({ colour: 'red' })).toEqual({ kind: 'valid', value: valid })
})

test.each([
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ['20270131', '2027-01-31T00:00:00.000Z'],
  ['2027-01-31T10', '2027-01-31T10:00:00.000Z'],
  ['2027-01-31T10:00', '2027-01-31T10:00:00.000Z'],
  ['2027-01-31T10:00Z', '2027-01-31T10:00:00.000Z'],
  ['2027-01-31t10:00:00z', '2027-01-31T10:00:00.000Z'],
  ['2027-01-31 10:00:00.123456+00:00', '2027-01-31T10:00:00.123Z'],
  ['2027-01-31T10:00:00,5+02:00', '2027-01-31T08:00:00.500Z'],
  ['2027-01-31T23:00:00-0530', '2027-02-01T04:30:00.000Z'],
  ['20270131T100000+02', '2027-01-31T08:00:00.000Z'],
  ['2027-01-31T24:00:00Z', '2027-02-01T00:00:00.000Z'],
  ['0000-01-01', '0000-01-01T00:00:00.000Z'],
])('the review date "%s" is valid, and means %s', (articleReviewDate, timestamp) => {
  expect(check({ articleReviewDate }).kind).toBe('valid')
  expect(toTimestamp(articleReviewDate)).toBe(timestamp)
})

test.each([
  '31.01.2027',
  '2027-13-01',
  '2027-02-29',
  '2027-04-31',
  '2027-0131',
  '2027-01',
  '2027-W05-7',
  ' 2027-01-31',
  '2027-01-31Z',
  '2027-01-31T25:00Z',
  '2027-01-31T24:00:01Z',
  '2027-01-31T10:00+25:00',
  '2027-01-31T10:00:00+02:60',
  '9999-12-31T23:59:59-01:00',
  '0000-01-01T00:00:00+01:00',
  '+010000-01-01',
  '٢٠٢٧-٠١-٣١',
])('the review date "%s" is invalid', (articleReviewDate) => {
  expect(check({ articleReviewDate })).toMatchObject({
    kind: 'invalid',
    message: expect.stringMatching(/^articleReviewDate must be a date such as 2027-01-31/),
  })
})

test('a review date may be removed', () => {
  expect(check({ articleReviewDate: '' }).kind).toBe('valid')
})

test.each(['.', '..', 'a\u0007', '\u202Eb', 'a\u2066', '\u0085'])('%j is not a slug', (slug) => {
  expect(check({ slug })).toMatchObject({ kind: 'invalid', message: expect.stringMatching(/^slug must be /) })
})

test.each(['...', '.a', 'a.', 'دعوة', '日本', 'e\u0301', '👩‍💻'])('%j is a slug', (slug) => {
  expect(check({ slug })).toMatchObject({ kind: 'valid' })
})
