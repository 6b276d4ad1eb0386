// Every file of a new project depends only on answers and facts.
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { type InitAnswers, DEFAULT_ANSWERS } from '../../../src/kb/init/init-answers.ts'
import type { InitFacts } from '../../../src/kb/init/init-model.ts'
import { planInit } from '../../../src/kb/init/plan-init.ts'
import { EMPTY, REMOTE } from './init-facts.ts'

interface Given {
  readonly answers?: Partial<InitAnswers>
  readonly facts?: Partial<InitFacts>
}

function plan({ answers, facts }: Given = {}) {
  return planInit({ ...DEFAULT_ANSWERS, ...answers }, { ...EMPTY, ...facts })
}

/** Lists `create kb.config.ts` and so on. */
function listOf(given: Given): string[] {
  return plan(given).files.map(({ kind, file }) => `${kind} ${file}`)
}

function textOf(file: string, given: Given = {}): string {
  const planned = plan(given).files.find((each) => each.file === file)
  return planned === undefined || planned.kind === 'keep' ? '' : planned.text
}

describe('files', () => {
  test('an empty folder gets all of them, the configuration last', () => {
    expect(listOf({ answers: { ci: ['github', 'gitlab'] } })).toEqual([
      'create package.json',
      'create .gitignore',
      'create content/_categories.yml',
      'create content/_tags.yml',
      'create content/how-to-write-an-article.md',
      'create .github/workflows/kb.yml',
      'create .gitlab-ci.yml',
      'create kb.config.ts',
    ])
  })

  test('existing ones are merged or kept', () => {
    const facts = {
      packageJson: '{}',
      gitignore: '.kb/\nnode_modules/\n',
      categories: ['guides', 'shop'],
      tags: [],
      hasGitHubWorkflow: true,
      gitlabPipeline: 'other',
      hasGitLabInclude: true,
    } as const
    expect(plan({ facts, answers: { ci: ['github', 'gitlab'] } }).todos).toEqual([])
    expect(listOf({ facts, answers: { ci: ['github', 'gitlab'] } })).toEqual([
      'change package.json',
      'keep .gitignore',
      'keep content/_categories.yml',
      'keep content/_tags.yml',
      'create content/how-to-write-an-article.md',
      'keep .github/workflows/kb.yml',
      'keep .gitlab/kb.yml',
      'create kb.config.ts',
    ])
    const article = textOf('content/how-to-write-an-article.md', { facts })
    expect(article).toContain('\ncategories: [guides]\nexcerpt: ')
  })

  // npm has installed packages, and written package.json, before the folder becomes a repository.
  test.each<[string, Partial<InitFacts>, string]>([
    ['a new one', {}, 'node_modules/\n.kb/\n'],
    ['a new one where git ignores them for this user', { addsPackages: false }, 'node_modules/\n.kb/\n'],
    ['one without them', { gitignore: 'dist\n' }, 'dist\nnode_modules/\n.kb/\n'],
    ['one below another that has them', { gitignore: 'dist\n', addsPackages: false }, 'dist\n.kb/\n'],
    ['one that has them', { gitignore: '.kb/\n/node_modules\n' }, ''],
  ])('installed packages stay out of git: %s', (_, facts, expected) => {
    expect(textOf('.gitignore', { facts: { packageJson: '{}', ...facts } })).toBe(expected)
  })

  test('existing Markdown is used unchanged, with taxonomy files of what it refers to', () => {
    const named = {
      categories: ['Accounts', 'FAQ: all', 'Guides/Accounts', 'Guides/Shop', 'x//y'],
      tags: ['b', '1'],
    }
    const given = { facts: { articles: 3, named } }
    expect(listOf(given)).toEqual([
      'create package.json',
      'create .gitignore',
      'create content/_categories.yml',
      'create content/_tags.yml',
      'create kb.config.ts',
    ])
    expect(parseYaml(textOf('content/_categories.yml', given))).toEqual([
      { name: 'FAQ: all' },
      { name: 'Guides' },
      { name: 'Accounts', parent: 'Guides' },
      { name: 'Shop', parent: 'Guides' },
    ])
    expect(parseYaml(textOf('content/_tags.yml', given))).toEqual([{ name: 'b' }, { name: '1' }])
    expect(parseYaml(textOf('content/_categories.yml', { facts: { articles: 3 } }))).toMatchObject([
      { slug: 'getting-started' },
    ])
  })

  test('a remote target has its own categories', () => {
    const files = ['create package.json', 'create .gitignore', 'create kb.config.ts']
    expect(listOf({ answers: { target: REMOTE.target }, facts: { articles: 3 } })).toEqual(files)
  })

  test('an empty list of categories leaves an article without one', () => {
    expect(listOf({ facts: { categories: [] } })).toEqual([
      'create package.json',
      'create .gitignore',
      'keep content/_categories.yml',
      'create content/_tags.yml',
      'create kb.config.ts',
    ])
  })

  test('schemas are found from deeper folders, and in the packages of a workspace', () => {
    expect(textOf('docs/help/_categories.yml', { answers: { content: 'docs/help' } }).split('\n')[0]).toBe(
      '# yaml-language-server: $schema=../../node_modules/kb-sync/dist/schemas/categories.json',
    )
    expect(textOf('content/_tags.yml', { facts: { packagePrefix: '../../' } }).split('\n')[0]).toBe(
      '# yaml-language-server: $schema=../../../node_modules/kb-sync/dist/schemas/tags.json',
    )
  })
})

