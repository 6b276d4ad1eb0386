import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createChartDrawer, type DrawnCharts } from '../../../../src/web/dashboard/charts/draw-charts.ts'
import type { TrendPoint } from '../../../../src/web/dashboard/charts/trend.ts'
import { createAgeCounter } from '../../../../src/web/dashboard/summary/summarize-ages.ts'
import { readRuns, timeoutOf } from '../../../support/runs.ts'
import { drawnCharts, drawnIn, titleOf } from './drawn-charts.ts'

const RUNS = readRuns('FUZZ', 10)

async function drawHistory(history: readonly TrendPoint[]): Promise<DrawnCharts> {
  const { figures } = await drawnCharts({})
  return createChartDrawer()({ ...figures, history })
}

function point(at: string, overdue: number, broken = 0): TrendPoint {
  return { at, overdue, broken }
}

function described(svg: string): string | undefined {
  return /<desc [^>]*>(.*?)<\/desc>/.exec(svg)?.[1]
}

function dotsOf(svg: string, key: string): readonly string[] {
  return drawnIn(svg, `kb-trend-${key}`, 'circle')
}

function written(svg: string, look: string): readonly string[] {
  return drawnIn(svg, look, 'text').map((text) => text.replaceAll(/<[^>]*>/g, ''))
}

function middleOf(dot: string): readonly number[] {
  return ['cx', 'cy'].map((name) => Number(new RegExp(`\\s${name}="([^"]*)"`).exec(dot)?.[1]))
}

describe('the history of reports', () => {
  const history = [
    point('2026-11-21T08:00:00.000Z', 1200, 0),
    point('2026-11-01T08:00:00.000Z', 300, 7),
    point('2026-11-11T08:00:00.000Z', 600, 14),
  ]

  test('is a line for each number, in chronological order and on a separate scale', async () => {
    const drawn = await drawHistory(history)
    const [overdue = '', broken = ''] = drawn.history
    expect(drawn.history).toHaveLength(2)
    expect(dotsOf(overdue, 'overdue').map(titleOf)).toEqual([
      '2026-11-01: 300',
      '2026-11-11: 600',
      '2026-11-21: 1,200',
    ])
    expect(dotsOf(broken, 'broken').map(titleOf)).toEqual([
      '2026-11-01: 7',
      '2026-11-11: 14',
      '2026-11-21: 0',
    ])
    // Horizontal distances are proportional to days, vertical ones to the highest value.
    expect(dotsOf(overdue, 'overdue').map(middleOf)).toEqual([
      [6, 102],
      [180, 74],
      [354, 18],
    ])
    expect(dotsOf(broken, 'broken').map(middleOf)).toEqual([
      [6, 74],
      [180, 18],
      [354, 130],
    ])
  })

  test('is described in words: its start, its highest value if it lies in between, and its end', async () => {
    const [overdue = '', broken = ''] = (await drawHistory(history)).history
    expect(described(overdue)).toBe('300 on 2026-11-01; 1,200 on 2026-11-21.')
    expect(described(broken)).toBe('7 on 2026-11-01; at most 14 on 2026-11-11; 0 on 2026-11-21.')
    expect([written(overdue, 'kb-chart-value'), written(overdue, 'kb-chart-label')]).toEqual([
      ['300', '1,200'],
      ['2026-11-01', '2026-11-21'],
    ])
    // A maximum that is neither the start nor the end is written, too.
    expect(written(broken, 'kb-chart-label')).toEqual(['2026-11-01', '2026-11-21', 'at most 14'])
  })

  test('of a single day is labelled with times', async () => {
    const [overdue = ''] = (
      await drawHistory([point('2026-11-21T08:05:00.000Z', 3), point('2026-11-21T17:30:00.000Z', 2)])
    ).history
    expect(written(overdue, 'kb-chart-label')).toEqual(['08:05 UTC', '17:30 UTC'])
    expect(described(overdue)).toBe('3 at 08:05 UTC; 2 at 17:30 UTC.')
    expect(dotsOf(overdue, 'overdue').map(titleOf)).toEqual(['08:05 UTC: 3', '17:30 UTC: 2'])
  })

  test('of one report or none is not drawn', async () => {
    expect((await drawHistory([])).history).toEqual([])
    expect((await drawHistory(history.slice(0, 1))).history).toEqual([])
  })

  test('of reports of the same moment, without any number above 0, can be drawn', async () => {
    const same = point('2026-11-01T08:00:00.000Z', 0)
    for (const svg of (await drawHistory([same, same])).history) {
      expect(svg).not.toContain('NaN')
      expect(described(svg)).toBe('0 at 08:00 UTC; 0 at 08:00 UTC.')
    }
  })
})

describe('ages of articles', () => {
  test('are bars from young to old; unknown ages come last', async () => {
    const { figures } = await drawnCharts({})
    const ages = createAgeCounter('2026-11-21')
    for (const date of ['2026-11-20', '2026-11-01', '2020-01-01', undefined]) ages.add(date)
    const svg = (await createChartDrawer()({ ...figures, ages: ages.summary() })).ages.join('')
    expect(drawnIn(svg, 'kb-bar-age', 'rect').map(titleOf)).toEqual([
      'under 1 month: 2 articles',
      '3 years or more: 1 article',
      'not known: 1 article',
    ])
    expect(drawnIn(svg, 'kb-chart-label', 'text')).toHaveLength(8)
    expect(described(svg)).toContain('2 to 3 years: 0 articles; 3 years or more: 1 article; not known: 1')
  })

  test('that are all unknown are not drawn', async () => {
    const { figures } = await drawnCharts({})
    const draw = createChartDrawer()
    expect((await draw({ ...figures, ages: undefined })).ages).toEqual([])
    expect((await draw({ ...figures, ages: createAgeCounter('2026-11-21').summary() })).ages).toEqual([])
  })
})

test('many hosts are cut to the first ten, and no host is not drawn', async () => {
  const { figures, hosts } = await drawnCharts({})
  expect(hosts).toEqual([])
  const many = Array.from({ length: 30 }, (_, index) => ({
    key: `h${index}`,
    count: 30 - index,
    isExact: true,
  }))
  const drawn = await createChartDrawer()({ ...figures, brokenLinks: { hosts: many } })
  expect(drawnIn(drawn.hosts.join(''), 'kb-bar-broken', 'rect').map(titleOf)).toEqual(
    many.slice(0, 10).map(({ key, count }) => `${key}: ${count} links`),
  )
})

test('whatever the numbers and moments, every dot is in its chart', timeoutOf(RUNS, 2000), async () => {
  const count = fc.oneof(fc.nat(3), fc.nat(1_000_000))
  const when = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  const one = fc.record({ at: when.map((date) => date.toISOString()), overdue: count, broken: count })
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: 2, maxLength: 200 }), async (history) => {
      for (const [index, svg] of (await drawHistory(history)).history.entries()) {
        const dots = dotsOf(svg, index === 0 ? 'overdue' : 'broken').map(middleOf)
        expect(dots).toHaveLength(history.length)
        for (const [x = NaN, y = NaN] of dots)
          expect(x >= 6 && x <= 354 && y >= 18 && y <= 130, `${x} ${y}`).toBe(true)
        expect(svg).not.toContain('NaN')
      }
    }),
    RUNS,
  )
})
