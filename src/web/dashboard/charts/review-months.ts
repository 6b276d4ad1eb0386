import { pluralize } from '../../../core/pluralize.ts'
import { formatNumber } from '../../../core/format-number.ts'
import { monthName, shortMonth } from './month-labels.ts'
import type { Chart, PlotLibrary } from './open-chart-painter.ts'
import type { ReviewFigures } from '../summary/summarize-status.ts'

interface Bar {
  readonly key: string
  readonly name: string
  readonly label: string
  /** Below the label, at the start of a year. */
  readonly year: string
  readonly overdue: number
  readonly total: number
}

/** Lengths in SVG units. */
interface MonthsLayout {
  readonly className: string
  readonly width: number
  readonly height: number
  /** Label of the bar of reviews due before the first month. */
  readonly before: string
}

export const WIDE_MONTHS: MonthsLayout = {
  className: 'kb-chart-wide kb-chart-columns',
  width: 880,
  height: 190,
  before: 'earlier',
}
export const NARROW_MONTHS: MonthsLayout = {
  className: 'kb-chart-narrow',
  width: 320,
  height: 170,
  before: '←',
}

/** Draws reviews by month as bars, with one bar for all reviews due before the first month. */
export function reviewMonths(plot: PlotLibrary, figures: ReviewFigures, layout: MonthsLayout): Chart {
  const bars = monthBars(figures, layout)
  const texts = { x: 'key', className: 'kb-chart-label' } as const
  return {
    title: 'Review dates by month',
    description: bars
      .filter(({ total }) => total > 0)
      .map(({ name, total }) => `${name}: ${formatNumber(total)}`)
      .join('; '),
    className: layout.className,
    options: {
      width: layout.width,
      height: layout.height,
      marginTop: 18,
      marginBottom: 34,
      marginLeft: 2,
      marginRight: 2,
      x: { axis: null, type: 'band', domain: bars.map(({ key }) => key), padding: 0.2 },
      y: { axis: null, domain: [0, Math.max(1, ...bars.map(({ total }) => total))] },
      marks: [
        bar(plot, bars, 'kb-bar-overdue', { y1: () => 0, y2: ({ overdue }) => overdue }),
        bar(plot, bars, 'kb-bar-upcoming', { y1: ({ overdue }) => overdue, y2: ({ total }) => total }),
        plot.ruleY([0], { className: 'kb-chart-line' }),
        plot.text(
          bars.filter(({ total }) => total > 0),
          {
            ...texts,
            className: 'kb-chart-value',
            y: 'total',
            text: ({ total }: Bar) => shortCount(total),
            dy: -4,
            lineAnchor: 'bottom',
          },
        ),
        plot.text(bars, { ...texts, text: 'label', frameAnchor: 'bottom', lineAnchor: 'top', dy: 5 }),
        plot.text(bars, { ...texts, text: 'year', frameAnchor: 'bottom', lineAnchor: 'top', dy: 18 }),
      ],
    },
  }
}

type Ends = Record<'y1' | 'y2', (bar: Bar) => number>

function bar(plot: PlotLibrary, bars: readonly Bar[], className: string, { y1, y2 }: Ends) {
  const shown = bars.filter((each) => y2(each) > y1(each))
  const title = (each: Bar): string => `${each.name}: ${pluralize(each.total, 'article')}`
  return plot.barY(shown, { x: 'key', y1, y2, title, className })
}

function monthBars({ reviews, span }: ReviewFigures, { before }: MonthsLayout): readonly Bar[] {
  const months = reviews.months.map(({ month, overdue, upcoming }) => ({
    key: month,
    name: monthName(month),
    label: shortMonth(month),
    year: month.endsWith('-01') || span.from.startsWith(month) ? month.slice(0, 4) : '',
    overdue,
    total: overdue + upcoming,
  }))
  if (reviews.before === 0) return months
  const name = `Before ${monthName(span.from)}`
  return [
    { key: '', name, label: before, year: '', overdue: reviews.before, total: reviews.before },
    ...months,
  ]
}

/** Formats a count that fits above a bar: `950`, `12k`, `1.2M`. */
function shortCount(count: number): string {
  if (count < 1000) return String(count)
  const [amount, unit] = count < 999_500 ? [count / 1000, 'k'] : [count / 1_000_000, 'M']
  return `${amount < 9.95 ? amount.toFixed(1).replace('.0', '') : Math.round(amount)}${unit}`
}
