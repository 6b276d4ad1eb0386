import { html } from 'hono/html'
import { formatNumber } from '../../../../core/format-number.ts'
import type { Html } from '../../page-body.ts'
import type { StatusSummary } from '../../../dashboard/summary/summarize-status.ts'
import { ageFigure, medianAge } from './age-figure.ts'
import { categoryColumns } from './category-columns.ts'
import { dataTable } from './data-table.ts'
import { SECTIONS } from './section-ids.ts'

/** More than that would be a page of its own. */
const CATEGORIES_LISTED = 200

/** Whether there is anything to be told of the articles beside their number. */
export function hasArticleSection({ ages, categories }: StatusSummary): boolean {
  return ages.medianDays !== undefined || categories.length > 0
}

/** Articles by category, and by the time since their last change. */
export function articleSection(summary: StatusSummary, ageCharts: readonly string[]): Html {
  const { ages, categories } = summary
  return html`<section
    id="${SECTIONS.articles}"
    class="kb-overview-section"
    aria-labelledby="${SECTIONS.articles}-title"
  >
    <h2 id="${SECTIONS.articles}-title">Articles</h2>
    ${ages.medianDays === undefined ? '' : html`<p>${medianAge(ages.medianDays)}</p>`}
    <div class="kb-pair">
      ${ages.medianDays === undefined ? '' : ageFigure(ages, ageCharts)}
      ${categories.length === 0 ? '' : categoryList(summary)}
    </div>
  </section>`
}

function categoryList({ categories, brokenLinks, linkChecks }: StatusSummary): Html {
  // Nobody looked: none would be a claim.
  const isChecked = linkChecks.kind === 'on' || brokenLinks.total > 0
  const columns = categoryColumns().filter(({ name }) => isChecked || name !== 'Broken links')
  const listed = categories.slice(0, CATEGORIES_LISTED)
  return html`<div>
    <h3>By category</h3>
    ${dataTable('Articles by category', columns, listed)}
    ${listed.length < categories.length ? html`<p class="kb-note">The first ${formatNumber(listed.length)} of ${formatNumber(categories.length)} are shown.</p>` : ''}
  </div>`
}
