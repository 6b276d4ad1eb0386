import * as fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { addDays, isCalendarDate } from '../../src/core/calendar-date.ts'
import { toCalendarDate } from '../../src/core/timestamp.ts'

const zone = process.env['TZ']
afterEach(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

test.each([
  ['2027-01-31', true],
  ['2028-02-29', true],
  ['9999-12-31', true],
  ['2027-02-29', false],
  ['2027-02-30', false],
  ['2027-04-31', false],
  ['2027-13-01', false],
  ['2027-00-10', false],
  ['2027-01-00', false],
  ['2027-1-3', false],
  ['27-01-31', false],
  ['2027-01-31T00:00:00Z', false],
  ['31.01.2027', false],
  ['', false],
])('isCalendarDate(%j) is %s', (text, expected) => {
  expect(isCalendarDate(text)).toBe(expected)
})

test.each([
  ['2027-01-31', 1, '2027-02-01'],
  ['2028-02-28', 1, '2028-02-29'],
  ['2026-12-31', 180, '2027-06-29'],
  ['2027-01-31', 0, '2027-01-31'],
  ['9999-12-30', 5, '9999-12-31'],
  ['2027-01-31', 99_999_999_999, '9999-12-31'],
])('addDays(%j, %d) is %j', (date, days, expected) => {
  expect(addDays(date, days)).toBe(expected)
})

test('adding days one by one or all at once results in the same existing date', () => {
  const days = fc.nat({ max: 200_000 })
  fc.assert(
    fc.property(days, days, (one, two) => {
      const date = addDays('2024-02-28', one + two)
      expect(isCalendarDate(date)).toBe(true)
      expect(addDays(addDays('2024-02-28', one), two)).toBe(date)
    }),
  )
})

test.each([
  ['2027-01-31T00:00:00.000Z', '2027-01-31'],
  ['2027-01-31', '2027-01-31'],
  ['2027-01-31T23:30:00-05:00', '2027-02-01'],
  ['2027-01-31T00:00:00', '2027-01-31'],
  ['2027-01-31T23:59:59.999', '2027-01-31'],
  ['20270131T000000Z', '2027-01-31'],
  ['20270131T2330-0500', '2027-02-01'],
  ['20270131', '2027-01-31'],
  ['2027-01-31T23', '2027-01-31'],
  ['2027-01-31T23-05', '2027-02-01'],
  ['2027-06-30T23:59:60Z', '2027-06-30'],
  ['2027-06-30T23:59:60,5Z', '2027-06-30'],
  ['2027-01-31T24:00:00Z', '2027-02-01'],
  ['9999-12-31T00:00:00+13:00', '9999-12-31'],
  ['9999-12-31T23:59:59-05:00', '9999-12-31'],
  ['20270131T233060-0500', '2027-02-01'],
  [' 2027-01-31 23:30 -05:00', '2027-02-01'],
  ['2027-0131', undefined],
  ['2027-02-30T10:00:00Z', undefined],
  ['2027-01-31T25:00:00Z', undefined],
  ['2027-W04-7', undefined],
  ['', undefined],
  ['soon', undefined],
])('the calendar date of %j is %j in every time zone', (timestamp, expected) => {
  for (const each of ['UTC', 'Pacific/Auckland', 'America/Los_Angeles']) {
    process.env['TZ'] = each
    expect(toCalendarDate(timestamp)).toBe(expected)
  }
})
