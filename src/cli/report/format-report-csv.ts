import { stringify } from 'csv-stringify/sync'
import { cutAtWord } from '../../core/code-points.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import type { LinkPlace, Report } from '../../web/report/report.ts'
import { type ReportRow, type RowSectionName, sectionOf } from '../../web/report/report-rows.ts'
import { nameOwners } from '../../web/report/report-words.ts'
import { describeCut } from './report-problems.ts'

/** In this order. The guide contains a table of them. */
export const CSV_COLUMNS = [
  'finding',
  'title',
  'language',
  'status',
  'file',
  'line',
  'column',
  'other_places',
  'review_date',
  'days',
  'link',
  'host',
  'detail',
  'categories',
  'article_url',
  'article_id',
  'accepted',
  'owners',
] as const

type CsvRow = Partial<Readonly<Record<(typeof CSV_COLUMNS)[number], string | number | undefined>>>

/**
 * Formats the report as a table with one row per finding (RFC 4180), for spreadsheets: it starts with a byte order
 * mark, which Excel needs to read UTF-8, and no cell can become a formula.
 */
export function formatReportCsv(report: Report): string {
  return stringify([...listCsvRows(report)], {
    header: true,
    columns: [...CSV_COLUMNS],
    bom: true,
    record_delimiter: 'windows',
    escape_formulas: true,
  })
}

/** The sections in this order, with the nouns for notes about them. */
const SECTIONS: Readonly<Record<RowSectionName, string>> = {
  overdue: 'overdue',
  due: 'due',
  later: 'later',
  never: 'never',
  undated: 'undated',
  broken: 'broken',
  disagreements: 'disagreement',
  translations: 'translation',
  redirects: 'redirect',
  unowned: 'orphan, foreign',
}

/** Yields a row per finding, in the order of the report, and a row for each list that was cut. Notes come last. */
function* listCsvRows(report: Report): Generator<CsvRow> {
  for (const [name, called] of Object.entries(SECTIONS)) {
    const { rows, total } = sectionOf(report, name as RowSectionName)
    for (const row of rows) yield safe(csvRow(row))
    if (total > rows.length) yield { finding: 'note', detail: describeCut(called, total - rows.length) }
  }
  for (const note of report.notes) yield safe({ finding: 'note', detail: note })
}

function csvRow({ kind, article, places, date, days, url, host, isAccepted, detail }: ReportRow): CsvRow {
  const { id, title, isDraft, language, file, url: articleUrl, categories = [], owners } = article
  const [first, ...others] = places
  return {
    finding: kind,
    title,
    language,
    status: isDraft === undefined ? '' : isDraft ? 'draft' : 'published',
    // The file of the article, even if the link itself is in no file.
    file: first?.file ?? file,
    line: first?.line,
    column: first?.column,
    other_places: others.map(spell).join('; '),
    review_date: kind === 'never' ? 'never' : date,
    days,
    link: url,
    host,
    detail,
    categories: categories.join('; '),
    article_url: articleUrl,
    article_id: id,
    accepted: isAccepted ? 'yes' : '',
    owners: nameOwners(owners),
  }
}

function spell({ file, line, column }: LinkPlace): string {
  return `${file}:${line}:${column}`
}

const FORMULA = String.raw`[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]`

/**
 * Formulas that the library does not detect: after white space, and after a semicolon, at which spreadsheets in many
 * countries split lines. Both get the same apostrophe as other formulas.
 */
const HIDDEN_FORMULA = new RegExp(`^(?=\\s+${FORMULA})|(?<=;)(?=\\s*${FORMULA})`, 'g')

/** A cell in Excel is limited to 32,767 UTF-16 units. */
const CELL_LENGTH = 16_000

/** Makes texts safe: on one line, and without formulas. */
function safe(row: CsvRow): CsvRow {
  const cells = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'string'
      ? cutAtWord(escapeControlInLine(value), CELL_LENGTH).replace(HIDDEN_FORMULA, "'")
      : value,
  ])
  return Object.fromEntries(cells) as CsvRow
}
