// What a report stores, accepts and judges, and how it handles a truncated response.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { REPORT_LIST_LIMIT } from '../../../src/web/report/report.ts'
import type { ReportTask } from '../../../src/inspect/report/report-task.ts'
import type { Connect } from '../../../src/sync/target-session.ts'
import { startFaultProxy } from '../../support/fault-proxy.ts'
import { article } from '../../support/project.ts'
import { type ListingService, startListingService } from './listing-service.ts'
import { createReportProject } from './report-project.ts'

let service: ListingService

beforeAll(async () => {
  service = await startListingService()
})
afterAll(() => service.close())

const user = {
  username: 'ada1815',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email_address: 'ada@example.org',
}

const dated = (id: string, date: string) => ({
  id,
  name: id.toUpperCase(),
  status: 'published',
  article_review_date: date,
  users_articles_created_byTousers: user,
})

const broken = (id: string, url: string) => ({ article_id: id, url, working: false, articles: { name: id } })

const FILES = {
  'content/alpha.md': article('Alpha', { body: '<https://x.example.org/1>' }),
  'content/beta.md': article('Beta', { body: '<https://y.example.org/2>' }),
}

async function setUp() {
  Object.assign(service.listed, {
    reviewDates: [dated('a', '2027-01-31'), dated('b', '2027-03-20'), dated('x', '2027-02-01')],
    links: [broken('a', 'https://x.example.org/1'), broken('b', 'https://y.example.org/2')],
  })
  const project = createReportProject(service.url, FILES)
  await project.know({ 'alpha.md': 'a', 'beta.md': 'b' })
  return project
}

test('thresholds ignore accepted findings, and unneeded entries are named', async () => {
  const project = await setUp()
  const thresholds = { failOn: ['overdue', 'broken', 'due'], maxOverdue: 1 } as const
  expect((await project.report({ thresholds })).exceeded).toEqual([
    { name: 'overdue', count: 2, allowed: 1 },
    { name: 'broken', count: 2, allowed: 0 },
    { name: 'due', count: 1, allowed: 0 },
  ])
  const file = project.path('accepted.json')
  const written = await project.report({ thresholds, baseline: { file, isWritten: true } })
  expect(written.exceeded).toEqual([{ name: 'due', count: 1, allowed: 0 }])
  expect(written.counts).toMatchObject({ overdue: 2, broken: 2, acceptedOverdue: 2, acceptedBroken: 2 })
  const links = [broken('a', 'https://x.example.org/1'), broken('b', 'https://y.example.org/3')]
  Object.assign(service.listed, {
    links,
    reviewDates: [dated('a', '2028-01-31'), ...service.listed.reviewDates.slice(1)],
  })
  const later = await project.report({ thresholds, baseline: { file, isWritten: false } })
  expect(later.exceeded).toEqual([
    { name: 'broken', count: 1, allowed: 0 },
    { name: 'due', count: 1, allowed: 0 },
  ])
  expect(later.links.broken.entries.map(({ url, isAccepted }) => [url, isAccepted])).toEqual([
    ['https://x.example.org/1', true],
    ['https://y.example.org/3', false],
  ])
  expect(later.notes).toEqual([
    'The baseline has entries that are no longer needed (2): content/alpha.md is no longer overdue (2027-01-31); https://y.example.org/2 is no longer broken in content/beta.md.',
  ])
  const ignored = await project.report({ thresholds, ignoredLinks: ['https://y.example.org/*', '*/1'] })
  expect(ignored.counts).toMatchObject({ links: 0, broken: 0, ignoredLinks: 2 })
})

test('the second report shows the changes, and --no-history stores nothing', async () => {
  const project = await setUp()
  const quiet = await project.report()
  expect([quiet.changes, quiet.history.length]).toEqual([undefined, 1])
  expect(existsSync(project.path('.kb/history'))).toBe(false)
  const first = await project.report({ keepsHistory: true })
  expect([first.changes, first.history.length]).toEqual([undefined, 1])
  Object.assign(service.listed, {
    reviewDates: [dated('a', '2028-01-31'), dated('b', '2027-03-15'), dated('x', '2027-02-01')],
    links: [broken('b', 'https://y.example.org/2'), broken('x', 'https://z.example.org/')],
  })
  const now = () => new Date('2027-03-16T12:00:00Z')
  const second = await project.report({ keepsHistory: true, now })
  const whole = <T>(...entries: readonly T[]) => ({ total: entries.length, entries })
  expect(second.changes).toEqual({
    since: '2027-03-15T12:00:00.000Z',
    newlyOverdue: whole('content/beta.md'),
    reviewed: whole('content/alpha.md'),
    newlyBroken: whole({ article: 'X', url: 'https://z.example.org/' }),
    fixed: whole({ article: 'content/alpha.md', url: 'https://x.example.org/1' }),
  })
  expect(second.history.map(({ at, overdue, broken: count }) => [at, overdue, count])).toEqual([
    ['2027-03-15T12:00:00.000Z', 2, 2],
    ['2027-03-16T12:00:00.000Z', 2, 2],
  ])
})

