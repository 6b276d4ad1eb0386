// Charts with a caption, a legend, and the same figures as a table.
import { html, raw } from 'hono/html'
import { formatNumber } from '../../../core/format-number.ts'
import { pluralize } from '../../../core/pluralize.ts'
import type { Html } from '../../html.ts'
import type { DrawnCharts } from '../charts/draw-charts.ts'
import { monthName } from '../charts/month-labels.ts'
import type { AgeSummary } from '../summary/summarize-ages.ts'
import type { BrokenLinkSummary, CountedLink, LinkGroup } from '../summary/summarize-broken-links.ts'
import type { CategorySummary } from '../summary/summarize-categories.ts'
import type { ReviewStatus, ReviewSummary } from '../summary/summarize-reviews.ts'
import type { ReviewFigures } from '../summary/summarize-status.ts'
import { breakablePath, dateElement, relativeDate, shortText } from './cells.ts'
import { type Column, dataTable, listTable, numberColumn } from './data-table.ts'

interface Figure {
  /** Id of the figure's details; constant, so that they stay open after an update. */
  readonly id: string
  readonly caption: string
  /** Safe SVG elements: the variants of the chart, of which the style sheet shows one. */
  readonly charts: readonly string[]
  readonly legend?: Html
  readonly table: Html
}

/** Renders a chart with its data as a table, for screen readers and exact values. */
function chartFigure({ id, caption, charts, legend, table }: Figure): Html {
  return html`<figure class="kb-figure">
    <figcaption>${caption}</figcaption>
    ${charts.map((chart) => raw(chart))} ${legend}
    <details id="${id}">
      <summary>As a table</summary>
      ${table}
    </details>
  </figure>`
}

interface ReviewCounts extends Readonly<Record<ReviewStatus, number>> {
  readonly today: string
  readonly dueWithinDays: number
  /** Text about accepted overdue articles; '' if there are none. */
  readonly accepted?: string
}

/** Describes the numbers of overdue, due and later reviews, in sentences. */
export function reviewOverview(counts: ReviewCounts): Html {
  const { overdue, due, later, never, undated, today, dueWithinDays, accepted = '' } = counts
  if (overdue + due + later + never === 0) return html`No article has a review date yet.`
  const first =
    overdue === 0
      ? 'Nothing is overdue.'
      : `${pluralize(overdue, 'article')} ${overdue === 1 ? 'is' : 'are'} overdue${accepted}.`
  const rest = [
    `${formatNumber(due)} due within ${pluralize(dueWithinDays, 'day')}`,
    `${formatNumber(later)} later`,
    ...(never > 0 ? [`${formatNumber(never)} never`] : []),
    ...(undated > 0 ? [`${formatNumber(undated)} without a date`] : []),
  ]
  return html`${first} ${rest.join(', ')}. Today is ${dateElement(today)} (UTC).`
}

interface ShownReviews extends ReviewFigures {
  readonly reviews: ReviewFigures['reviews'] & Pick<ReviewSummary, 'after'>
}

/** Renders reviews over time, by day and by month; nothing without dates. */
export function reviewFigures(shown: ShownReviews, { calendars, months }: DrawnCharts): Html | '' {
  const { before, days } = shown.reviews
  if (before === 0 && days.size === 0) return ''
  return html`${calendarFigure(shown, calendars)}${monthFigure(shown, months)}`
}

function calendarFigure(shown: ShownReviews, charts: readonly string[]): Html {
  const { reviews, today } = shown
  const columns: readonly Column<readonly [string, number]>[] = [
    { name: 'Date', cell: ([date]) => dateElement(date), look: 'date' },
    { name: 'When', cell: ([date]) => relativeDate(date, today), key: ([date]) => date },
    numberColumn('Articles', ([, count]) => count),
  ]
  return chartFigure({
    id: '_kb-figure-days',
    caption: 'By day',
    charts,
    legend: html`${calendarLegend(shown)}${outsideNote(shown)}`,
    table: dataTable('Review dates by day', columns, [...reviews.days], 'kb-data-figures'),
  })
}

