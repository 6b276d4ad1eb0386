import { hostName } from '../../../web/dashboard/host-name.ts'
import type { Report } from '../../../inspect/report/report.ts'
import { grouped } from '../../../core/grouped.ts'
import { escapeMarkdown } from '../../markdown/escape-markdown.ts'
import type { Section } from '../../markdown/limit-sections.ts'
import { acceptedLast, acceptedOf } from '../accepted.ts'
import { groupBroken } from '../group-broken.ts'
import { TITLES } from '../section-titles.ts'
import { addressCell, articleCell, articlesCell, type MarkdownPlaces, placesCell } from './markdown-cells.ts'
import { LISTED, tableSections } from './markdown-table.ts'

/** Broken links by article and by host, and those that are seen in two ways. */
export function linkTables(report: Report, how: MarkdownPlaces): Section[] {
  return [...brokenTable(report, how), ...hostTable(report), ...disagreementTable(report, how)]
}

function brokenTable({ links: { broken }, counts }: Report, how: MarkdownPlaces): Section[] {
  const groups = groupBroken(broken.entries)
  return tableSections({
    title: `${TITLES.broken}: ${grouped(broken.total)}${acceptedOf(counts.acceptedBroken, broken.total)}`,
    total: broken.total,
    entries: acceptedLast(groups.flatMap(({ spots }) => spots)),
    countOf: ({ links }) => links,
    listed: LISTED.wrong,
    noun: 'link',
    columns: ['Article', 'Address', 'Place'],
    cells: (spot) => [
      articlesCell(spot.articles),
      `${addressCell(spot.url)}${spot.isAccepted ? '<br>accepted' : ''}`,
      placesCell(spot, how),
    ],
  })
}

/** One host says what the whole says. */
function hostTable({ links }: Report): Section[] {
  const { hosts, hostCount = hosts.length } = links.summary
  return tableSections({
    title: TITLES.hosts,
    total: hostCount > 1 ? hostCount : 0,
    entries: hosts,
    listed: LISTED.hosts,
    noun: 'host',
    columns: ['Host', { title: 'Links', align: 'right' }],
    cells: ({ key, count, isExact }) => [
      escapeMarkdown(hostName(key)),
      `${isExact ? '' : 'at least '}${grouped(count)}`,
    ],
  })
}

function disagreementTable({ links: { disagreements } }: Report, how: MarkdownPlaces): Section[] {
  return tableSections({
    title: `${TITLES.disagreements}: ${grouped(disagreements.total)}`,
    ...disagreements,
    listed: LISTED.other,
    noun: 'link',
    columns: ['Article', 'Address', 'For the target', 'Seen from here', 'Place'],
    cells: (entry) => [
      articleCell(entry.article),
      addressCell(entry.url),
      entry.targetSays === 'works' ? 'works' : 'is broken',
      escapeMarkdown(entry.reason),
      placesCell(entry, how),
    ],
  })
}