test('the connection to the target is closed before anything is written', async () => {
  const project = await setUp()
  const file = project.path('accepted.json')
  const written = () => [existsSync(file), existsSync(project.path('.kb/history'))]
  const whenClosed: boolean[][] = []
  const connect: Connect = async (options) => {
    const session = await project.connect(options)
    const close = () => {
      whenClosed.push(written())
      return session.close()
    }
    return { ...session, close }
  }
  await project.report({ connect, keepsHistory: true, baseline: { file, isWritten: true } })
  expect([whenClosed, written()]).toEqual([[[false, false]], [true, true]])
  await expect(
    project.report({ connect, sources: ['alpha.md'], signal: AbortSignal.abort() }),
  ).rejects.toMatchObject({ code: 'INTERRUPTED' })
})

test('what a report cannot list, a baseline cannot accept, and a note says so', async () => {
  const project = await setUp()
  const count = REPORT_LIST_LIMIT + 1
  const reviewDates = Array.from({ length: count }, (_, index) => {
    return { id: `n${index}`, article_review_date: '2027-01-01' }
  })
  Object.assign(service.listed, { reviewDates, links: [] })
  const baseline = { file: project.path('accepted.json'), isWritten: true }
  const { counts, notes } = await project.report({ baseline })
  expect(counts).toMatchObject({ overdue: count, acceptedOverdue: count })
  expect(notes).toContain('The baseline lists the first 50,000 of 50,001 overdue articles.')
})

test('figures are shown beside those of reports with the same options', async () => {
  const project = await setUp()
  const timesOf = async (day: number, options: Partial<ReportTask> = {}) => {
    const now = () => new Date(`2027-03-${day}T12:00:00Z`)
    const { history } = await project.report({ keepsHistory: true, now, ...options })
    return history.map(({ at, ...figures }) => [Number(at.slice(8, 10)), Object.keys(figures).length])
  }
  expect(await timesOf(15)).toEqual([[15, 5]])
  expect(await timesOf(16, { dueWithinDays: 0 })).toEqual([[16, 5]])
  expect(await timesOf(17, { ignoredLinks: ['*/2', '*/1'] })).toEqual([[17, 5]])
  expect(await timesOf(18)).toEqual([
    [15, 5],
    [18, 5],
  ])
  expect(await timesOf(19, { ignoredLinks: ['*/1', '*/2'] })).toEqual([
    [17, 5],
    [19, 5],
  ])
  expect(await timesOf(20, { dueWithinDays: 0 })).toEqual([
    [16, 5],
    [20, 5],
  ])
})

test('no one is named unless owners are requested, and nothing about them is stored', async () => {
  const project = await setUp()
  const isPersonal = (text: string) => /ada|lovelace/i.test(text)
  const anonymous = await project.report({ keepsHistory: true })
  expect(isPersonal(JSON.stringify(anonymous))).toBe(false)
  const named = await project.report({ keepsHistory: true, owners: { shown: 'names', from: 'target' } })
  expect(named.reviews.overdue.entries.map(({ owners }) => owners)).toEqual([
    [{ name: 'Ada Lovelace' }],
    [{ name: 'Ada Lovelace' }],
  ])
  expect(named.links.broken.entries[0]?.article.owners).toEqual([{ name: 'Ada Lovelace' }])
  const shown = await project.report({
    keepsHistory: true,
    owners: { shown: 'email', from: 'target' },
    baseline: { file: project.path('accepted.json'), isWritten: true },
  })
  expect(shown.unowned.entries[0]?.owners).toEqual([{ name: 'Ada Lovelace', email: 'ada@example.org' }])
  const files = readdirSync(project.root, { recursive: true, encoding: 'utf8' })
    .map((name) => join(project.root, name))
    .filter((path) => statSync(path).isFile())
  expect(files.length).toBeGreaterThan(5)
  expect(files.filter((path) => isPersonal(readFileSync(path, 'latin1')))).toEqual([])
})

test('a truncated response is requested again, and nothing counts twice', async () => {
  const many = Array.from({ length: 4000 }, (_, index) => dated(`n${index}`, '2027-01-01'))
  Object.assign(service.listed, {
    reviewDates: many,
    links: many.map(({ id }) => broken(id, 'https://x.example.org/')),
  })
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  const project = createReportProject(proxy.url, FILES)
  const foreign = many.map(({ id, name }) => {
    return { id, title: name, slug: id, language: null, project: undefined }
  })
  await project.know({ 'alpha.md': 'n0', 'beta.md': 'n1' }, { foreign: foreign.slice(2) })
  const matches = (_: string, path: string) => path.endsWith('review_dates')
  proxy.inject({ kind: 'cut-within' }, { matches })
  proxy.inject({ kind: 'cut-within' }, { times: 2, matches: (_, path) => path.endsWith('link_manager') })
  const report = await project.report()
  expect(proxy.seen.map(({ fault }) => fault)).toEqual([
    'cut-within',
    undefined,
    'cut-within',
    'cut-within',
    undefined,
    // The request for redirects.
    undefined,
  ])
  expect(report.counts).toMatchObject({
    overdue: 4000,
    broken: 4000,
    links: 4000,
    unowned: 3998,
    onTarget: 2,
  })
})
