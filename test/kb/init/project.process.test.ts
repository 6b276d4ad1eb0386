// From a folder to a project: what is read, what is written, and that it passes a check.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createKb } from '../../../src/index.ts'
import { DEFAULT_ANSWERS, type InitAnswers } from '../../../src/kb/init/init-answers.ts'
import { planInit } from '../../../src/kb/init/plan-init.ts'
import { planPipelines } from '../../../src/kb/init/plan-pipelines.ts'
import { assertNewProject, readFacts } from '../../../src/kb/init/read-facts.ts'
import { writePlan } from '../../../src/kb/init.ts'
import { article, createProject, type TestProject } from '../../support/project.ts'
import { EMPTY } from './init-facts.ts'

async function initialise(root: string, given: Partial<InitAnswers> = {}): Promise<void> {
  const answers = { ...DEFAULT_ANSWERS, ...given }
  await writePlan(root, planInit(answers, await readFacts(root, answers, '1.2.3')))
}

function git(project: TestProject, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false']
  execFileSync('git', [...identity, ...args], { cwd: project.root, stdio: 'ignore' })
}

function filesIn(project: TestProject): string[] {
  return readdirSync(project.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(project.root.length + 1))
    .toSorted()
}

describe('the result', () => {
  test.each<[string, Partial<InitAnswers>]>([
    ['as by default', {}],
    ['elsewhere and in another language', { content: 'docs/help', language: 'de', ci: ['github', 'gitlab'] }],
  ])('%s passes a check without a warning', async (_, answers) => {
    const project = createProject()
    await initialise(project.root, answers)
    const { check } = createKb({ cwd: project.root, env: {} })
    expect(await check()).toMatchObject({ articles: 1, diagnostics: [] })
  })

  test('uses existing articles unchanged', async () => {
    const project = createProject({ 'content/a.md': article('A'), 'content/b/c.md': article('C') })
    await initialise(project.root)
    expect(filesIn(project)).toEqual([
      '.gitignore',
      'content/_categories.yml',
      'content/_tags.yml',
      'content/a.md',
      'content/b/c.md',
      'kb.config.ts',
      'package.json',
    ])
    expect(await createKb({ cwd: project.root, env: {} }).check()).toMatchObject({
      articles: 2,
      diagnostics: [],
    })
  })

  test('lists categories and tags of articles, so that they can be sent', async () => {
    const project = createProject({
      'content/a.md': article('A', { categories: ['Guides/Accounts'], tags: ['#1: new'] }),
      'content/b.md': article('B', { categories: ['Accounts', 'FAQ'], tags: ['#1: new', 'no'] }),
    })
    await initialise(project.root)
    const { check } = createKb({ cwd: project.root, env: {} })
    expect(await check()).toMatchObject({ articles: 2, diagnostics: [] })
  })

  test('uses existing categories', async () => {
    const project = createProject({ 'content/_categories.yml': '- { name: "Shop: all", slug: shop-all }\n' })
    await initialise(project.root)
    expect(await createKb({ cwd: project.root, env: {} }).check()).toMatchObject({
      articles: 1,
      diagnostics: [],
    })
  })
})

