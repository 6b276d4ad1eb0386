// Pipelines and the action: valid according to their vendors' schemas, and their shell commands do their job when run
// with the built program against the built-in server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv, type ValidateFunction } from 'ajv'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import type { CiFacts } from '../../../src/kb/init/ci/ci-facts.ts'
import { githubReport, githubWorkflow } from '../../../src/kb/init/ci/github.ts'
import { gitlabPipeline, gitlabReport } from '../../../src/kb/init/ci/gitlab.ts'
import { NPM, type PackageManager } from '../../../src/kb/init/packages.ts'
import { listen } from '../../../src/server/http/listen.ts'
import { issueKey } from '../../../src/server/open-administration.ts'
import { schemaFile } from '../../support/schema-file.ts'
import { article, BINARY, configFile, createProject, type TestProject } from '../../support/project.ts'
import { API_KEY, openTestServer } from '../../support/server.ts'
import { addKey } from '../../support/with-admin.ts'

const FACTS: CiFacts = {
  repository: { prefix: '', branch: 'main' },
  manager: NPM,
  lockPrefix: '',
  isBuiltin: false,
  isReported: false,
}

const MANAGERS: Readonly<Record<string, PackageManager>> = {
  npm: NPM,
  pnpm: { name: 'pnpm', isBerry: false, isPinned: false },
  'pnpm, pinned': { name: 'pnpm', isBerry: false, isPinned: true },
  yarn: { name: 'yarn', isBerry: false, isPinned: false },
  'a later yarn': { name: 'yarn', isBerry: true, isPinned: true },
  bun: { name: 'bun', isBerry: false, isPinned: false },
}

const PLACES: readonly Pick<CiFacts, 'repository' | 'lockPrefix'>[] = [
  { repository: { prefix: '', branch: 'main' }, lockPrefix: '' },
  { repository: { prefix: 'docs/help/', branch: 'release/1.x' }, lockPrefix: 'docs/help/' },
  { repository: { prefix: "it's: my #1 folder/", branch: 'true' }, lockPrefix: 'docs/' },
]

const variants = Object.entries(MANAGERS).flatMap(([name, manager]) =>
  PLACES.flatMap((place) =>
    [true, false].map((isBuiltin) => ({
      title: `${name} in ${JSON.stringify(place.repository.prefix)}${isBuiltin ? ', builtin' : ''}`,
      facts: { ...place, manager, isBuiltin, isReported: !isBuiltin },
    })),
  ),
)

/** Where the schema store keeps schemas with their own URL. */
const GITLAB_SCHEMA = 'gitlab.com/gitlab-org/gitlab/-/raw/master/app/assets/javascripts/editor/schema/ci.json'

function readSchema(name: string): ValidateFunction {
  const schema = JSON.parse(readFileSync(schemaFile(name), 'utf8')) as object
  return new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema)
}

function problemsOf(validate: ValidateFunction, text: string): unknown {
  validate(parseYaml(text))
  return validate.errors
}

interface Step {
  readonly run?: string
  readonly uses?: string
  readonly env?: Readonly<Record<string, string>>
  readonly with?: Readonly<Record<string, unknown>>
}

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] } & Record<string, unknown>>>
}

const workflow = (facts: Partial<CiFacts> = {}) =>
  parseYaml(githubWorkflow({ ...FACTS, ...facts })) as Workflow & Record<string, unknown>

type Pipeline = Readonly<Record<string, { readonly script: readonly string[] } & Record<string, unknown>>>

const pipeline = (facts: Partial<CiFacts> = {}) =>
  parseYaml(gitlabPipeline({ ...FACTS, ...facts })) as Pipeline

