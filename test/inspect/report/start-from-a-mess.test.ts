// Limits, baseline and history together, as a team uses them from one report to the next.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { createKb, type Kb, type Report } from '../../../src/index.ts'
import { article, configFile, createProject, type TestProject } from '../../support/project.ts'
import { type ListingService, startListingService } from './listing-service.ts'

const PASSED = '2020-01-31T00:00:00Z'
const AHEAD = '2999-01-31T00:00:00Z'
const GONE = 'https://gone.test/page'
const LOST = 'https://lost.test/?a=1&b=2'

const dated = (id: string, name: string, date: string) => ({
  id,
  name,
  status: 'published',
  article_review_date: date,
  language: null,
})
const linked = (id: string, url: string, working = false) => ({
  id: `${id} ${url}`,
  article_id: id,
  url,
  working,
  articles: { id, name: id },
})

interface Team {
  readonly project: TestProject
  readonly service: ListingService
  readonly kb: Kb
}

async function openTeam(): Promise<Team> {
  const service = await startListingService({
    reviewDates: [dated('a', 'Alpha', PASSED), dated('b', 'Beta', AHEAD), dated('x', 'Elsewhere', PASSED)],
    links: [linked('a', GONE), linked('x', LOST), linked('b', LOST, true)],
    articles: { a: { name: 'Alpha', slug: 'alpha' }, b: { name: 'Beta', slug: 'beta' } },
  })
  onTestFinished(service.close)
  const project = createProject({
    'kb.config.ts': configFile({
      project: 'demo',
      target: { url: service.url, apiKey: 'key' },
      report: { baseline: 'accepted/kb-baseline.json', failOn: ['overdue', 'broken'] },
    }),
    'content/alpha.md': `${article('Alpha')}\n[Gone](${GONE})\n`,
    'content/beta.md': article('Beta'),
  })
  return { project, service, kb: createKb({ cwd: project.root, env: {} }) }
}

const whatFails = ({ exceeded }: Report) => exceeded.map(({ name, count }) => `${count} ${name}`)
const whatChanged = ({ changes }: Report) =>
  changes && {
    overdue: [
      ...changes.newlyOverdue.entries,
      ...changes.reviewed.entries.map((each) => `no longer: ${each}`),
    ],
    broken: [
      ...changes.newlyBroken.entries.map(({ article: of, url }) => `${of} ${url}`),
      ...changes.fixed.entries.map(({ article: of, url }) => `no longer: ${of} ${url}`),
    ],
  }

test('findings accepted today do not count tomorrow, but new ones do', async () => {
  const { project, service, kb } = await openTeam()
  await expect(kb.report()).rejects.toMatchObject({
    code: 'BASELINE_INVALID',
    message: 'The baseline accepted/kb-baseline.json could not be read: no such file or directory.',
  })
  const written = await kb.report({ writeBaseline: true })
  expect([whatFails(written), whatChanged(written)]).toEqual([[], undefined])
  expect(project.read('accepted/kb-baseline.json')).toBe(`{
  "version": 1,
  "overdue": [
    { "file": "content/alpha.md", "id": "a", "date": "2020-01-31" },
    { "id": "x", "title": "Elsewhere", "date": "2020-01-31" }
  ],
  "broken": [
    { "file": "content/alpha.md", "id": "a", "url": "https://gone.test/page" },
    { "id": "x", "title": "Elsewhere", "url": "https://lost.test/?a=1&b=2" }
  ]
}
`)
  const accepted = await kb.report()
  const { overdue, acceptedOverdue, broken, acceptedBroken } = accepted.counts
  expect([overdue, acceptedOverdue, broken, acceptedBroken]).toEqual([2, 2, 2, 2])
  expect([whatFails(accepted), whatChanged(accepted), accepted.notes]).toEqual([
    [],
    { overdue: [], broken: [] },
    [],
  ])

  // Alpha is reviewed and its link fixed; Beta, replaced on the target, has both problems.
  service.listed.reviewDates = [
    dated('a', 'Alpha', AHEAD),
    dated('b2', 'Beta', PASSED),
    dated('x', 'Elsewhere', PASSED),
  ]
  service.listed.links = [linked('a', GONE, true), linked('x', LOST), linked('b2', LOST)]
  service.listed.articles = { ...service.listed.articles, b2: { name: 'Beta', slug: 'beta' } }
  const later = await kb.report()
  expect([whatFails(later), whatChanged(later)]).toEqual([
    ['1 overdue', '1 broken'],
    {
      overdue: ['content/beta.md', 'no longer: content/alpha.md'],
      broken: [`content/beta.md ${LOST}`, `no longer: content/alpha.md ${GONE}`],
    },
  ])
  expect(later.notes).toEqual([
    'The baseline has entries that are no longer needed (2): content/alpha.md is no longer overdue (2020-01-31); https://gone.test/page is no longer broken in content/alpha.md.',
  ])
  expect(whatFails(await kb.report({ maxOverdue: 1, failOn: [] }))).toEqual([])
  expect(later.history.map((point) => [point.overdue, point.broken])).toEqual([
    [2, 2],
    [2, 2],
    [2, 2],
  ])
})