describe('names', () => {
  test.each([
    ['acme-help', 'acme-help', undefined],
    ['Acme Help!', 'acme-help', 'Acme Help!'],
    ['Größe', 'große'.normalize('NFKD').replace(/[^a-z]/g, ''), 'Größe'],
    ['日本語', 'knowledge-base', '日本語'],
    ['.-.', 'knowledge-base', undefined],
    ['kb-sync', 'knowledge-base', 'kb-sync'],
    ['', 'knowledge-base', undefined],
  ])('the folder %j makes the package and project %j', (folderName, name, shown) => {
    expect(JSON.parse(textOf('package.json', { facts: { folderName } }))).toMatchObject({ name })
    const config = textOf('kb.config.ts', { facts: { folderName } })
    expect(config).toContain(`  project: '${name}',\n`)
    expect(/^ {2}pages: \{ name: '(.*)' \},$/m.exec(config)?.[1]).toBe(shown)
  })

  test.each([
    ['{"name":"@acme/help"}', "'@acme/help'"],
    ['{"name":"it\'s \\\\"}', String.raw`'it\'s \\'`],
    ['{"name":7}', "'acme-help'"],
    ['\uFEFF{}', "'acme-help'"],
  ])('package.json %s makes the project %s', (packageJson, project) => {
    expect(textOf('kb.config.ts', { facts: { packageJson } })).toContain(`  project: ${project},\n`)
  })
})

test('the configuration contains the answers, and the other settings as comments', () => {
  expect(textOf('kb.config.ts')).toBe(`import { defineConfig } from 'kb-sync'

// The comments show defaults. For all settings, run npx kb schema config
export default defineConfig({
  // The name that identifies your articles on the target. Do not change it.
  project: 'acme-help',

  // The server included in kb-sync. For a remote target: { url: 'https://help.example.com' }
  target: 'builtin',

  // content: 'content',
  // defaultLanguage: 'en',
  // pages: { name: 'acme-help' },
  // defaults: { status: 'draft', reviewAfter: '180d' },
  // links: { article: '/articles/{slug}' },
  // sync: { prune: false, onConflict: 'fail' },
})
`)
  const given = { answers: { ...REMOTE, content: 'docs/help', language: 'pt-BR' } }
  expect(textOf('kb.config.ts', given)).toContain(`
  // Set the key as the environment variable KB_API_KEY.
  target: { url: 'https://help.example.com' },

  content: 'docs/help',
  defaultLanguage: 'pt-BR',
`)
})