describe('facts', () => {
  test('of existing pipelines', async () => {
    const project = createProject()
    const answers = {
      target: { url: 'https://help.example.com' },
      ci: ['github', 'gitlab'],
      report: true,
    } as const
    await initialise(project.root, answers)
    const facts = await readFacts(project.root, DEFAULT_ANSWERS, '1.2.3')
    expect(facts).toMatchObject({
      hasGitHubWorkflow: true,
      hasGitHubReport: true,
      gitlabPipeline: 'ours',
      hasGitLabInclude: false,
      hasGitLabReport: true,
    })
    const again = planPipelines(answers, facts)
    expect({ kinds: again.files.map(({ kind }) => kind), todos: again.todos }).toEqual({
      kinds: ['keep', 'keep', 'keep', 'keep'],
      todos: [],
    })
  })

  test('of an empty or missing folder', async () => {
    const project = createProject()
    const facts = { ...EMPTY, folderName: basename(project.root) }
    expect(await readFacts(project.root, DEFAULT_ANSWERS, '1.2.3')).toEqual(facts)
    expect(await readFacts(project.path('new/help'), DEFAULT_ANSWERS, '1.2.3')).toEqual({
      ...facts,
      folderName: 'help',
    })
  })

  test('of a folder within a repository and a workspace', async () => {
    const project = createProject({
      'pnpm-lock.yaml': '',
      'package.json': '{"packageManager":"pnpm@10.1.0"}',
      '.gitlab-ci.yml': '',
      '.github/workflows/kb.yml': '',
      'node_modules/kb-sync/package.json': '{"name":"kb-sync"}',
      'sites/help/package.json': '{"name":"help"}',
      'sites/help/.gitignore': 'dist\n',
      'sites/help/content/a.md': '---\ncategories: [Guides, 7, shop]\n---\n',
      'sites/help/content/deep/b.md': '---\ncategories: [Guides, "a: b"]\ntags: [x]\n---\n',
      'sites/help/content/c.md': '---\ncategories: [\n---\n',
      'sites/help/content/_draft.md': '',
      'sites/help/content/.hidden/c.md': '',
      'sites/help/content/picture.png': '',
      'sites/help/content/_categories.yml': '- name: Guides\n- slug: shop\n  name: Shop\n- 7\n',
      'sites/help/content/_tags.yml': 'not: [a list',
    })
    git(project, 'init', '--quiet', '--initial-branch', 'trunk')
    expect(await readFacts(project.path('sites/help'), DEFAULT_ANSWERS, '1.2.3')).toEqual({
      folderName: 'help',
      packageJson: '{"name":"help"}',
      gitignore: 'dist\n',
      addsPackages: true,
      hasContent: true,
      articles: 3,
      named: { categories: ['Guides', 'shop', 'a: b'], tags: ['x'] },
      categories: ['Guides', 'shop'],
      tags: [],
      hasGitHubWorkflow: true,
      hasGitHubReport: false,
      gitlabPipeline: 'other',
      hasGitLabInclude: false,
      hasGitLabReport: false,
      repository: { prefix: 'sites/help/', branch: 'trunk' },
      manager: { name: 'pnpm', isBerry: false, isPinned: true },
      lockPrefix: '',
      packagePrefix: '../../',
      isInstalled: true,
      version: '1.2.3',
    })
  })

  test('not from above the repository', async () => {
    const project = createProject({
      'package-lock.json': '{}',
      'node_modules/kb-sync/package.json': '{}',
      'repository/a.txt': '',
    })
    execFileSync('git', ['init', '--quiet', '-b', 'main', project.path('repository')])
    expect(await readFacts(project.path('repository'), DEFAULT_ANSWERS, '1.2.3')).toMatchObject({
      isInstalled: false,
      lockPrefix: '',
      packagePrefix: '',
    })
  })

  test.each<[string, Record<string, string>, object]>([
    ['pnpm', { 'pnpm-lock.yaml': '' }, { name: 'pnpm', isBerry: false, isPinned: false }],
    ['the first yarn', { 'yarn.lock': '' }, { name: 'yarn', isBerry: false, isPinned: false }],
    [
      'a later yarn',
      { 'yarn.lock': '', '.yarnrc.yml': '' },
      { name: 'yarn', isBerry: true, isPinned: false },
    ],
    [
      'yarn by version',
      { 'package.json': '{"packageManager":"yarn@4.1.0"}' },
      { name: 'yarn', isBerry: true, isPinned: true },
    ],
    ['bun', { 'bun.lock': '' }, { name: 'bun', isBerry: false, isPinned: false }],
    ['one we do not know', { 'deno.lock': '' }, { name: 'npm', isBerry: false, isPinned: false }],
    ['a broken package.json', { 'package.json': '{' }, { name: 'npm', isBerry: false, isPinned: false }],
  ])('the package manager: %s', async (_, files, manager) => {
    const facts = await readFacts(createProject(files).root, DEFAULT_ANSWERS, '1.2.3')
    expect(facts.manager).toEqual(manager)
  })

  test.each<[string, (project: TestProject) => void]>([
    [
      'the one that the remote calls so',
      (project) => {
        git(project, 'update-ref', 'refs/remotes/origin/release', 'HEAD')
        git(project, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/release')
      },
    ],
    ['else main', (project) => git(project, 'branch', 'main')],
    ['else master', (project) => git(project, 'branch', 'master')],
    ['else the current one', () => undefined],
  ])('the branch: %s', async (name, prepare) => {
    const project = createProject({ 'a.txt': '' })
    git(project, 'init', '--quiet', '--initial-branch', 'topic/a')
    git(project, 'add', '.')
    git(project, 'commit', '--quiet', '-m', 'First')
    prepare(project)
    const { repository } = await readFacts(project.root, DEFAULT_ANSWERS, '1.2.3')
    const expected = { remote: 'release', main: 'main', master: 'master', current: 'topic/a' }
    const key =
      (Object.keys(expected) as (keyof typeof expected)[]).find((each) => name.includes(each)) ?? 'main'
    expect(repository).toEqual({ prefix: '', branch: expected[key] })
  })
})

describe('rejected, with nothing written', () => {
  test.each(['kb.config.ts', 'kb.config.mjs'])('a folder with %s', (name) => {
    const project = createProject({ [name]: '' })
    expect(() => assertNewProject(project.root, false)).toThrow(
      expect.objectContaining({
        code: 'PROJECT_EXISTS',
        message: `This folder already has a ${name}. Nothing was written.`,
        hint: `To check it, run kb check. To add settings that let a first sync through, run kb init --accept. To add a CI workflow, run kb init --ci github. To start from scratch, move ${name} away first.`,
      }),
    )
  })

  test('a folder within a project, unless requested', () => {
    const project = createProject({ 'kb.config.ts': '', 'content/a/b.md': '' })
    expect(() => assertNewProject(project.path('content/a'), false)).toThrow(
      expect.objectContaining({
        code: 'PROJECT_EXISTS',
        message: `This folder is part of the project in ${project.root}. Nothing was written.`,
      }),
    )
    expect(assertNewProject(project.path('content/a'), true)).toBeUndefined()
  })

  test('a file instead of a folder', async () => {
    const project = createProject({ content: '' })
    expect(() => assertNewProject(project.path('content'), false)).toThrow(
      expect.objectContaining({ code: 'USAGE' }),
    )
    await expect(initialise(project.root)).rejects.toMatchObject({ code: 'USAGE' })
    expect(filesIn(project)).toEqual(['content'])
  })

  test('an invalid package.json', async () => {
    const project = createProject({ 'package.json': '{ "name": ' })
    await expect(initialise(project.root, { ci: ['github'] })).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
    })
    expect(filesIn(project)).toEqual(['package.json'])
  })
})

