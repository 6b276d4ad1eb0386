import { expect, test } from 'vitest'
import { formatReportGithub } from '../../../src/cli/report/format-report-github.ts'
import type { Report } from '../../../src/web/report/report.ts'
import { longReport } from './long-report.ts'
import { sampleReport, tidyReport } from '../../inspect/report/sample-report.ts'

const read = (report: Report) => formatReportGithub(report, 'docs/').split('\n').slice(0, -1)

/** Matches a workflow command as GitHub's runner does. */
const COMMAND =
  /^::(error|warning|notice)(?: ((?:[a-zA-Z]+=[^,:\r\n]*)(?:,[a-zA-Z]+=[^,:\r\n]*)*))?::([^\r\n]*)$/

function parsed(line: string) {
  const [, level, properties = '', data = ''] = COMMAND.exec(line) ?? []
  const pairs = properties
    .split(',')
    .map((pair) => [pair.slice(0, pair.indexOf('=')), decode(pair.slice(pair.indexOf('=') + 1))])
  const named = Object.fromEntries(pairs) as { readonly title?: string; readonly file?: string }
  return { level, data: decode(data), ...named }
}

const decode = (text: string) =>
  text
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%25', '%')

test('starts with why the job fails, then errors, warnings and notices', async () => {
  const report = await sampleReport()
  const lines = read(report)
  expect(lines.filter((line) => !COMMAND.test(line))).toEqual([])
  expect(parsed(lines[0] ?? '')).toEqual({
    level: 'error',
    title: 'kb report',
    data: expect.stringContaining('Limits exceeded: ') as string,
  })
  const levels = lines.map((line) => parsed(line).level)
  const inOrder = ['error', 'warning', 'notice'].flatMap((each) => levels.filter((level) => level === each))
  expect(levels).toEqual(inOrder)
  const { overdue, due } = report.reviews
  const { counts, notes } = report
  const accepted = counts.acceptedOverdue + counts.acceptedBroken
  expect(levels.filter((level) => level === 'error')).toHaveLength(
    1 + overdue.total + counts.broken - accepted,
  )
  expect(levels.filter((level) => level === 'warning')).toHaveLength(report.translations?.total ?? -1)
  expect(levels.filter((level) => level === 'notice')).toHaveLength(
    due.total + report.links.disagreements.total + notes.length,
  )
})

test('findings that exceed a limit come first', async () => {
  const report = await sampleReport()
  const exceeded = [{ name: 'due', count: 6, allowed: 0 }] as const
  const titles = read({ ...report, exceeded }).map((line) => parsed(line).title)
  expect(titles.slice(0, 8)).toEqual(['kb report', ...Array<string>(6).fill('review-due'), 'review-overdue'])
})

test('is at the line to change, relative to the root of the repository', async () => {
  const lines = read({ ...(await sampleReport()), exceeded: [] }).map(parsed)
  expect(lines.find(({ title, ...at }) => title === 'review-overdue' && 'file' in at)).toMatchObject({
    level: 'warning',
    file: expect.stringMatching(/^docs\/content\//) as string,
    line: '6',
    endLine: '6',
    col: '1',
    endColumn: '23',
    data: expect.stringMatching(/^".+" was due for review on \d{4}-\d\d-\d\d, \d+ days ago\. /) as string,
  })
  expect(lines.find(({ title, ...at }) => title === 'link-broken' && !('file' in at))).toMatchObject({
    data: expect.stringMatching(
      /^The target reports this link as broken: .+, in ".*"\. Fix or remove it, and run kb sync\.$/,
    ) as string,
  })
})

test('a title is neither a command nor a property', async () => {
  const lines = read(await sampleReport({ overdue: 60, broken: 60, owners: 'email' }))
  expect(lines.filter((line) => !COMMAND.test(line))).toEqual([])
  const texts = lines.map((line) => parsed(line).data)
  expect(texts.some((text) => text.includes('::error file=a.md,line=1::injected%0Awith %25 percent'))).toBe(
    true,
  )
  expect(lines.join('')).not.toMatch(/\p{Cc}|\u202e|%0A|u\{d\}/u)
})

test('prints nothing for a target without findings', async () => {
  expect(formatReportGithub(await tidyReport(), '')).toBe('')
})

test('a list that was cut is mentioned', async () => {
  const report = await sampleReport()
  const overdue = { ...report.reviews.overdue, total: 60_017 }
  const lines = read({ ...report, reviews: { ...report.reviews, overdue } })
  expect(lines).toContain('::notice title=kb report::overdue: 60,000 more are counted but not listed.')
})

test('a title or URL of any length is shortened', async () => {
  const texts = read(await longReport())
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(1_200)
})
