import type { Log } from 'sarif'
import { expect, test } from 'vitest'
import { formatReportSarif } from '../../../src/cli/report/format-report-sarif.ts'
import type { LinkFinding, Report } from '../../../src/web/report/report.ts'
import { includedReport } from './included-report.ts'
import { longReport } from './long-report.ts'
import { sampleReport, tidyReport } from '../../inspect/report/sample-report.ts'
import { sarifValidator } from '../../support/sarif-validator.ts'
import type { Listing } from '../../../src/web/dashboard/summary/least.ts'

const validate = sarifValidator()

function read(report: Report) {
  const log = JSON.parse(formatReportSarif(report, { prefix: 'docs/', version: '1.2.3' })) as Log
  validate(log)
  expect(validate.errors ?? []).toEqual([])
  const [run] = log.runs
  return { run, results: run?.results ?? [] }
}

const isOpen = ({ isAccepted }: { readonly isAccepted: boolean }) => !isAccepted

test('a log is valid, compatible with that of a check, and contains findings in files', async () => {
  const report = await sampleReport()
  const { run, results } = read(report)
  const { reviews, links, translations } = report
  const withFile = (entries: readonly { readonly file: string | undefined }[]) =>
    entries.filter(({ file }) => file !== undefined).length
  const count = (code: string) => results.filter(({ ruleId }) => ruleId === code).length
  expect({
    driver: { ...run?.tool.driver, rules: run?.tool.driver.rules?.map(({ id }) => id) },
    id: run?.automationDetails?.id,
    overdue: count('review-overdue'),
    due: count('review-due'),
    broken: count('link-broken'),
    disagreements: count('link-disagreement'),
    translations: count('translation-outdated'),
    all: results.length,
  }).toEqual({
    driver: {
      name: 'kb-sync',
      version: '1.2.3',
      rules: ['link-broken', 'link-disagreement', 'review-due', 'review-overdue', 'translation-outdated'],
    },
    id: 'kb-report/',
    overdue: withFile(reviews.overdue.entries.filter(isOpen)),
    due: withFile(reviews.due.entries),
    broken: withFile(links.broken.entries.filter(isOpen).map(({ article }) => article)),
    disagreements: 3,
    translations: translations?.total,
    all: results.length,
  })
  expect(results.every(({ locations = [] }) => locations.length === 1)).toBe(true)
  expect(
    results.every(({ ruleId, ruleIndex = -1 }) => run?.tool.driver.rules?.[ruleIndex]?.id === ruleId),
  ).toBe(true)
})

test('findings without a file are counted, and so are the notes', async () => {
  const { run } = read(await sampleReport())
  const told = run?.invocations?.[0]?.toolExecutionNotifications?.map(({ message }) => message.text)
  expect(told).toEqual([
    expect.stringMatching(/^\d+ findings in articles without a file: kb report lists them\.$/) as string,
    '12,345 articles on the target without a file.',
    '6 findings accepted by the baseline.',
    '3 files have errors and were left out; kb check shows them.',
    'The target stopped at <article> "x" | `y`: its links to http://evil.example/\u001b[2J were not judged.',
  ])
})

test('a link has its first position, and the others as related ones', async () => {
  const { results } = read(await sampleReport())
  const several = results.find(({ relatedLocations = [] }) => relatedLocations.length === 2)
  const places = [...(several?.locations ?? []), ...(several?.relatedLocations ?? [])]
  expect(places.map(({ physicalLocation }) => physicalLocation?.region)).toEqual([
    { startLine: 15, startColumn: 5, endLine: 15, endColumn: 38 },
    { startLine: 93, startColumn: 5, endLine: 93, endColumn: 20 },
    { startLine: 2, startColumn: 1 },
  ])
  expect(places.at(-1)?.physicalLocation?.artifactLocation).toEqual({ uri: 'docs/content/_footer.md' })
})

test('levels follow the thresholds', async () => {
  const report = await sampleReport()
  const levelsOf = (changed: Report) =>
    Object.fromEntries(read(changed).results.map(({ ruleId = '', level }) => [ruleId, level]))
  const usual = {
    'review-overdue': 'warning',
    'link-broken': 'warning',
    'translation-outdated': 'warning',
    'review-due': 'note',
    'link-disagreement': 'note',
  }
  expect(levelsOf({ ...report, exceeded: [] })).toEqual(usual)
  expect(levelsOf(report)).toEqual({ ...usual, 'review-overdue': 'error', 'link-broken': 'error' })
  expect(levelsOf({ ...report, exceeded: [{ name: 'due', count: 6, allowed: 0 }] })).toEqual({
    ...usual,
    'review-due': 'error',
  })
})