describe('pipelines', () => {
  const paths = (given: Given) =>
    listOf(given)
      .filter((line) => line.includes('.git') && !line.includes('.gitignore'))
      .map((line) => line.replace(/^\w+ /, ''))

  test('are at the root of the repository', () => {
    const facts = { repository: { prefix: 'docs/help/', branch: 'main' } }
    expect(paths({ facts, answers: { ci: ['github', 'gitlab'] } })).toEqual([
      '../../.github/workflows/kb.yml',
      '../../.gitlab-ci.yml',
    ])
  })

  test('for a remote target need keys, and an existing .gitlab-ci.yml needs a line', () => {
    const given = {
      answers: { ...REMOTE, ci: ['github', 'gitlab'] as const },
      facts: { gitlabPipeline: 'other' } as const,
    }
    expect(paths(given)).toEqual(['.github/workflows/kb.yml', '.gitlab/kb.yml'])
    expect(plan(given).todos).toEqual([
      { kind: 'keys', system: 'github' },
      { kind: 'include', file: '.gitlab-ci.yml', line: 'include: /.gitlab/kb.yml' },
      { kind: 'keys', system: 'gitlab' },
    ])
  })

  const REPORTED = { ...REMOTE, ci: ['github', 'gitlab'] as const, report: true }

  test('with a report have separate files for it, and a schedule on GitLab', () => {
    const given = { answers: REPORTED, facts: { repository: { prefix: 'help/', branch: 'main' } } }
    expect(paths(given)).toEqual([
      '../.github/workflows/kb.yml',
      '../.github/workflows/kb-report.yml',
      '../.gitlab-ci.yml',
      '../.gitlab/kb-report.yml',
    ])
    expect(plan(given).todos).toEqual([
      { kind: 'keys', system: 'github' },
      { kind: 'keys', system: 'gitlab' },
      { kind: 'schedule', cron: '23 5 * * 1,4' },
    ])
    expect(parseYaml(textOf('../.gitlab-ci.yml', given))).toMatchObject({ include: '/.gitlab/kb-report.yml' })
    expect(textOf('.gitlab-ci.yml', { answers: { ...REPORTED, report: false } })).not.toContain('include')
  })

  test('can get a report later, beside existing files', () => {
    const given = { answers: REPORTED, facts: { hasGitHubWorkflow: true, gitlabPipeline: 'ours' } as const }
    expect(listOf(given).filter((line) => line.includes('kb') && line.includes('.git'))).toEqual([
      'keep .github/workflows/kb.yml',
      'create .github/workflows/kb-report.yml',
      'create .gitlab/kb-report.yml',
    ])
    expect(listOf(given)).toContain('keep .gitlab-ci.yml')
    expect(plan(given).todos).toEqual([
      { kind: 'report-key', system: 'github' },
      { kind: 'include', file: '.gitlab-ci.yml', line: 'include: /.gitlab/kb-report.yml' },
      { kind: 'report-key', system: 'gitlab' },
      { kind: 'schedule', cron: '23 5 * * 1,4' },
    ])
    const facts = { ...given.facts, hasGitHubReport: true, hasGitLabReport: true }
    expect(plan({ ...given, facts }).todos).toEqual([])
  })

  test('of other authors are listed with our jobs, and include nothing by themselves', () => {
    const given = { answers: REPORTED, facts: { gitlabPipeline: 'other' } as const }
    expect(plan(given).todos).toContainEqual({
      kind: 'include',
      file: '.gitlab-ci.yml',
      line: 'include: [/.gitlab/kb.yml, /.gitlab/kb-report.yml]',
    })
    expect(textOf('.gitlab/kb.yml', given)).not.toContain('include')
  })

  test.each([
    ['file:../packs/kb-sync-1.2.3.tgz', '../packs/kb-sync-1.2.3.tgz'],
    ['./kb-sync-1.2.3.tgz', './kb-sync-1.2.3.tgz'],
    ['^1.2.3', undefined],
    ['npm:other@1', undefined],
  ])('need the file from which kb-sync is installed: %s', (version, file) => {
    const packageJson = JSON.stringify({ devDependencies: { 'kb-sync': version } })
    const todo = { kind: 'packed-file', file, command: 'npm install --save-dev ./kb-sync-1.2.3.tgz' }
    const given = { answers: { ci: ['github'] as const }, facts: { packageJson } }
    const found = (facts: object) =>
      plan({ ...given, facts: { packageJson, ...facts } }).todos.filter(({ kind }) => kind === 'packed-file')
    expect(found({})).toEqual(file === undefined ? [] : [todo])
    expect(found({ hasGitHubWorkflow: true })).toEqual([])
    expect(plan({ ...given, answers: { ci: [] } }).todos).toEqual([])
  })

  test('for the built-in server report nothing, which is stated', () => {
    const given = { answers: { ci: ['github', 'gitlab'] as const, report: true } }
    expect(paths(given)).toEqual(['.github/workflows/kb.yml', '.gitlab-ci.yml'])
    expect(plan(given).todos).toEqual([{ kind: 'no-report' }])
    expect(textOf('.gitlab-ci.yml', given)).not.toContain('include')
    expect(plan({ answers: { ci: [], report: true } }).todos).toEqual([])
  })
})

test('the languages of a site that names no default one are each listed once', () => {
  const lineFor = (languages: string[]) =>
    /server: .*/.exec(textOf('kb.config.ts', { answers: { languages } }))?.[0]
  expect([[], ['en'], ['en', 'fr'], ['fr']].map(lineFor)).toEqual([
    undefined,
    undefined,
    "server: { languages: ['en', 'fr'] },",
    "server: { languages: ['en', 'fr'] },",
  ])
})
