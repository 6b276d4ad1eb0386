import { escapeControlInLine } from '../../core/escape-control.ts'
import { formatNumber } from '../../core/format-number.ts'
import { groupBy } from '../../core/group-by.ts'
import { pluralize } from '../../core/pluralize.ts'
import { wrapToColumns } from '../../core/text-columns.ts'
import type { Listing } from '../../web/dashboard/summary/least.ts'
import type { CategorySummary } from '../../web/dashboard/summary/summarize-categories.ts'
import { type BrokenGroup, groupBroken, ownersOf } from '../../web/report/group-broken.ts'
import type { ChangedLink, Report, ReportCounts } from '../../web/report/report.ts'
import {
  headingOf,
  inReadingOrder,
  placesOrBeginning,
  type ReportRow,
  type RowSectionName,
  sectionOf,
} from '../../web/report/report-rows.ts'
import { describeDays, formatExceeded, listAdvice, nameArticle } from '../../web/report/report-words.ts'
import { tableLines, type TextColumn } from '../text/format-table.ts'
import { describeTrend } from './describe-changes.ts'
import {
  describeRest,
  entryLine,
  groupLine,
  heading,
  INDENT,
  noteLines,
  missingFileLine,
  ownerLines,
  placeLine,
  type PrettyView,
  shortened,
  type Sign,
  wrapped,
} from './pretty-lines.ts'

/** Formats the report for people at a terminal: problems first, advice last. Only positions may exceed the width. */
export function formatReportPretty(report: Report, view: PrettyView): string {
  const rows = (name: RowSectionName) => rowLines(report, name, view)
  const wrong = [...rows('overdue'), ...brokenLines(report, view)]
  const body = view.quiet
    ? wrong
    : [
        ...headLines(report, view),
        ...wrong,
        ...rows('due'),
        ...rows('disagreements'),
        ...rows('translations'),
        ...rows('redirects'),
        ...rows('undated'),
        // Reviews that are not yet due are listed only with `verbose`.
        ...(view.verbose ? [...rows('later'), ...rows('never')] : []),
        ...rows('unowned'),
        ...categoryLines(report, view),
        ...changeLines(report, view),
        ...sentenceLines('Notes', report.notes, view),
        ...sentenceLines('What to do', listAdvice(report), view),
      ]
  const lines = [...body, ...verdictLines(report, view)]
  // Sections start with an empty line, which the first one does not need.
  const first = lines[0] === '' ? 1 : 0
  return lines
    .slice(first)
    .map((line) => `${line}\n`)
    .join('')
}

function headLines(report: Report, view: PrettyView): string[] {
  const { target, today, counts, dueWithinDays } = report
  return [
    `${view.colors.bold(`Report on ${escapeControlInLine(target)}`)}, ${today}`,
    '',
    ...labelled('Reviews', describeReviews(counts, dueWithinDays), view),
    ...labelled('Links', describeLinks(counts), view),
    ...labelled('Articles', describeArticles(counts), view),
    ...describeAge(report).flatMap((age) => labelled('Age', age, view)),
  ]
}

const LABEL_COLUMNS = 12

function labelled(label: string, text: string, { columns }: PrettyView): string[] {
  return wrapToColumns(text, columns - LABEL_COLUMNS).map(
    (line, index) => `${(index === 0 ? `  ${label}` : '').padEnd(LABEL_COLUMNS)}${line}`,
  )
}

function describeReviews(counts: ReportCounts, dueWithinDays: number): string {
  const { overdue, due, later, never, undated } = counts
  return [
    `${formatNumber(overdue)} overdue`,
    `${formatNumber(due)} due within ${pluralize(dueWithinDays, 'day')}`,
    `${formatNumber(later)} later`,
    ...(never > 0 ? [`${formatNumber(never)} never`] : []),
    ...(undated > 0 ? [`${formatNumber(undated)} undated`] : []),
  ].join(', ')
}

function describeLinks({ broken, links, ignoredLinks, brokenHere }: ReportCounts): string {
  const ignored = ignoredLinks > 0 ? `, ${formatNumber(ignoredLinks)} more ignored` : ''
  const here = brokenHere > 0 ? ` on the target, ${formatNumber(brokenHere)} more in the local check` : ''
  if (links > 0) return `${formatNumber(broken)} broken of ${formatNumber(links)}${here}${ignored}`
  return ignoredLinks > 0
    ? `all ${formatNumber(ignoredLinks)} on the target are ignored`
    : 'none on the target'
}

