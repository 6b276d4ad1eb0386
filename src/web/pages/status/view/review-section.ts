import { html } from 'hono/html'
import { formatNumber } from '../../../../core/format-number.ts'
import type { Html } from '../../page-body.ts'
import type { ReviewEntry } from '../../../dashboard/status-source.ts'
import type { StatusSummary } from '../../../dashboard/summary/summarize-status.ts'
import { articleCell, type FileCell } from './article-cell.ts'
import { type Column, dataTable } from './data-table.ts'
import { day, distance } from './moments.ts'
import { type ReviewCharts, reviewFigures } from './review-figures.ts'
import { reviewOverview } from './review-overview.ts'
import { SECTIONS } from './section-ids.ts'

/** Of each list. */
export const ENTRIES_LISTED = 10

/** Which articles are to be read again, and when. */
export function reviewSection(summary: StatusSummary, charts: ReviewCharts, fileCell: FileCell): Html {
  const { reviews, today, dueWithinDays } = summary
  const article = { name: 'Article', cell: (entry: ReviewEntry) => articleCell(entry, fileCell) } as const
  const dated = [dateColumn(today), article]
  const upcoming = [...reviews.dueNext, ...reviews.laterNext].slice(0, ENTRIES_LISTED)
  return html`<section
    id="${SECTIONS.reviews}"
    class="kb-overview-section"
    aria-labelledby="${SECTIONS.reviews}-title"
  >
    <h2 id="${SECTIONS.reviews}-title">Reviews</h2>
    <p>${reviewOverview({ ...reviews, today, dueWithinDays })}</p>
    ${reviewFigures(summary, charts)}
    <div class="kb-pair">
      ${list('Longest overdue', reviews.longestOverdue, reviews.overdue, dated)}
      ${list('Due next', upcoming, reviews.due + reviews.later, dated)}
      ${list('Without a date', reviews.withoutDate, reviews.undated, [article])}
    </div>
  </section>`
}

function dateColumn(today: string): Column<ReviewEntry> {
  return {
    name: 'Date',
    cell: ({ date }) => html`${day(date)} <span class="kb-note">${distance(date, today)}</span>`,
    look: 'date',
  }
}

function list(
  heading: string,
  entries: readonly ReviewEntry[],
  count: number,
  columns: readonly Column<ReviewEntry>[],
): Html | '' {
  if (entries.length === 0) return ''
  return html`<div>
    <h3>${heading}</h3>
    ${dataTable(heading, columns, entries)}
    ${entries.length < count ? html`<p class="kb-note">${entries.length} of ${formatNumber(count)}.</p>` : ''}
  </div>`
}
