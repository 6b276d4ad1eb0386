// The report at a terminal: byte-exact, and as a real terminal shows it.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import xterm from '@xterm/headless'
import pc from 'picocolors'
import { expect, test } from 'vitest'
import { formatReportPretty } from '../../../src/cli/report/format-report-pretty.ts'
import type { PrettyView } from '../../../src/cli/report/pretty-lines.ts'
import type { Report } from '../../../src/web/report/report.ts'
import { includedReport } from './included-report.ts'
import { sampleReport, tidyReport } from '../../inspect/report/sample-report.ts'

const PLAIN: PrettyView = { columns: 80, colors: pc.createColors(false), verbose: false, quiet: false }
const isUpdate = process.env['UPDATE_EXPECTED'] === '1'

const SAMPLES: readonly (readonly [string, () => Promise<Report>, Partial<PrettyView>])[] = [
  ['sample', () => sampleReport(), {}],
  ['verbose-with-owners', () => sampleReport({ owners: 'email', later: 3 }), { verbose: true }],
  ['quiet', () => sampleReport({ overdue: 3, broken: 4 }), { quiet: true }],
  ['tidy', () => tidyReport(), {}],
]

test.each(SAMPLES)('%s, to the letter', async (name, make, changes) => {
  const file = fileURLToPath(new URL(`expected/${name}.txt`, import.meta.url))
  const text = formatReportPretty(await make(), { ...PLAIN, ...changes })
  if (isUpdate) writeFileSync(file, text)
  expect(text).toBe(readFileSync(file, 'utf8'))
})

/** Returns the lines of a terminal with this many columns; wrapped lines are joined. */
async function screen(text: string, columns: number): Promise<{ lines: string[]; wrapped: string[] }> {
  const rows = text.split('\n').length * 4
  const terminal = new xterm.Terminal({ cols: columns, rows, convertEol: true, allowProposedApi: true })
  await new Promise<void>((done) => terminal.write(text, done))
  const lines: string[] = []
  const wrapped = new Set<number>()
  for (let row = 0; row < rows; row++) {
    const line = terminal.buffer.active.getLine(row)
    if (line?.isWrapped === true) {
      wrapped.add(lines.length - 1)
      lines[lines.length - 1] += line.translateToString(true)
    } else lines.push(line?.translateToString(true) ?? '')
  }
  return { lines, wrapped: [...wrapped].map((index) => lines[index] ?? '') }
}

test.each([40, 80, 120])('%i columns are enough for all but places to jump to and URLs', async (columns) => {
  const report = await sampleReport({ owners: 'email' })
  const { wrapped } = await screen(formatReportPretty(report, { ...PLAIN, columns }), columns)
  const isPlace = (line: string) => /^ {4}content\/.*:\d+:\d+$/.test(line)
  const isId = (line: string) => /; its id is |^ {4}.*[0-9a-f-]{36}$/.test(line)
  const isUrl = (line: string) => /:\/\/|<\S+@\S+>/.test(line)
  expect(wrapped.filter((line) => !isPlace(line) && !isId(line) && !isUrl(line))).toEqual([])
})

test('colours do not change the text', async () => {
  const report = await sampleReport({ owners: 'names' })
  const plain = formatReportPretty(report, PLAIN)
  const colorful = formatReportPretty(report, { ...PLAIN, colors: pc.createColors(true) })
  expect(colorful).not.toBe(plain)
  expect(await screen(colorful, 80)).toEqual(await screen(plain, 80))
})

test('no text of a target or a file reaches the terminal raw', async () => {
  const report = await sampleReport({ owners: 'email' })
  for (const verbose of [false, true]) {
    const text = formatReportPretty(report, { ...PLAIN, verbose })
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    expect(text.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g)).toBeNull()
  }
})

test('a list that is slightly too long is complete, a longer one has a count of the rest', async () => {
  const countOf = async (overdue: number, verbose = false) => {
    const { reviews, ...report } = await sampleReport({ overdue })
    const entries = reviews.overdue.entries.map((finding) => ({ ...finding, isAccepted: false }))
    const counts = { ...report.counts, acceptedOverdue: 0 }
    const open = { ...report, counts, reviews: { ...reviews, overdue: { total: overdue, entries } } }
    const text = formatReportPretty(open, { ...PLAIN, verbose })
    const section = /^Overdue for review.*\n([^]*?)\n\n/m.exec(text)?.[1] ?? ''
    return {
      shown: section.match(/^ {2}[x·] /gm)?.length ?? 0,
      rest: /^ {4}and .*$/m.exec(section)?.[0] ?? '',
    }
  }
  expect(await countOf(6)).toEqual({ shown: 6, rest: '' })
  expect(await countOf(7)).toEqual({ shown: 5, rest: '    and 2 more (--verbose lists them)' })
  expect(await countOf(7, true)).toEqual({ shown: 7, rest: '' })
})

test('a list that the report itself has cut says so with any options', async () => {
  const report = await sampleReport()
  const text = formatReportPretty(report, { ...PLAIN, verbose: true })
  expect(text).toContain('    and 12,336 more (only counted)\n')
})