test('findings that the baseline accepts are not results, because code scanning would open an alert', async () => {
  const report = await sampleReport()
  const { reviews, links, counts } = report
  const accepted = {
    ...report,
    counts: { ...counts, acceptedOverdue: counts.overdue, acceptedBroken: counts.broken },
    reviews: { ...reviews, overdue: all(reviews.overdue) },
    links: { ...links, broken: all(links.broken) },
  }
  const { run, results } = read(accepted)
  expect(results.filter(({ ruleId = '' }) => /overdue|broken/.test(ruleId))).toEqual([])
  const told = run?.invocations?.[0]?.toolExecutionNotifications?.map(({ message }) => message.text)
  expect(told).toContain('59 findings accepted by the baseline.')
})

function all<T>({ total, entries }: Listing<T>): Listing<T> {
  return { total, entries: entries.map((entry) => ({ ...entry, isAccepted: true })) }
}

test('a list that was cut is mentioned', async () => {
  const report = await sampleReport()
  const { broken } = report.links
  const { run } = read({ ...report, links: { ...report.links, broken: { ...broken, total: 60_042 } } })
  const told = run?.invocations?.[0]?.toolExecutionNotifications?.map(({ message }) => message.text)
  expect(told).toContain('broken: 60,000 more are counted but not listed.')
})

test('a link in a file that several articles include is one result, even if others include it', async () => {
  const report = await includedReport()
  const fingerprintsOf = (entries: readonly LinkFinding[]) => {
    const links = { ...report.links, broken: { total: entries.length, entries } }
    return read({ ...report, links }).results.map(({ message, partialFingerprints }) => [
      message.text?.split('.pdf')[1]?.split('. ')[0],
      partialFingerprints?.['kbReport/v1'],
    ])
  }
  const { entries } = report.links.broken
  const [[own], [shared, fingerprint]] = [fingerprintsOf(entries)[0] ?? [], fingerprintsOf(entries)[1] ?? []]
  expect([own, shared, fingerprintsOf(entries).length]).toEqual([undefined, ', in 8 articles', 2])
  expect(fingerprintsOf(entries.slice(5))).toEqual([[', in 4 articles', fingerprint]])
})

test('a problem keeps its fingerprint when its line moves, and two equal ones differ', async () => {
  const report = await sampleReport()
  const first = report.links.broken.entries.find(({ places }) => places.length === 1)
  const broken = (line: number) => {
    const entries = [line, line + 1].map((each) => withPlace(first, each))
    return { ...report, links: { ...report.links, broken: { total: 2, entries } } }
  }
  const fingerprints = (changed: Report) =>
    read(changed).results.flatMap(({ ruleId, partialFingerprints }) =>
      ruleId === 'link-broken' ? [partialFingerprints?.['kbReport/v1']] : [],
    )
  expect(fingerprints(broken(3))).toEqual(fingerprints(broken(300)))
  expect(new Set(fingerprints(broken(3))).size).toBe(2)
})

function withPlace(finding: LinkFinding | undefined, line: number): LinkFinding {
  return { ...finding, places: [{ ...finding?.places[0], line }] } as LinkFinding
}

test('brackets of a title do not create a link', async () => {
  const { results } = read(await sampleReport({ overdue: 40, broken: 60 }))
  const texts = results.map(({ message }) => message.text ?? '')
  expect(texts.some((text) => text.includes('[click] (javascript:alert(1))'))).toBe(true)
  expect(texts.filter((text) => text.includes(']('))).toEqual([])
})

test('contains at most what code scanning accepts, the most important first', async () => {
  const report = await sampleReport()
  const one = report.links.broken.entries.find(({ places, isAccepted }) => places.length === 1 && !isAccepted)
  const entries = Array.from({ length: 25_010 }, (_, index) => withPlace(one, index + 1))
  const { run, results } = read({
    ...report,
    links: { ...report.links, broken: { total: entries.length, entries } },
  })
  expect(results).toHaveLength(25_000)
  expect(new Set(results.map(({ level }) => level))).toEqual(new Set(['error']))
  const told = run?.invocations?.[0]?.toolExecutionNotifications?.map(({ message }) => message.text) ?? []
  expect(told.some((text) => /more than code scanning accepts/.test(text ?? ''))).toBe(true)
})

test('owners are named only on request', async () => {
  const textOf = async (owners: 'none' | 'names' | 'email') =>
    formatReportSarif(await sampleReport({ owners }), { prefix: '', version: '1.2.3' })
  expect(await textOf('none')).not.toContain('Ada')
  expect(await textOf('names')).toMatch(/Ask Ada Lovelace/)
  expect(await textOf('names')).not.toContain('ada@example.org')
  expect(await textOf('email')).toContain('Ada Lovelace <ada@example.org>')
})

test('has no results for a target without findings', async () => {
  expect(read(await tidyReport()).run).toMatchObject({
    results: [],
    invocations: [{ executionSuccessful: true }],
  })
})

test('a title or URL of any length is shortened', async () => {
  const texts = read(await longReport()).results.map(({ message }) => message.text ?? '')
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(1_200)
})
