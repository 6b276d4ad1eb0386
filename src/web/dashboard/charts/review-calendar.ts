import { addDays } from '../../../core/calendar-date.ts'
import { pluralize } from '../../../core/pluralize.ts'
import { datesOf, type DateSpan, toDayNumber, weekdayOf } from '../summary/calendar.ts'
import { monthLabel, monthName, shortMonthLabel } from './month-labels.ts'
import type { Chart, PlotLibrary } from './open-chart-painter.ts'
import type { ReviewFigures } from '../summary/summarize-status.ts'

/** Lengths in SVG units. */
interface CalendarLayout extends WeekLayout {
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

/** Draws review dates as weeks by weekdays. Dates left of today are overdue. */
export function reviewCalendar(plot: PlotLibrary, figures: ReviewFigures, layout: CalendarLayout): Chart {
  const { cells, columns, lines } = calendarCells(figures, layout)
  const place = { x: 'column', y: 'line', rx: 2, inset: layout.gap / 2 } as const
  const title = ({ date, count }: DayCell) => `${date}: ${pluralize(count, 'article')}`
  const daysOf = (look: string) => {
    const className = `kb-day kb-day-${look}`
    const options = look === 'empty' ? { ...place, className } : { ...place, className, title }
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

function describe({ reviews, dueWithinDays, today }: ReviewFigures): string {
  const fullest = reviews.months.reduce((most, month) => (month.upcoming > most.upcoming ? month : most))
  const month = `${monthName(fullest.month)} with ${pluralize(fullest.upcoming, 'article')}`
  const parts = [
    `${pluralize(reviews.overdue, 'article')} overdue on ${today}`,
    `${pluralize(reviews.due, 'article')} due within ${pluralize(dueWithinDays, 'day')}`,
    ...(fullest.upcoming === 0 ? [] : [`the fullest month to come is ${month}`]),
  ]
  return `${parts.join('; ')}.`
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}

/** The layout of a calendar's weeks: side by side, in one or more rows. */
interface WeekLayout {
  readonly rows: number
  /** Lines above each row for the names of months. */
  readonly above: number
}

interface DayCell {
  readonly date: string
  readonly count: number
  /** One of DAY_LOOKS: the kind of day, and its load. */
  readonly look: string
  readonly column: number
  /** Counted from the top. A row has `above` lines and one for each weekday. */
  readonly line: number
  /** Line of its month's name. */
  readonly nameLine: number
}

const LEVELS = 4
const KINDS = ['overdue', 'due', 'later'] as const
const DAYS_OF_WEEK = 7

const DAY_LOOKS: readonly string[] = [
  'empty',
  ...KINDS.flatMap((kind) => Array.from({ length: LEVELS }, (_, index) => `${kind}-${index + 1}`)),
]

/** Returns every day of the span, with its position. */
function calendarCells(figures: ReviewFigures, layout: WeekLayout) {
  const { span, reviews } = figures
  const weekOf = weekCounter(span)
  const columns = Math.ceil((weekOf(span.to) + 1) / layout.rows)
  const lookOf = createLook(figures)
  const cells = datesOf(span).map((date) => {
    const count = reviews.days.get(date) ?? 0
    const top = firstLine(Math.floor(weekOf(date) / columns), layout)
    const line = top + weekdayOf(date)
    return { date, count, look: lookOf(date, count), column: weekOf(date) % columns, line, nameLine: top - 1 }
  })
  return { cells, columns, lines: layout.rows * (layout.above + DAYS_OF_WEEK) }
}

/** Returns the line of Monday in a row. */
function firstLine(row: number, { above }: WeekLayout): number {
  return row * (above + DAYS_OF_WEEK) + above
}

function weekCounter({ from }: DateSpan): (date: string) => number {
  const monday = toDayNumber(from) - weekdayOf(from)
  return (date) => Math.floor((toDayNumber(date) - monday) / DAYS_OF_WEEK)
}

function createLook(figures: ReviewFigures): (date: string, count: number) => string {
  const { today, dueWithinDays, reviews } = figures
  const lastDue = addDays(today, dueWithinDays)
  const most = Math.max(1, ...reviews.days.values())
  return (date, count) => {
    if (count === 0) return 'empty'
    const kind = date < today ? 'overdue' : date <= lastDue ? 'due' : 'later'
    return `${kind}-${levelOf(count, most)}`
  }
}

/** Returns 1 to 4 by order of magnitude, so that one day with very many does not make the others pale. */
function levelOf(count: number, most: number): number {
  return Math.min(LEVELS, 1 + Math.floor((LEVELS * Math.log(count)) / Math.log(most + 1)))
}
