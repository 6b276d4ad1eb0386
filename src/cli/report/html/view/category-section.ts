import type { CategorySummary } from '../../../../web/dashboard/summary/summarize-categories.ts'
import { categoryColumns } from '../../../../web/pages/status/view/category-columns.ts'
import type { Report } from '../../../../inspect/report/report.ts'
import { formatNumber } from '../../../../core/format-number.ts'
import { TITLES } from '../../section-titles.ts'
import type { ReportSection } from './report-section.ts'
import { reportTable } from './report-table.ts'
import type { ReportView } from './report-view.ts'
import { shortText } from './short-text.ts'

/** The totals of each category; an article in two categories counts in both. */
export function categorySection({ categories }: Report, view: ReportView): ReportSection | undefined {
  if (categories.length === 0) return undefined
  const entries = categories.map(({ category, ...totals }) => ({ ...totals, category: shortText(category) }))
  return {
    name: 'categories',
    heading: TITLES.categories,
    count: formatNumber(categories.length),
    body: reportTable<CategorySummary>({
      caption: TITLES.categories,
      columns: categoryColumns(),
      rows: { total: categories.length, entries },
      rowLimit: view.rowLimit,
      look: 'report-figures',
    }),
  }
}
