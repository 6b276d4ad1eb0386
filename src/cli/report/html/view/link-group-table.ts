import type { LinkGroup } from '../../../../web/dashboard/summary/summarize-broken-links.ts'
import type { Html } from '../../../../web/pages/page-body.ts'
import type { LinkFinding } from '../../../../inspect/report/report.ts'
import { grouped } from '../../../../core/grouped.ts'
import { reportTable } from './report-table.ts'

interface GroupTable {
  readonly caption: string
  /** Of the first column. */
  readonly name: string
  readonly cell: (group: LinkGroup<LinkFinding>) => Html | string
  /** Most first. */
  readonly groups: readonly LinkGroup<LinkFinding>[]
  /** All there are. */
  readonly total: number
}

/** Hosts, or articles, with their number of broken links. */
export function linkGroupTable({ caption, name, cell, groups, total }: GroupTable): Html {
  return reportTable<LinkGroup<LinkFinding>>({
    caption,
    columns: [
      { name, cell, look: 'address' },
      {
        name: 'Links',
        cell: ({ count, isExact }) => `${isExact ? '' : '≥ '}${grouped(count)}`,
        look: 'number',
      },
    ],
    rows: { total, entries: groups },
    rowLimit: groups.length,
    look: 'kb-data-figures',
  })
}
