// The content of the page /status: tiles, each with a section.
import { html } from 'hono/html'
import { formatNumber } from '../../../core/format-number.ts'
import { type Diagnostic, countErrors } from '../../../core/model/diagnostic.ts'
import { pluralize } from '../../../core/pluralize.ts'
import type { DrawnCharts } from '../../dashboard/charts/draw-charts.ts'
import type {
  BrokenLinkEntry,
  LinkChecks,
  ReviewEntry,
  UnsentArticle,
} from '../../dashboard/status-source.ts'
import { hostName } from '../../dashboard/summary/host-of.ts'
import type { Listing } from '../../dashboard/summary/least.ts'
import { LINK_ORDERS, type LinkOrder } from '../../dashboard/summary/summarize-broken-links.ts'
import type { StatusSummary, SyncSummary } from '../../dashboard/summary/summarize-status.ts'
import {
  articleTitle,
  type DashboardLinks,
  dateElement,
  relativeDate,
  fileLine,
  timeElement,
  outerLink,
  shortText,
} from '../../dashboard/views/cells.ts'
import { type Column, listTable } from '../../dashboard/views/data-table.ts'
import {
  ageFigure,
  categoryColumns,
  describeSpread,
  linkFigures,
  medianAge,
  reviewFigures,
  reviewOverview,
} from '../../dashboard/views/figures.ts'
import type { DashboardSection, Tile } from '../../dashboard/views/sections.ts'
import type { Html } from '../../html.ts'
import { LIST_ID, type StatusChoice, statusHref } from './status-choice.ts'

const SECTIONS = {
  sync: '_kb-status-sync',
  problems: '_kb-all-problems',
  reviews: '_kb-status-reviews',
  links: '_kb-status-links',
  articles: '_kb-status-articles',
} as const

/** @param problems of the files; undefined if this process has no files */
export function statusTiles(summary: StatusSummary, problems: readonly Diagnostic[] | undefined): Tile[] {
  const { sync } = summary
  return [
    ...(sync === undefined ? [] : [syncTile(sync)]),
    ...(problems === undefined ? [] : [problemTile(problems)]),
    reviewTile(summary),
    linkTile(summary),
    articleTile(summary),
  ]
}

function syncTile(sync: SyncSummary): Tile {
  const unsent = sync.failures.total + sync.heldBack.total
  const waiting = `${pluralize(sync.pending, 'file')} waiting`
  const shown = { name: 'Sync', section: SECTIONS.sync }
  if (sync.state === 'offline') return { ...shown, value: 'Offline', note: waiting, tone: 'bad' }
  if (unsent > 0) return { ...shown, value: formatNumber(unsent), note: 'not sent', tone: 'bad' }
  if (sync.state === 'syncing' || sync.lastSync === undefined || sync.pending > 0)
    return { ...shown, value: 'Syncing', note: waiting, tone: 'plain' }
  const note = sync.orphans > 0 ? `${pluralize(sync.orphans, 'article')} without a file` : `on ${sync.target}`
  return { ...shown, value: 'Up to date', note, tone: sync.isClean ? 'good' : 'warn' }
}

function problemTile(problems: readonly Diagnostic[]): Tile {
  const errors = countErrors(problems)
  const warnings = problems.length - errors
  return {
    name: 'Problems in the files',
    value: formatNumber(problems.length),
    note: `${pluralize(errors, 'error')}, ${pluralize(warnings, 'warning')}`,
    tone: errors > 0 ? 'bad' : warnings > 0 ? 'warn' : 'good',
    section: problems.length > 0 ? SECTIONS.problems : undefined,
  }
}

function reviewTile({ reviews, dueWithinDays }: StatusSummary): Tile {
  const more = reviews.overdue > 0 ? ' more' : ''
  const due = reviews.due === 0 ? 'none' : `${formatNumber(reviews.due)}${more}`
  return {
    name: 'Reviews overdue',
    value: formatNumber(reviews.overdue),
    note: `${due} due within ${pluralize(dueWithinDays, 'day')}`,
    tone: reviews.overdue > 0 ? 'bad' : reviews.due > 0 ? 'warn' : 'good',
    section: SECTIONS.reviews,
  }
}

function linkTile({ brokenLinks, linkChecks }: StatusSummary): Tile {
  const { total, articleCount } = brokenLinks
  const checks = linkChecks.kind === 'on' ? `of ${pluralize(linkChecks.links, 'link')}` : 'not checked here'
  const articles =
    articleCount === undefined ? 'in many articles' : `in ${pluralize(articleCount, 'article')}`
  return {
    name: 'Broken links',
    // Nothing was checked, so "none" would be wrong.
    value: total === 0 && linkChecks.kind === 'off' ? '–' : formatNumber(total),
    note: total > 0 ? articles : checks,
    tone: total > 0 ? 'bad' : linkChecks.kind === 'on' ? 'good' : 'plain',
    section: SECTIONS.links,
  }
}

