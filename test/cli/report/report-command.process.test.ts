// The command line of kb report: where output goes, exit codes, and rejected flags.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { reportOnTarget, type ReportFlags } from '../../../src/cli/commands/report.ts'
import { toFailureReport } from '../../../src/cli/failures/report-failure.ts'
import { createProgram } from '../../../src/cli/program/program.ts'
import { REPORT_FORMATS } from '../../../src/cli/report/report-formats.ts'
import { collectingTerminal } from '../../support/collecting-terminal.ts'
import { closedAddress } from '../../support/fault-proxy.ts'
import { article, createProject, type Files, type TestProject } from '../../support/project.ts'
import { type ListingService, startListingService } from '../../inspect/report/listing-service.ts'

const REVIEWS = [
  {
    id: 'a',
    name: 'Alpha',
    status: 'published',
    article_review_date: '2020-01-31T00:00:00Z',
    language: null,
  },
  { id: 'b', name: 'Beta', status: 'draft', article_review_date: '2999-01-31T00:00:00Z', language: null },
]
const LINKS = [
  { id: 'l', article_id: 'a', url: 'https://gone.test/page', working: false, articles: { id: 'a' } },
]
const ARTICLES = { a: { name: 'Alpha', slug: 'alpha' }, b: { name: 'Beta', slug: 'beta' } }

let service: ListingService

beforeAll(async () => {
  vi.stubEnv('KB_API_KEY', 'key-for-tests')
  service = await startListingService({ reviewDates: REVIEWS, links: LINKS, articles: ARTICLES })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await service.close()
})

function openProject(url = service.url, files: Files = {}): TestProject {
  return createProject({
    'kb.config.mjs': `export default ${JSON.stringify({ project: 'demo', target: { url }, sync: { retries: 0 } })}`,
    'content/alpha.md': `${article('Alpha')}\n[Gone](https://gone.test/page)\n`,
    'content/folder/beta.md': article('Beta'),
    ...files,
  })
}

async function run(
  project: TestProject,
  options: ReportFlags = {},
  paths: readonly string[] = [],
): Promise<{ code: number; output: string; messages: string }> {
  const terminal = collectingTerminal()
  const code = await reportOnTarget(paths, { cwd: project.root, quiet: true, ...options }, terminal)
  return { code, output: terminal.output(), messages: terminal.messages() }
}

/** The first characters of each format. */
const BEGINNINGS: Readonly<Record<(typeof REPORT_FORMATS)[number], string>> = {
  pretty: 'Report on default, ',
  json: '{\n  "version": 1,\n',
  markdown: '## Report on `default`, ',
  html: '<!doctype html>',
  csv: '\ufefffinding,',
  sarif: '{\n  "$schema":',
  github: '::',
  ics: 'BEGIN:VCALENDAR\r\n',
}

test.each(REPORT_FORMATS)('%s is all that stands on stdout', async (format) => {
  const { code, output, messages } = await run(openProject(), { format, quiet: format !== 'pretty' })
  expect({
    code,
    beginning: output.slice(0, BEGINNINGS[format].length).replace('DOCTYPE', 'doctype'),
  }).toEqual({ code: 0, beginning: BEGINNINGS[format] })
  if (format !== 'pretty') expect(messages).toBe('')
})

test.each([
  ['report.html', 'html'],
  ['report.HTM', 'html'],
  ['report.json', 'json'],
  ['report.md', 'markdown'],
  ['report.csv', 'csv'],
  ['report.sarif', 'sarif'],
  ['report.sarif.json', 'sarif'],
  ['reviews.ics', 'ics'],
  ['report.txt', 'pretty'],
  ['report', 'pretty'],
  ['report-1.2', 'pretty'],
] as const)('the file %s gets %s', async (out, format) => {
  const project = openProject()
  expect(await run(project, { out })).toEqual({ code: 0, output: '', messages: '' })
  expect(project.read(out).replace('DOCTYPE', 'doctype').startsWith(BEGINNINGS[format])).toBe(true)
  expect(readdirSync(project.root).filter((name) => name.startsWith('report.') && name !== out)).toEqual([])
})

test.each(['report.xlsx', 'report.pdf', 'a/report.YML'])('no format is guessed for %s', async (out) => {
  const project = openProject()
  await expect(run(project, { out })).rejects.toMatchObject({
    code: 'USAGE',
    message: `There is no report format for ${out.slice(out.indexOf('.'))}.`,
  })
  expect(existsSync(project.path(out))).toBe(false)
})

test('a flag takes precedence over the file name, and the path of the report is printed', async () => {
  const project = openProject()
  const { output, messages } = await run(project, { out: 'content/../a.json', format: 'csv', quiet: false })
  expect([output, messages]).toEqual(['', 'Reading and rendering 2…\nThe report is in content/../a.json.\n'])
  expect(project.read('a.json').startsWith(BEGINNINGS.csv)).toBe(true)
})

test('a file that cannot be written is an error that names it, and keeps its content', async () => {
  const project = openProject()
  await expect(run(project, { out: 'missing/report.md' })).rejects.toMatchObject({
    code: 'FILES_UNWRITABLE',
    message: expect.stringContaining('The report could not be written to missing/report.md: '),
  })
  mkdirSync(project.path('folder.md'))
  await expect(run(project, { out: 'folder.md' })).rejects.toMatchObject({ code: 'FILES_UNWRITABLE' })
  expect(statSync(project.path('folder.md')).isDirectory()).toBe(true)
  await expect(run(project, { out: '-' })).rejects.toMatchObject({ code: 'USAGE' })
})

