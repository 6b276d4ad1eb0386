import { html } from 'hono/html'
import type { CategorySummary } from '../../../dashboard/summary/summarize-categories.ts'
import { formatNumber } from '../../../../core/format-number.ts'
import { escapeControlInLine } from '../../../../core/escape-control.ts'
import type { Html } from '../../page-body.ts'
import type { Column } from './data-table.ts'

/** What is told of each category. */
export function categoryColumns(): readonly Column<CategorySummary>[] {
  return [
    { name: 'Category', cell: ({ category }) => pathOf(category) },
    figure('Articles', ({ articles }) => articles),
    figure('Overdue', ({ overdue }) => overdue),
    figure('Due', ({ due }) => due),
    figure('Broken links', ({ broken }) => broken),
  ]
}

function figure(name: string, count: (category: CategorySummary) => number): Column<CategorySummary> {
  return { name, cell: (each) => formatNumber(count(each)), look: 'number' }
}

/** A long path is broken between its names. */
function pathOf(category: string): Html {
  return html`<bdi
    >${escapeControlInLine(category)
      .split('/')
      .map((name, index) => (index === 0 ? name : html`/<wbr />${name}`))}</bdi
  >`
}
