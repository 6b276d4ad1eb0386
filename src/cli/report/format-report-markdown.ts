// The report for the summary of a pipeline's job. Titles, URLs and names from targets and files are escaped.
import { cutAtWord } from '../../core/code-points.ts'
import { formatNumber } from '../../core/format-number.ts'
import { parseUrl } from '../../core/parse-url.ts'
import { pluralize } from '../../core/pluralize.ts'
import { hostName } from '../../web/dashboard/summary/host-of.ts'
import { groupBroken, ownersOf } from '../../web/report/group-broken.ts'
import type { LinkPlace, Report } from '../../web/report/report.ts'
import {
  type RowCell,
  filledColumns,
  headingOf,
  inReadingOrder,
  placesOrBeginning,
  type ReportRow,
  type RowArticle,
  type RowSectionName,
  sectionOf,
} from '../../web/report/report-rows.ts'
import {
  describeNowhere,
  describeOwners,
  formatExceeded,
  listAdvice,
  nameArticle,
} from '../../web/report/report-words.ts'
import { codeSpan, escapeMarkdown, tableRow } from '../markdown/escape-markdown.ts'
import { limitSections, type Section } from '../markdown/limit-sections.ts'
import type { SourceLink } from '../markdown/source-links.ts'
import { describeChanges, describeTrend } from './describe-changes.ts'

export interface MarkdownPlaces {
  /** Path from the root of the repository to the project, '' or with a trailing slash. */
  readonly prefix: string
  readonly linkOf: SourceLink
}

/** GitHub accepts at most 1 MiB for the summary of a step; it does not show a larger one. */
const LIMIT_BYTES = 1_000_000

/** @param limitBytes maximum size of the document */
export function formatReportMarkdown(report: Report, how: MarkdownPlaces, limitBytes = LIMIT_BYTES): string {
  const limits = formatExceeded(report.exceeded)
  const changes = describeChanges(report.changes)
  const trend = describeTrend(report.history)
  const paragraphs = [
    `## Report on ${codeSpan(report.target)}, ${report.today}`,
    ...(limits === undefined ? [] : [`**${limits}**`]),
    overview(report),
    ...[changes, trend].filter((sentence) => sentence !== undefined),
  ]
  const table = (name: RowSectionName) => rowTable(report, name, how)
  return limitSections(
    paragraphs.map((paragraph) => `${paragraph}\n`).join('\n'),
    [
      list('What to do', listAdvice(report)),
      ...table('overdue'),
      ...table('due'),
      ...table('undated'),
      ...table('broken'),
      ...hostTable(report),
      ...table('disagreements'),
      ...table('translations'),
      ...table('redirects'),
      ...table('unowned'),
      ...categoryTable(report),
      list('Notes', report.notes.map(escapeMarkdown)),
    ],
    limitBytes,
  )
}

function overview({ counts, dueWithinDays }: Report): string {
  const { overdue, due, later, never, undated, broken, brokenHere, links, files, onTarget } = counts
  const here = brokenHere > 0 ? ` on the target, **${formatNumber(brokenHere)}** more in the local check` : ''
  const within = pluralize(dueWithinDays, 'day')
  return [
    `| Reviews overdue | Due within ${within} | Later | Never | Without date | Links broken | Articles in files | On the target |`,
    '| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    `| **${formatNumber(overdue)}** | ${[due, later, never, undated].map(formatNumber).join(' | ')} | **${formatNumber(broken)}** of ${formatNumber(links)}${here} | ${formatNumber(files)} | ${formatNumber(onTarget)} |`,
  ].join('\n')
}

/** @param sentences as Markdown */
function list(title: string, sentences: readonly string[]): Section {
  return { head: `### ${title}\n\n`, items: sentences.map((sentence) => `- ${sentence}\n`), noun: 'sentence' }
}

/** Maximum number of rows, with the noun for one row. */
const ROWS: Readonly<Record<RowSectionName, { readonly limit: number; readonly noun: string }>> = {
  overdue: { limit: 100, noun: 'article' },
  due: { limit: 25, noun: 'article' },
  undated: { limit: 25, noun: 'article' },
  later: { limit: 25, noun: 'article' },
  never: { limit: 25, noun: 'article' },
  broken: { limit: 100, noun: 'link' },
  disagreements: { limit: 25, noun: 'link' },
  translations: { limit: 25, noun: 'translation' },
  redirects: { limit: 25, noun: 'URL' },
  unowned: { limit: 25, noun: 'article' },
}

function rowTable(report: Report, name: RowSectionName, how: MarkdownPlaces): Section[] {
  const section = sectionOf(report, name)
  // A link that one edit fixes is one row, and counts once for each article with the link.
  const rows: readonly (ReportRow & { readonly links?: number })[] =
    name === 'broken' ? groupBroken(section.rows).flatMap(({ spots }) => spots) : section.rows
  const columns = filledColumns(section, rows)
  return tableSections({
    ...ROWS[name],
    title: headingOf(section),
    total: section.total,
    rows: inReadingOrder(rows),
    columns: columns.map((column) => ({ title: column.name })),
    cells: (row) => columns.map(({ cellOf }) => formatCell(cellOf(row), row, how)),
    countOf: ({ links = 1 }) => links,
  })
}

