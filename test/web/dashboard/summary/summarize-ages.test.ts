import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAgeCounter } from '../../../../src/web/dashboard/summary/summarize-ages.ts'
import { readRuns } from '../../../support/runs.ts'

const RUNS = readRuns('FUZZ', 200)
const TODAY = '2026-11-21'

function summaryOf(dates: readonly (string | undefined)[], today = TODAY) {
  const counter = createAgeCounter(today)
  for (const date of dates) counter.add(date)
  return counter.summary()
}

test('without articles nothing is known', () => {
  expect(summaryOf([])).toEqual({
    bands: [
      { label: 'under 1 month', fromDays: 0, toDays: 30, count: 0 },
      { label: '1 to 3 months', fromDays: 30, toDays: 91, count: 0 },
      { label: '3 to 6 months', fromDays: 91, toDays: 182, count: 0 },
      { label: '6 to 12 months', fromDays: 182, toDays: 365, count: 0 },
      { label: '1 to 2 years', fromDays: 365, toDays: 730, count: 0 },
      { label: '2 to 3 years', fromDays: 730, toDays: 1095, count: 0 },
      { label: '3 years or more', fromDays: 1095, toDays: undefined, count: 0 },
    ],
    unknown: 0,
    medianDays: undefined,
    youngestDays: undefined,
    oldestDays: undefined,
  })
})

test.each([
  ['2026-11-21', 'under 1 month', 0],
  // A clock that is ahead.
  ['2026-12-24', 'under 1 month', 0],
  ['2026-10-23', 'under 1 month', 29],
  ['2026-10-22', '1 to 3 months', 30],
  ['2026-08-23', '1 to 3 months', 90],
  ['2026-08-22', '3 to 6 months', 91],
  ['2025-11-22', '6 to 12 months', 364],
  ['2025-11-21', '1 to 2 years', 365],
  ['2023-11-22', '3 years or more', 1095],
  ['0001-01-01', '3 years or more', 739_940],
])('changed on %s: %s', (date, label, days) => {
  const { bands, unknown, medianDays } = summaryOf([date])
  expect([bands.filter(({ count }) => count > 0), unknown, medianDays]).toEqual([
    [expect.objectContaining({ label, count: 1 })],
    0,
    days,
  ])
})

test.each([undefined, '', 'lately', '2026-02-29', '2026-11-21T10:00:00Z'])('%j is unknown', (date) => {
  const { unknown, medianDays } = summaryOf([date])
  expect({ unknown, medianDays }).toEqual({ unknown: 1, medianDays: undefined })
})

test('random lists have the same counts as whole lists in memory', () => {
  const day = fc.date({ min: new Date('2020-01-01'), max: new Date('2027-06-01'), noInvalidDate: true })
  const date = fc.oneof(
    { weight: 9, arbitrary: day.map((when) => when.toISOString().slice(0, 10)) },
    fc.constant(undefined),
  )
  fc.assert(
    fc.property(fc.array(date, { maxLength: 60 }), (dates) => {
      const ages = dates
        .filter((each) => each !== undefined)
        .map((each) => Math.max(0, Math.round((Date.parse(TODAY) - Date.parse(each)) / 86_400_000)))
        .toSorted((a, b) => a - b)
      const { bands, unknown, medianDays, youngestDays, oldestDays } = summaryOf(dates)
      expect(unknown).toBe(dates.length - ages.length)
      expect(medianDays).toBe(ages[Math.ceil(ages.length / 2) - 1])
      expect([youngestDays, oldestDays]).toEqual([ages[0], ages.at(-1)])
      for (const { fromDays, toDays = Infinity, count } of bands)
        expect(count).toBe(ages.filter((days) => days >= fromDays && days < toDays).length)
      expect(bands.reduce((total, { count }) => total + count, 0)).toBe(ages.length)
    }),
    RUNS,
  )
})
