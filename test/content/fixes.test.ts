import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fixDate, fixScalar, fixSlug, fixKey } from '../../src/content/frontmatter/fixes.ts'
import { isSlug } from '../../src/api/contract/fields.ts'
import { isCalendarDate } from '../../src/core/calendar-date.ts'

describe('a date', () => {
  test.each([
    ['2027/1/31', '2027-01-31'],
    ['2027-1-31', '2027-01-31'],
    ['2027.01.31', '2027-01-31'],
    ['31.1.2027', '2027-01-31'],
    ['3.4.2027', '2027-04-03'],
    ['31/01/2027', '2027-01-31'],
    ['31-1-2027', '2027-01-31'],
    ['1/31/2027', '2027-01-31'],
    ['05.05.2027', '2027-05-05'],
    ['2027-01-31T23:30:00+13:00', '2027-01-31'],
    ['2027-01-31T00:30:00.000Z', '2027-01-31'],
    ['2027-01-31 00:30', '2027-01-31'],
    [' 2027-01-31 ', '2027-01-31'],
    ['Never', 'never'],
  ])('%s is %s', (written, date) => {
    expect(fixDate(written)).toBe(date)
  })

  test.each([
    '03/04/2027',
    '1.31.2027',
    '2027-02-30',
    '2027/13/01',
    '2027-01/31',
    '31.1.27',
    '2027',
    'tomorrow',
    '2027-01-31T',
    '2027-01-31T25',
    '',
  ])('%j is unchanged', (written) => {
    expect(fixDate(written)).toBeUndefined()
  })

  test('that is fixed is in the calendar', () => {
    const piece = fc.constantFrom('2027', '31', '1', '02', '-', '/', '.', 'T10:00', ' ', '2028', '29')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const date = fixDate(pieces.join(''))
        expect(date === undefined || isCalendarDate(date)).toBe(true)
      }),
    )
  })
})

describe('a slug', () => {
  test.each([
    ['our prices', 'our-prices'],
    [' our / prices? ', 'our-prices'],
    ['Our#Prices', 'Our-Prices'],
    ['מחירים חדשים', 'מחירים-חדשים'],
    ['a\u00a0b\u3000c', 'a-b-c'],
  ])('%j becomes %j', (written, slug) => {
    expect(fixSlug(written)).toBe(slug)
  })

  test('is valid or undefined, and fixing it again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const slug = fixSlug(text)
        if (slug !== undefined) expect([isSlug(slug), fixSlug(slug)]).toEqual([true, slug])
      }),
    )
    expect([fixSlug('///'), fixSlug(' '), fixSlug('a'.repeat(201))]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('a value in YAML', () => {
  const span = (text: string) => ({ line: 3, column: 7, end: { line: 3, column: 7 + text.length } })
  const mend = (written: string, value: string, wanted: string | number | boolean) =>
    fixScalar(written, value, wanted, span(written))?.text

  test.each([
    ['a b', 'a b', 'a-b', 'a-b'],
    ['"a b"', 'a b', 'a-b', '"a-b"'],
    ["'a b'", 'a b', 'a-b', "'a-b'"],
    ['2027/1/31', '2027/1/31', '2027-01-31', '2027-01-31'],
    ['"? $&"', '? $&', '$&', '"$&"'],
    ['"yes"', 'yes', true, 'true'],
    ["'3'", '3', 3, '3'],
  ])('%s keeps its quotes if it stays text', (written, value, wanted, text) => {
    expect(mend(written, value, wanted)).toBe(text)
  })

  test.each([
    ['*alias', 'a b', 'a-b'],
    ['"a\\u0020b"', 'a b', 'a-b'],
    ['a b', 'a b', '*x'],
    ['a b', 'a b', 'a: b'],
    ['a b', 'a b', '7'],
    ['', '', 'x'],
  ])('%j is unchanged if it would not be read as intended', (written, value, wanted) => {
    expect(mend(written, value, wanted)).toBeUndefined()
  })

  test('of several lines is unchanged', () => {
    const place = { line: 3, column: 7, end: { line: 4, column: 3 } }
    expect(fixScalar('a b', 'a b', 'a-b', place)).toBeUndefined()
  })
})

describe('a key', () => {
  const span = { line: 2, column: 1, end: { line: 2, column: 6 } }
  const mend = (key: string, changes = {}) =>
    fixKey(key, span, { free: ['title', 'tags', 'slug'], others: [], fits: () => true, ...changes })?.text

  test('is corrected if only one is meant', () => {
    expect(fixKey('titel', span, { free: ['title', 'slug'], others: [], fits: () => true })).toEqual({
      start: { line: 2, column: 1 },
      end: { line: 2, column: 6 },
      text: 'title',
    })
    const keys = ['name', 'description', 'longDescription']
    expect(mend('desciption', { free: keys })).toBe('description')
    expect(mend('longdescription', { free: keys })).toBe('longDescription')
    for (const key of ['Tags', 'tgas', 'ags', 't-ags', 'TAG_S']) expect(mend(key)).toBe('tags')
  })

  test.each([
    ['nothing is near', 'author', {}],
    ['two are', 'tabs', { free: ['tags', 'tab', 'slug'] }],
    ['it stands there already', 'titel', { free: ['slug'] }],
    ['another key means the same', 'titel', { others: ['titl'] }],
    ['its value would be wrong', 'titel', { fits: () => false }],
    ['it is another word', 'state', { free: ['status'] }],
    ['more than one letter differs', 'categorys', { free: ['categories'] }],
  ])('is unchanged if %s', (_, key, changes) => {
    expect(mend(key, changes)).toBeUndefined()
  })
})
