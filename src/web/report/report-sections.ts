// The content of the HTML report: tiles, and a section for each kind of finding.
import { html } from 'hono/html'
import { formatNumber } from '../../core/format-number.ts'
import { pluralize } from '../../core/pluralize.ts'
import type { DrawnCharts } from '../dashboard/charts/draw-charts.ts'
import { NO_TITLE } from '../dashboard/status-source.ts'
import { hostName } from '../dashboard/summary/host-of.ts'
import type { Listing } from '../dashboard/summary/least.ts'
import {
  articleTitle,
  type DashboardLinks,
  dateElement,
  fileLine,
  mailLink,
  timeElement,
  note,
  outerLink,
  shortText,
} from '../dashboard/views/cells.ts'
import { type Column, listTable, numberColumn } from '../dashboard/views/data-table.ts'
import {
  ageFigure,
  categoryColumns,
  describeSpread,
  linkFigures,
  medianAge,
  reviewFigures,
  reviewOverview,
  trendFigures,
} from '../dashboard/views/figures.ts'
import type { DashboardSection, Tile } from '../dashboard/views/sections.ts'
import type { Html } from '../html.ts'
import type { ChangedLink, HistoryPoint, Owner, Report, ReportCounts } from './report.ts'
import {
  type RowCell,
  filledColumns,
  inReadingOrder,
  type ReportRow,
  type RowArticle,
  type RowSection,
  type RowSectionName,
  sectionOf,
  toBrokenRow,
} from './report-rows.ts'
import { acceptedOf, describeExceeded, describeNowhere, listAdvice } from './report-words.ts'

interface ReportLook {
  /** Maximum number of rows in one table. */
  readonly rowLimit: number
  readonly links: DashboardLinks
}

export interface ReportSection extends DashboardSection {
  /** Shown after the heading in the navigation. */
  readonly count?: string
}

export function reportSections(report: Report, charts: DrawnCharts, look: ReportLook): ReportSection[] {
  return [
    limitSection(report),
    adviceSection(report),
    noteSection(report),
    changeSection(report, charts),
    reviewSection(report, charts, look),
    brokenSection(report, charts, look),
    rowsSection(report, 'disagreements', look),
    rowsSection(report, 'unowned', look, unownedIntro),
    rowsSection(report, 'translations', look),
    rowsSection(report, 'redirects', look, redirectIntro),
    categorySection(report, look),
    ageSection(report, charts),
  ].filter((section) => section !== undefined)
}

/** Explains why the command ended with exit code 1. */
function limitSection({ exceeded }: Report): ReportSection | undefined {
  if (exceeded.length === 0) return undefined
  return {
    id: 'limits',
    heading: 'Limits exceeded',
    count: formatNumber(exceeded.length),
    body: sentenceList(exceeded.map(describeExceeded)),
  }
}

function adviceSection(report: Report): ReportSection | undefined {
  const advice = listAdvice(report)
  return advice.length === 0 ? undefined : { id: 'advice', heading: 'What to do', body: sentenceList(advice) }
}

const NOTES_SHOWN = 50

/** Maximum length of a note, which may contain several URLs. */
const NOTE_LENGTH = 2000

function noteSection({ notes }: Report): ReportSection | undefined {
  if (notes.length === 0) return undefined
  const rest = notes.length - NOTES_SHOWN
  return {
    id: 'notes',
    heading: 'Notes',
    count: formatNumber(notes.length),
    body: html`${sentenceList(notes.slice(0, NOTES_SHOWN).map((each) => shortText(each, NOTE_LENGTH)))}
    ${rest > 0 ? html`<p class="kb-note">And ${pluralize(rest, 'more note')}.</p>` : ''}`,
  }
}

function sentenceList(sentences: readonly string[]): Html {
  return html`<ul>
    ${sentences.map((sentence) => html`<li>${sentence}</li> `)}
  </ul>`
}

