// Findings about configuration, files, workspace and state of a project, without writing anything.
import { chmodSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { relative } from 'node:path'
import Libsql from 'libsql'
import { expect, test } from 'vitest'
import { openKnowledgeBase } from '../../../src/server/open-knowledge-base.ts'
import { openJournal } from '../../../src/sync/state/journal.ts'
import { workspaceOf, stateFiles } from '../../../src/sync/state/workspace.ts'
import { article, configFile, createProject, type Files } from '../../support/project.ts'
import { SERVICE_KEY, startStrictService } from '../../support/strict-service.ts'
import { createSyncProject } from '../../support/sync-project.ts'
import { CONTENT, examine, findingOf, snapshot, troubles } from './doctor-project.ts'

async function lookAt(files: Files, options: Parameters<typeof examine>[2] = {}) {
  const project = createProject(files)
  const before = snapshot(project.root)
  const report = await examine(project.root, undefined, options)
  expect(snapshot(project.root)).toEqual(before)
  return report
}

const WITHOUT_KB = { 'workspace.ignored': 'skipped' }

test('a project on the built-in server, before its first sync', async () => {
  const report = await lookAt(CONTENT)
  expect(troubles(report)).toEqual({ ...WITHOUT_KB, exit: 0 })
  expect([report.target, report.requests]).toEqual(['builtin', {}])
})

test('a git repository where git is not installed', async () => {
  const files = { ...CONTENT, '.git/HEAD': 'ref: refs/heads/main\n' }
  expect(troubles(await lookAt(files, { env: { PATH: '/nowhere' } }))).toEqual({
    ...WITHOUT_KB,
    'program.git': 'warning',
    exit: 0,
  })
})

test('an empty folder', async () => {
  const report = await lookAt({})
  expect(troubles(report)).toEqual({
    ...WITHOUT_KB,
    'configuration.project': 'warning',
    'files.content': 'error',
    'files.problems': 'skipped',
    'target.languages': 'skipped',
    exit: 2,
  })
})

test('a project without a name on a remote target: the problem is reported, and the rest is checked', async () => {
  const service = await startStrictService()
  const project = createProject({ ...CONTENT, 'kb.config.ts': configFile() })
  const { findings, target, requests } = await examine(project.root, service.url)
  expect(findings.find(({ check }) => check === 'configuration.project')).toMatchObject({
    status: 'error',
    code: 'PROJECT_UNNAMED',
    hint: expect.stringMatching(/^Add this line to kb\.config\.ts, .*: project: '/),
  })
  const statuses = new Map(findings.map(({ check, status }) => [check, status]))
  const others = ['configuration.target', 'connection.answer'] as const
  expect([target, ...others.map((check) => statuses.get(check))]).toEqual([service.url, 'ok', 'ok'])
  expect(requests['GET']).toBeGreaterThan(0)
})

test('problems of an invalid configuration are reported, and checks that do not need it run', async () => {
  const report = await lookAt({ ...CONTENT, 'kb.config.ts': 'export default { taget: 1, project: 2 }\n' })
  expect(troubles(report)).toEqual({
    ...WITHOUT_KB,
    'configuration.file': 'error',
    'files.content': 'skipped',
    'files.problems': 'skipped',
    'state.file': 'skipped',
    'connection.answer': 'skipped',
    exit: 2,
  })
  expect(findingOf(report, 'configuration.file')).toBe(
    'error: kb.config.ts has errors:\n  project: must be a string, not 2\n  taget: unknown key; did you mean "target"?',
  )
})

const REMOTE = { project: 'demo', target: { url: 'https://kb.example' } }

test.each<readonly [string, object, Parameters<typeof examine>[2], object]>([
  ['there is no key', REMOTE, {}, { 'configuration.target': 'error', 'configuration.key': 'skipped' }],
  [
    'a variable is misspelt',
    {},
    { env: { KB_URI: 'x' } },
    {
      'configuration.environment': 'error',
      'configuration.target': 'skipped',
      'configuration.key': 'skipped',
    },
  ],
  [
    'the target is unknown',
    {},
    { targetName: 'prod' },
    { 'configuration.target': 'error', 'configuration.key': 'skipped' },
  ],
  [
    'the target is named twice',
    {},
    { targetName: 'builtin', env: { KB_URL: 'https://kb.example', KB_API_KEY: 'k' } },
    { 'configuration.target': 'error' },
  ],
  [
    'the API key would be sent unencrypted',
    { target: { url: 'http://kb.example' } },
    { env: { KB_API_KEY: 'k' } },
    { 'configuration.target': 'error' },
  ],
])('%s', async (_, config, options, expected) => {
  const report = await lookAt(
    { ...CONTENT, 'kb.config.ts': configFile({ project: 'demo', ...config }) },
    options,
  )
  expect(troubles(report)).toEqual({
    ...WITHOUT_KB,
    ...expected,
    'state.file': 'skipped',
    'connection.answer': 'skipped',
    exit: 2,
  })
})

test('a key in the file', async () => {
  const targets = { live: { url: 'https://kb.example', apiKey: 'written' } }
  const report = await lookAt({ ...CONTENT, 'kb.config.ts': configFile({ project: 'demo', targets }) })
  expect(findingOf(report, 'configuration.key')).toBe(
    'warning: The configuration contains the API key of target "live", which may end up in git.',
  )
  expect(JSON.stringify(report)).not.toContain('written')
})

test('a password in the file', async () => {
  const pages = { password: 'written in the file' }
  const report = await lookAt({ ...CONTENT, 'kb.config.ts': configFile({ project: 'demo', pages }) })
  expect(findingOf(report, 'configuration.password')).toBe(
    'warning: The configuration contains the password of the pages, which may end up in git.',
  )
  expect(JSON.stringify(report)).not.toContain('written in')
})

test('errors and warnings of the files', async () => {
  const report = await lookAt({ ...CONTENT, 'content/second.md': article('Second', { slugg: 'x' }) })
  expect(findingOf(report, 'files.problems')).toMatch(
    /^error: 1 error, the first in content\/second\.md:4: .* Nothing is sent until the errors are fixed\.$/,
  )
  expect(troubles(report)['exit']).toBe(1)
})

test('a .kb that is a file, a key that others can read, a folder that git does not ignore', async () => {
  expect(findingOf(await lookAt({ ...CONTENT, '.kb': '' }), 'workspace.folder')).toMatch(
    /^error: .*\.kb is not a writable folder/,
  )
  const project = createProject({ ...CONTENT, '.kb/api-key': 'k' })
  chmodSync(project.path('.kb/api-key'), 0o644)
  const report = await examine(project.root, undefined)
  expect(troubles(report)).toEqual({
    'workspace.ignored': 'warning',
    'workspace.key-file': 'warning',
    exit: 0,
  })
  chmodSync(project.path('.kb/api-key'), 0o600)
  project.write({ '.kb/.gitignore': '*\n' })
  expect(troubles(await examine(project.root, undefined))).toEqual({ exit: 0 })
})

test('the database of the built-in server', async () => {
  const project = createProject({ ...CONTENT, '.kb/.gitignore': '*\n' })
  const knowledgeBase = await openKnowledgeBase({ db: project.path('.kb/kb.db') })
  await knowledgeBase.close()
  // Like a copied or restored database: without the files that SQLite creates beside an open one.
  for (const suffix of ['-wal', '-shm']) rmSync(project.path(`.kb/kb.db${suffix}`), { force: true })
  const before = snapshot(project.root)
  expect(troubles(await examine(project.root, undefined))).toEqual({ exit: 0 })
  expect(snapshot(project.root)).toEqual(before)

  project.write({ '.kb/kb.db': 'x'.repeat(10_000) })
  const damaged = await examine(project.root, undefined, { probe: true })
  expect(troubles(damaged)).toEqual({ 'database.file': 'error', 'probe.run': 'skipped', exit: 3 })
  expect(project.read('.kb/kb.db')).toBe('x'.repeat(10_000))
})

test('the database of a newer program, and of another one', async () => {
  const project = createProject({ ...CONTENT, '.kb/.gitignore': '*\n' })
  await (await openKnowledgeBase({ db: project.path('.kb/kb.db') })).close()
  const run = (sql: string) => {
    const connection = new Libsql(project.path('.kb/kb.db'))
    connection.exec(sql)
    connection.close()
  }
  run('pragma user_version = 999')
  const newer = await examine(project.root, undefined)
  expect(newer.findings.find(({ check }) => check === 'database.file')?.code).toBe('DATABASE_NEWER')
  run('pragma user_version = 0')
  const other = await examine(project.root, undefined)
  expect(findingOf(other, 'database.file')).toMatch(
    /could not be opened: it is the database of another program/,
  )
})

test('state, lock and journal', async () => {
  const service = await startStrictService()
  const project = createSyncProject(service.url, CONTENT, {
    target: { url: service.url, apiKey: SERVICE_KEY },
  })
  await project.sync()
  const report = await examine(project.root, service.url)
  expect(troubles(report)).toEqual({ 'connection.write': 'unknown', 'target.slugs': 'unknown', exit: 0 })
  expect(findingOf(report, 'state.file')).toMatch(/^ok: the state contains 1 article and was written .* ago$/)
  expect(findingOf(report, 'target.known')).toBe('ok: 1 of the 1 articles in the state are listed')
  expect(findingOf(report, 'target.comments')).toMatch(/^ok/)

  const state = Object.keys(snapshot(project.root)).find((name) => /state.[^.]+\.ndjson$/.test(name)) ?? ''
  const text = project.read(state)
  const stateOf = async (changed: string) => {
    project.write({ [state]: changed })
    return findingOf(await examine(project.root, service.url), 'state.file')
  }
  expect(await stateOf('{')).toMatch(/^warning: The state of this target is damaged \(/)
  expect(await stateOf(text.replace(/"version":\d+/, '"version":99'))).toMatch(/another version of kb-sync/)
  expect(await stateOf(text.replace('"project":"demo"', '"project":"other"'))).toMatch(
    /^warning: .* written for the project "other"/,
  )
  project.write({ [state]: text })

  const lock = state.replace('.ndjson', '.lock')
  const lockOf = async (owner: object) => {
    project.write({ [lock]: JSON.stringify(owner) })
    const seen = findingOf(await examine(project.root, service.url), 'state.lock')
    expect(project.read(lock)).toBe(JSON.stringify(owner))
    return seen
  }
  const since = new Date().toISOString()
  expect(await lockOf({ pid: process.ppid, host: hostname(), since })).toBe(
    `warning: Another kb is syncing: process ${process.ppid} on ${hostname()}, since ${since}.`,
  )
  expect(await lockOf({ pid: 2 ** 30, host: hostname(), since })).toMatch(
    /^ok: a lock of process \d+ on .*, which no longer runs, is left; the next kb sync removes it$/,
  )
  project.remove(lock)

  const { journal } = stateFiles(
    { kind: 'remote', name: 'KB_URL', url: service.url, apiKey: SERVICE_KEY, allowHttp: undefined },
    { project: 'demo', server: { db: '' } as never },
    workspaceOf(project.root),
  )
  openJournal(journal).begin({ kind: 'delete', id: 'x' })
  const cutOff = await examine(project.root, service.url)
  expect(cutOff.findings.find(({ check }) => check === 'state.journal')).toEqual({
    check: 'state.journal',
    status: 'warning',
    message: 'The last run was interrupted after 1 write.',
    hint: 'Run kb sync to complete it.',
  })
  project.remove(relative(project.root, journal))

  service.drop('first')
  expect(findingOf(await examine(project.root, service.url), 'target.known')).toMatch(
    /^warning: Only 0 of the 1 articles in the state are listed/,
  )
})

test('a target that removes comments, according to the state', async () => {
  const service = await startStrictService({ stripsComments: true })
  const project = createSyncProject(service.url, CONTENT)
  await project.sync()
  const { findings } = await examine(project.root, service.url)
  expect(findings.find(({ check }) => check === 'target.comments')).toMatchObject({
    status: 'warning',
    hint: 'In CI, keep .kb/state between runs: nothing else shows which articles are yours.',
  })
  // Another checkout has sent nothing, and recognises the articles of this one.
  const checkout = createSyncProject(service.url, CONTENT)
  expect((await checkout.sync()).summary).toMatchObject({ created: 0, unchanged: 1 })
  expect(findingOf(await examine(checkout.root, service.url), 'target.comments')).toMatch(
    /^warning: The target removes comments/,
  )
})

test('inconclusive articles without a marker: never sent, or edited', async () => {
  const service = await startStrictService()
  const project = createSyncProject(service.url, CONTENT)
  await project.sync()
  const marked = service.articleAt('first')
  // An editor of the target removed it. If that was at once according to the times, the target itself did.
  const content = marked.content.replace(/<!--.*?-->/s, '')
  const seenAfter = async (changes: Parameters<typeof service.edit>[1]) => {
    service.edit('first', { ...changes, content })
    return findingOf(await examine(project.root, service.url), 'target.comments')?.slice(0, 60)
  }
  expect(await seenAfter({})).not.toMatch(/^warning/)
  expect(await seenAfter({ editedMs: marked.createdMs })).toMatch(/^warning: The target removes comments/)

  const claiming = await startStrictService()
  const { title, slug, excerpt, categoryIds } = marked
  // In the form of an editor of the target.
  const written = content.replaceAll('</p>', ' </p>')
  claiming.add({ title, slug, excerpt, categoryIds, status: marked.status, content: written })
  const claimed = createSyncProject(claiming.url, CONTENT)
  expect((await claimed.sync()).summary).toMatchObject({ created: 0, unchanged: 1 })
  const { findings } = await examine(claimed.root, claiming.url)
  expect(findings.find(({ check }) => check === 'target.comments')).toMatchObject({
    status: 'unknown',
    hint: expect.stringMatching(/^All your articles were recognised by their text: /),
  })
})

test('at most three articles are read to judge comments', async () => {
  const service = await startStrictService()
  const names = ['one', 'two', 'three', 'four', 'five']
  const files = Object.fromEntries(names.map((name) => [`content/${name}.md`, article(name)]))
  const project = createSyncProject(service.url, { ...CONTENT, ...files })
  await project.sync()
  for (const { slug, content } of service.articles()) {
    service.edit(slug, { content: content.replace(/<!--.*?-->/s, '') })
  }
  service.forget()
  expect(findingOf(await examine(project.root, service.url), 'target.comments')).not.toMatch(/^warning/)
  expect(service.requests.filter((each) => /articles\/./.test(each))).toHaveLength(3)
})

test('before the first run there is no last run, and with updates in place nothing is replaced', async () => {
  const service = await startStrictService({ extensions: ['update'] })
  const report = await examine(createProject(CONTENT).root, service.url)
  expect([findingOf(report, 'state.journal'), findingOf(report, 'target.slugs')]).toEqual([
    'ok: there was no run yet',
    'ok: articles are updated in place, so none exists twice',
  ])
})

test('limit, languages, categories and tags', async () => {
  const service = await startStrictService({ articleLimit: 1, languages: ['en', 'de'] })
  service.add({ slug: 'theirs' })
  const files = {
    ...CONTENT,
    'content/_categories.yml': '- name: Guides\n- name: Shop\n- name: Prices\n  parent: Shop\n',
    'content/_tags.yml': '- name: Safety\n- name: Speed\n  id: t1\n',
    'content/second.md': article('Zwei', { language: 'fr', tags: ['Safety'] }),
  }
  const report = await examine(createProject(files).root, service.url)
  expect(
    ['limit', 'languages', 'categories', 'tags', 'update'].map((name) => findingOf(report, `target.${name}`)),
  ).toEqual([
    'warning: The files contain 2 articles; the target accepts 1.',
    'warning: The target does not announce that it accepts articles in other languages: those in fr are skipped.',
    'warning: These categories are missing or ambiguous on the target: Shop, Shop/Prices. Articles in them cannot be sent.',
    'unknown: the ids of these tags are unknown so far: Safety',
    'ok: articles cannot be updated in place: each change replaces the article, which gets a new id',
  ])
  const announcing = await startStrictService({
    extensions: ['languages', 'update'],
    languages: ['en', 'de'],
  })
  const second = await examine(createProject(files).root, announcing.url)
  expect(['limit', 'languages', 'update'].map((name) => findingOf(second, `target.${name}`))).toEqual([
    'ok: 0 articles of at most 1,000 listed',
    'warning: The target has not enabled fr: articles in them are skipped.',
    'ok: articles are updated in place and keep their ids',
  ])
  const other = await startStrictService({ languages: ['fr'] })
  expect(findingOf(await examine(createProject(files).root, other.url), 'target.languages')).toBe(
    'warning: The target has the languages fr; the default language of the files is en.',
  )
})

test('a target that is nearly full', async () => {
  const service = await startStrictService({ articleLimit: 10 })
  for (let number = 0; number < 9; number++) service.add({ slug: `theirs-${number}` })
  expect(findingOf(await examine(createProject(CONTENT).root, service.url), 'target.limit')).toBe(
    'warning: The target is nearly full: 9 articles of at most 10 listed, and an article that is replaced exists twice for a moment.',
  )
})

test.each([
  [{ preset: 'hugo' }, "ok: the preset 'hugo' reads the files"],
  [
    { preset: 'vitepress', frontmatter: 'FUNCTION' },
    "ok: the preset 'vitepress' reads the files, and then the function frontmatter in kb.config.ts",
  ],
  [
    { frontmatter: 'FUNCTION' },
    'ok: your own mapping: the function frontmatter in kb.config.ts reads the files',
  ],
])("the language of the files' texts: %j", async (config, said) => {
  const text = configFile({ project: 'demo', content: 'content', ...config })
  const report = await lookAt({ ...CONTENT, 'kb.config.ts': text.replace('"FUNCTION"', '(data) => data') })
  expect(findingOf(report, 'configuration.preset')).toBe(said)
})

test('outside of a project, it names kb init', async () => {
  const { findings } = await lookAt({})
  expect(findings.find(({ check }) => check === 'files.content')).toMatchObject({
    message: expect.stringContaining('is not a kb-sync project'),
    hint: 'To make it a project, run npx kb-sync init. To use another folder, run kb with --cwd DIR.',
  })
})
