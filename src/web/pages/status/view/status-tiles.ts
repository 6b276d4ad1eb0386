import { html } from 'hono/html'
import { pluralize } from '../../../../core/pluralize.ts'
import { formatNumber } from '../../../../core/format-number.ts'
import type { Diagnostic } from '../../../../core/model/diagnostic.ts'
import type { Html } from '../../page-body.ts'
import type { StatusSummary } from '../../../dashboard/summary/summarize-status.ts'
import type { SyncSummary } from '../../../dashboard/summary/summarize-sync.ts'
import { hasArticleSection } from './article-section.ts'
import { SECTIONS } from './section-ids.ts'

interface Tile {
  readonly name: string
  readonly value: string
  readonly note: string
  readonly tone: 'plain' | 'good' | 'warn' | 'bad'
  /** Id of the section that tells more. */
  readonly section: string | undefined
}

/**
 * What matters, in a few large figures.
 *
 * @param problems of the files; undefined where the files are elsewhere
 */
export function statusTiles(summary: StatusSummary, problems: readonly Diagnostic[] | undefined): Html {
  const { sync } = summary
  const tiles = [
    ...(sync === undefined ? [] : [syncTile(sync)]),
    ...(problems === undefined ? [] : [problemTile(problems)]),
    reviewTile(summary),
    linkTile(summary),
    articleTile(summary),
  ]
  return html`<ul class="kb-tiles">
    ${tiles.map(tileItem)}
  </ul>`
}

function tileItem({ name, value, note, tone, section }: Tile): Html {
  const text = html`<span class="kb-tile-name">${name}</span> <strong>${value}</strong>
    <span class="kb-tile-note">${note}</span>`
  return html`<li class="kb-tile kb-tile-${tone}">
    ${section === undefined ? html`<span>${text}</span>` : html`<a href="#${section}">${text}</a>`}
  </li> `
}

function syncTile(sync: SyncSummary): Tile {
  const unsent = sync.failures.count + sync.heldBack.count
  const shown = { name: 'Sync', section: SECTIONS.sync }
  if (sync.state === 'offline')
    return { ...shown, value: 'Offline', note: `${pluralize(sync.pending, 'article')} waiting`, tone: 'bad' }
  if (unsent > 0) return { ...shown, value: formatNumber(unsent), note: 'not sent', tone: 'bad' }
  if (sync.state === 'syncing' || sync.lastSync === undefined || sync.pending > 0)
    return {
      ...shown,
      value: 'Syncing',
      note: `${pluralize(sync.pending, 'article')} waiting`,
      tone: 'plain',
    }
  const note = sync.orphans > 0 ? `${pluralize(sync.orphans, 'article')} without a file` : `on ${sync.target}`
  return { ...shown, value: 'Up to date', note, tone: sync.isClean ? 'good' : 'warn' }
}

function problemTile(problems: readonly Diagnostic[]): Tile {
  const errors = problems.filter(({ severity }) => severity === 'error').length
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
  const tone = total > 0 ? 'bad' : linkChecks.kind === 'on' ? 'good' : 'plain'
  return {
    name: 'Broken links',
    // Nobody looked: none would be a claim.
    value: total === 0 && linkChecks.kind === 'off' ? '–' : formatNumber(total),
    note: total > 0 ? articles : checks,
    tone,
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