test('reports on some files, and those without history, do not change it', async () => {
  const { project, kb } = await openTeam()
  await kb.report({ writeBaseline: true })
  const [name = ''] = historyFiles(project)
  const before = readFileSync(project.path(name), 'utf8')
  const some = await kb.report({ sources: ['beta.md'] })
  const none = await kb.report({ history: false })
  expect([some, none].map((report) => [report.changes, report.history.length])).toEqual([
    [undefined, 1],
    [undefined, 1],
  ])
  // Accepted findings in other files do not make entries unneeded.
  expect(some.notes).toEqual([])
  expect(readFileSync(project.path(name), 'utf8')).toBe(before)
  expect(historyFiles(project)).toEqual([name])
})

test('a newly ignored link does not count as fixed', async () => {
  const { kb } = await openTeam()
  await kb.report({ writeBaseline: true })
  const report = await kb.report({ ignoreLinks: ['https://gone.test/*'] })
  expect(whatChanged(report)).toEqual({ overdue: [], broken: [] })
  expect([report.counts.broken, report.counts.ignoredLinks]).toEqual([1, 1])
  // Its entry is not unneeded: without the pattern, the link is still broken.
  expect(report.notes).toEqual([])
})

test('a finding stays accepted when its file is moved', async () => {
  const { project, service, kb } = await openTeam()
  await kb.report({ writeBaseline: true })
  project.move('content/alpha.md', 'content/guides/alpha.md')
  const moved = await kb.report()
  expect([whatFails(moved), whatChanged(moved), moved.notes]).toEqual([[], { overdue: [], broken: [] }, []])
  // Another target knows the article under another id, so its file decides.
  project.move('content/guides/alpha.md', 'content/alpha.md')
  service.listed.reviewDates = [dated('other', 'Alpha', PASSED), dated('b', 'Beta', AHEAD)]
  service.listed.links = [linked('other', GONE)]
  service.listed.articles = { ...service.listed.articles, other: { name: 'Alpha', slug: 'alpha' } }
  expect(whatFails(await kb.report())).toEqual([])
})

test('a damaged or removed history only prevents the comparison', async () => {
  const { project, kb } = await openTeam()
  await kb.report({ writeBaseline: true })
  const [name = ''] = historyFiles(project)
  writeFileSync(project.path(name), '{"version": 1, "points": [')
  expect((await kb.report()).changes).toBeUndefined()
  expect((await kb.report()).changes).toBeDefined()
  rmSync(project.path('.kb'), { recursive: true })
  const anew = await kb.report()
  expect([anew.changes, anew.notes]).toEqual([undefined, []])
})

function historyFiles(project: TestProject): string[] {
  return readdirSync(project.path('.kb/history')).map((name) => `.kb/history/${name}`)
}
