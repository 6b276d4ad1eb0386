import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addPoint } from '../../../../src/inspect/report/history/keep-history.ts'
import type { HistoryPoint } from '../../../../src/web/report/report.ts'
import { readRuns } from '../../../support/runs.ts'

const point = (at: string, overdue = 0): HistoryPoint => ({
  at,
  overdue,
  due: 0,
  broken: 0,
  unowned: 0,
  outdatedTranslations: 0,
})
const times = (points: readonly HistoryPoint[]) => points.map(({ at }) => at)

test('the newest point comes last, whatever the clock, and one moment is one report', () => {
  const [a, b, c] = ['2026-03-01T08:00:00.000Z', '2026-03-02T08:00:00.000Z', '2026-03-03T08:00:00.000Z']
  expect(addPoint([point(a), point(c)], point(b, 5), 10)).toEqual([point(a), point(b, 5), point(c)])
  expect(addPoint([point(a), point(b)], point(b, 5), 10)).toEqual([point(a), point(b, 5)])
})

test('earlier reports of a day are removed before whole days', () => {
  const days = ['2026-03-01T08:00:00.000Z', '2026-03-02T08:00:00.000Z']
  const busy = ['08', '09', '10', '11'].map((hour) => `2026-03-03T${hour}:00:00.000Z`)
  const points = [...days, ...busy].map((at) => point(at))
  const last = '2026-03-03T12:00:00.000Z'
  expect(times(addPoint(points, point(last), 4))).toEqual([...days, busy[3], last])
  expect(times(addPoint(points, point(last), 2))).toEqual([days[1], last])
})

test('two hundred are kept by default', () => {
  const at = (day: number) => new Date(Date.UTC(2025, 0, day)).toISOString()
  let points: readonly HistoryPoint[] = []
  for (let day = 1; day <= 250; day++) points = addPoint(points, point(at(day)))
  expect(times(points)).toEqual(Array.from({ length: 200 }, (_, index) => at(index + 51)))
})

test('in any case: bounded, in order, with the new point and the last of each day that is kept', () => {
  const moment = fc
    .date({
      min: new Date('2026-01-01T00:00:00Z'),
      max: new Date('2026-01-09T00:00:00Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString())
  fc.assert(
    fc.property(fc.array(moment, { maxLength: 40 }), fc.integer({ min: 1, max: 12 }), (moments, limit) => {
      let points: readonly HistoryPoint[] = []
      const newest = new Map<string, string>()
      for (const at of moments.toSorted()) {
        points = addPoint(points, point(at), limit)
        newest.set(at.slice(0, 10), at)
        expect(points.length).toBeLessThanOrEqual(limit)
        expect(times(points).at(-1)).toBe(at)
      }
      expect(times(points)).toEqual(times(points).toSorted())
      const kept = new Set(times(points).map((at) => at.slice(0, 10)))
      expect(times(points)).toEqual(expect.arrayContaining([...kept].map((day) => newest.get(day))))
      expect(kept.size).toBe(Math.min(newest.size, limit))
    }),
    readRuns('FUZZ', 200),
  )
})
