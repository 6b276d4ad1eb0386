import { html } from 'hono/html'
import { hostName } from '../../../../web/dashboard/host-name.ts'
import type { LinkGroup } from '../../../../web/dashboard/summary/summarize-broken-links.ts'
import type { Html } from '../../../../web/pages/page-body.ts'
import { chartFigure } from '../../../../web/pages/status/view/chart-figure.ts'
import type { LinkFinding, Report } from '../../../../inspect/report/report.ts'
import { pluralize } from '../../../../core/pluralize.ts'
import { formatNumber } from '../../../../core/format-number.ts'
import { acceptedLast, acceptedOf } from '../../accepted.ts'
import { TITLES } from '../../section-titles.ts'
import { ACCEPTED, reportArticleCell, filelessArticleCell, titleKey } from './article-cell.ts'
import { addressCell, addressSortKey, placesCell } from './link-cells.ts'
import type { ReportSection } from './report-section.ts'
import { reportTable } from './report-table.ts'
import type { ReportView } from './report-view.ts'
import { shortText } from './short-text.ts'

/** Articles that are named before the list of all links. */
const WORST = 10

/** Links that the target calls broken: to whom, from which article, and where they stand in its file. */
export function reportLinkSection(
  report: Report,
  charts: readonly string[],
  view: ReportView,
): ReportSection {
  const { links, counts } = report
  const worst = links.summary.articles.slice(0, WORST)
  return {
    name: 'links',
    heading: TITLES.broken,
    count: formatNumber(counts.broken),
    body:
      counts.broken === 0
        ? html`<p>${overview(report)}</p>`
        : html`<p>${overview(report)}</p>
            <div class="kb-pair">
              ${hostFigure(report, charts, view)}
              <div>
                <h3>Articles with the most</h3>
                ${linkGroupTable({
                  caption: 'Articles with the most broken links',
                  name: 'Article',
                  cell: ({ first: [entry] }) =>
                    entry === undefined ? '' : reportArticleCell(entry.article, view),
                  groups: worst,
                  total: worst.length,
                })}
              </div>
            </div>
            <h3>All broken links (${formatNumber(links.broken.total)})</h3>
            ${linkTable(report, view)}`,
  }
}

function overview({ counts, links }: Report): string {
  const { broken, acceptedBroken, brokenHere, ignoredLinks } = counts
  const ignored =
    ignoredLinks === 0
      ? ''
      : ` ${pluralize(ignoredLinks, 'link')} ${ignoredLinks === 1 ? 'is' : 'are'} ignored.`
  const all = `The target lists ${pluralize(counts.links, 'link')}`
  const here =
    brokenHere === 0
      ? ''
      : ` Seen from here, ${pluralize(brokenHere, 'link')} that it calls working ${brokenHere === 1 ? 'is' : 'are'} broken.`
  if (broken === 0) return `${all} and calls none of them broken.${here}${ignored}`
  const { hostCount, articleCount } = links.summary
  const articles =
    articleCount === undefined ? 'in many articles' : `in ${pluralize(articleCount, 'article')}`
  const hosts = hostCount === undefined ? 'to many hosts' : `to ${pluralize(hostCount, 'host')}`
  return `${all}; ${formatNumber(broken)} ${broken === 1 ? 'is' : 'are'} broken${acceptedOf(acceptedBroken, broken)}, ${articles}, ${hosts}.${here}${ignored}`
}

function hostFigure({ links }: Report, charts: readonly string[], view: ReportView): Html {
  const { hosts, hostCount } = links.summary
  return chartFigure({
    id: 'chart-hosts',
    caption: 'By host',
    charts,
    table: linkGroupTable({
      caption: TITLES.hosts,
      name: 'Host',
      cell: ({ key }) => shortText(hostName(key)),
      groups: hosts.slice(0, view.rowLimit),
      total: hostCount ?? hosts.length,
    }),
  })
}

function linkTable({ links }: Report, view: ReportView): Html {
  return reportTable<LinkFinding>({
    caption: 'Broken links',
    columns: [
      {
        name: 'Address',
        cell: ({ url, isAccepted }) => html`${addressCell(url)}${isAccepted ? ACCEPTED : ''}`,
        key: addressSortKey,
        look: 'address',
      },
      {
        name: 'Article',
        cell: ({ article }) => filelessArticleCell(article),
        key: ({ article }) => titleKey(article),
      },
      { name: 'Place', cell: (link) => placesCell(link, view) },
    ],
    rows: { ...links.broken, entries: acceptedLast(links.broken.entries) },
    rowLimit: view.rowLimit,
    look: 'report-links',
  })
}

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
function linkGroupTable({ caption, name, cell, groups, total }: GroupTable): Html {
  return reportTable<LinkGroup<LinkFinding>>({
    caption,
    columns: [
      { name, cell, look: 'address' },
      {
        name: 'Links',
        cell: ({ count, isExact }) => `${isExact ? '' : '≥ '}${formatNumber(count)}`,
        look: 'number',
      },
    ],
    rows: { total, entries: groups },
    rowLimit: groups.length,
    look: 'kb-data-figures',
  })
}
