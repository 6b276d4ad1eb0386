// What the commands answer: exit codes, one JSON document, and text that is safe to print.
import { expect, test } from 'vitest'
import { closedAddress } from '../support/fault-proxy.ts'
import { article, configFile, createProject, type Files } from '../support/project.ts'
import { SERVICE_KEY, startStrictService } from '../support/strict-service.ts'
import { unwrapped } from '../support/unwrapped.ts'

const GOOD: Files = {
  'kb.config.ts': configFile({ project: 'demo' }),
  'content/first.md': article('First'),
  'content/_categories.yml': '- name: Guides\n',
}
const BROKEN: Files = { ...GOOD, 'content/first.md': article('First', { status: 'public' }) }

const SUMMARY = {
  created: 0,
  updated: 0,
  replaced: 0,
  deleted: 0,
  unchanged: 0,
  conflicts: 0,
  failed: 0,
  skipped: 0,
  orphans: 0,
}
const PROBLEM = {
  code: 'frontmatter-value',
  severity: 'error',
  file: 'content/first.md',
  line: 4,
  column: 9,
  end: { line: 4, column: 17 },
  message: 'status must be draft or published.',
}

test('check, plan and sync answer with one JSON document of a fixed shape', async () => {
  const project = createProject(GOOD)
  const check = await project.kb('check', '--json')
  expect([check.code, check.json]).toEqual([
    0,
    { version: 1, summary: { articles: 1, errors: 0, warnings: 0, fixable: 0 }, diagnostics: [] },
  ])
  const operation = { kind: 'article', action: 'create', source: 'first.md', slug: 'first', language: null }
  const category = {
    kind: 'category',
    action: 'create',
    source: '_categories.yml',
    slug: 'Guides',
    language: null,
  }
  const planned = await project.kb('plan', '--json')
  expect([planned.code, planned.json]).toEqual([
    0,
    {
      version: 2,
      target: 'builtin',
      summary: { ...SUMMARY, created: 1 },
      taxonomy: { ...SUMMARY, created: 1 },
      operations: [
        { ...category, outcome: 'planned' },
        { ...operation, outcome: 'planned' },
      ],
      diagnostics: [],
      requests: { GET: 3 },
    },
  ])
  const synced = await project.kb('sync', '--json')
  expect([synced.code, synced.json]).toEqual([
    0,
    {
      version: 2,
      target: 'builtin',
      summary: { ...SUMMARY, created: 1 },
      taxonomy: { ...SUMMARY, created: 1 },
      operations: [
        { ...category, slug: 'guides', outcome: 'done' },
        { ...operation, id: expect.stringMatching(/^[0-9a-f-]{36}$/), outcome: 'done' },
      ],
      diagnostics: [],
      requests: { GET: 3, OPTIONS: 1, PUT: 1 },
    },
  ])
  expect([check.stderr, planned.stderr, synced.stderr]).toEqual(['', '', ''])
})

test('an error in the content is exit code 1, and nothing is sent', async () => {
  const project = createProject(BROKEN)
  const check = await project.kb('check', '--format', 'json')
  expect([check.code, check.json]).toEqual([
    1,
    { version: 1, summary: { articles: 1, errors: 1, warnings: 0, fixable: 0 }, diagnostics: [PROBLEM] },
  ])
  for (const command of ['plan', 'sync']) {
    const { code, json } = await project.kb(command, '--json')
    expect([code, json]).toEqual([
      1,
      {
        version: 2,
        target: 'builtin',
        summary: SUMMARY,
        taxonomy: SUMMARY,
        operations: [],
        diagnostics: [PROBLEM],
        requests: {},
      },
    ])
  }
})

test('problems are printed for people and for GitHub', async () => {
  const project = createProject()
  project.write(Object.fromEntries(Object.entries(BROKEN).map(([name, text]) => [`docs/${name}`, text])))
  project.write({ '.git/HEAD': 'ref: refs/heads/main\n' })
  expect(await project.kb('check', '--cwd', 'docs')).toEqual(
    expect.objectContaining({
      code: 1,
      stdout:
        'content/first.md:4:9 error frontmatter-value\n  status must be draft or published.\n' +
        '  4 | status: "public"\n    |         ^^^^^^^^\n\n' +
        '1 error in 1 article.\nkb explain CODE shows more about a problem.\n',
      stderr: 'Reading and rendering 1…\n',
    }),
  )
  expect(await project.kb('check', '--cwd', 'docs', '--format', 'github')).toEqual(
    expect.objectContaining({
      code: 1,
      stdout:
        '::error file=docs/content/first.md,line=4,endLine=4,col=9,endColumn=17,title=frontmatter-value::status must be draft or published.\n',
      stderr: '',
    }),
  )
})

