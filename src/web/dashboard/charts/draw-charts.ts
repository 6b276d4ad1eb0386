import { hostName } from '../summary/host-of.ts'
import type { AgeSummary } from '../summary/summarize-ages.ts'
import type { LinkGroup } from '../summary/summarize-broken-links.ts'
import { type Chart, type ChartPainter, openChartPainter, type PlotLibrary } from './open-chart-painter.ts'
import { NARROW_CALENDAR, reviewCalendar, WIDE_CALENDAR } from './review-calendar.ts'
import type { ReviewFigures } from '../summary/summarize-status.ts'
import { NARROW_MONTHS, reviewMonths, WIDE_MONTHS } from './review-months.ts'
import { trend, type TrendPoint, TRENDS } from './trend.ts'
import { pluralize } from '../../../core/pluralize.ts'
import { formatNumber } from '../../../core/format-number.ts'

export interface ChartFigures extends ReviewFigures {
  /** Only the first HOSTS_DRAWN are drawn. */
  readonly brokenLinks: { readonly hosts: readonly HostCount[] }
  readonly ages: AgeSummary | undefined
  /** Earlier and current figures. */
  readonly history: readonly TrendPoint[]
}

/** SVG elements as text; empty if there is nothing to draw. */
export interface DrawnCharts {
  /** For wide and for narrow layouts: the style sheet shows one of them. */
  readonly calendars: readonly string[]
  /** For wide and for narrow layouts. */
  readonly months: readonly string[]
  readonly hosts: readonly string[]
  readonly ages: readonly string[]
  /** Overdue articles and broken links over time, from two points on. */
  readonly history: readonly string[]
}

export const HOSTS_DRAWN = 10

/** Draws the charts of figures. Unchanged charts are not drawn again. */
type ChartDrawer = (figures: ChartFigures) => Promise<DrawnCharts>

export function createChartDrawer(): ChartDrawer {
  let painter: Promise<ChartPainter> | undefined
  const drawn = new Map<string, { readonly figures: string; readonly svg: string }>()

  return async (figures) => {
    painter ??= openChartPainter()
    const { plot, paint } = await painter
    const draw = ({ id, data, chart }: PlannedChart): string => {
      const last = drawn.get(id)
      if (last?.figures === data) return last.svg
      const svg = paint(id, chart(plot))
      drawn.set(id, { figures: data, svg })
      return svg
    }
    return {
      ...drawReviews(figures, draw),
      hosts: hostCharts(figures).map(draw),
      ages: ageCharts(figures).map(draw),
      history: historyCharts(figures).map(draw),
    }
  }
}

interface PlannedChart {
  /** Prefix of its ids, unique on a page. */
  readonly id: string
  /** Changes whenever the chart changes. */
  readonly data: string
  readonly chart: (plot: PlotLibrary) => Chart
}

function drawReviews(figures: ChartFigures, draw: (planned: PlannedChart) => string) {
  const { today, span, dueWithinDays, reviews } = figures
  const { overdue, due, before, days } = reviews
  const data = JSON.stringify([today, span, dueWithinDays, overdue, due, before, [...days]])
  const planned = (id: string, chart: PlannedChart['chart']): string =>
    draw({ id: `_kb-chart-${id}`, data, chart })
  return {
    calendars: [
      planned('days', (plot) => reviewCalendar(plot, figures, WIDE_CALENDAR)),
      planned('days-narrow', (plot) => reviewCalendar(plot, figures, NARROW_CALENDAR)),
    ],
    months: [
      planned('months', (plot) => reviewMonths(plot, figures, WIDE_MONTHS)),
      planned('months-narrow', (plot) => reviewMonths(plot, figures, NARROW_MONTHS)),
    ],
  }
}

function hostCharts({ brokenLinks }: ChartFigures): readonly PlannedChart[] {
  const hosts = brokenLinks.hosts.slice(0, HOSTS_DRAWN)
  if (hosts.length === 0) return []
  const data = JSON.stringify(hosts.map(({ key, count, isExact }) => [key, count, isExact]))
  return [{ id: '_kb-chart-hosts', data, chart: (plot) => linkHosts(plot, hosts) }]
}

