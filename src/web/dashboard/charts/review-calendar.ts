import { counted } from '../../../core/counted.ts'
import { monthLabel, monthName, shortMonthLabel } from '../month-names.ts'
import { calendarCells, DAY_LOOKS, type DayCell, firstLine, type WeekLayout } from './calendar-cells.ts'
import type { Chart, PlotLibrary } from './open-chart-painter.ts'
import type { ReviewFigures } from './review-figures.ts'

/** Lengths in SVG units. */
export interface CalendarLayout extends WeekLayout {
  readonly className: string
  readonly cell: number
  readonly gap: number
  readonly label: (date: string, spanFrom: string) => string
}

export const WIDE_CALENDAR: CalendarLayout = {
  className: 'kb-chart-wide',
  rows: 1,
  above: 1,
  cell: 15,
  gap: 3,
  label: monthLabel,
}

/** For narrow screens. */
export const NARROW_CALENDAR: CalendarLayout = {
  className: 'kb-chart-narrow',
  rows: 2,
  above: 2,
  cell: 10,
  gap: 2,
  label: shortMonthLabel,
}

const MARGIN_LEFT = 30
const MARGIN = 2

/** Review dates as weeks by weekdays: what is left of today is overdue. */
export function reviewCalendar(plot: PlotLibrary, figures: ReviewFigures, layout: CalendarLayout): Chart {
  const { cells, columns, lines } = calendarCells(figures, layout)
  const place = { x: 'column', y: 'line', rx: 2, inset: layout.gap / 2 } as const
  const daysOf = (look: string) => {
    const className = `kb-day kb-day-${look}`
    const options = look === 'empty' ? { ...place, className } : { ...place, className, title: dayTitle }
    return plot.cell(
      cells.filter((cell) => cell.look === look),
      options,
    )
  }
  return {
    title: 'Review dates by day',
    description: describe(figures),
    className: layout.className,
    options: {
      width: MARGIN_LEFT + columns * layout.cell + MARGIN,
      height: lines * layout.cell + 2 * MARGIN,
      marginLeft: MARGIN_LEFT,
      marginTop: MARGIN,
      marginRight: MARGIN,
      marginBottom: MARGIN,
      x: { axis: null, type: 'band', domain: range(columns), padding: 0 },
      y: { axis: null, type: 'band', domain: range(lines), padding: 0 },
      marks: [
        ...DAY_LOOKS.map(daysOf),
        plot.cell(
          cells.filter(({ date }) => date === figures.today),
          { ...place, className: 'kb-day-today' },
        ),
        monthNames(plot, cells, figures, layout),
        weekdayNames(plot, layout),
      ],
    },
  }
}

function monthNames(
  plot: PlotLibrary,
  cells: readonly DayCell[],
  { span }: ReviewFigures,
  { label, cell }: CalendarLayout,
) {
  const firsts = cells.filter(({ date }) => date.endsWith('-01'))
  return plot.text(firsts, {
    x: 'column',
    y: 'nameLine',
    text: ({ date }: DayCell) => label(date, span.from),
    textAnchor: 'start',
    dx: -cell / 2,
    className: 'kb-chart-label',
  })
}

function weekdayNames(plot: PlotLibrary, layout: CalendarLayout) {
  const everySecond = ['Mon', 'Wed', 'Fri', 'Sun']
  const names = range(layout.rows).flatMap((row) =>
    everySecond.map((name, index) => ({ name, line: firstLine(row, layout) + index * 2 })),
  )
  return plot.text(names, {
    y: 'line',
    text: 'name',
    frameAnchor: 'left',
    textAnchor: 'end',
    dx: -4,
    className: 'kb-chart-label',
  })
}

function dayTitle({ date, count }: DayCell): string {
  return `${date}: ${counted(count, 'article')}`
}

function describe({ reviews, dueWithinDays, today }: ReviewFigures): string {
  const fullest = reviews.months.reduce((most, month) => (month.upcoming > most.upcoming ? month : most))
  const month = `${monthName(fullest.month)} with ${counted(fullest.upcoming, 'article')}`
  const parts = [
    `${counted(reviews.overdue, 'article')} overdue on ${today}`,
    `${counted(reviews.due, 'article')} due within ${counted(dueWithinDays, 'day')}`,
    ...(fullest.upcoming === 0 ? [] : [`the fullest month to come is ${month}`]),
  ]
  return `${parts.join('; ')}.`
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}