function changeSection({ changes, history }: Report, charts: DrawnCharts): ReportSection | undefined {
  if (changes === undefined && history.length < 2) return undefined
  return {
    id: 'changes',
    heading: 'Since the last report',
    body: html`${changes === undefined ? '' : changeLists(changes)}
    ${history.length < 2 ? '' : historyFigures(history, charts)}`,
  }
}

function changeLists(changes: NonNullable<Report['changes']>): Html {
  const lists = [
    changeList('Newly overdue', changes.newlyOverdue, changedArticle),
    changeList('No longer overdue', changes.reviewed, changedArticle),
    changeList('Newly broken links', changes.newlyBroken, changedLink),
    changeList('Links no longer broken', changes.fixed, changedLink),
  ].filter((list) => list !== '')
  const sentence = lists.length === 0 ? 'Nothing has changed since' : 'Changes since'
  return html`<p>${sentence} ${timeElement(changes.since)}.</p>
    <div class="kb-pair">${lists}</div>`
}

/** Maximum number of entries in a list of changes. */
const CHANGES_SHOWN = 50

function changeList<T>(heading: string, { total, entries }: Listing<T>, name: (entry: T) => Html): Html | '' {
  if (total === 0) return ''
  const shown = entries.slice(0, CHANGES_SHOWN)
  const rest = total - shown.length
  return html`<div>
    <h3>${heading} (${formatNumber(total)})</h3>
    <ul class="report-names">
      ${shown.map((entry) => html`<li>${name(entry)}</li> `)}
    </ul>
    ${rest > 0 ? html`<p class="kb-note">${formatNumber(rest)} more.</p>` : ''}
  </div> `
}

function changedArticle(article: string): Html {
  return html`<bdi>${shortText(article) || NO_TITLE}</bdi>`
}

function changedLink({ article, url }: ChangedLink): Html {
  return html`${addressLink(url)} <span class="kb-note">in ${changedArticle(article)}</span>`
}

function historyFigures(history: readonly HistoryPoint[], charts: DrawnCharts): Html {
  const newestFirst = history.toReversed()
  const columns: readonly Column<HistoryPoint>[] = [
    { name: 'Report', cell: ({ at }) => timeElement(at), look: 'date' },
    numberColumn('Overdue', ({ overdue }) => overdue),
    numberColumn('Due', ({ due }) => due),
    numberColumn('Broken links', ({ broken }) => broken),
    numberColumn('Without a file', ({ unowned }) => unowned),
    numberColumn('Outdated translations', ({ outdatedTranslations }) => outdatedTranslations),
  ]
  const table = listTable({
    caption: 'Figures of earlier reports',
    columns,
    rows: { total: newestFirst.length, entries: newestFirst },
    look: 'report-figures',
  })
  const captions = ['Overdue reviews', 'Broken links']
  return trendFigures(
    charts.history.map((chart, index) => ({ chart, caption: captions[index] ?? '' })),
    table,
  )
}

function reviewSection(report: Report, charts: DrawnCharts, look: ReportLook): ReportSection {
  const { reviews, counts, today, dueWithinDays } = report
  const accepted = acceptedOf(counts.acceptedOverdue, counts.overdue)
  const figures = { today, dueWithinDays, span: reviews.span, reviews: reviews.summary }
  const list = (name: RowSectionName, isFolded = false): Html | '' => {
    const section = sectionOf(report, name)
    const heading = `${section.title} (${formatNumber(section.total)})`
    if (section.total === 0) return ''
    return isFolded
      ? html`<details class="report-fold">
          <summary>${heading}</summary>
          ${rowTable(section, name, look)}
        </details>`
      : html`<h3>${heading}</h3>
          ${rowTable(section, name, look)}`
  }
  return {
    id: 'reviews',
    heading: 'Reviews',
    count: formatNumber(counts.overdue + counts.due),
    body: html`<p>${reviewOverview({ ...counts, today, dueWithinDays, accepted })}</p>
      ${reviewFigures(figures, charts)} ${list('overdue')} ${list('due')} ${list('undated', true)}
      ${list('later', true)} ${list('never', true)}`,
  }
}