test('a special file is written to, not replaced', async () => {
  const project = openProject()
  expect(spawnSync('mkfifo', [project.path('pipe.md')]).status).toBe(0)
  const reader = spawn('cat', [project.path('pipe.md')])
  onTestFinished(() => void reader.kill())
  let text = ''
  reader.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
  await Promise.all([run(project, { out: 'pipe.md' }), once(reader, 'close')])
  expect(text.startsWith(BEGINNINGS.markdown)).toBe(true)
  expect(statSync(project.path('pipe.md')).isFIFO()).toBe(true)
})

test.each([
  [{ failOn: ['overdue'] }, 'Limits exceeded: 1 overdue (allowed: 0).\n'],
  [{ failOn: ['broken', 'due'] }, 'Limits exceeded: 1 broken link (allowed: 0).\n'],
  [{ maxOverdue: 0 }, 'Limits exceeded: 1 overdue (allowed: 0).\n'],
  [{ failOn: ['due'] }, ''],
  [{ failOn: ['overdue'], maxOverdue: 1 }, ''],
  [{ failOn: ['broken'], ignoreLinks: ['https://gone.test/*'] }, ''],
] as const)('%j: exit code and reason', async (options, reason) => {
  const { code, messages } = await run(openProject(), { ...options, format: 'csv' })
  expect({ code, messages }).toEqual({ code: reason === '' ? 0 : 1, messages: reason })
})

test('the baseline lets a team start with existing findings', async () => {
  const project = openProject()
  const limits = { baseline: 'known.json', failOn: ['overdue', 'broken'] } as const
  const told = await run(project, { ...limits, writeBaseline: true, quiet: false })
  expect([told.code, told.messages.split('\n').at(-2)]).toEqual([
    0,
    'known.json is written: 1 overdue and 1 broken link are accepted now.',
  ])
  const { code, output } = await run(project, limits)
  expect({ code, accepted: output.match(/1, all of them accepted$/gm)?.length }).toEqual({
    code: 0,
    accepted: 2,
  })
})

test('with paths, it contains only their articles', async () => {
  const project = openProject()
  const titles = async (path: string) => {
    const { output } = await run(project, { json: true }, [path])
    const { counts, reviews } = JSON.parse(output)
    return [counts.files, ...reviews.overdue.entries, ...reviews.later.entries].map(
      (each) => each.title ?? each,
    )
  }
  expect(await titles('content/folder')).toEqual([1, 'Beta'])
  expect(await titles('content/alpha.md')).toEqual([1, 'Alpha'])
  await expect(run(project, {}, ['content/gamma.md'])).rejects.toMatchObject({ code: 'USAGE' })
})

test('problems in the articles do not stop a report, which mentions them', async () => {
  const project = openProject(service.url, { 'content/alpha.md': article('Alpha', { status: 'public' }) })
  const { code, output } = await run(project, { quiet: false })
  expect(code).toBe(0)
  expect(output).toMatch(/^Notes\n {2}- 1 error in the files keeps kb sync from sending everything/m)
})

test('an unreachable target fails as in every command', async () => {
  const project = openProject(await closedAddress())
  await expect(run(project)).rejects.toMatchObject({ code: 'TARGET_UNREACHABLE', exitCode: 3 })
  await expect(run(project, { target: 'nowhere' })).rejects.toMatchObject({ code: 'TARGET_UNKNOWN' })
})

test('a terminal shows the progress, and clears it before the report', async () => {
  const project = openProject()
  const shown: unknown[] = []
  const terminal = collectingTerminal({ isLive: true, status: (text) => void shown.push(text) })
  await reportOnTarget([], { cwd: project.root }, terminal)
  expect(shown).toContain('Querying the target…')
  expect(shown.at(-1)).toBe('')
  expect(terminal.messages()).toBe('')
})

test('flags without effect are rejected', async () => {
  const project = openProject()
  const refused = { code: 'USAGE' }
  await expect(run(project, { json: true, format: 'csv' })).rejects.toMatchObject(refused)
  await expect(run(project, { checkPrivateLinks: true })).rejects.toMatchObject(refused)
  await expect(run(project, { writeBaseline: true })).rejects.toMatchObject(refused)
  await expect(run(project, { ownersFrom: 'git' })).rejects.toMatchObject({
    ...refused,
    hint: 'Add --owners, or --owners=email to show e-mail addresses.',
  })
})

test.each([
  [['--fail-on', 'overdue,dead'], 'It must be one or more of overdue, broken, due, separated by commas.'],
  [['--fail-on', ''], 'It must be one or more of'],
  [['--due-within', 'soon'], 'It must be a whole number of days from 0 to 9999, such as 30 or 30d.'],
  [['--due-within', '99999'], 'It must be a whole number of days from 0 to 9999, such as 30 or 30d.'],
  [['--due-within=-1'], 'It must be a whole number of days from 0 to 9999'],
  [['--max-overdue', '1.5'], 'It must be a whole number from 0 to 999999999.'],
  [['--owners', 'content/alpha.md'], 'It must be names or email; put paths before --owners.'],
  [['--owners-from', 'blame'], 'Allowed choices are target, codeowners, git.'],
  [['--format', 'xml'], 'Allowed choices are pretty, json, markdown, html, csv, sarif, github, ics.'],
] as const)('%j is refused with what may stand there', async (flags, reason) => {
  const program = createProgram(collectingTerminal(), () => undefined)
  const failure = await program
    .parseAsync(['report', ...flags], { from: 'user' })
    .catch((error: unknown) => error)
  expect(toFailureReport(failure)).toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining(reason) as string,
  })
})