function describeArticles({ files, onTarget, unowned, isUnownedExact }: ReportCounts): string {
  const others =
    unowned === 0 ? '' : `; ${isUnownedExact ? '' : 'at least '}${formatNumber(unowned)} there without a file`
  return `${formatNumber(files)} in files, ${formatNumber(onTarget)} of them on the target${others}`
}

function describeAge({ ages }: Report): string[] {
  if (ages?.medianDays === undefined) return []
  const { medianDays, youngestDays, oldestDays, unknown } = ages
  if (medianDays === 0)
    return [`${oldestDays === 0 && unknown === 0 ? 'all' : 'half of the'} files were changed today`]
  const period = pluralize(medianDays, 'day')
  return youngestDays === medianDays && unknown === 0
    ? [`no file was changed for ${period}`]
    : [`half of the files were not changed for ${period}`]
}

/** Number of entries listed before the rest is counted. */
const LISTED = 5

/** Formats a section after an empty line; nothing without entries. Accepted findings are listed only with `verbose`. */
function rowLines(report: Report, name: RowSectionName, view: PrettyView): string[] {
  const section = sectionOf(report, name)
  const { total, accepted, rows } = section
  if (total === 0) return []
  const shown = shortened(openRows(rows, view), LISTED, view)
  const rest = describeRest({ total, accepted, known: rows.length, shown: shown.length }, view)
  return [
    '',
    ...heading(headingOf(section), view),
    ...shown.flatMap((row) => entryLines(row, view)),
    ...(rest === undefined ? [] : wrapped(rest, INDENT, view)),
  ]
}

function openRows(rows: readonly ReportRow[], { verbose }: PrettyView): readonly ReportRow[] {
  return inReadingOrder(verbose ? rows : rows.filter(({ isAccepted }) => !isAccepted))
}

const SIGNS: Readonly<Record<ReportRow['kind'], Sign>> = {
  overdue: 'x',
  due: '!',
  undated: '!',
  later: '·',
  never: '·',
  broken: 'x',
  disagreement: '?',
  translation: '!',
  redirect: '·',
  orphan: '!',
  foreign: '·',
}

function entryLines(row: ReportRow, view: PrettyView): string[] {
  const { kind, article, url, date, days, isAccepted, notes } = row
  const name = url ?? nameArticle(article)
  const isDated = days !== undefined && date !== undefined
  const behind = [
    ...(isDated ? [describeDays(days)] : []),
    ...(kind === 'translation' || isUnowned(row) ? [article.language] : []),
    ...(isAccepted ? ['accepted'] : []),
  ]
  return [
    entryLine(isAccepted ? '·' : SIGNS[kind], isDated ? `${date}  ${name}` : name, behind.join(', '), view),
    // An article without a file has no position.
    ...(isUnowned(row) ? [] : placeLines(row, view)),
    ...notes.flatMap((note) => noteLines(note, view)),
    ...(url === undefined ? ownerLines(article.owners, view) : []),
  ]
}

function isUnowned({ kind }: ReportRow): boolean {
  return kind === 'orphan' || kind === 'foreign'
}

/** Maximum number of positions shown for a finding. */
const PLACES = 3

function placeLines(row: ReportRow, view: PrettyView): string[] {
  const { article, url, remark } = row
  const places = placesOrBeginning(row)
  if (places.length === 0) {
    // A category or tag is not an article of the target.
    const isArticle = article.id !== undefined
    const relation = isArticle ? 'in' : 'leads to'
    const whose =
      url === undefined ? [] : noteLines(`${relation} "${nameArticle(article)}"`, view).slice(0, 1)
    return isArticle ? [...whose, missingFileLine(article)] : whose
  }
  const shown = shortened(places, PLACES, view)
  const hidden = places.length - shown.length
  return [
    ...shown.map((place) => placeLine(place, view)),
    ...(hidden > 0 ? noteLines(`and at ${pluralize(hidden, 'more location')}`, view) : []),
    ...(remark === undefined ? [] : noteLines(remark, view)),
  ]
}