test.each([
  ['an unknown command', ['snyc'], {}, 'USAGE'],
  ['an unknown flag', ['sync', '--prume'], {}, 'USAGE'],
  ['a wrong value', ['sync', '--max-deletes', 'many'], {}, 'USAGE'],
  ['a missing argument', ['mv'], {}, 'USAGE'],
  ['an unknown target', ['sync', '--target', 'prod'], {}, 'TARGET_UNKNOWN'],
  ['a configuration that is not there', ['check', '--config', 'none.ts'], {}, 'CONFIG_UNREADABLE'],
  ['an unknown KB_ variable', ['check'], { KB_KEY: 'x' }, 'ENVIRONMENT_INVALID'],
  ['a KB_URL that is none', ['sync'], { KB_URL: 'help.example.com' }, 'ENVIRONMENT_INVALID'],
  ['a target without key', ['sync'], { KB_URL: 'https://help.example.com' }, 'ENVIRONMENT_INVALID'],
  [
    'two targets at once',
    ['sync', '--target', 'builtin'],
    { KB_URL: 'http://127.0.0.1:1', KB_API_KEY: 'x' },
    'USAGE',
  ],
  [
    'a key over plain http',
    ['sync'],
    { KB_URL: 'http://help.example.com', KB_API_KEY: 'x' },
    'CONFIG_INVALID',
  ],
])('%s is exit code 2', async (_, args, env, errorCode) => {
  const project = createProject(GOOD)
  const { code, json } = await project.run([...args, '--json'], { env: { ...env } })
  expect([code, json]).toEqual([
    2,
    { version: 1, error: expect.objectContaining({ code: errorCode, message: expect.any(String) }) },
  ])
})

const UNNAMED: Files = { ...GOOD, 'kb.config.ts': configFile() }

test.each(['sync', 'plan', 'watch', 'pull'])(
  'kb %s goes to no remote target without a project name, and says which line to add',
  async (command) => {
    const service = await startStrictService()
    const env = { KB_URL: service.url, KB_API_KEY: SERVICE_KEY }
    const project = createProject(UNNAMED)
    const { code, stdout, stderr } = await project.run([command], { env })
    expect([code, stdout, service.requests]).toEqual([2, '', []])
    expect(unwrapped(stderr)).toMatch(
      / \[PROJECT_UNNAMED\] hint: Add this line to kb\.config\.ts, .*: project: '[a-z0-9-]+',$/,
    )
  },
)

test('a project without a name syncs once package.json has one', async () => {
  const service = await startStrictService()
  const env = { KB_URL: service.url, KB_API_KEY: SERVICE_KEY }
  const project = createProject({ ...UNNAMED, 'package.json': '{ "name": "default" }' })
  expect(await project.run(['sync'], { env })).toMatchObject({ code: 2 })
  project.write({ 'package.json': '{ "name": "acme-help" }' })
  expect(await project.run(['sync'], { env })).toMatchObject({ code: 0 })
  expect(service.articles()).toHaveLength(1)
})

test('the built-in server takes a project without a name', async () => {
  expect(await createProject(UNNAMED).run(['sync'])).toMatchObject({ code: 0 })
})

test('an empty KB_URL is reported if it makes the built-in server the target', async () => {
  const project = createProject(GOOD)
  const warning = 'warning: KB_URL is empty: the target is the built-in server.'
  const warns = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
    const { code, stderr } = await project.run(args, { env })
    return [code, unwrapped(stderr).includes(warning)]
  }
  expect(await warns(['sync'], { KB_URL: '' })).toEqual([0, true])
  expect(await warns(['plan', '--json'], { KB_URL: '' })).toEqual([0, true])
  expect(await warns(['sync', '--target', 'builtin'], { KB_URL: '' })).toEqual([0, false])
  expect(await warns(['sync'], {})).toEqual([0, false])
})

test('a usage error is said once, with a suggestion', async () => {
  const project = createProject(GOOD)
  expect(await project.kb('snyc')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'error: Unknown command "snyc". [USAGE]\nhint: Did you mean sync?\n',
  })
})

