import type { Listing, Report, ReviewFinding } from '../../../inspect/report/report.ts'
import { pluralize } from '../../../core/pluralize.ts'
import { formatNumber } from '../../../core/format-number.ts'
import { hostName } from '../../../web/dashboard/host-name.ts'
import { codeSpan, escapeMarkdown } from '../../markdown/escape-markdown.ts'
import type { Section } from '../../markdown/limit-sections.ts'
import { acceptedLast, acceptedOf } from '../accepted.ts'
import { reviewPlace } from '../article-places.ts'
import {
  describeDays,
  describeFileDate,
  describeOriginal,
  describeUnowned,
  orphansFirst,
} from '../article-words.ts'
import { groupBroken } from '../group-broken.ts'
import { TITLES } from '../section-titles.ts'
import {
  markdownArticle,
  type MarkdownPlaces,
  nowhereCell,
  placeCell,
  markdownAddress,
  articlesCell,
  markdownPlaces,
} from './markdown-cells.ts'

/** The lists of a report as tables, what is wrong first. */
export function markdownTables(report: Report, how: MarkdownPlaces): Section[] {
  return [
    ...reviewTables(report, how),
    ...linkTables(report, how),
    ...translationTable(report, how),
    ...unownedTable(report),
    ...categoryTable(report),
  ]
}

function reviewTables({ reviews, counts, dueWithinDays }: Report, how: MarkdownPlaces): Section[] {
  const { overdue, due, undated } = reviews
  const accepted = acceptedOf(counts.acceptedOverdue, overdue.total)
  const sorted = { ...overdue, entries: acceptedLast(overdue.entries) }
  return [
    ...reviewTable(`${TITLES.overdue}: ${formatNumber(overdue.total)}${accepted}`, sorted, LISTED.wrong, how),
    ...reviewTable(
      `Due within ${pluralize(dueWithinDays, 'day')}: ${formatNumber(due.total)}`,
      due,
      LISTED.other,
      how,
    ),
    ...reviewTable(`${TITLES.undated}: ${formatNumber(undated.total)}`, undated, LISTED.other, how),
  ]
}

function reviewTable(
  title: string,
  listing: Listing<ReviewFinding>,
  listed: number,
  how: MarkdownPlaces,
): Section[] {
  return tableSections({
    title,
    ...listing,
    listed,
    noun: 'article',
    columns: ['Review date', 'Article', 'Place'],
    cells: (finding) => [whenCell(finding), markdownArticle(finding), reviewPlaceCell(finding, how)],
  })
}

function whenCell({ date, days, isAccepted }: ReviewFinding): string {
  const when = days === undefined ? 'none' : `${date}<br>${describeDays(days)}`
  return isAccepted ? `${when}, accepted` : when
}

function reviewPlaceCell(finding: ReviewFinding, how: MarkdownPlaces): string {
  const place = reviewPlace(finding)
  const where = place === undefined ? nowhereCell(finding) : placeCell(place, how)
  const fileDate = describeFileDate(finding)
  return fileDate === undefined ? where : `${where}<br>${escapeMarkdown(fileDate)}`
}

function translationTable({ translations }: Report, how: MarkdownPlaces): Section[] {
  return tableSections({
    title: `${TITLES.translations}: ${formatNumber(translations.total)}`,
    ...translations,
    listed: LISTED.other,
    noun: 'translation',
    columns: ['Translation', 'Place', 'Original', 'What shows the difference'],
    cells: ({ title, language, file, original, translated, place, hint, ...changed }) => [
      `${markdownArticle({ title, isDraft: false })} (${escapeMarkdown(language)})<br>last changed on ${translated}`,
      placeCell({ file, ...place }, how),
      `${codeSpan(`${how.prefix}${original}`)}<br>${describeOriginal(changed)}`,
      escapeMarkdown(hint),
    ],
  })
}

function unownedTable({ unowned, counts }: Report): Section[] {
  const least = counts.isUnownedExact ? '' : 'at least '
  return tableSections({
    title: `${TITLES.unowned}: ${least}${formatNumber(unowned.total)}`,
    total: unowned.total,
    entries: orphansFirst(unowned.entries),
    listed: LISTED.other,
    noun: 'article',
    columns: ['Article', 'Language', 'Whose', 'Id'],
    cells: (article) => [
      markdownArticle(article),
      escapeMarkdown(article.language),
      describeUnowned(article),
      codeSpan(article.id),
    ],
  })
}

