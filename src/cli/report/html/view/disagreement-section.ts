import type { LinkDisagreement, Report } from '../../../../inspect/report/report.ts'
import { formatNumber } from '../../../../core/format-number.ts'
import { TITLES } from '../../section-titles.ts'
import { filelessArticleCell, titleKey } from './article-cell.ts'
import { addressCell, addressSortKey, placesCell } from './link-cells.ts'
import type { ReportSection } from './report-section.ts'
import { reportTable } from './report-table.ts'
import type { ReportView } from './report-view.ts'
import { shortText } from './short-text.ts'

/** Links that the target and the local check see in two ways. */
export function disagreementSection({ links, counts }: Report, view: ReportView): ReportSection | undefined {
  const { disagreements } = links
  if (disagreements.total === 0) return undefined
  return {
    name: 'disagreements',
    heading: TITLES.disagreements,
    count: formatNumber(counts.disagreements),
    body: reportTable<LinkDisagreement>({
      caption: TITLES.disagreements,
      columns: [
        {
          name: 'Address',
          cell: ({ url }) => addressCell(url),
          key: addressSortKey,
          look: 'address',
        },
        {
          name: 'For the target',
          cell: ({ targetSays }) => (targetSays === 'works' ? 'works' : 'is broken'),
          isNamed: true,
        },
        { name: 'Seen from here', cell: ({ reason }) => shortText(reason), isNamed: true },
        {
          name: 'Article',
          cell: ({ article }) => filelessArticleCell(article),
          key: ({ article }) => titleKey(article),
        },
        { name: 'Place', cell: (link) => placesCell(link, view) },
      ],
      rows: disagreements,
      rowLimit: view.rowLimit,
      look: 'report-disagreements',
    }),
  }
}
