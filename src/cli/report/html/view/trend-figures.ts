import { html, raw } from 'hono/html'
import type { Html } from '../../../../web/pages/page-body.ts'
import type { Column } from '../../../../web/pages/status/view/data-table.ts'
import { moment } from '../../../../web/pages/status/view/moments.ts'
import type { HistoryPoint } from '../../../../inspect/report/report.ts'
import { grouped } from '../../../../core/grouped.ts'
import { reportTable } from './report-table.ts'

/**
 * How the figures went, report by report.
 *
 * @param charts overdue reviews, then broken links
 */
export function trendFigures(history: readonly HistoryPoint[], [overdue, broken]: readonly string[]): Html {
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
  return { name, cell: (point) => grouped(value(point)), look: 'number' }
}