function formatCell(cell: RowCell, row: ReportRow, how: MarkdownPlaces): string {
  const { isAccepted, articles, url } = row
  switch (cell.kind) {
    case 'text':
      return escapeMarkdown(cell.text)
    case 'code':
      return codeSpan(cell.text)
    case 'names':
      return cell.names.map(escapeMarkdown).join('<br>')
    case 'date':
      return [cell.date ?? '', cell.note].filter((text) => text !== '').join('<br>')
    case 'file':
      return [codeSpan(`${how.prefix}${cell.file}`), escapeMarkdown(cell.command)].join('<br>')
    case 'address':
      return `${formatAddress(cell.url)}${isAccepted ? '<br>accepted' : ''}`
    case 'article': {
      const lines = cell.hasPlaces ? placeLines(row, how) : []
      return [
        nameArticles(articles),
        ...(isAccepted && url === undefined ? ['accepted'] : []),
        ...lines,
        ...ownerLines(articles),
      ].join('<br>')
    }
    case 'places':
      return placeLines(row, how).join('<br>')
  }
}

/** Longer ones would make a table unreadable. */
const TITLE_LENGTH = 120
const ADDRESS_LENGTH = 200

function nameArticles([first, ...others]: readonly RowArticle[]): string {
  if (first === undefined) return ''
  const title = escapeMarkdown(cutAtWord(nameArticle(first), TITLE_LENGTH))
  const page = parseUrl(first.url ?? '')
  const hasPage = page !== undefined && /^https?:$/.test(page.protocol)
  // Other characters that end a link or a cell are already encoded.
  const name = hasPage ? `[${title}](<${page.href.replaceAll('|', '%7C')}>)` : title
  return others.length === 0 ? name : `${name}<br>and ${pluralize(others.length, 'more article')}`
}

function ownerLines(articles: readonly RowArticle[]): string[] {
  const text = describeOwners(ownersOf(articles))
  return text === undefined ? [] : [escapeMarkdown(text)]
}

/** Not a link, because the URL is broken and its target unknown. */
function formatAddress(url: string): string {
  return codeSpan(cutAtWord(url, ADDRESS_LENGTH))
}

/** Maximum number of positions shown for a finding. */
const PLACES = 3

function placeLines(row: ReportRow, how: MarkdownPlaces): string[] {
  const { article, remark } = row
  const places = placesOrBeginning(row)
  const hidden = places.length - PLACES
  return [
    ...(places.length === 0
      ? [`${escapeMarkdown(describeNowhere(article))}, id ${codeSpan(article.id ?? '')}`]
      : places.slice(0, PLACES).map((place) => formatPlace(place, how))),
    ...(hidden > 0 ? [`and ${pluralize(hidden, 'more location')}`] : []),
    ...(remark === undefined ? [] : [escapeMarkdown(remark)]),
  ]
}

/** Formats a position, as a link if the host of the repository shows the file. */
function formatPlace({ file, line, column }: LinkPlace, { prefix, linkOf }: MarkdownPlaces): string {
  const path = `${prefix}${file}`
  const shown = codeSpan(`${path}:${line}:${column}`)
  const url = linkOf(path, line)
  return url === undefined ? shown : `[${shown}](${url})`
}

/** With only one host, the table would repeat the total. */
function hostTable({ links }: Report): Section[] {
  const { hosts, hostCount = hosts.length } = links.summary
  return tableSections({
    title: 'Broken links by host',
    total: hostCount > 1 ? hostCount : 0,
    rows: hosts,
    limit: 10,
    noun: 'host',
    columns: [{ title: 'Host' }, { title: 'Links', align: 'right' }],
    cells: ({ key, count, isExact }) => [
      escapeMarkdown(hostName(key)),
      `${isExact ? '' : 'at least '}${formatNumber(count)}`,
    ],
  })
}

function categoryTable({ categories }: Report): Section[] {
  return tableSections({
    title: 'By category',
    total: categories.length > 1 ? categories.length : 0,
    rows: categories,
    limit: 100,
    noun: 'category',
    plural: 'categories',
    columns: [
      { title: 'Category' },
      ...['Articles', 'Overdue', 'Due', 'Broken links'].map((title) => ({ title, align: 'right' }) as const),
    ],
    cells: ({ category, articles, overdue, due, broken }) => [
      escapeMarkdown(category),
      ...[articles, overdue, due, broken].map(formatNumber),
    ],
  })
}

interface MarkdownTable<T> {
  readonly title: string
  readonly total: number
  /** Numbers are aligned to the right. */
  readonly columns: readonly { readonly title: string; readonly align?: 'right' }[]
  readonly rows: readonly T[]
  readonly cells: (row: T) => readonly string[]
  /** Singular of an entry, for a note about omitted ones. */
  readonly noun: string
  /** Plural. Default: the noun with an `s`. */
  readonly plural?: string
  /** The share of a row in `total`. Default: 1. */
  readonly countOf?: (row: T) => number
  readonly limit: number
}

/** Formats a table, and a sentence about omitted rows; nothing without entries. */
function tableSections<T>(table: MarkdownTable<T>): Section[] {
  const { title, total, columns, rows, cells, noun, plural, countOf = () => 1, limit } = table
  if (total === 0) return []
  const shown = rows.slice(0, limit)
  const hidden = total - shown.reduce((sum, row) => sum + countOf(row), 0)
  const names = tableRow(columns.map((column) => column.title))
  const rule = tableRow(columns.map(({ align }) => (align === 'right' ? '---:' : '---')))
  const head = `### ${title}\n\n${names}${rule}`
  const listed: Section = { head, items: shown.map((row) => tableRow(cells(row))), noun, plural }
  const rest: Section = {
    head: '',
    items: [
      `*And ${formatNumber(hidden)} more: \`kb report --format html\` and \`--format csv\` list them.*\n`,
    ],
    noun: 'note',
  }
  return hidden > 0 ? [listed, rest] : [listed]
}