/** Maximum number of articles listed, and of URLs for each. */
const GROUPS = 5
const SPOTS = 3

/** Lists links that the target reports as broken, by article; those with the most links come first. */
function brokenLines(report: Report, view: PrettyView): string[] {
  const section = sectionOf(report, 'broken')
  const { total, accepted, rows } = section
  if (total === 0) return []
  const listed = openRows(rows, view)
  const groups = shortened(groupBroken(listed), GROUPS, view)
  const intro = total > 1 ? [describeHosts(report.links.summary), ...describeMostFrequent(listed)] : []
  const shown = groups.reduce((sum, group) => sum + group.links, 0)
  const rest = describeRest({ total, accepted, known: rows.length, shown }, view)
  return [
    '',
    ...heading(headingOf(section), view),
    ...intro.flatMap((sentence) => wrapped(sentence, '  ', view)),
    ...groups.flatMap((group) => groupLines(group, view)),
    ...(rest === undefined ? [] : wrapped(rest, '  ', view)),
  ]
}

/** Maximum number of hosts listed. */
const HOSTS = 4

function describeHosts({ hosts, hostCount, articleCount }: Report['links']['summary']): string {
  const articles = articleCount === undefined ? 'many articles' : pluralize(articleCount, 'article')
  const named = hosts.slice(0, HOSTS).map(({ key, count, isExact }) => {
    const number = `${isExact ? '' : 'at least '}${formatNumber(count)}`
    return key === '' ? `${number} within the knowledge base` : `${number} to ${key}`
  })
  const others = hostCount === undefined ? undefined : hostCount - named.length
  const rest =
    others === undefined ? ['the rest to many more'] : [`the rest to ${pluralize(others, 'other host')}`]
  return `In ${articles}: ${[...named, ...(others === 0 ? [] : rest)].join(', ')}.`
}

/** A URL in at least this number of articles is listed first. */
const FREQUENT = 3

/** Describes the URL in most articles: often, one change fixes them all. */
function describeMostFrequent(rows: readonly ReportRow[]): string[] {
  const byAddress = [...groupBy(rows, ({ url = '' }) => url)].map(([url, all]) => ({
    url,
    articles: new Set(all.map(({ article }) => article.id)).size,
  }))
  const most = byAddress.toSorted((a, b) => b.articles - a.articles)[0]
  if (most === undefined || most.articles < FREQUENT) return []
  const address = escapeControlInLine(most.url)
  return [`Most widespread, in ${formatNumber(most.articles)} articles: ${address}`]
}

function groupLines({ articles, shared, spots, links }: BrokenGroup, view: PrettyView): string[] {
  const [article] = articles
  if (article === undefined) return []
  const name =
    shared === undefined ? nameArticle(article) : `${shared}, in ${pluralize(articles.length, 'article')}`
  const shown = shortened(spots, SPOTS, view)
  const hidden = spots.length - shown.length
  return [
    groupLine(name, pluralize(links, 'link'), view),
    ...(article.file === undefined ? [missingFileLine(article)] : []),
    ...ownerLines(ownersOf(articles), view),
    ...shown.flatMap((spot) => [
      entryLine(spot.isAccepted ? '·' : 'x', spot.url ?? '', spot.isAccepted ? 'accepted' : '', view),
      ...(spot.article.file === undefined ? [] : placeLines(spot, view)),
    ]),
    ...(hidden > 0
      ? wrapped(`and ${pluralize(hidden, 'more address', 'more addresses')} here`, INDENT, view)
      : []),
  ]
}

const CATEGORIES = 8

/** Lists totals by category: those with the most findings, or all by path. */
function categoryLines({ categories }: Report, view: PrettyView): string[] {
  const troubled = categories.filter((category) => workOf(category) > 0)
  const shown = view.verbose
    ? categories
    : troubled.toSorted((a, b) => workOf(b) - workOf(a)).slice(0, CATEGORIES)
  // With only one category, the list would repeat the total.
  if (categories.length < 2 || shown.length === 0) return []
  const hidden = troubled.length - shown.length
  const others = categories.length - troubled.length
  return [
    '',
    view.colors.bold('By category'),
    ...tableLines(CATEGORY_COLUMNS, shown, view.columns - 2).map((line) => `  ${line}`),
    ...(view.verbose || hidden <= 0
      ? []
      : [`    and ${pluralize(hidden, 'more category', 'more categories')} (--verbose lists all)`]),
    ...(view.verbose || others === 0
      ? []
      : [`    nothing to do in ${pluralize(others, 'more category', 'more categories')}`]),
  ]
}

