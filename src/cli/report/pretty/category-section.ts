import type { CategorySummary } from '../../../web/dashboard/summary/summarize-categories.ts'
import { TITLES } from '../section-titles.ts'
import type { Report } from '../../../inspect/report/report.ts'
import { pluralize } from '../../../core/pluralize.ts'
import { formatNumber } from '../../../core/format-number.ts'
import { formatTable } from '../../text/format-table.ts'
import type { PrettyView } from './pretty-view.ts'

const LISTED = 8

/** Totals by category: those with the most to do, or all by path. */
export function prettyCategories({ categories }: Report, view: PrettyView): string[] {
  const troubled = categories.filter((category) => workOf(category) > 0)
  const shown = view.verbose
    ? categories
    : troubled.toSorted((a, b) => workOf(b) - workOf(a)).slice(0, LISTED)
  // One category says what the whole says.
  if (categories.length < 2 || shown.length === 0) return []
  const rows = shown.map(({ category, articles, overdue, due, broken }) => [
    category,
    ...[articles, overdue, due, broken].map((count) => (count === 0 ? '-' : formatNumber(count))),
  ])
  const table = formatTable(COLUMNS, rows, view.columns - 2)
  const hidden = troubled.length - shown.length
  return [
    '',
    view.colors.bold(TITLES.categories),
    ...table
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    ...(view.verbose || hidden <= 0
      ? []
      : [`    and ${pluralize(hidden, 'more category', 'more categories')} (--verbose lists all)`]),
  ]
}

function workOf({ overdue, due, broken }: CategorySummary): number {
  return overdue + due + broken
}

const COLUMNS = [
  { title: 'Category', isFlexible: true },
  { title: 'Articles', align: 'right' },
  { title: 'Overdue', align: 'right' },
  { title: 'Due', align: 'right' },
  { title: 'Broken', align: 'right' },
] as const
