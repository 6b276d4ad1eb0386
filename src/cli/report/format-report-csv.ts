import { stringify } from 'csv-stringify/sync'
import type { Report } from '../../inspect/report/report.ts'
import { type CsvRow, listCsvRows } from './list-csv-rows.ts'

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
] as const satisfies readonly (keyof CsvRow)[]

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
