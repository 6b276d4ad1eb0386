import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFrequentCounter } from '../../../../src/web/dashboard/summary/frequent.ts'
import { createLeast } from '../../../../src/web/dashboard/summary/least.ts'
import { readRuns } from '../../../support/runs.ts'

const RUNS = readRuns('FUZZ', 300)

test('the least entries are the head of the sorted list, equal ones in order of appearance', () => {
  const entries = fc.array(fc.record({ rank: fc.nat(5), id: fc.nat(1000) }), { maxLength: 80 })
  fc.assert(
    fc.property(entries, fc.nat(9), (list, limit) => {
      const byRank = (a: { rank: number }, b: { rank: number }): number => a.rank - b.rank
      const least = createLeast(limit, byRank)
      for (const entry of list) least.add(entry)
      expect(least.list()).toEqual(list.toSorted(byRank).slice(0, limit))
    }),
    RUNS,
  )
})

test('a count is never too high, exact counts are exact, and frequent keys stay', () => {
  const keys = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.nat(60).map(String)), { maxLength: 400 })
  fc.assert(
    fc.property(keys, fc.integer({ min: 2, max: 12 }), (list, capacity) => {
      const counter = createFrequentCounter<string>(capacity, 1)
      for (const key of list) counter.add(key, key)
      const most = counter.most(Infinity)
      const countOf = (key: string): number => list.filter((each) => each === key).length
      const all = new Set(list)
      expect(most.length).toBeLessThan(2 * capacity)
      for (const { key, count, isExact, first } of most) {
        expect(count).toBeLessThanOrEqual(countOf(key))
        if (isExact) expect(count).toBe(countOf(key))
        expect(first).toEqual([key])
      }
      const kept = new Set(most.map(({ key }) => key))
      for (const key of all) if (countOf(key) > list.length / capacity) expect(kept).toContain(key)
      if (all.size < 2 * capacity) expect(counter.size()).toBe(all.size)
      else expect(counter.size()).toBe(undefined)
    }),
    RUNS,
  )
})