describe('writing', () => {
  test('that fails halfway lists the written files, and the next run continues', async () => {
    const project = createProject({ '.github': 'a file in the place of a folder' })
    await expect(initialise(project.root, { ci: ['github'] })).rejects.toMatchObject({
      code: 'FILES_UNWRITABLE',
      message: expect.stringMatching(
        /^\.github\/workflows\/kb\.yml could not be written: .*\. Written before that: package\.json, \.gitignore, content\/_categories\.yml, content\/_tags\.yml, content\/how-to-write-an-article\.md\.$/,
      ) as string,
    })
    project.remove('.github')
    assertNewProject(project.root, false)
    await initialise(project.root, { ci: ['github'] })
    expect(await createKb({ cwd: project.root, env: {} }).check()).toMatchObject({
      articles: 1,
      diagnostics: [],
    })
  })

  test('does not overwrite files created in the meantime', async () => {
    const project = createProject()
    const plan = planInit(DEFAULT_ANSWERS, await readFacts(project.root, DEFAULT_ANSWERS, '1.2.3'))
    project.write({ 'package.json': 'mine' })
    await expect(writePlan(project.root, plan)).rejects.toMatchObject({
      code: 'FILES_UNWRITABLE',
      message: expect.stringContaining('Nothing was written.') as string,
    })
    expect(filesIn(project)).toEqual(['package.json'])
    expect(project.read('package.json')).toBe('mine')
  })

  test('writes through a link to its file', async () => {
    const project = createProject({ 'shared/ignore': 'dist\n' })
    mkdirSync(project.path('help'))
    symlinkSync('../shared/ignore', project.path('help/.gitignore'))
    chmodSync(project.path('shared/ignore'), 0o600)
    await initialise(project.path('help'))
    expect(project.read('shared/ignore')).toBe('dist\nnode_modules/\n.kb/\n')
  })
})