/** Renders the links that the target reports as broken: URL, article, and positions in its file. */
function brokenSection(report: Report, { hosts }: DrawnCharts, look: ReportLook): ReportSection {
  const { counts, links } = report
  const section = sectionOf(report, 'broken')
  const lists =
    counts.broken === 0
      ? ''
      : html`${linkFigures({
            summary: links.summary,
            charts: hosts,
            hostLimit: look.rowLimit,
            hostCell: (host) => shortText(hostName(host)),
            articleCell: (entry) => {
              const row = toBrokenRow(entry)
              return html`${articleTitle(row.article, look.links)}${articleFile(row.article, look)}
              ${ownerLine(row.article.owners)}`
            },
          })}
          <h3>All broken links (${formatNumber(section.total)})</h3>
          ${rowTable(section, 'broken', look)}`
  return {
    id: 'links',
    heading: section.title,
    count: formatNumber(counts.broken),
    body: html`<p>${linkOverview(report)}</p>
      ${lists}`,
  }
}

function linkOverview({ counts, links }: Report): string {
  const { broken, acceptedBroken, brokenHere, ignoredLinks } = counts
  const all = `The target lists ${pluralize(counts.links, 'link')}`
  const found =
    broken === 0
      ? `${all} and reports none of them as broken.`
      : `${all}; ${formatNumber(broken)} ${broken === 1 ? 'is' : 'are'} broken${acceptedOf(acceptedBroken, broken)}, ${describeSpread(links.summary)}.`
  const here =
    brokenHere === 0
      ? ''
      : ` In the local check, ${pluralize(brokenHere, 'link')} that it reports as working ${brokenHere === 1 ? 'is' : 'are'} broken.`
  const ignored =
    ignoredLinks === 0
      ? ''
      : ` ${pluralize(ignoredLinks, 'link')} ${ignoredLinks === 1 ? 'is' : 'are'} ignored.`
  return `${found}${here}${ignored}`
}

function unownedIntro({ counts }: Report): Html {
  const least = counts.isUnownedExact ? '' : 'At least '
  const verb = counts.unowned === 1 ? 'is' : 'are'
  return html`<p>
    ${least}${pluralize(counts.unowned, 'article')} ${verb} on the target without a file.
    <code>kb pull</code> creates files for those that you want to keep, <code>kb sync --prune</code> deletes
    those that kb-sync created.
  </p>`
}

function redirectIntro(): Html {
  return html`<p>Readers still follow these URLs to pages that have another one now.</p>`
}

/** Renders a section with one table; nothing if that is empty. */
function rowsSection(
  report: Report,
  name: RowSectionName,
  look: ReportLook,
  intro: (report: Report) => Html | '' = () => '',
): ReportSection | undefined {
  const section = sectionOf(report, name)
  if (section.total === 0) return undefined
  return {
    id: name,
    heading: section.title,
    count: `${section.isExact ? '' : '≥ '}${formatNumber(section.total)}`,
    body: html`${intro(report)}${rowTable(section, name, look)}`,
  }
}

/** Renders the totals of each category. An article in two categories counts in both. */
function categorySection({ categories }: Report, look: ReportLook): ReportSection | undefined {
  if (categories.length === 0) return undefined
  return {
    id: 'categories',
    heading: 'By category',
    count: formatNumber(categories.length),
    body: listTable({
      caption: 'By category',
      columns: categoryColumns(),
      rows: { total: categories.length, entries: categories },
      rowLimit: look.rowLimit,
      look: 'report-figures',
    }),
  }
}

/** Renders the time since the last change of the files; nothing if git does not know. */
function ageSection({ ages }: Report, charts: DrawnCharts): ReportSection | undefined {
  if (ages?.medianDays === undefined) return undefined
  return {
    id: 'ages',
    heading: 'Age of the articles',
    body: html`<p>${medianAge(ages)}</p>
      ${ageFigure(ages, charts.ages)}`,
  }
}

