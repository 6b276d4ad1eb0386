import { html } from 'hono/html'
import type { Html } from '../../../../web/pages/page-body.ts'
import type { Column } from '../../../../web/pages/status/view/data-table.ts'
import { day } from '../../../../web/pages/status/view/moments.ts'
import { type ReviewCharts, reviewFigures } from '../../../../web/pages/status/view/review-figures.ts'
import { reviewOverview } from '../../../../web/pages/status/view/review-overview.ts'
import type { Listing, Report, ReviewFinding } from '../../../../inspect/report/report.ts'
import { pluralize } from '../../../../core/pluralize.ts'
import { formatNumber } from '../../../../core/format-number.ts'
import { acceptedLast, acceptedOf } from '../../accepted.ts'
import { describeDays, describeFileDate } from '../../article-words.ts'
import { TITLES } from '../../section-titles.ts'
import { ACCEPTED, reportArticleCell, note, titleKey } from './article-cell.ts'
import type { ReportSection } from './report-section.ts'
import { reportTable } from './report-table.ts'
import type { ReportView } from './report-view.ts'
import { shortText } from './short-text.ts'

/** Which articles are to be read again, and when. */
export function reportReviewSection(report: Report, charts: ReviewCharts, view: ReportView): ReportSection {
  const { reviews, counts, today, dueWithinDays } = report
  const accepted = acceptedOf(counts.acceptedOverdue, counts.overdue)
  const list = (heading: string, rows: Listing<ReviewFinding>): Html | '' =>
    rows.total === 0
      ? ''
      : html`<h3>${heading} (${formatNumber(rows.total)})</h3>
          ${reviewTable(heading, rows, view)}`
  const folded = (heading: string, rows: Listing<ReviewFinding>): Html | '' =>
    rows.total === 0
      ? ''
      : html`<details class="report-fold">
          <summary>${heading} (${formatNumber(rows.total)})</summary>
          ${reviewTable(heading, rows, view)}
        </details>`
  return {
    name: 'reviews',
    heading: 'Reviews',
    count: formatNumber(counts.overdue + counts.due),
    body: html`<p>${reviewOverview({ ...counts, today, dueWithinDays, accepted })}</p>
      ${reviewFigures({ today, dueWithinDays, span: reviews.span, reviews: reviews.summary }, charts)}
      ${list(TITLES.overdue, { ...reviews.overdue, entries: acceptedLast(reviews.overdue.entries) })}
      ${list(`Due within ${pluralize(dueWithinDays, 'day')}`, reviews.due)}
      ${folded(TITLES.undated, reviews.undated)} ${folded(TITLES.later, reviews.later)}
      ${folded(TITLES.never, reviews.never)}`,
  }
}

function reviewTable(caption: string, rows: Listing<ReviewFinding>, view: ReportView): Html {
  return reportTable({
    caption,
    columns: reviewColumns(rows.entries, view),
    rows,
    rowLimit: view.rowLimit,
    look: 'report-reviews',
  })
}

/** Columns of a list of reviews; what none of its articles has gets no column. */
function reviewColumns(
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
      html`${reportArticleCell(finding, view, { place: finding.place, more: finding.isAccepted ? ACCEPTED : '' })}${fileDate(finding)}`,
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

/** Categories of an article, one below the other. */
function categoryNames(categories: readonly string[]): Html {
  return html`${categories.map((category) => html`<div><bdi>${shortText(category)}</bdi></div> `)}`
}