function categoryTable({ categories }: Report): Section[] {
  const total = categories.length > 1 ? categories.length : 0
  return tableSections({
    title: TITLES.categories,
    total,
    entries: categories,
    listed: LISTED.wrong,
    noun: 'category',
    plural: 'categories',
    columns: [
      'Category',
      ...['Articles', 'Overdue', 'Due', 'Broken links'].map(
        (name) => ({ title: name, align: 'right' }) as const,
      ),
    ],
    cells: ({ category, articles, overdue, due, broken }) => [
      escapeMarkdown(category),
      ...[articles, overdue, due, broken].map(formatNumber),
    ],
  })
}

/** Broken links by article and by host, and those that are seen in two ways. */
function linkTables(report: Report, how: MarkdownPlaces): Section[] {
  return [...brokenTable(report, how), ...hostTable(report), ...disagreementTable(report, how)]
}

function brokenTable({ links: { broken }, counts }: Report, how: MarkdownPlaces): Section[] {
  const groups = groupBroken(broken.entries)
  return tableSections({
    title: `${TITLES.broken}: ${formatNumber(broken.total)}${acceptedOf(counts.acceptedBroken, broken.total)}`,
    total: broken.total,
    entries: acceptedLast(groups.flatMap(({ spots }) => spots)),
    countOf: ({ links }) => links,
    listed: LISTED.wrong,
    noun: 'link',
    columns: ['Article', 'Address', 'Place'],
    cells: (spot) => [
      articlesCell(spot.articles),
      `${markdownAddress(spot.url)}${spot.isAccepted ? '<br>accepted' : ''}`,
      markdownPlaces(spot, how),
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
      `${isExact ? '' : 'at least '}${formatNumber(count)}`,
    ],
  })
}

function disagreementTable({ links: { disagreements } }: Report, how: MarkdownPlaces): Section[] {
  return tableSections({
    title: `${TITLES.disagreements}: ${formatNumber(disagreements.total)}`,
    ...disagreements,
    listed: LISTED.other,
    noun: 'link',
    columns: ['Article', 'Address', 'For the target', 'Seen from here', 'Place'],
    cells: (entry) => [
      markdownArticle(entry.article),
      markdownAddress(entry.url),
      entry.targetSays === 'works' ? 'works' : 'is broken',
      escapeMarkdown(entry.reason),
      markdownPlaces(entry, how),
    ],
  })
}

/** Rows of what is wrong, of its hosts, and of all else. */
const LISTED = { wrong: 100, other: 25, hosts: 10 } as const

interface MarkdownColumn {
  readonly title: string
  /** Numbers stand at the right. */
  readonly align?: 'right'
}

interface MarkdownTable<T> extends Listing<T> {
  readonly title: string
  readonly columns: readonly (MarkdownColumn | string)[]
  /** Cells of a row, as Markdown. */
  readonly cells: (entry: T) => readonly string[]
  /** One entry, for a note about those that are left out. */
  readonly noun: string
  /** Several; by default the noun with an `s`. */
  readonly plural?: string
  /** How many of `total` an entry stands for; by default one. */
  readonly countOf?: (entry: T) => number
  /** Most rows. */
  readonly listed: number
}

/** A table, and a sentence on what it has no room for; nothing where there is no entry. */
function tableSections<T>(table: MarkdownTable<T>): Section[] {
  const { title, columns, cells, noun, plural, countOf = () => 1, listed, total, entries } = table
  if (total === 0) return []
  const shown = entries.slice(0, listed)
  const hidden = total - shown.reduce((sum, entry) => sum + countOf(entry), 0)
  const whole = columns.map((column) => (typeof column === 'string' ? { title: column } : column))
  const names = row(whole.map((column) => column.title))
  const rule = row(whole.map(({ align }) => (align === 'right' ? '---:' : '---')))
  const head = `### ${title}\n\n${names}${rule}`
  const rows: Section = { head, items: shown.map((entry) => row(cells(entry))), noun, plural }
  const rest: Section = {
    head: '',
    items: [
      `*And ${formatNumber(hidden)} more: \`kb report --format html\` and \`--format csv\` list them.*\n`,
    ],
    noun: 'note',
  }
  return hidden > 0 ? [rows, rest] : [rows]
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`
}
