// A plan that is saved by one command and run by another one, as a pipeline does it.
import { mkdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { article, configFile, createProject, type Files } from '../support/project.ts'
import { builtinArticles } from '../support/read-articles.ts'
import { SERVICE_KEY, startStrictService } from '../support/strict-service.ts'
import { unwrapped } from '../support/unwrapped.ts'

const FILES: Files = {
  'kb.config.ts': configFile({ project: 'demo' }),
  'content/_categories.yml': '- name: Guides\n  slug: guides\n',
  'content/first.md': article('First'),
  'content/second.md': article('Second'),
}

const ends = ({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }) => ({
  code,
  stdout,
  stderr,
})

test('a plan is saved, run, and old afterwards', async () => {
  const project = createProject(FILES)
  expect(ends(await project.kb('plan', '--out', 'plan.json'))).toEqual({
    code: 0,
    stdout: `  + create   category guides
  + create   first.md
  + create   second.md

Articles: 2 to create · categories and tags: 1 to create.
Planned for builtin; nothing was written (3 requests).
`,
    stderr: 'Reading and rendering 2…\nThe plan is in plan.json. To run it, use kb sync --plan plan.json.\n',
  })
  const done = await project.kb('sync', '--plan', 'plan.json', '--json')
  expect([done.code, done.json]).toMatchObject([0, { summary: { created: 2 }, taxonomy: { created: 1 } }])
  expect([...(await builtinArticles(project)).keys()]).toEqual(['first', 'second'])
  expect(ends(await project.kb('sync', '--plan', 'plan.json'))).toEqual({
    code: 1,
    stdout: '',
    stderr: `error: The plan in plan.json is out of date, so nothing was sent:
  first.md: to be created in the plan; now there is nothing to do
  second.md: to be created in the plan; now there is nothing to do
  category guides: to be created in the plan; now there is nothing to do
  [PLAN_OUTDATED]
hint: Run kb plan --out plan.json again, and review the plan.
`,
  })
  expect((await project.kb('plan', '--out', 'plan.json', '--quiet')).code).toBe(0)
  const nothing = await project.kb('sync', '--plan', 'plan.json', '--json')
  expect([nothing.code, nothing.json]).toMatchObject([0, { summary: { unchanged: 2 }, operations: [] }])
})

test('a plan carries its options, and its conflicts the exit code', async () => {
  const service = await startStrictService()
  const project = createProject(FILES)
  const env = { KB_URL: service.url, KB_API_KEY: SERVICE_KEY }
  await project.run(['sync'], { env })
  service.edit('first', { title: 'First, edited' })
  project.write({ 'content/first.md': article('First', { body: 'Changed.' }) })
  const args = ['plan', 'content/first.md', '--max-deletes', '3', '--json', '--out', 'plan.json']
  for (const [how, code] of [
    ['fail', 4],
    ['skip', 0],
  ] as const) {
    const planned = await project.run([...args, '--on-conflict', how], { env })
    expect(JSON.parse(project.read('plan.json'))).toMatchObject({
      options: { onConflict: how, sources: ['first.md'], maxDeletes: { kind: 'count', count: 3 } },
      operations: [{ action: 'conflict', source: 'first.md' }],
    })
    const run = await project.run(['sync', '--plan', 'plan.json'], { env })
    expect([planned.code, run.code, planned.stderr]).toEqual([code, code, ''])
  }
  const elsewhere = await startStrictService()
  const other = await project.run(['sync', '--plan', 'plan.json'], { env: { ...env, KB_URL: elsewhere.url } })
  expect([other.code, unwrapped(other.stderr)]).toEqual([
    2,
    `error: The plan in plan.json is for ${service.url}, but the target of this run is ${elsewhere.url}. Nothing was sent. [PLAN_ELSEWHERE] hint: Set the URL and key for which the plan was created, or create a plan here with kb plan --out.`,
  ])
  const keyed = await project.run(['sync', '--plan', 'plan.json'], { env: { ...env, KB_API_KEY: 'other' } })
  expect([keyed.code, unwrapped(keyed.stderr)]).toEqual([
    2,
    expect.stringContaining(
      `error: The plan in plan.json is for ${service.url}, with another key. Nothing was sent. [PLAN_ELSEWHERE]`,
    ),
  ])
  project.write({ 'kb.config.ts': configFile({ project: 'other' }) })
  const stranger = await project.run(['sync', '--plan', 'plan.json', '--json'], { env })
  expect([stranger.code, stranger.json]).toMatchObject([2, { error: { code: 'PLAN_ELSEWHERE' } }])
  expect(elsewhere.requests).toEqual([])
})

test('--diff shows both sides, and only where nothing is sent', async () => {
  const project = createProject(FILES)
  await project.kb('sync')
  project.write({ 'content/second.md': article('Second', { body: 'Text of the second one.' }) })
  const expected = `  ~ update   second.md
      fields: changed in the file
        excerpt: Text of Second. -> Text of the second one.
      text: changed in the file
        @@ -1,1 +1,1 @@
        - Text of Second.
        + Text of the second one.
`
  const plan = await project.kb('plan', '--diff')
  expect([plan.code, plan.stdout.slice(0, plan.stdout.indexOf('\nArticles'))]).toEqual([0, expected])
  expect((await project.kb('sync', '--dry-run', '--diff')).stdout).toBe(plan.stdout)
  expect(await project.kb('sync', '--diff', '--json')).toMatchObject({
    code: 2,
    json: { error: { code: 'USAGE', message: '--diff requires a dry run.' } },
  })
})

test('what a plan has settled cannot be said again', async () => {
  const project = createProject(FILES)
  await project.kb('plan', '--out', 'plan.json')
  const settled = ['content', '--prune', '--target', 'builtin', '--dry-run']
  const refused = await project.kb('sync', '--plan', 'plan.json', ...settled)
  expect(ends(refused)).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: A saved plan already determines --target, --prune, --dry-run, paths.
[USAGE]
hint: Leave out --target, --prune, --dry-run, paths, or create another plan with
kb plan --out.
`,
  })
  const allowed = ['--yes', '--quiet', '--concurrency', '2', '--cwd', project.root]
  expect((await project.kb('sync', '--plan', 'plan.json', ...allowed)).code).toBe(0)
})

test('a plan is written to a file, not to stdout', async () => {
  const project = createProject(FILES)
  expect(ends(await project.kb('plan', '--out', '-'))).toEqual({
    code: 2,
    stdout: '',
    stderr: `error: --out needs the name of a file. [USAGE]
hint: kb plan --json prints the plan to stdout. Use ./- for a file with the name
"-".
`,
  })
})

test('a plan that cannot be written or read says so', async () => {
  const project = createProject(FILES)
  mkdirSync(project.path('folder'))
  const unwritable = await project.kb('plan', '--out', 'nowhere/plan.json', '--json')
  expect([unwritable.code, unwritable.json]).toMatchObject([1, { error: { code: 'PLAN_UNWRITABLE' } }])
  expect((await project.kb('plan', '--out', 'folder')).code).toBe(1)
  for (const file of ['missing.json', 'folder', 'content/first.md', 'package.json']) {
    if (file === 'package.json') project.write({ [file]: '{"name": "demo"}' })
    const { code, json } = await project.kb('sync', '--plan', file, '--json')
    expect([code, json]).toMatchObject([2, { error: { code: 'PLAN_INVALID' } }])
  }
})

test('content with errors makes no plan, and leaves an older one alone', async () => {
  const project = createProject(FILES)
  await project.kb('plan', '--out', 'plan.json')
  const before = readFileSync(project.path('plan.json'), 'utf8')
  project.write({ 'content/broken.md': '---\ntitel: Broken\n---\n' })
  const { code, stderr } = await project.kb('plan', '--out', 'plan.json')
  expect([code, stderr]).toEqual([1, 'Reading and rendering 3…\nThe plan was not written to plan.json.\n'])
  expect(project.read('plan.json')).toBe(before)
  expect(await project.kb('sync', '--plan', 'plan.json')).toMatchObject({ code: 1 })
})