describe('by their schemas', () => {
  const validateWorkflow = readSchema('github-workflow.json')
  const validatePipeline = readSchema(GITLAB_SCHEMA)

  test.each(variants)('the GitHub workflow is valid: $title', ({ facts }) => {
    expect(problemsOf(validateWorkflow, githubWorkflow(facts))).toBeNull()
    expect(problemsOf(validateWorkflow, githubReport(facts))).toBeNull()
  })

  test.each(variants)('the GitLab pipeline is valid: $title', ({ facts }) => {
    expect(problemsOf(validatePipeline, gitlabPipeline(facts))).toBeNull()
    expect(problemsOf(validatePipeline, gitlabReport(facts))).toBeNull()
  })

  test('an error is found', () => {
    expect(problemsOf(validateWorkflow, githubWorkflow(FACTS).replace('runs-on', 'run-on'))).not.toBeNull()
    expect(problemsOf(validatePipeline, gitlabPipeline(FACTS).replace('stage:', 'stages:'))).not.toBeNull()
    expect(problemsOf(validateWorkflow, githubReport(FACTS).replace('cron:', 'crown:'))).not.toBeNull()
    expect(problemsOf(validatePipeline, gitlabReport(FACTS).replace('stage:', 'stages:'))).not.toBeNull()
  })

  test('the action is valid, and puts no input into a script', () => {
    expect(problemsOf(readSchema('github-action.json'), readAction())).toBeNull()
    for (const { run = '' } of actionSteps()) expect(run).not.toContain('${{')
  })
})

test('the pre-commit hook is valid, and starts for articles and their pictures', () => {
  const text = readFileSync(
    fileURLToPath(new URL('../../../.pre-commit-hooks.yaml', import.meta.url)),
    'utf8',
  )
  expect(problemsOf(readSchema('pre-commit-hooks.json'), text)).toBeNull()
  const [hook] = parseYaml(text) as [{ entry: string; files: string }]
  const starts = new RegExp(hook.files.replace('(?i)', ''), 'i')
  const files = [
    'content/a.md',
    'b.MDX',
    'content/_tags.yml',
    'dot.svg',
    'help/kb.config.ts',
    'src/a.ts',
    'md',
  ]
  expect([hook.entry, files.filter((file) => starts.test(file))]).toEqual(['kb check', files.slice(0, 5)])
})

describe('the GitHub workflow', () => {
  test('gives no key to forks, and runs no foreign code with the rights of the repository', () => {
    const { on, permissions, jobs } = workflow()
    expect({ on, permissions }).toEqual({
      on: { pull_request: null, push: { branches: ['main'] }, workflow_dispatch: null },
      permissions: {},
    })
    expect(Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job['permissions']]))).toEqual(
      { check: { contents: 'read' }, plan: { contents: 'read' }, sync: { contents: 'read' } },
    )
    const withSecrets = Object.entries(jobs).flatMap(([name, job]) =>
      JSON.stringify(job).includes('secrets.') ? [[name, job['if']]] : [],
    )
    expect(withSecrets).toEqual([
      [
        'plan',
        "github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository && github.actor != 'dependabot[bot]'",
      ],
      ['sync', "github.event_name != 'pull_request' && !github.event.repository.fork"],
    ])
  })

  test('syncs one at a time, from the newest commit, and keeps the state of a failed run', () => {
    const { concurrency, steps } = workflow().jobs['sync'] ?? { steps: [] }
    expect(concurrency).toEqual({ group: 'kb-sync', 'cancel-in-progress': false })
    const key = 'kb-state-${{ github.run_id }}-${{ github.run_attempt }}'
    const path = '.kb/state\n.kb/journal\n'
    expect(steps).toEqual([
      { uses: 'actions/checkout@v7', with: { 'fetch-depth': 0, 'persist-credentials': false, ref: 'main' } },
      { uses: 'actions/setup-node@v7', with: { 'node-version': 24, cache: 'npm' } },
      { run: 'npm ci' },
      { uses: 'actions/cache/restore@v6', with: { path, key, 'restore-keys': 'kb-state-' } },
      {
        run: 'npx kb sync --format markdown >> "$GITHUB_STEP_SUMMARY"',
        env: { KB_API_KEY: '${{ secrets.KB_API_KEY }}' },
      },
      { uses: 'actions/cache/save@v6', if: 'always()', with: { path, key } },
    ])
  })

  test('only checks with the built-in server', () => {
    const { on, jobs } = workflow({ isBuiltin: true })
    expect({ on, jobs: Object.keys(jobs) }).toEqual({ on: { pull_request: null }, jobs: ['check'] })
  })

  test('works in the folder of the project, with its package manager', () => {
    const repository = { prefix: 'docs/help/', branch: 'main' }
    const { defaults, steps } = workflow({
      repository,
      lockPrefix: 'docs/',
      manager: MANAGERS['pnpm'] ?? NPM,
      isBuiltin: true,
    }).jobs['check'] ?? { steps: [] }
    expect({ defaults, steps: steps.slice(1) }).toEqual({
      defaults: { run: { 'working-directory': 'docs/help' } },
      steps: [
        { uses: 'pnpm/action-setup@v6', with: { version: 10 } },
        {
          uses: 'actions/setup-node@v7',
          with: { 'node-version': 24, cache: 'pnpm', 'cache-dependency-path': 'docs/pnpm-lock.yaml' },
        },
        { run: 'pnpm install --frozen-lockfile' },
        { run: 'pnpm exec kb check --format github' },
      ],
    })
  })
})