/** Renders a table that the report's script makes sortable. It is complete without the script. */
function rowTable(section: RowSection, name: RowSectionName, look: ReportLook): Html {
  const { title, total, rows } = section
  const columns = filledColumns(section, rows).map(({ cellOf, ...column }): Column<ReportRow> => ({
    ...column,
    cell: (row) => cellHtml(cellOf(row), row, look),
    key: (row) => sortKey(cellOf(row), row),
  }))
  return listTable({
    caption: title,
    columns,
    rows: { total, entries: inReadingOrder(rows) },
    rowLimit: look.rowLimit,
    look: LOOKS[name],
    elsewhere: (entries) => describeElsewhere(entries, Math.min(entries, look.rowLimit), total),
  })
}

const LOOKS: Readonly<Record<RowSectionName, string>> = {
  overdue: 'report-reviews',
  due: 'report-reviews',
  later: 'report-reviews',
  never: 'report-reviews',
  undated: 'report-reviews',
  broken: 'report-links',
  disagreements: 'report-disagreements',
  translations: 'report-translations',
  redirects: 'report-redirects',
  unowned: 'report-unowned',
}

function describeElsewhere(entries: number, shown: number, total: number): Html | string {
  if (shown === entries) return '; the others were only counted.'
  const rest = entries === total ? 'all of them' : `the first ${formatNumber(entries)}`
  return html`; <code>kb report --format csv</code> lists ${rest}.`
}

const ACCEPTED = html` <span class="kb-badge report-accepted">accepted</span>`

function cellHtml(cell: RowCell, row: ReportRow, look: ReportLook): Html | string {
  const { article, isAccepted, remark, url } = row
  switch (cell.kind) {
    case 'text':
      return shortText(cell.text)
    case 'code':
      return html`<code>${shortText(cell.text)}</code>`
    case 'names':
      return html`${cell.names.map((name) => html`<div><bdi>${shortText(name)}</bdi></div> `)}`
    case 'date': {
      const { date, note: distance } = cell
      if (date === undefined) return distance
      return distance === ''
        ? dateElement(date)
        : html`${dateElement(date)} <span class="kb-note">${distance}</span>`
    }
    case 'file':
      return html`${fileLine(look.links, cell.file)}
      ${cell.command === '' ? '' : note(html`See <code>${shortText(cell.command)}</code>`)}`
    case 'address':
      return html`${addressLink(cell.url)}${isAccepted ? ACCEPTED : ''}`
    case 'article': {
      const accepted = isAccepted && url === undefined ? ACCEPTED : ''
      const places = cell.hasPlaces ? html`${placeLines(row, look)}${remarkNote(remark)}` : ''
      return html`${articleTitle(article, look.links)}${accepted} ${places} ${ownerLine(article.owners)}`
    }
    case 'places':
      return html`${placeLines(row, look)}${remarkNote(remark)}`
  }
}

function sortKey(cell: RowCell, { article, host = '', url = '' }: ReportRow): string | undefined {
  switch (cell.kind) {
    case 'article':
      return shortText(article.title, 100)
    case 'address':
      // Sorts the links of one host together.
      return `${shortText(host, 100)} ${shortText(url, 200)}`
    case 'date':
      // Uncommitted changes are the latest.
      return cell.date ?? '9999'
    case 'text':
    case 'code':
    case 'names':
    case 'file':
    case 'places':
      return undefined
  }
}

function addressLink(url: string): Html {
  return html`<bdi>${outerLink(url, shortText(url))}</bdi>`
}

/** Maximum number of listed places of one link. */
const PLACES_SHOWN = 5

function placeLines({ article, places }: ReportRow, look: ReportLook): Html {
  if (places.length === 0) return articleFile(article, look)
  const rest = places.length - PLACES_SHOWN
  return html`${places.slice(0, PLACES_SHOWN).map((place) => fileLine(look.links, place.file, place))}
  ${rest > 0 ? note(`and ${pluralize(rest, 'more location')}`) : ''}`
}

/** Renders the file of an article, or the reason if it has none. */
function articleFile(article: RowArticle, { links }: ReportLook): Html {
  if (article.file !== undefined) return fileLine(links, article.file)
  return note(
    html`${shortText(describeNowhere(article))}; its id is <code>${shortText(article.id ?? '')}</code>`,
  )
}

