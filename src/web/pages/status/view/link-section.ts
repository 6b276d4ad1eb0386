import { html } from 'hono/html'
import { pluralize } from '../../../../core/pluralize.ts'
import { formatNumber } from '../../../../core/format-number.ts'
import { escapeControlInLine } from '../../../../core/escape-control.ts'
import type { Html } from '../../page-body.ts'
import { hostName } from '../../../dashboard/host-name.ts'
import type { BrokenLinkEntry, LinkChecks } from '../../../dashboard/status-source.ts'
import {
  LINK_ORDERS,
  type LinkGroup,
  type LinkOrder,
} from '../../../dashboard/summary/summarize-broken-links.ts'
import type { StatusSummary } from '../../../dashboard/summary/summarize-status.ts'
import { articleCell, type FileCell } from './article-cell.ts'
import { chartFigure } from './chart-figure.ts'
import { dataTable } from './data-table.ts'
import { type StatusChoice, statusHref } from './status-choice.ts'
import { outerLink } from './safe-link.ts'
import { SECTIONS } from './section-ids.ts'

/** Links that lead nowhere: to whom, from where, and why. */
export function linkSection(
  summary: StatusSummary,
  charts: readonly string[],
  choice: StatusChoice,
  fileCell: FileCell,
): Html {
  const { brokenLinks, linkChecks } = summary
  const body =
    brokenLinks.total === 0
      ? html`<p>No link is known to be broken. ${checks(linkChecks)}</p>`
      : html`<p>${overview(summary)} ${checks(linkChecks)}</p>
          <div class="kb-pair">${hostFigure(summary, charts, choice)}${articleList(summary, fileCell)}</div>
          ${linkList(summary, choice, fileCell)}`
  return html`<section
    id="${SECTIONS.links}"
    class="kb-overview-section"
    aria-labelledby="${SECTIONS.links}-title"
  >
    <h2 id="${SECTIONS.links}-title">Links</h2>
    ${body}
  </section>`
}

function overview({ brokenLinks: { total, hostCount, articleCount } }: StatusSummary): string {
  const verb = total === 1 ? 'is' : 'are'
  const places = [
    articleCount === undefined ? 'in many articles' : `in ${pluralize(articleCount, 'article')}`,
    hostCount === undefined ? 'to many hosts' : `to ${pluralize(hostCount, 'host')}`,
  ]
  return `${pluralize(total, 'link')} ${verb} broken, ${places.join(', ')}.`
}

function checks(linkChecks: LinkChecks): Html {
  if (linkChecks.kind === 'off')
    return html`Links are not checked here: <code>kb serve</code> does that in the background unless it is
      told not to, <code>kb check --external</code> whenever you ask.`
  const { links, unchecked } = linkChecks
  const rest =
    unchecked === 0
      ? ''
      : ` ${formatNumber(unchecked)} of them ${unchecked === 1 ? 'has' : 'have'} not been looked at yet.`
  return html`${pluralize(links, 'link')} ${links === 1 ? 'is' : 'are'} checked in the background.${rest}`
}

function hostFigure({ brokenLinks }: StatusSummary, charts: readonly string[], choice: StatusChoice): Html {
  const columns = [
    {
      name: 'Host',
      cell: ({ key }: LinkGroup) =>
        html`<a href="${statusHref({ ...choice, host: key })}">${hostName(key)}</a>`,
      look: 'address',
    },
    { name: 'Links', cell: linkCount, look: 'number' },
  ] as const
  return chartFigure({
    id: '_kb-status-hosts',
    caption: 'By host',
    charts,
    table: dataTable('Broken links by host', columns, brokenLinks.hosts, 'kb-data-figures'),
  })
}

function articleList({ brokenLinks: { articles } }: StatusSummary, fileCell: FileCell): Html {
  const columns = [
    { name: 'Article', cell: ({ first }: LinkGroup) => articleOf(first, fileCell) },
    { name: 'Links', cell: linkCount, look: 'number' },
  ] as const
  return html`<div>
    <h3>Articles with the most</h3>
    ${dataTable('Articles with the most broken links', columns, articles, 'kb-data-figures')}
  </div>`
}

function articleOf([entry]: readonly BrokenLinkEntry[], fileCell: FileCell): Html | '' {
  return entry === undefined ? '' : articleCell(entry.article, fileCell)
}

function linkCount({ count, isExact }: LinkGroup): string {
  return `${isExact ? '' : '≥ '}${formatNumber(count)}`
}

function linkList({ brokenLinks }: StatusSummary, choice: StatusChoice, fileCell: FileCell): Html {
  const { links, matching } = brokenLinks
  const columns = [
    {
      name: 'Link',
      cell: ({ url }: BrokenLinkEntry) => outerLink(url, escapeControlInLine(url)),
      look: 'address',
    },
    { name: 'Reason', cell: ({ reason }: BrokenLinkEntry) => escapeControlInLine(reason) || 'not known' },
    {
      name: 'Article',
      cell: ({ article, line }: BrokenLinkEntry) => articleCell({ ...article, line }, fileCell),
    },
  ] as const
  return html`<h3 id="${SECTIONS.list}">
      ${choice.host === undefined ? 'All broken links' : `Broken links to ${hostName(choice.host)}`}
    </h3>
    <p class="kb-sorts">
      Sorted by ${LINK_ORDERS.map((order) => orderLink(order, choice))}
      ${choice.host === undefined ? '' : html`<a href="${statusHref({ ...choice, host: undefined })}">All hosts</a>`}
    </p>
    ${matching === 0 ? html`<p>No link to ${hostName(choice.host ?? '')} is known to be broken.</p>` : dataTable('Broken links', columns, links, 'kb-data-links')}
    ${links.length < matching ? html`<p class="kb-note">The first ${formatNumber(links.length)} of ${formatNumber(matching)} are shown. Choose a host above to see others.</p>` : ''}`
}

function orderLink(order: LinkOrder, choice: StatusChoice): Html {
  const current = order === choice.order ? html`aria-current="true"` : ''
  return html`<a href="${statusHref({ ...choice, order })}" ${current}>${order}</a> `
}
