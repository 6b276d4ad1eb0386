import { html } from 'hono/html'
import type { Html } from '../../../../web/pages/page-body.ts'
import type { Column } from '../../../../web/pages/status/view/data-table.ts'
import { day } from '../../../../web/pages/status/view/moments.ts'
import type { ReviewFinding } from '../../../../inspect/report/report.ts'
import { describeDays, describeFileDate } from '../../article-words.ts'
import { ACCEPTED, articleCell, note, titleKey } from './article-cell.ts'
import { categoryNames } from './category-names.ts'
import type { ReportView } from './report-view.ts'

/** Columns of a list of reviews; what none of its articles has gets no column. */
export function reviewColumns(
  findings: readonly ReviewFinding[],
  view: ReportView,
): readonly Column<ReviewFinding>[] {
  const date: Column<ReviewFinding> = {
    name: 'Date',
    cell: (finding) =>
      html`${day(finding.date)}
        <span class="kb-note">${finding.days === undefined ? '' : describeDays(finding.days)}</span>`,
    key: (finding) => finding.date,
    look: 'date',
  }
  const article: Column<ReviewFinding> = {
    name: 'Article',
    cell: (finding) =>
      html`${articleCell(finding, view, { place: finding.place, more: finding.isAccepted ? ACCEPTED : '' })}${fileDate(finding)}`,
    key: titleKey,
  }
  const categories: Column<ReviewFinding> = {
    name: 'Categories',
    cell: (finding) => categoryNames(finding.categories),
  }
  return [
    ...(findings.some(({ days }) => days !== undefined) ? [date] : []),
    article,
    ...(findings.some((finding) => finding.categories.length > 0) ? [categories] : []),
  ]
}

function fileDate(finding: ReviewFinding): Html | '' {
  const text = describeFileDate(finding)
  return text === undefined ? '' : note(text)
}