function workOf({ overdue, due, broken }: CategorySummary): number {
  return overdue + due + broken
}

function findingColumn(title: string, countOf: (row: CategoryRow) => number): TextColumn<CategoryRow> {
  const cell = (row: CategoryRow) => (countOf(row) === 0 ? '-' : formatNumber(countOf(row)))
  return { title, cell, align: 'right' }
}

type CategoryRow = Report['categories'][number]

const CATEGORY_COLUMNS: readonly TextColumn<CategoryRow>[] = [
  { title: 'Category', cell: ({ category }) => category, isFlexible: true },
  findingColumn('Articles', ({ articles }) => articles),
  findingColumn('Overdue', ({ overdue }) => overdue),
  findingColumn('Due', ({ due }) => due),
  findingColumn('Broken', ({ broken }) => broken),
]

function changeLines({ changes, history }: Report, view: PrettyView): string[] {
  const trend = describeTrend(history)
  const end = trend === undefined ? [] : wrapped(trend, '  ', view)
  if (changes === undefined)
    return trend === undefined ? [] : ['', view.colors.bold('Earlier reports'), ...end]
  const nameLink = ({ article, url }: ChangedLink): string => `${url} in ${article}`
  const lines = [
    ...changedLines('x', 'newly overdue', changes.newlyOverdue, String, view),
    ...changedLines('x', 'newly broken', changes.newlyBroken, nameLink, view),
    ...changedLines('+', 'no longer overdue', changes.reviewed, String, view),
    ...changedLines('+', 'no longer broken', changes.fixed, nameLink, view),
  ]
  return [
    '',
    view.colors.bold(`Since the last report on ${changes.since.slice(0, 10)}`),
    ...(lines.length === 0 ? ['  Nothing has changed.'] : lines),
    ...end,
  ]
}

/** Maximum number of single findings listed per kind. */
const NAMED = 3

function changedLines<T>(
  sign: Sign,
  word: string,
  { total, entries }: Listing<T>,
  nameOf: (entry: T) => string,
  view: PrettyView,
): string[] {
  if (total === 0) return []
  const shown = shortened(entries, NAMED, view)
  const title = `  ${formatNumber(total)} ${word}`
  if (shown.length === 0) return [title]
  const narrower = { ...view, columns: view.columns - 2 }
  return [
    `${title}${total > shown.length ? ', for example' : ''}:`,
    ...shown.map((entry) => `  ${entryLine(sign, nameOf(entry), '', narrower)}`),
  ]
}

function sentenceLines(title: string, sentences: readonly string[], view: PrettyView): string[] {
  if (sentences.length === 0) return []
  const lines = sentences.flatMap((sentence) =>
    wrapped(sentence, INDENT, view).map((line, index) => (index === 0 ? line.replace(INDENT, '  - ') : line)),
  )
  return ['', view.colors.bold(title), ...lines]
}

/** Formats the final result. */
function verdictLines({ exceeded, counts }: Report, { colors, columns, quiet }: PrettyView): string[] {
  const limits = formatExceeded(exceeded)
  if (limits !== undefined)
    return ['', ...wrapToColumns(escapeControlInLine(limits), columns).map((line) => colors.red(line))]
  if (quiet || counts.overdue > counts.acceptedOverdue || counts.broken > counts.acceptedBroken) return []
  const isAccepted = counts.overdue + counts.broken > 0
  const good = `Nothing is overdue, and the target reports no broken link${isAccepted ? ', except for what the baseline accepts' : ''}`
  if (counts.brokenHere === 0) return ['', colors.green(`${good}.`)]
  const here = `${good}. The local check finds ${pluralize(counts.brokenHere, 'broken link')}.`
  return ['', ...wrapToColumns(here, columns).map((line) => colors.yellow(line))]
}
