import { html } from 'hono/html'
import { counted } from '../../../util/counted.ts'
import { grouped } from '../../../util/grouped.ts'
import type { Html } from '../../page-body.ts'
import { monthName } from '../../../health/month-names.ts'
import type { ReviewEntry } from '../../../health/status-source.ts'
import type { MonthLoad } from '../../../health/summary/summarize-reviews.ts'
import type { StatusSummary } from '../../../health/summary/summarize-status.ts'
import { articleCell, type FileCell } from './article-cell.ts'
import { chartFigure } from './chart-figure.ts'
import { dataTable } from './data-table.ts'
import { day, distance } from './moments.ts'
import { SECTIONS } from './section-ids.ts'

export interface ReviewCharts {
  readonly calendars: readonly string[]
  readonly months: readonly string[]
}

/** Which articles are to be read again, and when. */
export function reviewSection(summary: StatusSummary, charts: ReviewCharts, fileCell: FileCell): Html {
  const { reviews, today } = summary
  return html`<section
    id="${SECTIONS.reviews}"
    class="kb-overview-section"
    aria-labelledby="${SECTIONS.reviews}-title"
  >
    <h2 id="${SECTIONS.reviews}-title">Reviews</h2>
    <p>${overview(summary)}</p>
    ${hasDates(summary) ? html`${calendarFigure(summary, charts)}${monthFigure(summary, charts)}` : ''}
    <div class="kb-pair">
      ${list('Longest overdue', reviews.longestOverdue, reviews.overdue, today, fileCell)}
      ${list('Due next', reviews.dueNext, reviews.dueSoon + reviews.later, today, fileCell)}
    </div>
  </section>`
}

function hasDates({ reviews }: StatusSummary): boolean {
  return reviews.before > 0 || reviews.days.size > 0
}

function overview({ reviews, dueWithinDays, withoutReview, today }: StatusSummary): Html {
  if (reviews.total === 0) return html`No article has a review date yet.`
  const rest = [
    reviews.never > 0 ? `${grouped(reviews.never)} never` : '',
    withoutReview > 0 ? `${grouped(withoutReview)} without a date` : '',
    reviews.undated > 0 ? `${grouped(reviews.undated)} with a date that cannot be read` : '',
  ].filter((part) => part !== '')
  const first =
    reviews.overdue === 0
      ? 'Nothing is overdue.'
      : `${counted(reviews.overdue, 'article')} ${reviews.overdue === 1 ? 'is' : 'are'} overdue.`
  return html`${first} ${grouped(reviews.dueSoon)} due within ${dueWithinDays} days, ${grouped(reviews.later)}
  later${rest.length === 0 ? '' : `, ${rest.join(', ')}`}. Today is ${day(today)} (UTC).`
}

function calendarFigure(summary: StatusSummary, { calendars }: ReviewCharts): Html {
  const { reviews, today } = summary
  const columns = [
    { name: 'Date', cell: ([date]: readonly [string, number]) => day(date), look: 'date' },
    { name: 'When', cell: ([date]: readonly [string, number]) => distance(date, today) },
    { name: 'Articles', cell: ([, count]: readonly [string, number]) => grouped(count), look: 'number' },
  ] as const
  return chartFigure({
    id: '_kb-status-days',
    caption: 'By day',
    charts: calendars,
    legend: html`${legend(summary)}${outside(summary)}`,
    table: dataTable('Review dates by day', columns, [...reviews.days], 'kb-data-figures'),
  })
}

function legend({ dueWithinDays }: StatusSummary): Html {
  const keys = [
    ['overdue', 'overdue'],
    ['soon', `due within ${dueWithinDays} days`],
    ['later', 'due later'],
    ['today', 'today'],
  ]
  return html`<ul class="kb-keys">
    ${keys.map(([look, name]) => html`<li><span class="kb-key kb-key-${look}"></span>${name}</li>`)}
  </ul>`
}

function outside({ reviews, span }: StatusSummary): Html | '' {
  const parts = [
    reviews.before > 0 ? html`${grouped(reviews.before)} before ${day(span.from)}` : '',
    reviews.after > 0 ? html`${grouped(reviews.after)} after ${day(span.to)}` : '',
  ].filter((part) => part !== '')
  if (parts.length === 0) return ''
  return html`<p class="kb-note">
    Not in this calendar: ${parts.length === 2 ? html`${parts[0]}, ${parts[1]}` : parts[0]}.
  </p>`
}

function monthFigure({ reviews, span }: StatusSummary, { months }: ReviewCharts): Html {
  const columns = [
    { name: 'Month', cell: ({ month }: MonthLoad) => monthName(month), look: 'date' },
    { name: 'Overdue', cell: ({ overdue }: MonthLoad) => grouped(overdue), look: 'number' },
    { name: 'To come', cell: ({ upcoming }: MonthLoad) => grouped(upcoming), look: 'number' },
  ] as const
  const table = dataTable('Review dates by month', columns, reviews.months, 'kb-data-figures')
  const before =
    reviews.before > 0
      ? html`<p class="kb-note">${grouped(reviews.before)} before ${monthName(span.from)}.</p>`
      : ''
  return chartFigure({
    id: '_kb-status-months',
    caption: 'By month',
    charts: months,
    table: html`${table}${before}`,
  })
}

function list(
  heading: string,
  entries: readonly ReviewEntry[],
  count: number,
  today: string,
  fileCell: FileCell,
): Html | '' {
  if (entries.length === 0) return ''
  const columns = [
    {
      name: 'Date',
      cell: (entry: ReviewEntry) =>
        html`${day(entry.date)} <span class="kb-note">${distance(entry.date, today)}</span>`,
      look: 'date',
    },
    { name: 'Article', cell: (entry: ReviewEntry) => articleCell(entry, fileCell) },
  ] as const
  return html`<div>
    <h3>${heading}</h3>
    ${dataTable(heading, columns, entries)}
    ${entries.length < count ? html`<p class="kb-note">${entries.length} of ${grouped(count)}.</p>` : ''}
  </div>`
}
