import { html } from 'hono/html'
import type { ReviewFigures } from '../../../dashboard/charts/review-figures.ts'
import { monthName } from '../../../dashboard/month-names.ts'
import type { MonthLoad, ReviewSummary } from '../../../dashboard/summary/summarize-reviews.ts'
import { pluralize } from '../../../../core/pluralize.ts'
import { formatNumber } from '../../../../core/format-number.ts'
import type { Html } from '../../page-body.ts'
import { chartFigure } from './chart-figure.ts'
import { dataTable } from './data-table.ts'
import { day, distance } from './moments.ts'

/** SVG elements; of each, the variants of which the style sheet shows one. */
export interface ReviewCharts {
  readonly calendars: readonly string[]
  readonly months: readonly string[]
}

interface ShownReviews extends ReviewFigures {
  readonly reviews: ReviewFigures['reviews'] & Pick<ReviewSummary, 'after'>
}

/** How the reviews lie in time, by day and by month; nothing where there is no date to be shown. */
export function reviewFigures(shown: ShownReviews, charts: ReviewCharts): Html | '' {
  const { before, days } = shown.reviews
  return before === 0 && days.size === 0
    ? ''
    : html`${calendarFigure(shown, charts)}${monthFigure(shown, charts)}`
}

function calendarFigure(summary: ShownReviews, { calendars }: ReviewCharts): Html {
  const { reviews, today } = summary
  const columns = [
    { name: 'Date', cell: ([date]: readonly [string, number]) => day(date), look: 'date' },
    {
      name: 'When',
      cell: ([date]: readonly [string, number]) => distance(date, today),
      key: ([date]: readonly [string, number]) => date,
    },
    { name: 'Articles', cell: ([, count]: readonly [string, number]) => formatNumber(count), look: 'number' },
  ] as const
  return chartFigure({
    id: '_kb-status-days',
    caption: 'By day',
    charts: calendars,
    legend: html`${legend(summary)}${outside(summary)}`,
    table: dataTable('Review dates by day', columns, [...reviews.days], 'kb-data-figures'),
  })
}

function legend({ dueWithinDays }: ShownReviews): Html {
  const keys = [
    ['overdue', 'overdue'],
    ['due', `due within ${pluralize(dueWithinDays, 'day')}`],
    ['later', 'due later'],
    ['today', 'today'],
  ]
  return html`<ul class="kb-keys">
    ${keys.map(([look, name]) => html`<li><span class="kb-key kb-key-${look}"></span>${name}</li>`)}
  </ul>`
}

function outside({ reviews, span }: ShownReviews): Html | '' {
  const parts = [
    reviews.before > 0 ? html`${formatNumber(reviews.before)} before ${day(span.from)}` : '',
    reviews.after > 0 ? html`${formatNumber(reviews.after)} after ${day(span.to)}` : '',
  ].filter((part) => part !== '')
  if (parts.length === 0) return ''
  return html`<p class="kb-note">
    Not in this calendar: ${parts.length === 2 ? html`${parts[0]}, ${parts[1]}` : parts[0]}.
  </p>`
}

function monthFigure({ reviews, span }: ShownReviews, { months }: ReviewCharts): Html {
  const columns = [
    {
      name: 'Month',
      cell: ({ month }: MonthLoad) => monthName(month),
      key: ({ month }: MonthLoad) => month,
      look: 'date',
    },
    { name: 'Overdue', cell: ({ overdue }: MonthLoad) => formatNumber(overdue), look: 'number' },
    { name: 'To come', cell: ({ upcoming }: MonthLoad) => formatNumber(upcoming), look: 'number' },
  ] as const
  const table = dataTable('Review dates by month', columns, reviews.months, 'kb-data-figures')
  const before =
    reviews.before > 0
      ? html`<p class="kb-note">${formatNumber(reviews.before)} before ${monthName(span.from)}.</p>`
      : ''
  return chartFigure({
    id: '_kb-status-months',
    caption: 'By month',
    charts: months,
    table: html`${table}${before}`,
  })
}
