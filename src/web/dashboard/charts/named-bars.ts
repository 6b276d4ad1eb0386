import { pluralize } from '../../../core/pluralize.ts'
import { formatNumber } from '../../../core/format-number.ts'
import type { Chart, PlotLibrary } from './open-chart-painter.ts'

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

type Bar = ReturnType<typeof toBar>

const WIDTH = 360
const ROW = 34
/** Number of characters that fit into the width. */
const FITTING = 44

/** Bars below each other, each with its name above it, so that they fit any width. */
export function namedBars(plot: PlotLibrary, { title, noun, className, counts }: NamedBars): Chart {
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

function besideBar(plot: PlotLibrary, bars: readonly Bar[], text: 'label' | 'value') {
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
