import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createChartDrawer } from '../../../../src/web/dashboard/charts/draw-charts.ts'
import { anyCharacter } from '../../../support/any-character.ts'
import { readRuns, timeoutOf } from '../../../support/runs.ts'
import { brokenLink, review } from '../../pages/status/status-samples.ts'
import { drawnCharts, drawnIn, titleOf } from './drawn-charts.ts'

const RUNS = readRuns('FUZZ', 10)
const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '</svg></figure>',
  ']]>',
  '\u202egnp.exe\u0000',
]

describe('review dates by day', () => {
  test('every day is drawn once, with its number if it has one, in the colour of its status', async () => {
    const dates = [
      '2026-09-01',
      '2026-11-20',
      '2026-11-21',
      '2026-12-21',
      '2026-12-22',
      '2027-09-30',
      '2027-09-30',
    ]
    const { calendars } = await drawnCharts({ reviews: dates.map((date) => review(date)) })
    for (const svg of calendars) {
      const days = drawnIn(svg, 'kb-day', 'rect')
      expect(days).toHaveLength(395)
      expect(
        days
          .map(titleOf)
          .filter((title) => title !== undefined)
          .toSorted(),
      ).toEqual([
        '2026-09-01: 1 article',
        '2026-11-20: 1 article',
        '2026-11-21: 1 article',
        '2026-12-21: 1 article',
        '2026-12-22: 1 article',
        '2027-09-30: 2 articles',
      ])
      const titles = (look: string) => drawnIn(svg, `kb-day-${look}`, 'rect').map(titleOf)
      expect(titles('overdue-1')).toEqual(['2026-09-01: 1 article', '2026-11-20: 1 article'])
      expect(titles('due-1')).toEqual(['2026-11-21: 1 article', '2026-12-21: 1 article'])
      expect(titles('later-1')).toEqual(['2026-12-22: 1 article'])
      expect(titles('later-3')).toEqual(['2027-09-30: 2 articles'])
      expect(drawnIn(svg, 'kb-day-today', 'rect')).toHaveLength(1)
    }
  })

  test('no two days overlap', async () => {
    const { calendars } = await drawnCharts({})
    for (const svg of calendars) {
      const places = drawnIn(svg, 'kb-day', 'rect').map(
        (rect) => `${attribute(rect, 'x')} ${attribute(rect, 'y')}`,
      )
      expect(new Set(places).size).toBe(395)
    }
  })

  test.each(['2024-02-29T00:00:00Z', '2026-12-31T23:59:59Z', '9999-12-31T00:00:00Z', '0001-01-01T00:00:00Z'])(
    'a calendar can be drawn on %s',
    async (now) => {
      const { calendars } = await drawnCharts({ reviews: [review(now.slice(0, 10))] }, now)
      for (const svg of calendars) expect(drawnIn(svg, 'kb-day-today', 'rect')).toHaveLength(1)
    },
  )
})

describe('review dates by month', () => {
  test('each month has its bars and its number; older reviews have a separate bar', async () => {
    const dates = [
      '2020-01-01',
      '2026-09-03',
      '2026-11-01',
      '2026-11-30',
      '2026-11-30',
      '2027-02-28',
      '2030-01-01',
    ]
    const { months } = await drawnCharts({ reviews: dates.map((date) => review(date)) })
    for (const svg of months) {
      expect(drawnIn(svg, 'kb-bar-overdue', 'rect').map(titleOf)).toEqual([
        'Before September 2026: 1 article',
        'September 2026: 1 article',
        'November 2026: 3 articles',
      ])
      expect(drawnIn(svg, 'kb-bar-upcoming', 'rect').map(titleOf)).toEqual([
        'November 2026: 3 articles',
        'February 2027: 1 article',
      ])
      expect(drawnIn(svg, 'kb-chart-value', 'text').map(textOf)).toEqual(['1', '1', '3', '1'])
    }
  })
})