describe('the GitLab pipeline', () => {
  test('has one sync at a time, which is not stopped and keeps its state', () => {
    const { script, ...job } = pipeline()['kb-sync'] ?? { script: [] }
    expect(job).toEqual({
      extends: '.kb',
      stage: 'deploy',
      resource_group: 'kb-sync',
      interruptible: false,
      timeout: '1 hour',
      environment: 'knowledge-base',
      rules: [{ if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SOURCE != "schedule"' }],
      cache: { key: 'kb-state', when: 'always', paths: ['.kb/state/', '.kb/journal/'] },
    })
    expect(script).toEqual(['npx kb sync'])
  })

  test('only checks with the built-in server', () => {
    expect(Object.keys(pipeline({ isBuiltin: true }))).toEqual(['.kb', 'kb-check'])
  })

  test('finds reports in the folder of the project', () => {
    const repository = { prefix: 'docs/my help/', branch: 'main' }
    const { '.kb': common, 'kb-check': check, 'kb-plan': planned } = pipeline({ repository })
    expect({
      before: common?.['before_script'],
      report: check?.['artifacts'],
      plan: planned?.['artifacts'],
    }).toMatchObject({
      before: ["cd 'docs/my help'", 'npm ci'],
      report: { when: 'always', reports: { junit: 'docs/my help/kb-check.xml' } },
      plan: { paths: ['docs/my help/kb-plan.md'] },
    })
  })
})

describe('the report', () => {
  test('on GitHub runs on a schedule, with the read-only key, and keeps its history', () => {
    const { on, permissions, jobs } = parseYaml(githubReport(FACTS)) as Workflow & Record<string, unknown>
    const key = 'kb-history-${{ github.run_id }}-${{ github.run_attempt }}'
    const path = '.kb/history'
    expect({ on, permissions, jobs }).toEqual({
      on: { schedule: [{ cron: '23 5 * * 1,4' }], workflow_dispatch: null },
      permissions: {},
      jobs: {
        report: {
          if: '!github.event.repository.fork',
          'runs-on': 'ubuntu-latest',
          'timeout-minutes': 30,
          permissions: { contents: 'read' },
          steps: [
            { uses: 'actions/checkout@v7', with: { 'fetch-depth': 0, 'persist-credentials': false } },
            { uses: 'actions/setup-node@v7', with: { 'node-version': 24, cache: 'npm' } },
            { run: 'npm ci' },
            { uses: 'actions/cache/restore@v6', with: { path, key, 'restore-keys': 'kb-history-' } },
            {
              run: 'npx kb report --format markdown >> "$GITHUB_STEP_SUMMARY"',
              env: { KB_API_KEY: '${{ secrets.READONLY_KB_API_KEY }}' },
            },
            { uses: 'actions/cache/save@v6', if: 'always()', with: { path, key } },
          ],
        },
      },
    })
  })

  test('on GitLab runs only in scheduled pipelines, and publishes a page', () => {
    const repository = { prefix: 'docs/my help/', branch: 'main' }
    expect(parseYaml(gitlabReport({ ...FACTS, repository }))).toEqual({
      'kb-report': {
        image: 'node:24',
        stage: 'test',
        interruptible: true,
        timeout: '30 minutes',
        variables: { GIT_DEPTH: '0' },
        rules: [{ if: '$CI_PIPELINE_SOURCE == "schedule"' }],
        cache: { key: 'kb-history', when: 'always', paths: ['docs/my help/.kb/history/'] },
        before_script: ["cd 'docs/my help'", 'npm ci'],
        script: ['KB_API_KEY="$READONLY_KB_API_KEY" npx kb report --format html --out kb-report.html'],
        artifacts: { when: 'always', paths: ['docs/my help/kb-report.html'] },
      },
    })
  })
})

// The shell commands.

interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** Content of the job's summary. */
  readonly summary: string
}

/**
 * Runs a script like a runner: bash, which stops at the first command that fails. Installed programs are also found
 * without npx.
 */
async function runScript(
  { root, path, read, write }: TestProject,
  script: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  write({ 'summary.md': '' })
  const { PATH = '', HOME = '' } = process.env
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd: root,
    env: {
      PATH: `${path('node_modules/.bin')}:${PATH}`,
      HOME,
      CI: 'true',
      GITHUB_STEP_SUMMARY: path('summary.md'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const texts = { stdout: '', stderr: '' }
  child.stdout.on('data', (part: Buffer) => (texts.stdout += part.toString()))
  child.stderr.on('data', (part: Buffer) => (texts.stderr += part.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...texts, summary: read('summary.md') }
}

/** Creates a project with our binary installed by the package manager, and a server with a key for each purpose. */
async function deployed(): Promise<TestProject & { readonly key: string; readonly readOnlyKey: string }> {
  const server = await openTestServer({
    seed: { categories: [{ name: 'Guides', slug: 'guides' }], tags: [] },
  })
  const readOnly = issueKey(server.store.defaultSiteId)
  await addKey(server.db, { hash: readOnly.hash, siteId: server.store.defaultSiteId, readOnly: true })
  const listening = await listen(server, { host: '127.0.0.1', port: 0, graceMs: 0 })
  onTestFinished(() => listening.close())
  const project = createProject({
    'package.json': '{"private":true}',
    'kb.config.ts': configFile({ project: 'demo', target: { url: listening.url } }),
    'content/first.md': article('First', { status: 'published' }),
    'node_modules/.bin/kb': `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`,
  })
  chmodSync(project.path('node_modules/.bin/kb'), 0o755)
  return { ...project, key: API_KEY, readOnlyKey: readOnly.key }
}

/** The same commands without npx, which takes longer than kb. One command is enough to test that it finds kb. */
const withoutNpx = (script: string): string => script.replaceAll('npx kb ', 'kb ')

const scriptOf = (name: string) =>
  workflow().jobs[name]?.steps.findLast(({ run }) => run !== undefined)?.run ?? ''
const gitlabScript = (name: string) => withoutNpx(pipeline()[name]?.script.join('\n') ?? '')

function readAction(): string {
  return readFileSync(fileURLToPath(new URL('../../../action.yml', import.meta.url)), 'utf8')
}

function actionSteps(): readonly Step[] {
  return (parseYaml(readAction()) as { readonly runs: { readonly steps: readonly Step[] } }).runs.steps
}

const actionScript = () => actionSteps().find(({ run }) => run !== undefined)?.run ?? ''

describe('the lines of', () => {
  test('the GitHub workflow check, plan with a read-only key, and sync', async () => {
    const project = await deployed()
    expect(await runScript(project, scriptOf('check'))).toMatchObject({ code: 0, summary: '' })

    const [plan, sync] = [withoutNpx(scriptOf('plan')), withoutNpx(scriptOf('sync'))]
    const planned = await runScript(project, plan, { KB_API_KEY: project.readOnlyKey })
    expect(planned).toMatchObject({ code: 0, stdout: '' })
    expect(planned.summary).toContain('\n**Articles: 1 to create.**\n')
    expect(planned.summary).toContain('\n| create | `first.md` |  |\n')

    expect(await runScript(project, sync, { KB_API_KEY: project.readOnlyKey })).toMatchObject({ code: 1 })
    const synced = await runScript(project, sync, { KB_API_KEY: project.key })
    expect(synced).toMatchObject({ code: 0, stdout: '' })
    expect(synced.summary).toContain('\n| created | `first.md` |  |\n')
    const again = await project.run(['sync', '--format', 'markdown'], { env: { KB_API_KEY: project.key } })
    expect(again.stdout).toContain('\n**Articles: 1 unchanged.** Nothing to do.\n')
  })

  test('the GitLab pipeline do the same', async () => {
    const project = await deployed()
    expect(await runScript(project, gitlabScript('kb-check'))).toMatchObject({ code: 0, stdout: '' })
    expect(project.read('kb-check.xml')).toMatch(/^<\?xml .*<testsuite/s)

    const keys = { READONLY_KB_API_KEY: project.readOnlyKey }
    expect(await runScript(project, gitlabScript('kb-plan'), keys)).toMatchObject({ code: 0, stdout: '' })
    expect(project.read('kb-plan.md')).toContain('\n| create | `first.md` |  |\n')
    expect(
      await runScript(project, gitlabScript('kb-sync'), { ...keys, KB_API_KEY: project.key }),
    ).toMatchObject({ code: 0 })

    project.write({ 'content/second.md': article('Second', { body: '[Gone](gone.md)' }) })
    const failed = await runScript(project, gitlabScript('kb-check'))
    expect({ code: failed.code, log: failed.stdout.includes('link-file-missing') }).toEqual({
      code: 1,
      log: true,
    })
    expect(project.read('kb-check.xml')).toContain('link-file-missing')
  })

  test('both reports need a read-only key, and remember their findings', async () => {
    const project = await deployed()
    expect((await project.run(['sync'], { env: { KB_API_KEY: project.key } })).code).toBe(0)
    const github = parseYaml(githubReport(FACTS)) as Workflow
    const script = github.jobs['report']?.steps.findLast(({ run }) => run !== undefined)?.run ?? ''
    const reported = await runScript(project, withoutNpx(script), { KB_API_KEY: project.readOnlyKey })
    expect(reported).toMatchObject({ code: 0, stdout: '' })
    expect(reported.summary).toContain('| **0** | 0 | 1 |')
    const remembered = readdirSync(project.path('.kb/history'))
    expect(remembered).toHaveLength(1)

    const gitlab = parseYaml(gitlabReport(FACTS)) as Pipeline
    const lines = gitlab['kb-report']?.script.join('\n') ?? ''
    const paged = await runScript(project, withoutNpx(lines), { READONLY_KB_API_KEY: project.readOnlyKey })
    expect(paged).toMatchObject({ code: 0 })
    expect(project.read('kb-report.html')).toMatch(/^<!doctype html>/i)
    expect(readdirSync(project.path('.kb/history'))).toEqual(remembered)
  })

  test('the action do what its input says, and nothing else', async () => {
    const project = await deployed()
    const run = (env: Record<string, string>) =>
      runScript(project, actionScript(), { VERSION: '', KB_URL: '', KB_API_KEY: '', ...env })
    expect(await run({ COMMAND: 'check' })).toMatchObject({ code: 0, summary: '' })
    const planned = await run({ COMMAND: 'plan', KB_API_KEY: project.readOnlyKey })
    expect({ code: planned.code, isPlanned: planned.summary.includes('| create |') }).toEqual({
      code: 0,
      isPlanned: true,
    })
    expect(await run({ COMMAND: 'sync', KB_API_KEY: project.key })).toMatchObject({ code: 0 })
    const reported = await run({ COMMAND: 'report', KB_API_KEY: project.readOnlyKey })
    expect({ code: reported.code, isReported: reported.summary.includes('| **0** | 0 | 1 |') }).toEqual({
      code: 0,
      isReported: true,
    })
    expect(await run({ COMMAND: 'check; touch stolen' })).toMatchObject({
      code: 2,
      stdout: '::error title=kb-sync::The input command must be check, plan, sync or report.\n',
    })
    expect(() => project.read('stolen')).toThrow('ENOENT')
  })
})

test('the guide shows the pipelines as written', () => {
  const page = fileURLToPath(
    new URL('../../../content/automation/continuous-integration.md', import.meta.url),
  )
  const guide = readFileSync(page, 'utf8')
  expect(guide).toContain(`\n\`\`\`yaml\n${githubWorkflow(FACTS)}\`\`\`\n`)
  expect(guide).toContain(`\n\`\`\`yaml\n${gitlabPipeline(FACTS)}\`\`\`\n`)
  expect(guide).toContain(`\n\`\`\`yaml\n${githubReport(FACTS)}\`\`\`\n`)
  expect(guide).toContain(`\n\`\`\`yaml\n${gitlabReport(FACTS)}\`\`\`\n`)
})
