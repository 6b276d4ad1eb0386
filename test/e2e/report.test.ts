// The report as the built program makes it, over the built-in server and over a remote target.
import { onTestFinished, expect, test } from 'vitest'
import { startListingService } from '../inspect/report/listing-service.ts'
import { article, configFile, createProject, type Files } from '../support/project.ts'

const FILES: Files = {
  'kb.config.ts': configFile({ project: 'demo' }),
  'content/_categories.yml': '- name: Guides\n',
  'content/overdue.md': article('Overdue', { reviewDate: '2020-01-31' }),
  'content/later.md': article('Later', { reviewDate: '2999-01-31' }),
  'content/never.md': article('Never', { reviewDate: 'never' }),
}

interface Document {
  readonly counts: Readonly<Record<string, unknown>>
  readonly reviews: Readonly<Record<string, { readonly entries: readonly Record<string, unknown>[] }>>
  readonly changes?: { readonly reviewed: object; readonly newlyOverdue: object }
}

test('what a sync has sent is reported with the places to change it, and so is what became of it', async () => {
  const project = createProject(FILES)
  expect((await project.kb('sync')).code).toBe(0)
  const first = await project.kb('report', '--json')
  expect([first.code, first.stderr]).toEqual([0, ''])
  const { counts, reviews, changes } = first.json as Document
  expect(counts).toMatchObject({ files: 3, onTarget: 3, overdue: 1, due: 0, later: 1, never: 1, unowned: 0 })
  expect(reviews['overdue']?.entries).toMatchObject([
    { title: 'Overdue', file: 'content/overdue.md', date: '2020-01-31', place: { line: 4, column: 13 } },
  ])
  expect(changes).toBeUndefined()
  // Neither target nor state is touched by a report.
  expect((await project.kb('sync', '--json')).json).toMatchObject({
    summary: { unchanged: 3 },
    operations: [],
  })

  project.write({ 'content/overdue.md': article('Overdue', { reviewDate: '2999-12-01' }) })
  const unsent = await project.kb('report')
  expect(unsent.stdout).toContain(
    '    content/overdue.md:4:13\n    its file has 2999-12-01; kb sync sends that\n',
  )
  expect((await project.kb('sync')).code).toBe(0)
  const last = (await project.kb('report', '--format=json')).json as Document
  expect(last.changes).toMatchObject({
    reviewed: { total: 1, entries: ['content/overdue.md'] },
    newlyOverdue: { total: 0, entries: [] },
  })
})

test('exit codes: a limit, wrong usage, and a target that fails', async () => {
  const service = await startListingService({
    reviewDates: [{ id: 'x', name: 'Old', status: 'published', article_review_date: '2020-01-31T00:00:00Z' }],
  })
  onTestFinished(() => service.close())
  const project = createProject({ 'content/a.md': article('A') })
  const run = async (url: string, ...args: readonly string[]) => {
    const { code, stdout, stderr } = await project.run(['report', ...args], {
      env: { KB_URL: url, KB_API_KEY: 'key' },
    })
    return { code, stdout, stderr }
  }
  const quiet = ['--quiet', '--no-history']
  expect((await run(service.url, ...quiet)).code).toBe(0)
  expect(await run(service.url, ...quiet, '--fail-on', 'overdue', '--out', 'report.md')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Limits exceeded: 1 overdue (allowed: 0).\n',
  })
  expect(project.read('report.md')).toContain(String.raw`<br>without a file \(language en\), id ` + '`x` |')
  expect((await run(service.url, '--fail-on', 'everything')).code).toBe(2)
  const refused = await run(`${service.url}/elsewhere`, '--json')
  expect([refused.code, JSON.parse(refused.stdout)]).toEqual([
    3,
    { version: 1, error: { code: 'TARGET_FAILED', message: expect.any(String), hint: expect.any(String) } },
  ])
})