function calendarLegend({ dueWithinDays }: ShownReviews): Html {
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

function outsideNote({ reviews, span }: ShownReviews): Html | '' {
  const parts = [
    reviews.before > 0 ? html`${formatNumber(reviews.before)} before ${dateElement(span.from)}` : '',
    reviews.after > 0 ? html`${formatNumber(reviews.after)} after ${dateElement(span.to)}` : '',
  ].filter((part) => part !== '')
  if (parts.length === 0) return ''
  return html`<p class="kb-note">
    Not in this calendar: ${parts.length === 2 ? html`${parts[0]}, ${parts[1]}` : parts[0]}.
  </p>`
}

function monthFigure({ reviews, span }: ShownReviews, charts: readonly string[]): Html {
  const columns: readonly Column<(typeof reviews.months)[number]>[] = [
    { name: 'Month', cell: ({ month }) => monthName(month), key: ({ month }) => month, look: 'date' },
    numberColumn('Overdue', ({ overdue }) => overdue),
    numberColumn('To come', ({ upcoming }) => upcoming),
  ]
  const table = dataTable('Review dates by month', columns, reviews.months, 'kb-data-figures')
  const before =
    reviews.before > 0
      ? html`<p class="kb-note">${formatNumber(reviews.before)} before ${monthName(span.from)}.</p>`
      : ''
  return chartFigure({ id: '_kb-figure-months', caption: 'By month', charts, table: html`${table}${before}` })
}

/** Describes the distribution of broken links: `in 30 articles, to 5 hosts`. */
export function describeSpread(counts: Pick<BrokenLinkSummary, 'articleCount' | 'hostCount'>): string {
  const { articleCount, hostCount } = counts
  const articles = articleCount === undefined ? 'many articles' : pluralize(articleCount, 'article')
  const hosts = hostCount === undefined ? 'many hosts' : pluralize(hostCount, 'host')
  return `in ${articles}, to ${hosts}`
}

interface LinkFigures<Entry extends CountedLink> {
  readonly summary: Pick<BrokenLinkSummary<Entry>, 'hosts' | 'hostCount' | 'articles'>
  readonly charts: readonly string[]
  /** Maximum number of hosts in the table; default: all of the summary. */
  readonly hostLimit?: number
  readonly hostCell: (host: string) => Html | string
  readonly articleCell: (entry: Entry) => Html
}

/** Number of articles with the most broken links that are listed first. */
const WORST_LISTED = 10

/** Renders broken links by host, and the articles with the most. */
export function linkFigures<Entry extends CountedLink>(figures: LinkFigures<Entry>): Html {
  const { summary, charts, hostLimit = summary.hosts.length, hostCell, articleCell } = figures
  const links: Column<LinkGroup<Entry>> = {
    name: 'Links',
    cell: ({ count, isExact }) => `${isExact ? '' : '≥ '}${formatNumber(count)}`,
    look: 'number',
  }
  const hosts = listTable<LinkGroup<Entry>>({
    caption: 'Broken links by host',
    columns: [{ name: 'Host', cell: ({ key }) => hostCell(key), look: 'address' }, links],
    rows: { total: summary.hostCount ?? summary.hosts.length, entries: summary.hosts },
    rowLimit: hostLimit,
    look: 'kb-data-figures',
  })
  const articleColumn: Column<LinkGroup<Entry>> = {
    name: 'Article',
    cell: ({ first: [entry] }) => (entry === undefined ? '' : articleCell(entry)),
    look: 'address',
  }
  const worst = summary.articles.slice(0, WORST_LISTED)
  return html`<div class="kb-pair">
    ${chartFigure({ id: '_kb-figure-hosts', caption: 'By host', charts, table: hosts })}
    <div>
      <h3>Articles with the most</h3>
      ${dataTable('Articles with the most broken links', [articleColumn, links], worst, 'kb-data-figures')}
    </div>
  </div>`
}

export function categoryColumns(): readonly Column<CategorySummary>[] {
  return [
    // Long paths wrap between names.
    { name: 'Category', cell: ({ category }) => html`<bdi>${breakablePath(shortText(category))}</bdi>` },
    numberColumn('Articles', ({ articles }) => articles),
    numberColumn('Overdue', ({ overdue }) => overdue),
    numberColumn('Due', ({ due }) => due),
    numberColumn('Broken links', ({ broken }) => broken),
  ]
}

/** Describes the median age of the articles, in a sentence; '' if unknown. */
export function medianAge({ medianDays: days, oldestDays, unknown }: AgeSummary): string {
  if (days === undefined) return ''
  const share = oldestDays === days && unknown === 0 ? 'All articles' : 'Half of the articles'
  const period = days === 0 ? 'today' : `within the last ${days === 1 ? 'day' : pluralize(days, 'day')}`
  return `${share} were changed ${period}.`
}

/** Renders articles by the time since their last change. */
export function ageFigure({ bands, unknown }: AgeSummary, charts: readonly string[]): Html {
  const rows = [...bands, ...(unknown === 0 ? [] : [{ label: 'not known', count: unknown }])]
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { name: 'Last change', cell: ({ label }) => label },
    numberColumn('Articles', ({ count }) => count),
  ]
  return chartFigure({
    id: '_kb-figure-ages',
    caption: 'By time since the last change',
    charts,
    table: dataTable('Articles by time since the last change', columns, rows, 'kb-data-figures'),
  })
}

/** Renders figures over time, as charts side by side. @param table the same figures */
export function trendFigures(trends: readonly { caption: string; chart: string }[], table: Html): Html {
  return html`<div class="kb-pair kb-trends">
    ${trends.map(
      ({ caption, chart }) =>
        html`<figure class="kb-figure">
          <figcaption>${caption}</figcaption>
          ${raw(chart)}
        </figure>`,
    )}
    <details id="_kb-figure-history">
      <summary>As a table</summary>
      ${table}
    </details>
  </div>`
}