test('a wrong configuration is exit code 2, every mistake named', async () => {
  const project = createProject({
    ...GOOD,
    'kb.config.ts': configFile({ contnet: 'docs', sync: { prune: 1 } }),
  })
  const { code, json } = await project.kb('check', '--json')
  expect([code, json]).toEqual([
    2,
    {
      version: 1,
      error: {
        code: 'CONFIG_INVALID',
        message:
          'kb.config.ts has errors:\n  sync.prune: must be a boolean, not 1\n' +
          '  contnet: unknown key; did you mean "content"?',
        hint: 'The page "Configuration" in the guide lists every key with its default.',
      },
    },
  ])
})

test('a target that cannot be reached, or refuses the key, is exit code 3', async () => {
  const { 'content/_categories.yml': _, ...files } = GOOD
  const project = createProject({
    ...files,
    'kb.config.ts': configFile({ project: 'demo', sync: { retries: 0 } }),
  })
  const service = await startStrictService()
  const cases = [
    [await closedAddress(), 'TARGET_UNREACHABLE'],
    [service.url, 'TARGET_REFUSED'],
  ] as const
  for (const [url, errorCode] of cases) {
    const env = { KB_URL: url, KB_API_KEY: 'wrong' }
    for (const command of ['plan', 'sync']) {
      const { code, json, stdout } = await project.run([command, '--json'], { env })
      expect([code, json]).toMatchObject([3, { version: 1, error: { code: errorCode } }])
      expect(stdout).not.toContain('wrong')
    }
    const { code, stdout, stderr } = await project.run(['sync'], { env })
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(unwrapped(stderr)).toMatch(/^error: [^]+ hint: .+$/)
  }
})

test('conflicts that are left are exit code 4', async () => {
  const { 'content/_categories.yml': _, ...files } = GOOD
  const project = createProject(files)
  const service = await startStrictService()
  service.add({ slug: 'first', title: 'First' })
  const env = { KB_URL: service.url, KB_API_KEY: SERVICE_KEY }
  const { code, json } = await project.run(['sync', '--json'], { env })
  expect([code, json]).toMatchObject([4, { summary: { ...SUMMARY, conflicts: 1 } }])
  expect(await project.run(['sync', '--on-conflict', 'skip'], { env })).toMatchObject({ code: 0 })
  const adopted = await project.run(['sync', '--adopt', 'first', '--json'], { env })
  expect([adopted.code, adopted.json]).toMatchObject([0, { summary: { ...SUMMARY, replaced: 1 } }])
})

const HOSTILE = '\u001b[31mred\u001b]0;owned\u0007\u202Eevil\u009b31m'
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const RAW_CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/

test('control and bidi characters of content, file names and target are never printed raw', async () => {
  const name = 'content/na\u202Eme\u001b[31m.md'
  const { 'content/_categories.yml': _, ...files } = GOOD
  const project = createProject({
    ...files,
    [name]: article(`Title ${HOSTILE}`, { categories: [`None ${HOSTILE}`], slug: `hostile-\u202E` }),
    'content/link.md': article('Link', { body: `[x](./gone-\u202Ename.md)` }),
  })
  const service = await startStrictService({ refuses: () => `No ${HOSTILE}` })
  const env = { KB_URL: service.url, KB_API_KEY: SERVICE_KEY }
  const outputs = [
    await project.kb('check'),
    await project.kb('check', '--format', 'github'),
    await project.run(['sync'], { env }),
  ]
  project.remove('content/link.md')
  outputs.push(await project.run(['sync'], { env }))
  project.write({ [name]: article(`Title ${HOSTILE}`, { slug: 'hostile' }) })
  outputs.push(
    await project.run(['plan', '--verbose'], { env }),
    await project.run(['sync', '--verbose'], { env }),
    await project.run(['sync', '--json'], { env }),
  )
  expect(outputs.map(({ code }) => code)).toEqual([1, 1, 1, 1, 0, 1, 1])
  expect(outputs.map(({ stdout, stderr }) => RAW_CONTROL.exec(stdout + stderr)?.[0])).toEqual(
    outputs.map(() => undefined),
  )
})

test('without a terminal there are no colours; they can be asked for', async () => {
  const project = createProject(BROKEN)
  const plain = await project.run(['check'])
  expect(plain.stdout + plain.stderr).not.toContain('\u001b')
  const coloured = await project.run(['check'], { env: { FORCE_COLOR: '1' } })
  expect(coloured.stdout).toContain('\u001b[31merror\u001b[39m')
  const refused = await project.run(['check'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })
  expect(refused.stdout).toBe(plain.stdout)
})