function articleTile(summary: StatusSummary): Tile {
  const { articles } = summary
  return {
    name: 'Articles',
    value: formatNumber(articles.published + articles.drafts),
    note: `${formatNumber(articles.published)} published, ${pluralize(articles.drafts, 'draft')}`,
    tone: 'plain',
    section: hasArticleSection(summary) ? SECTIONS.articles : undefined,
  }
}

/** Renders the state of the sync. */
export function syncSection(sync: SyncSummary, links: DashboardLinks): DashboardSection {
  const { lastSync, orphans } = sync
  return {
    id: SECTIONS.sync,
    heading: 'Sync',
    body: html`<p>
        ${describeSync(sync)}${lastSync === undefined ? '' : html` Last sync: ${timeElement(lastSync)}.`} Sent
        since the start: ${pluralize(sync.sent, 'article')}.
      </p>
      ${unsentTable('Could not be sent', sync.failures, links)}
      ${unsentTable('Held back because of errors', sync.heldBack, links)}
      ${orphans === 0 ? '' : html`<p>${pluralize(orphans, 'article')} on the target no longer ${orphans === 1 ? 'has' : 'have'} a file; <code>kb sync --prune</code> deletes ${orphans === 1 ? 'it' : 'them'}.</p>`}`,
  }
}

function describeSync(sync: SyncSummary): Html {
  const target = html`<strong>${shortText(sync.target)}</strong>`
  const waiting = `${pluralize(sync.pending, 'changed file')} ${sync.pending === 1 ? 'waits' : 'wait'}`
  switch (sync.state) {
    case 'offline':
      return html`The target ${target} does not respond. ${waiting}. Changes are kept and sent as soon as it
      responds.`
    case 'syncing':
      return html`Articles are being sent to ${target}. ${waiting}.`
    case 'synced':
      if (sync.lastSync === undefined) return html`The first sync with ${target} is not complete yet.`
      if (sync.pending > 0) return html`${waiting} to be sent to ${target}.`
      return sync.isClean
        ? html`The target ${target} is up to date with the files.`
        : html`The target ${target} is up to date, except for what is listed here.`
  }
}

function unsentTable(heading: string, rows: Listing<UnsentArticle>, links: DashboardLinks): Html | '' {
  if (rows.total === 0) return ''
  const columns: readonly Column<UnsentArticle>[] = [
    {
      name: 'Article',
      // For some articles, only the file is known.
      cell: ({ title, file, url, ...place }) =>
        html`${title === undefined ? '' : articleTitle({ title, url }, links)}${fileLine(links, file, place)}`,
    },
    { name: 'Reason', cell: ({ reason }) => shortText(reason) },
  ]
  return html`<h3>${heading} (${pluralize(rows.total, 'article')})</h3>
    ${listTable({ caption: heading, columns, rows })}`
}

/** Maximum number of entries in each list of reviews. */
export const ENTRIES_LISTED = 10

/** Renders the articles to review, with their dates. */
export function reviewSection(
  summary: StatusSummary,
  charts: DrawnCharts,
  links: DashboardLinks,
): DashboardSection {
  const { reviews, today, dueWithinDays } = summary
  const date: Column<ReviewEntry> = {
    name: 'Date',
    cell: (entry) =>
      html`${dateElement(entry.date)} <span class="kb-note">${relativeDate(entry.date, today)}</span>`,
    look: 'date',
  }
  const article: Column<ReviewEntry> = { name: 'Article', cell: (entry) => articleCell(entry, links) }
  const list = (caption: string, rows: Listing<ReviewEntry>, columns = [date, article]): Html | '' =>
    rows.entries.length === 0
      ? ''
      : html`<div>
          <h3>${caption}</h3>
          ${listTable({ caption, columns, rows })}
        </div>`
  const next = [...reviews.dueNext, ...reviews.laterNext].slice(0, ENTRIES_LISTED)
  return {
    id: SECTIONS.reviews,
    heading: 'Reviews',
    body: html`<p>${reviewOverview({ ...reviews, today, dueWithinDays })}</p>
      ${reviewFigures(summary, charts)}
      <div class="kb-pair">
        ${list('Longest overdue', { total: reviews.overdue, entries: reviews.longestOverdue })}
        ${list('Due next', { total: reviews.due + reviews.later, entries: next })}
        ${list('Without a date', { total: reviews.undated, entries: reviews.withoutDate }, [article])}
      </div>`,
  }
}

