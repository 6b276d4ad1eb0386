import { html, raw } from 'hono/html'
import type { Html } from '../../../../web/pages/page-body.ts'
import type { Column } from '../../../../web/pages/status/view/data-table.ts'
import { moment } from '../../../../web/pages/status/view/moments.ts'
import type { ChangedLink, Listing, Report, HistoryPoint } from '../../../../inspect/report/report.ts'
import { formatNumber } from '../../../../core/format-number.ts'
import { NO_TITLE } from '../../article-words.ts'
import type { ReportSection } from './report-section.ts'
import { reportTable } from './report-table.ts'
import { shortText } from './short-text.ts'
import { webLink } from './web-link.ts'

/** Entries of one list of changes. */
const SHOWN = 50

/**
 * What is other than in the last report, and how the figures went.
 *
 * @param charts of the history; none where it is too short for one
 */
export function changeSection(report: Report, charts: readonly string[]): ReportSection | undefined {
  const { changes, history } = report
  if (changes === undefined && history.length < 2) return undefined
  return {
    name: 'changes',
    heading: 'Since the last report',
    body: html`${changes === undefined ? '' : changeLists(changes)}
    ${history.length < 2 ? '' : trendFigures(history, charts)}`,
  }
}

function changeLists({
  since,
  newlyOverdue,
  reviewed,
  newlyBroken,
  mended,
}: NonNullable<Report['changes']>): Html {
  const lists = [
    changeList('Became overdue', newlyOverdue, articleName),
    changeList('Are no longer overdue', reviewed, articleName),
    changeList('Links that broke', newlyBroken, linkName),
    changeList('Links that are no longer broken', mended, linkName),
  ].filter((list) => list !== '')
  const sentence = lists.length === 0 ? 'Nothing has changed since' : 'Changes since'
  return html`<p>${sentence} ${moment(since)}.</p>
    <div class="kb-pair">${lists}</div>`
}

function changeList<T>(heading: string, { total, entries }: Listing<T>, name: (entry: T) => Html): Html | '' {
  if (total === 0) return ''
  const shown = entries.slice(0, SHOWN)
  return html`<div>
    <h3>${heading} (${formatNumber(total)})</h3>
    <ul class="report-names">
      ${shown.map((entry) => html`<li>${name(entry)}</li> `)}
    </ul>
    ${shown.length < total ? html`<p class="kb-note">${formatNumber(total - shown.length)} more.</p>` : ''}
  </div> `
}

function articleName(article: string): Html {
  return html`<bdi>${shortText(article) || NO_TITLE}</bdi>`
}

function linkName({ article, url }: ChangedLink): Html {
  return html`<bdi>${webLink(url, shortText(url))}</bdi>
    <span class="kb-note">in ${articleName(article)}</span>`
}

/**
 * How the figures went, report by report.
 *
 * @param charts overdue reviews, then broken links
 */
function trendFigures(history: readonly HistoryPoint[], [overdue, broken]: readonly string[]): Html {
  return html`<div class="kb-pair report-trends">
    ${trendFigure('Overdue reviews', overdue)} ${trendFigure('Broken links', broken)}
    <details id="chart-history">
      <summary>As a table</summary>
      ${historyTable(history)}
    </details>
  </div>`
}

function trendFigure(caption: string, chart: string | undefined): Html | '' {
  if (chart === undefined) return ''
  return html`<figure class="kb-figure">
    <figcaption>${caption}</figcaption>
    ${raw(chart)}
  </figure>`
}

function historyTable(history: readonly HistoryPoint[]): Html {
  const newestFirst = history.toReversed()
  return reportTable({
    caption: 'Figures of earlier reports',
    columns: [
      { name: 'Report', cell: ({ at }) => moment(at), look: 'date' },
      figure('Overdue', ({ overdue }) => overdue),
      figure('Due', ({ due }) => due),
      figure('Broken links', ({ broken }) => broken),
      figure('In no file', ({ unowned }) => unowned),
      figure('Translations behind', ({ outdatedTranslations }) => outdatedTranslations),
    ],
    rows: { total: newestFirst.length, entries: newestFirst },
    rowLimit: newestFirst.length,
    look: 'report-figures',
  })
}

function figure(name: string, value: (point: HistoryPoint) => number): Column<HistoryPoint> {
  return { name, cell: (point) => formatNumber(value(point)), look: 'number' }
}
