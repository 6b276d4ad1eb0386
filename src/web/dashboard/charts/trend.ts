import { formatNumber } from '../../../core/format-number.ts'
import type { Chart, PlotLibrary } from './open-chart-painter.ts'

export interface TrendPoint {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly overdue: number
  readonly broken: number
}

interface Trend {
  readonly key: 'overdue' | 'broken'
  readonly title: string
}

export const TRENDS: readonly Trend[] = [
  { key: 'overdue', title: 'Overdue articles over time' },
  { key: 'broken', title: 'Broken links over time' },
]

interface Spot {
  readonly at: Date
  /** Calendar date; a time of day if all points are from the same day. */
  readonly date: string
  readonly count: number
  readonly title: string
}

const WIDTH = 360
const HEIGHT = 150
const MARGIN_TOP = 18
const MARGIN_BOTTOM = 20
/** Maximum number of dots. More would hide the line. */
const MOST_DOTS = 60

/** Draws a count as a line over time, on its own scale, so that a large one does not flatten another. */
export function trend(plot: PlotLibrary, points: readonly TrendPoint[], { key, title }: Trend): Chart {
  const spots = toSpots(points, key)
  const line = { x: 'at', y: 'count' } as const
  const from = Math.min(...spots.map(({ at }) => at.getTime()))
  const to = Math.max(from + 1, ...spots.map(({ at }) => at.getTime()))
  return {
    title,
    description: describe(spots),
    className: 'kb-chart-trend',
    options: {
      width: WIDTH,
      height: HEIGHT,
      marginTop: MARGIN_TOP,
      marginBottom: MARGIN_BOTTOM,
      marginLeft: 6,
      marginRight: 6,
      x: { axis: null, type: 'utc', domain: [new Date(from), new Date(to)] },
      y: { axis: null, domain: [0, Math.max(1, ...spots.map(({ count }) => count))] },
      marks: [
        plot.areaY(spots, { ...line, className: `kb-trend-area kb-trend-${key}` }),
        plot.lineY(spots, { ...line, className: `kb-trend-line kb-trend-${key}` }),
        plot.ruleY([0], { className: 'kb-chart-line' }),
        plot.dot(spots, {
          ...line,
          r: spots.length > MOST_DOTS ? 1 : 2.5,
          title: 'title',
          className: `kb-trend-dot kb-trend-${key}`,
        }),
        ...ends(plot, spots, new Date(to)),
        ...height(plot, spots),
      ],
    },
  }
}

/** Labels the first and last point, with counts above, where there is no line, and dates below. */
function ends(plot: PlotLibrary, spots: readonly Spot[], to: Date) {
  const [first] = spots
  const last = spots.at(-1)
  if (first === undefined || last === undefined) return []
  const written = ({ count, date }: Spot, at: Date, textAnchor: 'start' | 'end') => {
    const place = { x: 'at', textAnchor } as const
    const above = { ...place, frameAnchor: 'top', lineAnchor: 'bottom', dy: -6 } as const
    const below = { ...place, frameAnchor: 'bottom', lineAnchor: 'top', dy: 5 } as const
    return [
      plot.text([{ at, text: formatNumber(count) }], { ...above, text: 'text', className: 'kb-chart-value' }),
      plot.text([{ at, text: date }], { ...below, text: 'text', className: 'kb-chart-label' }),
    ]
  }
  return [...written(first, first.at, 'start'), ...written(last, to, 'end')]
}

function height(plot: PlotLibrary, spots: readonly Spot[]) {
  const most = highest(spots)
  if (most === undefined) return []
  const place = { frameAnchor: 'top', lineAnchor: 'bottom', dy: -6, className: 'kb-chart-label' } as const
  return [plot.text([`at most ${formatNumber(most.count)}`], { ...place, text: (text: string) => text })]
}

/** Returns points in chronological order. */
function toSpots(points: readonly TrendPoint[], key: Trend['key']): readonly Spot[] {
  const isOneDay = new Set(points.map(({ at }) => at.slice(0, 10))).size === 1
  return points
    .map((point) => {
      const date = isOneDay ? `${point.at.slice(11, 16)} UTC` : point.at.slice(0, 10)
      return {
        at: new Date(point.at),
        date,
        count: point[key],
        title: `${date}: ${formatNumber(point[key])}`,
      }
    })
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

/** Returns the highest point if it is higher than both ends. */
function highest(spots: readonly Spot[]): Spot | undefined {
  const most = Math.max(...spots.map(({ count }) => count))
  const isEnd = spots[0]?.count === most || spots.at(-1)?.count === most
  return isEnd ? undefined : spots.find(({ count }) => count === most)
}

function describe(spots: readonly Spot[]): string {
  const [first] = spots
  const last = spots.at(-1)
  if (first === undefined || last === undefined) return ''
  const most = highest(spots)
  const on = first.date.endsWith('UTC') ? 'at' : 'on'
  const parts = [
    `${formatNumber(first.count)} ${on} ${first.date}`,
    ...(most === undefined ? [] : [`at most ${formatNumber(most.count)} ${on} ${most.date}`]),
    `${formatNumber(last.count)} ${on} ${last.date}`,
  ]
  return `${parts.join('; ')}.`
}
