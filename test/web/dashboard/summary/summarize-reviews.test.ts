import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ReviewEntry } from '../../../../src/web/dashboard/status-source.ts'
import {
  type ReviewScope,
  type ReviewSummary,
  createReviewCounter,
} from '../../../../src/web/dashboard/summary/summarize-reviews.ts'
import { groupBy } from '../../../../src/core/group-by.ts'
import { readRuns, timeoutOf } from '../../../support/runs.ts'
import { review } from '../../pages/status/status-samples.ts'
import { countAll } from './count-all.ts'

const RUNS = readRuns('FUZZ', 200)
const SCOPE: ReviewScope = {
  today: '2026-11-21',
  dueWithinDays: 30,
  span: { from: '2026-11-01', to: '2026-12-31' },
  listed: 3,
}
const NOTHING = { total: 0, overdue: 0, due: 0, later: 0, never: 0, undated: 0, before: 0, after: 0 }
const NO_MONTHS = [
  { month: '2026-11', overdue: 0, upcoming: 0 },
  { month: '2026-12', overdue: 0, upcoming: 0 },
]

describe('at the boundaries', () => {
  test('without articles', () => {
    expect(summarizeReviews([], SCOPE)).toEqual({
      ...NOTHING,
      days: new Map(),
      months: NO_MONTHS,
      longestOverdue: [],
      dueNext: [],
      laterNext: [],
      neverDue: [],
      withoutDate: [],
    })
  })

  test.each([
    ['2026-11-20', { overdue: 1 }],
    ['2026-11-21', { due: 1 }],
    ['2026-12-21', { due: 1 }],
    ['2026-12-22', { later: 1 }],
    ['2026-11-01', { overdue: 1 }],
    ['2026-12-31', { later: 1 }],
    ['2026-10-31', { overdue: 1, before: 1 }],
    ['2027-01-01', { later: 1, after: 1 }],
    ['0001-01-01', { overdue: 1, before: 1 }],
    ['9999-12-30', { later: 1, after: 1 }],
    ['9999-12-31', { never: 1 }],
    ['2026-02-29', { undated: 1 }],
    ['2024-02-29', { overdue: 1, before: 1 }],
    ['', { undated: 1 }],
    ['2026-11-21T00:00:00Z', { undated: 1 }],
  ])('%j', (date, expected) => {
    const summary = summarizeReviews([review(date)], SCOPE)
    const { days, months, longestOverdue, dueNext, laterNext, neverDue, withoutDate, ...counts } = summary
    expect(counts).toEqual({ ...NOTHING, total: 1, ...expected })
    const isInSpan = date >= SCOPE.span.from && date <= SCOPE.span.to && !('undated' in expected)
    expect([...days]).toEqual(isInSpan ? [[date, 1]] : [])
    expect(months.reduce((sum, { overdue, upcoming }) => sum + overdue + upcoming, 0)).toBe(isInSpan ? 1 : 0)
    expect(longestOverdue).toHaveLength('overdue' in expected ? 1 : 0)
    expect(dueNext).toHaveLength('due' in expected ? 1 : 0)
    expect(laterNext).toHaveLength('later' in expected ? 1 : 0)
    expect(neverDue).toHaveLength('never' in expected ? 1 : 0)
    expect(withoutDate).toHaveLength('undated' in expected ? 1 : 0)
  })

  test('reviews due today are upcoming in their month', () => {
    const entries = ['2026-11-20', '2026-11-21', '2026-12-01'].map((date) => review(date))
    expect(summarizeReviews(entries, SCOPE).months).toEqual([
      { month: '2026-11', overdue: 1, upcoming: 1 },
      { month: '2026-12', overdue: 0, upcoming: 1 },
    ])
  })

  test('the period of due reviews ends with the last possible date', () => {
    const scope = { ...SCOPE, today: '9999-12-30', span: { from: '9999-12-01', to: '9999-12-31' } }
    const { due, never } = summarizeReviews([review('9999-12-30'), review('9999-12-31')], scope)
    expect({ due, never }).toEqual({ due: 1, never: 1 })
  })
})