/** Renders an article's title, with its file below. */
function articleCell(
  entry: BrokenLinkEntry['article'] & Partial<ReviewEntry>,
  links: DashboardLinks,
  line?: number,
): Html {
  return html`${articleTitle(entry, links)}${entry.file === undefined ? '' : fileLine(links, entry.file, { line })}`
}

/** Renders broken links: target, article, and reason. */
export function linkSection(
  summary: StatusSummary,
  charts: DrawnCharts,
  choice: StatusChoice,
  links: DashboardLinks,
): DashboardSection {
  const { brokenLinks, linkChecks } = summary
  const { total } = brokenLinks
  const checks = describeChecks(linkChecks)
  const overview = `${pluralize(total, 'link')} ${total === 1 ? 'is' : 'are'} broken, ${describeSpread(brokenLinks)}.`
  const figures = linkFigures({
    summary: brokenLinks,
    charts: charts.hosts,
    hostCell: (host) => html`<a href="${statusHref({ ...choice, host })}">${hostName(host)}</a>`,
    articleCell: ({ article }) => articleCell(article, links),
  })
  return {
    id: SECTIONS.links,
    heading: 'Links',
    body:
      total === 0
        ? html`<p>No link is known to be broken. ${checks}</p>`
        : html`<p>${overview} ${checks}</p>
            ${figures} ${linkList(summary, choice, links)}`,
  }
}

function describeChecks(linkChecks: LinkChecks): Html {
  if (linkChecks.kind === 'off')
    return html`Links are not checked here. <code>kb serve</code> checks them in the background, unless this
      is switched off, and <code>kb check --external</code> checks them on request.`
  const { links, unchecked } = linkChecks
  const rest =
    unchecked === 0
      ? ''
      : ` ${formatNumber(unchecked)} of them ${unchecked === 1 ? 'has' : 'have'} not been checked yet.`
  return html`${pluralize(links, 'link')} ${links === 1 ? 'is' : 'are'} checked in the background.${rest}`
}

function linkList({ brokenLinks }: StatusSummary, choice: StatusChoice, links: DashboardLinks): Html {
  const { links: entries, matching } = brokenLinks
  const columns: readonly Column<BrokenLinkEntry>[] = [
    { name: 'Link', cell: ({ url }) => outerLink(url, shortText(url)), look: 'address' },
    { name: 'Reason', cell: ({ reason }) => shortText(reason) || 'not known' },
    { name: 'Article', cell: ({ article, line }) => articleCell(article, links, line) },
  ]
  const table = listTable({
    caption: 'Broken links',
    columns,
    rows: { total: matching, entries },
    look: 'kb-data-links',
    elsewhere: () => '. Choose a host above to see others.',
  })
  const { host } = choice
  return html`<h3 id="${LIST_ID}">
      ${host === undefined ? 'All broken links' : `Broken links to ${hostName(host)}`}
    </h3>
    <p class="kb-sorts">
      Sorted by ${LINK_ORDERS.map((order) => orderLink(order, choice))}
      ${host === undefined ? '' : html`<a href="${statusHref({ ...choice, host: undefined })}">All hosts</a>`}
    </p>
    ${matching === 0 ? html`<p>No link to ${hostName(host ?? '')} is known to be broken.</p>` : table}`
}

function orderLink(order: LinkOrder, choice: StatusChoice): Html {
  const current = order === choice.order ? html`aria-current="true"` : ''
  return html`<a href="${statusHref({ ...choice, order })}" ${current}>${order}</a> `
}

const CATEGORIES_LISTED = 200

function hasArticleSection({ ages, categories }: StatusSummary): boolean {
  return ages.medianDays !== undefined || categories.length > 0
}

/** Renders articles by category, and by the time since their last change; undefined if neither is known. */
export function articleSection(summary: StatusSummary, charts: DrawnCharts): DashboardSection | undefined {
  if (!hasArticleSection(summary)) return undefined
  const { ages, categories } = summary
  return {
    id: SECTIONS.articles,
    heading: 'Articles',
    body: html`${ages.medianDays === undefined ? '' : html`<p>${medianAge(ages)}</p>`}
      <div class="kb-pair">
        ${ages.medianDays === undefined ? '' : ageFigure(ages, charts.ages)}
        ${categories.length === 0 ? '' : categoryList(summary)}
      </div>`,
  }
}

function categoryList({ categories, brokenLinks, linkChecks }: StatusSummary): Html {
  // Nothing was checked, so "none" would be wrong.
  const isChecked = linkChecks.kind === 'on' || brokenLinks.total > 0
  return html`<div>
    <h3>By category</h3>
    ${listTable({
      caption: 'Articles by category',
      columns: categoryColumns().filter(({ name }) => isChecked || name !== 'Broken links'),
      rows: { total: categories.length, entries: categories },
      rowLimit: CATEGORIES_LISTED,
    })}
  </div>`
}
