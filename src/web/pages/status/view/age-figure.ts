import type { AgeBand, AgeSummary } from '../../../dashboard/summary/summarize-ages.ts'
import { pluralize } from '../../../../core/pluralize.ts'
import { formatNumber } from '../../../../core/format-number.ts'
import type { Html } from '../../page-body.ts'
import { chartFigure } from './chart-figure.ts'
import { dataTable } from './data-table.ts'

/** How old half of the articles are, in a sentence. */
export function medianAge(days: number): string {
  return days === 0
    ? 'Half of the articles were changed today.'
    : `Half of the articles were changed within the last ${days === 1 ? 'day' : pluralize(days, 'day')}.`
}

/** Articles by the time since their last change. */
export function ageFigure(ages: AgeSummary, charts: readonly string[]): Html {
  const columns = [
    { name: 'Last change', cell: ({ label }: AgeRow) => label },
    { name: 'Articles', cell: ({ count }: AgeRow) => formatNumber(count), look: 'number' },
  ] as const
  const unknown = ages.unknown === 0 ? [] : [{ label: 'not known', count: ages.unknown }]
  return chartFigure({
    id: '_kb-status-ages',
    caption: 'By time since the last change',
    charts,
    table: dataTable(
      'Articles by time since the last change',
      columns,
      [...ages.bands, ...unknown],
      'kb-data-figures',
    ),
  })
}

type AgeRow = Pick<AgeBand, 'label' | 'count'>
