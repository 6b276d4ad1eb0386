import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addMonths,
  datesOf,
  monthsAround,
  monthsOf,
  toDate,
  toDayNumber,
  weekdayOf,
} from '../../../../src/web/dashboard/summary/calendar.ts'

describe('days', () => {
  test.each([
    ['1970-01-01', 0, 3],
    ['1969-12-31', -1, 2],
    ['2024-02-29', 19_782, 3],
    ['2024-03-01', 19_783, 4],
    ['0000-01-01', -719_528, 5],
    ['9999-12-31', 2_932_896, 4],
  ])('%s is day %i, weekday %i', (date, day, weekday) => {
    expect([toDayNumber(date), toDate(day), weekdayOf(date)]).toEqual([day, date, weekday])
  })

  test('nothing is later than the last possible date', () => {
    expect([toDate(2_932_896), toDate(2_932_897), toDate(9_000_000)]).toEqual(Array(3).fill('9999-12-31'))
  })
})

describe('months', () => {
  test.each([
    ['2026-11', 2, '2027-01'],
    ['2026-01', -1, '2025-12'],
    ['2026-12', 12, '2027-12'],
    ['9999-11', 5, '9999-12'],
    ['0000-02', -3, '0000-01'],
  ])('%s and %i months', (month, months, expected) => {
    expect(addMonths(month, months)).toBe(expected)
  })

  test.each([
    ['2026-11-21', { from: '2026-09-01', to: '2027-09-30' }],
    ['2024-01-31', { from: '2023-11-01', to: '2024-11-30' }],
    ['2023-04-30', { from: '2023-02-01', to: '2024-02-29' }],
    ['9999-12-31', { from: '9999-10-01', to: '9999-12-31' }],
    ['9999-02-28', { from: '9998-12-01', to: '9999-12-31' }],
  ])('whole months around %s', (date, span) => {
    expect(monthsAround(date, 2, 10)).toEqual(span)
  })

  test('all dates and months of a span over a leap day and the end of a year', () => {
    expect(datesOf({ from: '2024-02-28', to: '2024-03-01' })).toEqual([
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
    ])
    expect(monthsOf({ from: '2026-12-31', to: '2027-02-01' })).toEqual(['2026-12', '2027-01', '2027-02'])
    expect(monthsOf({ from: '2026-12-01', to: '2026-12-01' })).toEqual(['2026-12'])
  })

  test('a span begins on a first day, ends on a last day, and has each of its dates once', () => {
    const years = fc.date({ min: new Date('0001-06-01'), max: new Date('9997-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(years, (when) => {
        const date = when.toISOString().slice(0, 10)
        const span = monthsAround(date, 2, 10)
        const dates = datesOf(span)
        expect(span.from.endsWith('-01') && toDate(toDayNumber(span.to) + 1).endsWith('-01')).toBe(true)
        expect([dates[0], dates.at(-1), new Set(dates).size]).toEqual([span.from, span.to, dates.length])
        expect(monthsOf(span)).toEqual([...new Set(dates.map((each) => each.slice(0, 7)))])
        expect(monthsOf(span)).toHaveLength(13)
      }),
      { numRuns: 100, seed: 1 },
    )
  })
})