function remarkNote(remark: string | undefined): Html | '' {
  return remark === undefined ? '' : note(remark)
}

function ownerLine(owners: readonly Owner[] = []): Html | '' {
  if (owners.length === 0) return ''
  const names = owners.map(({ name, email }, index) => {
    const address = email === undefined ? '' : mailLink(email)
    const text =
      name === email
        ? address
        : html`<bdi>${shortText(name)}</bdi>${address === '' ? '' : html` ‹${address}›`}`
    return html`${index === 0 ? '' : ', '}${text}`
  })
  return note(html`ask ${names}`)
}

/** Returns key figures. Each links to its section, if there is one. */
export function reportTiles(report: Report, sections: readonly ReportSection[]): Tile[] {
  const { counts } = report
  const ids = new Set(sections.map(({ id }) => id))
  return [
    overdueTile(counts),
    dueTile(report),
    linkTile(counts),
    unownedTile(counts),
    translationTile(counts),
    articleTile(counts),
  ].map((tile) => (ids.has(tile.section ?? '') ? tile : { ...tile, section: undefined }))
}

function overdueTile({ overdue, acceptedOverdue, undated }: ReportCounts): Tile {
  return {
    name: 'Reviews overdue',
    value: formatNumber(overdue),
    note:
      acceptedOverdue > 0
        ? `${formatNumber(acceptedOverdue)} accepted`
        : `${formatNumber(undated)} without a date`,
    tone: toneOf(overdue, acceptedOverdue),
    section: 'reviews',
  }
}

function dueTile({ counts, dueWithinDays }: Report): Tile {
  return {
    name: `Due within ${pluralize(dueWithinDays, 'day')}`,
    value: formatNumber(counts.due),
    note: `${formatNumber(counts.later)} later, ${formatNumber(counts.never)} never`,
    tone: counts.due > 0 ? 'warn' : 'good',
    section: 'reviews',
  }
}

function linkTile({ broken, acceptedBroken, brokenHere, links }: ReportCounts): Tile {
  const name = 'Broken links'
  const all = `of ${pluralize(links, 'link')}`
  if (brokenHere > 0)
    return {
      name,
      value: formatNumber(broken + brokenHere),
      note: `${all}: ${formatNumber(broken)} on the target, ${formatNumber(brokenHere)} more in the local check`,
      tone: 'bad',
      section: broken === 0 ? 'disagreements' : 'links',
    }
  return {
    name,
    value: formatNumber(broken),
    note: acceptedBroken > 0 ? `${all}, ${formatNumber(acceptedBroken)} accepted` : all,
    tone: toneOf(broken, acceptedBroken),
    section: 'links',
  }
}

function unownedTile({ unowned, isUnownedExact }: ReportCounts): Tile {
  return {
    name: 'Without a file',
    value: `${isUnownedExact ? '' : '≥ '}${formatNumber(unowned)}`,
    note: 'articles on the target',
    tone: unowned > 0 ? 'warn' : 'good',
    section: 'unowned',
  }
}

function translationTile({ outdatedTranslations }: ReportCounts): Tile {
  return {
    name: 'Outdated translations',
    value: outdatedTranslations === undefined ? '–' : formatNumber(outdatedTranslations),
    note: outdatedTranslations === undefined ? 'unknown: see the notes' : 'older than the original',
    tone: outdatedTranslations === undefined ? 'plain' : outdatedTranslations > 0 ? 'warn' : 'good',
    section: 'translations',
  }
}

function articleTile({ files, onTarget }: ReportCounts): Tile {
  return {
    name: 'Articles in files',
    value: formatNumber(files),
    note: files === onTarget ? 'all on the target' : `${formatNumber(onTarget)} on the target`,
    tone: files === onTarget ? 'plain' : 'warn',
    section: 'categories',
  }
}

function toneOf(count: number, accepted: number): Tile['tone'] {
  if (count === 0) return 'good'
  return count > accepted ? 'bad' : 'warn'
}