test('accepted findings come last, and allow a good result', async () => {
  const report = await sampleReport({ overdue: 1, broken: 0 })
  const [finding] = report.reviews.overdue.entries
  if (finding === undefined) throw new Error('the sample has none')
  const accepted: Report = {
    ...report,
    counts: { ...report.counts, acceptedOverdue: 1, brokenHere: 0 },
    reviews: { ...report.reviews, overdue: { total: 1, entries: [{ ...finding, isAccepted: true }] } },
    exceeded: [],
  }
  const text = formatReportPretty(accepted, PLAIN)
  expect(text).toContain(
    'Overdue for review: 1, all of them accepted\n    not listed here (--verbose lists them)\n',
  )
  expect(formatReportPretty(accepted, { ...PLAIN, verbose: true })).toContain(
    'Overdue for review: 1, all of them accepted\n  · ',
  )
  expect(text).toMatch(
    /\nNothing is overdue, and the target reports no broken link, except for what the baseline accepts\.\n$/,
  )
})

test('zero broken links on the target are not a good result if others are broken as seen from here', async () => {
  const report = await tidyReport()
  const counts = { ...report.counts, links: 405, disagreements: 284, brokenHere: 284 }
  const text = formatReportPretty({ ...report, counts }, PLAIN)
  expect(text).toContain('  Links     0 broken of 405 on the target, 284 more in the local check\n')
  expect(text).toMatch(
    /\nNothing is overdue, and the target reports no broken link\. The local check finds\n284 broken links\.\n$/,
  )
})

test('shows the number of other findings and of accepted ones', async () => {
  const text = formatReportPretty(await sampleReport(), PLAIN)
  expect(text).toContain('    and 10 more, and 2 accepted (--verbose lists them)\n')
  expect(text).toContain('\n  and 23 more, and 4 accepted (--verbose lists them)\n')
})

test('--verbose is suggested only if it lists more', async () => {
  const report = await sampleReport({ overdue: 12 })
  const { overdue } = report.reviews
  const cut = { ...report, reviews: { ...report.reviews, overdue: { ...overdue, total: 324_456 } } }
  const text = formatReportPretty(cut, PLAIN)
  expect(text).toContain('    and 324,449 more, and 2 accepted (--verbose lists 7 of them)\n')
  const all = formatReportPretty(cut, { ...PLAIN, verbose: true })
  expect(all).toContain('    and 324,444 more (only counted)\n')
})

test('a link in a file that several articles include is listed once, where most must be fixed first', async () => {
  const text = formatReportPretty(await includedReport(), PLAIN)
  expect(/^Broken links: 9\n([^]*?)\n\n/m.exec(text)?.[1]?.split('\n')).toEqual([
    '  In 9 articles: 5 within the knowledge base, at least 4 to gone.test.',
    '  Most widespread, in 8 articles: https://gone.test/manual.pdf',
    '  content/_manuals.md, in 8 articles (8 links)',
    '  x https://gone.test/manual.pdf',
    '    content/_manuals.md:1:23',
    '  Set up account 40 (1 link)',
    '  x https://gone.test/own',
    '    content/own.md:7:1',
  ])
})

test('of an article with many broken links, some are shown', async () => {
  const { links, ...report } = await includedReport()
  const [own] = links.broken.entries
  if (own === undefined) throw new Error('the sample has none')
  const entries = Array.from({ length: 9 }, (_, nth) => ({ ...own, url: `https://gone.test/${nth}` }))
  const broken = { total: 9, entries }
  const text = formatReportPretty({ ...report, links: { ...links, broken } }, PLAIN)
  expect(text).toContain('    content/own.md:7:1\n    and 6 more addresses here\n')
  expect(text).not.toContain('--verbose')
})

test('later and never due reviews are listed with --verbose', async () => {
  const report = await sampleReport({ later: 3 })
  const all = formatReportPretty(report, { ...PLAIN, verbose: true })
  expect(all).toContain('\nDue later: 3\n  · 2027-04-15  Set up account 24 (in 31 days)\n')
  expect(all).toMatch(/\nNever due: 2\n {2}· Ihre|\nNever due: 2\n {2}· \D/)
  expect(formatReportPretty(report, PLAIN)).not.toMatch(/Due later|Never due/)
})

test.each([
  [{ medianDays: 0 }, 'half of the files were changed today'],
  [{ medianDays: 0, oldestDays: 0, unknown: 1 }, 'half of the files were changed today'],
  [{ medianDays: 0, oldestDays: 0, unknown: 0 }, 'all files were changed today'],
  [{ youngestDays: 171, unknown: 0 }, 'no file was changed for 171 days'],
])('the age of the files: %o', async (known, told) => {
  const report = await sampleReport()
  const { ages } = report
  if (ages === undefined) throw new Error('the sample has none')
  const text = formatReportPretty({ ...report, ages: { ...ages, ...known } }, PLAIN)
  expect(text).toContain(`  Age       ${told}\n`)
})

test('a file that needs no more reviews is marked as such', async () => {
  const report = await sampleReport({ overdue: 1 })
  const entries = report.reviews.overdue.entries.map((finding) => ({ ...finding, fileDate: '9999-12-31' }))
  const changed = { ...report, reviews: { ...report.reviews, overdue: { total: 1, entries } } }
  expect(formatReportPretty(changed, PLAIN)).toContain('    its file has never; kb sync sends that\n')
})

test('links with two different results are listed', async () => {
  const advice = 'If the target and the local check disagree'
  expect(formatReportPretty(await sampleReport(), { ...PLAIN, columns: 120 })).toContain(advice)
  expect(formatReportPretty(await tidyReport(), PLAIN)).not.toContain(advice)
})

test('links that are all ignored are still mentioned', async () => {
  const report = await tidyReport()
  const counts = { ...report.counts, links: 0, broken: 0, ignoredLinks: 445 }
  expect(formatReportPretty({ ...report, counts }, PLAIN)).toContain(
    '  Links     all 445 on the target are ignored\n',
  )
})