describe('broken links by host', () => {
  test('bars are proportional to their numbers', async () => {
    const urls = [
      'https://a.example/1',
      'https://a.example/2',
      'https://a.example/3',
      'https://b.example/1',
      '/gone',
    ]
    const { hosts } = await drawnCharts({ brokenLinks: urls.map((url) => brokenLink(url)) })
    const bars = drawnIn(hosts.join(''), 'kb-bar-broken', 'rect')
    expect(bars.map(titleOf)).toEqual([
      'a.example: 3 links',
      'this knowledge base: 1 link',
      'b.example: 1 link',
    ])
    const [longest = 0, ...others] = bars.map((bar) => Number(attribute(bar, 'width')))
    expect(others.map((width) => width / longest)).toEqual(
      [1 / 3, 1 / 3].map((share) => expect.closeTo(share, 2)),
    )
    expect(drawnIn(hosts.join(''), 'kb-chart-value', 'text').map(textOf)).toEqual(['3', '1', '1'])
  })

  test('the end of a long host is shown, and the whole host on hovering', async () => {
    const host = `${'very-'.repeat(11)}long.example.com`
    const { hosts } = await drawnCharts({ brokenLinks: [brokenLink(`https://${host}/`)] })
    const [label = ''] = drawnIn(hosts.join(''), 'kb-chart-label', 'text').map(textOf)
    expect([label.length, label.startsWith('…'), host.endsWith(label.slice(1))]).toEqual([44, true, true])
    expect(drawnIn(hosts.join(''), 'kb-bar-broken', 'rect').map(titleOf)).toEqual([`${host}: 1 link`])
  })
})

test(
  'whatever the texts and dates, no chart contains a style, a script or a handler',
  timeoutOf(RUNS, 2000),
  async () => {
    const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: anyCharacter }))
    const day = fc.date({ min: new Date('2026-09-01'), max: new Date('2027-09-30'), noInvalidDate: true })
    const reviews = fc.array(day.map((date) => review(date.toISOString().slice(0, 10))))
    const keys = fc.uniqueArray(text, { maxLength: 5 })
    const draw = createChartDrawer()
    await fc.assert(
      fc.asyncProperty(reviews, keys, async (dates, hostile) => {
        const { figures } = await drawnCharts({ reviews: dates })
        // More hostile than any host that a parser accepts.
        const groups = hostile.map((key) => ({ key, count: 1, isExact: true, first: [] }))
        const brokenLinks = { hosts: groups }
        const { calendars, months, hosts } = await draw({ ...figures, brokenLinks })
        for (const svg of [...calendars, ...months, ...hosts]) {
          expect(svg).toMatch(/^<svg [^>]*role="img"[^>]*>.*<\/svg>$/s)
          const tags = [...svg.matchAll(/<([a-z]+)/gi)].map(([, name]) => name)
          expect([...new Set(tags)].filter((name) => !DRAWN.has(name ?? ''))).toEqual([])
          expect(svg).not.toMatch(/<[^>]*\s(?:style|on[a-z]+|href)=/i)
        }
      }),
      RUNS,
    )
  },
)

const DRAWN = new Set(['svg', 'title', 'desc', 'g', 'rect', 'text', 'tspan', 'line', 'path'])

test('ids are unique on the page, and each chart has a name and a description', async () => {
  const { calendars, months, hosts } = await drawnCharts({
    reviews: [review('2026-11-20')],
    brokenLinks: [brokenLink('https://a.example/')],
  })
  const ids = [...calendars, ...months, ...hosts].flatMap((svg) => {
    const own = [...svg.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
    expect(own).toEqual([attribute(svg, 'aria-labelledby'), attribute(svg, 'aria-describedby')])
    return own
  })
  expect([ids.length, new Set(ids).size]).toEqual([10, 10])
  expect(/<desc [^>]*>(.*?)<\/desc>/.exec(calendars.join(''))?.[1]).toBe(
    '1 article overdue on 2026-11-21; 0 articles due within 30 days.',
  )
})

test('an unchanged chart is not drawn again', async () => {
  const draw = createChartDrawer()
  const { figures } = await drawnCharts({ reviews: [review('2026-11-20')] })
  const first = await draw(figures)
  const again = await draw({ ...figures })
  expect(again).toEqual(first)
  const other = await draw({ ...figures, today: '2026-11-22' })
  expect(other.calendars).not.toEqual(first.calendars)
  expect(other.hosts).toEqual(first.hosts)
})

function attribute(element: string, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(element)?.[1]
}

function textOf(element: string): string {
  return element.replace(/<[^>]*>/g, '')
}