function ageCharts({ ages }: ChartFigures): readonly PlannedChart[] {
  if (ages?.medianDays === undefined) return []
  return [{ id: '_kb-chart-ages', data: JSON.stringify(ages), chart: (plot) => articleAges(plot, ages) }]
}

function historyCharts({ history }: ChartFigures): readonly PlannedChart[] {
  if (history.length < 2) return []
  const data = JSON.stringify(history.map(({ at, overdue, broken }) => [at, overdue, broken]))
  return TRENDS.map((which) => ({
    id: `_kb-chart-${which.key}`,
    data,
    chart: (plot) => trend(plot, history, which),
  }))
}

/** Draws articles by the time since their last change, as bars from new to old. */
function articleAges(plot: PlotLibrary, { bands, unknown }: AgeSummary): Chart {
  const counts = bands.map(({ label, count }) => ({ name: label, count, isExact: true }))
  return namedBars(plot, {
    title: 'Articles by time since their last change',
    noun: 'article',
    className: 'kb-bar-age',
    counts: unknown === 0 ? counts : [...counts, { name: 'not known', count: unknown, isExact: true }],
  })
}

type HostCount = Pick<LinkGroup, 'key' | 'count' | 'isExact'>

/** Draws hosts as named bars, in the given order. */
function linkHosts(plot: PlotLibrary, hosts: readonly HostCount[]): Chart {
  return namedBars(plot, {
    title: 'Broken links by host',
    noun: 'link',
    className: 'kb-bar-broken',
    counts: hosts.map(({ key, count, isExact }) => ({ name: hostName(key), count, isExact })),
  })
}

interface NamedCount {
  readonly name: string
  readonly count: number
  /** False if the count is a minimum. */
  readonly isExact: boolean
}

interface NamedBars {
  readonly title: string
  /** The counted item, in the singular: `link`. */
  readonly noun: string
  readonly className: string
  readonly counts: readonly NamedCount[]
}

const WIDTH = 360
const ROW = 34
/** Number of characters that fit into the width. */
const FITTING = 44

/** Draws bars below each other, each with its name above it, so that they fit any width. */
function namedBars(plot: PlotLibrary, { title, noun, className, counts }: NamedBars): Chart {
  const bars = counts.map((each, row) => toBar(each, row, noun))
  return {
    title,
    description: bars.map((bar) => bar.title).join('; '),
    className: 'kb-chart-bars',
    options: {
      width: WIDTH,
      height: bars.length * ROW + 4,
      marginTop: 2,
      marginBottom: 2,
      marginLeft: 2,
      marginRight: 2,
      x: { axis: null, domain: [0, Math.max(1, ...bars.map(({ count }) => count))] },
      y: { axis: null, type: 'band', domain: bars.map(({ row }) => row), padding: 0 },
      marks: [
        plot.barX(
          bars.filter(({ count }) => count > 0),
          {
            y: 'row',
            x1: 0,
            x2: 'count',
            insetTop: ROW - 14,
            insetBottom: 6,
            rx: 2,
            title: 'title',
            className,
          },
        ),
        besideBar(plot, bars, 'label'),
        besideBar(plot, bars, 'value'),
      ],
    },
  }
}

function besideBar(plot: PlotLibrary, bars: readonly ReturnType<typeof toBar>[], text: 'label' | 'value') {
  return plot.text(bars, {
    y: 'row',
    text,
    frameAnchor: text === 'label' ? 'left' : 'right',
    lineAnchor: 'bottom',
    textAnchor: text === 'label' ? 'start' : 'end',
    dy: -2,
    className: `kb-chart-${text}`,
  })
}

function toBar({ name, count, isExact }: NamedCount, row: number, noun: string) {
  return {
    row,
    label: tail(name),
    count,
    value: `${isExact ? '' : '≥ '}${formatNumber(count)}`,
    title: `${name}: ${isExact ? '' : 'at least '}${pluralize(count, noun)}`,
  }
}

/** Keeps the end of a long host, which shows the owner. */
function tail(name: string): string {
  return name.length <= FITTING ? name : `…${name.slice(-FITTING + 1)}`
}