// Counts the whole list again, with the calendar of Date.
function countAgain(entries: readonly ReviewEntry[], { today, dueWithinDays, span, listed }: ReviewScope) {
  const numberOf = (date: string): number => Date.parse(`${date}T00:00:00Z`)
  const never = entries.filter(({ date }) => date === '9999-12-31')
  const undated = entries.filter(({ date }) => !/^\d{4}-/.test(date))
  const dated = entries.filter((entry) => !never.includes(entry) && !undated.includes(entry))
  const overdue = dated.filter(({ date }) => numberOf(date) < numberOf(today))
  const upcoming = dated.filter((entry) => !overdue.includes(entry))
  const due = upcoming.filter(({ date }) => numberOf(date) - numberOf(today) <= dueWithinDays * 86_400_000)
  const inSpan = dated.filter(({ date }) => date >= span.from && date <= span.to)
  const sorted = (list: readonly ReviewEntry[]) =>
    list
      .toSorted((a, b) => numberOf(a.date) - numberOf(b.date) || compareTexts(a.title, b.title))
      .slice(0, listed)
  const named = (list: readonly ReviewEntry[]) =>
    list.toSorted((a, b) => compareTexts(a.title, b.title)).slice(0, listed)
  const months = [...new Set(inSpan.map(({ date }) => date.slice(0, 7)))].toSorted()
  return {
    total: entries.length,
    overdue: overdue.length,
    due: due.length,
    later: upcoming.length - due.length,
    never: never.length,
    undated: undated.length,
    before: dated.filter(({ date }) => date < span.from).length,
    after: dated.filter(({ date }) => date > span.to).length,
    days: Object.fromEntries(groupBy(inSpan, ({ date }) => date)),
    months: months.map((month) => ({
      month,
      overdue: overdue.filter(({ date }) => inMonth(date, month)).length,
      upcoming: upcoming.filter(({ date }) => inMonth(date, month)).length,
    })),
    longestOverdue: sorted(overdue),
    dueNext: sorted(due),
    laterNext: sorted(upcoming.filter((entry) => !due.includes(entry))),
    neverDue: named(never),
    withoutDate: named(undated),
  }
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function inMonth(date: string, month: string): boolean {
  return date.startsWith(`${month}-`)
}

function comparable(summary: ReviewSummary) {
  const months = summary.months.filter(({ overdue, upcoming }) => overdue + upcoming > 0)
  return { ...summary, months, days: Object.fromEntries(summary.days) }
}

test('random lists have the same counts as whole lists in memory', timeoutOf(RUNS, 30), () => {
  const near = fc.date({ min: new Date('2026-08-01'), max: new Date('2027-12-31'), noInvalidDate: true })
  const far = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-30'), noInvalidDate: true })
  const date = fc.oneof(near, far).map((when) => when.toISOString().slice(0, 10))
  const entry = fc
    .tuple(
      fc.oneof(date, fc.constantFrom('9999-12-31', '2026-11-21', '', 'soon')),
      fc.constantFrom('a', 'b', 'Ä', '10', ''),
    )
    .map(([on, title]) => review(on, title))
  const scopes = fc
    .tuple(near, fc.nat(60), fc.nat(5), fc.boolean())
    .map(([now, dueWithinDays, listed, isWide]) => ({
      today: now.toISOString().slice(0, 10),
      dueWithinDays,
      listed,
      span: isWide ? { from: '2026-09-01', to: '2027-09-30' } : SCOPE.span,
    }))
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 60 }), scopes, (entries, scope) => {
      const expected = countAgain(entries, scope)
      const days = Object.fromEntries(Object.entries(expected.days).map(([on, list]) => [on, list.length]))
      expect(comparable(summarizeReviews(entries, scope))).toEqual({ ...expected, days })
    }),
    RUNS,
  )
})

function summarizeReviews(entries: Iterable<ReviewEntry>, scope: ReviewScope): ReviewSummary {
  return countAll(createReviewCounter<ReviewEntry>(scope), entries)
}
