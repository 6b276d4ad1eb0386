import { stringify } from 'csv-stringify/sync'
import { cutAtWord } from '../../core/code-points.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import type { LinkPlace, Report } from '../../web/report/report.ts'
import { type ReportRow, type RowSectionName, sectionOf } from '../../web/report/report-rows.ts'
import { nameOwners } from '../../web/report/report-words.ts'
import { describeCut } from './report-problems.ts'

/** In this order; the guide has a table of them. */
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
 * The report as a table with one row for each finding, by RFC 4180, made to be opened in a spreadsheet: it begins with a
 * byte order mark, without which Excel reads no UTF-8, and no cell can become a formula.
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

/** The sections in this order, and what a note calls their findings. */
const SECTIONS: Readonly<Record<RowSectionName, string>> = {
  overdue: 'overdue',
  due: 'due',
  later: 'later',
  never: 'never',
  undated: 'undated',
  broken: 'broken',
  disagreements: 'disagreement',
  translations: 'translation',
  unowned: 'orphan, foreign',
}

/** One row for each finding, in the order of the report; a list that was cut says so in a row of its own. Notes come last. */
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
    // The file of the article stands also where the link is in none.
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
 * What the library does not see to: a formula behind white space, and one behind a semicolon, where spreadsheets of many
 * countries split lines. Both get the apostrophe that it puts before formulas.
 */
const HIDDEN_FORMULA = new RegExp(`^(?=\\s+${FORMULA})|(?<=;)(?=\\s*${FORMULA})`, 'g')

/** Excel has room for 32,767 UTF-16 units in a cell. */
const CELL_LENGTH = 16_000

/** Texts on one line that cannot become formulas. */
function safe(row: CsvRow): CsvRow {
  const cells = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'string'
      ? cutAtWord(escapeControlInLine(value), CELL_LENGTH).replace(HIDDEN_FORMULA, "'")
      : value,
  ])
  return Object.fromEntries(cells) as CsvRow
}
