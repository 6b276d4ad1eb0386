// The life of a knowledge base on the built-in target, from the first sync on.
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { PRESET_NAMES, type PresetName } from '../../src/core/dialects/dialects.ts'
import {
  article,
  configFile,
  createProject,
  type Files,
  startServing,
  type TestProject,
} from '../support/project.ts'
import { builtinArticles, idsOf } from '../support/read-articles.ts'
import { syncedProjectsOf } from '../support/synced-project.ts'

const CONFIG = { 'kb.config.ts': configFile({ project: 'demo' }) }

const THREE: Files = {
  ...CONFIG,
  'content/_categories.yml': '- name: Guides\n  slug: guides\n',
  'content/first.md': article('First'),
  'content/second.md': article('Second'),
  'content/deep/third.md': article('Third'),
}

const syncedProject = syncedProjectsOf(THREE)

interface Report {
  readonly summary: Record<string, number>
  readonly taxonomy: Record<string, number>
  readonly operations: readonly Record<string, unknown>[]
  readonly requests: Record<string, number>
}

/** Syncs and returns the exit code and what was done: the counts that are not 0. */
async function sync(project: TestProject, ...args: readonly string[]) {
  const { code, json } = await project.kb('sync', '--json', ...args)
  const { summary, taxonomy, requests } = json as Report
  const writes = Object.entries(requests).flatMap(([method, count]) =>
    method === 'GET' || method === 'OPTIONS' ? [] : [[method, count] as const],
  )
  return {
    code,
    articles: counted(summary),
    taxonomy: counted(taxonomy),
    writes: Object.fromEntries(writes),
    requests,
  }
}

function counted(summary: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(summary).filter(([, count]) => count > 0))
}

const UNCHANGED = { code: 0, articles: { unchanged: 3 }, taxonomy: { unchanged: 1 }, writes: {} }

test('--verbose says what makes the next run take longer', async () => {
  const project = createProject(THREE)
  const told = async (...args: readonly string[]) =>
    (await project.kb('sync', ...args)).stderr.match(/The next run takes longer: .*/)?.[0]
  await project.kb('sync')
  expect(await told('--verbose', 'content/first.md')).toBe(
    'The next run takes longer: the run covered only some articles.',
  )
  expect(await told('content/first.md')).toBe(undefined)
})

test('what was created is there to be read: a first sync says how, a later one and --quiet do not', async () => {
  const hint = 'To read it, run npx kb serve --pages and open http://127.0.0.1:4400/.\n'
  const project = createProject(THREE)
  expect((await project.kb('plan')).stderr).not.toContain(hint)
  expect((await project.kb('sync')).stderr.endsWith(`${hint}Readers do not see the 3 drafts.\n`)).toBe(true)
  expect((await project.kb('sync')).stderr).not.toContain(hint)
  expect((await createProject(THREE).kb('sync', '--quiet')).stderr).toBe('')
  const config = configFile({ project: 'demo', pages: { url: 'https://help.example.com/docs/' } })
  const { stderr } = await createProject({ ...THREE, 'kb.config.ts': config }).kb('sync')
  expect(stderr.replaceAll('\n', ' ')).toContain(
    'To read it, open https://help.example.com/docs/ if your server runs there, or run npx kb serve --pages and open http://127.0.0.1:4400/.',
  )
})

test('while a server shows the pages, a first sync names their URL', async () => {
  const project = createProject(THREE)
  const server = await startServing(project, { args: ['--pages'] })
  expect((await project.kb('sync')).stderr).toContain(`To read it, open ${server.url}/.\n`)
  server.process.kill('SIGTERM')
  await server.ended
  project.write({ 'content/more.md': article('More') })
  expect((await project.kb('sync')).stderr).toContain('To read it, run npx kb serve --pages')
  expect(existsSync(join(project.root, '.kb', 'serving.json'))).toBe(false)
})

/** The configuration of these sites is read with a parser of YAML. */
const WITH_YAML: ReadonlySet<PresetName | undefined> = new Set(['hugo', 'mkdocs'] as const)

test.each([undefined, ...PRESET_NAMES])(
  'a sync with nothing to do loads little code with the preset %s',
  async (preset) => {
    const config = { project: 'demo', content: 'content', preset, exclude: ['old/**', '**/*.tmp.md'] }
    const project = createProject({ ...THREE, 'kb.config.ts': configFile(config) })
    await project.kb('sync')
    // Remembers that the configuration is valid.
    await project.kb('sync')
    const { ended } = project.start(['sync'], { env: { NODE_V8_COVERAGE: join(project.root, 'coverage') } })
    expect((await ended).stdout).toBe('Articles: 3 unchanged.\nNothing to do on builtin: 0 requests.\n')
    const [coverage = ''] = readdirSync(join(project.root, 'coverage'))
    const { result } = JSON.parse(project.read(`coverage/${coverage}`)) as { result: { url: string }[] }
    const chunks = result.flatMap(({ url }) => (url.includes('/dist/chunks/') ? fileURLToPath(url) : []))
    expect(chunks.length).toBeGreaterThan(3)
    const size = chunks.reduce((sum, file) => sum + statSync(file).size, 0)
    expect(size).toBeLessThan(WITH_YAML.has(preset) ? 490_000 : 310_000)
  },
)

test('the first sync creates everything, the second asks nothing', async () => {
  const project = createProject(THREE)
  expect(await sync(project)).toMatchObject({
    code: 0,
    articles: { created: 3 },
    taxonomy: { created: 1 },
    writes: { POST: 1 },
  })
  const articles = await builtinArticles(project)
  expect([...articles.values()].map(({ name, slug, status }) => ({ name, slug, status }))).toEqual([
    { name: 'First', slug: 'first', status: 'draft' },
    { name: 'Second', slug: 'second', status: 'draft' },
    { name: 'Third', slug: 'third', status: 'draft' },
  ])
  expect(await sync(project)).toEqual({ ...UNCHANGED, requests: {} })
})

test('an edited article is updated, keeps its id, and no other is touched', async () => {
  const project = await syncedProject()
  const before = idsOf(await builtinArticles(project))
  project.write({ 'content/second.md': article('Second', { body: 'Rewritten.' }) })
  expect(await sync(project)).toMatchObject({
    code: 0,
    articles: { updated: 1, unchanged: 2 },
    writes: { POST: 1 },
  })
  const articles = await builtinArticles(project)
  expect(idsOf(articles)).toEqual(before)
  expect(articles.get('second')?.content).toMatch(/^<p>Rewritten\.<\/p>\n<!--kb1\.[0-9a-f.]+-->\n$/)
  expect(await sync(project)).toEqual({ ...UNCHANGED, requests: {} })
})

test('the article of a deleted file is reported, and deleted by --prune alone', async () => {
  const project = await syncedProject()
  project.remove('content/second.md')
  const orphaned = { articles: { unchanged: 2, orphans: 1 } }
  expect(await sync(project)).toMatchObject({ code: 0, ...orphaned, writes: {} })
  expect(await sync(project)).toMatchObject({ code: 0, ...orphaned, requests: {} })
  expect(await sync(project, '--prune')).toMatchObject({
    code: 0,
    articles: { deleted: 1, unchanged: 2 },
    writes: { DELETE: 1 },
  })
  expect([...(await builtinArticles(project)).keys()]).toEqual(['first', 'third'])
  expect(readdirSync(project.path('.kb/backups'))).toHaveLength(1)
})

test('more deletions than allowed are none at all', async () => {
  const project = await syncedProject()
  project.remove('content/second.md', 'content/deep')
  project.write({ 'content/fourth.md': article('Fourth') })
  const held = await project.kb('sync', '--json', '--prune')
  expect({ code: held.code, ...(held.json as object) }).toMatchObject({
    code: 1,
    summary: { created: 1, deleted: 0, skipped: 2, orphans: 0 },
    guard:
      '2 of 3 articles would be deleted, more than sync.maxDeletes allows (1); nothing was deleted. If you want that, run again with --yes.',
  })
  expect([...(await builtinArticles(project)).keys()]).toEqual(['first', 'fourth', 'second', 'third'])
  const limited = await project.kb('sync', '--json', '--prune', '--max-deletes', '1')
  expect({ code: limited.code, ...(limited.json as object) }).toMatchObject({
    code: 1,
    guard:
      '2 of 4 articles would be deleted, more than --max-deletes allows (1); nothing was deleted. If you want that, run again with --yes.',
  })
  expect(await sync(project, '--prune', '--yes')).toMatchObject({ code: 0, writes: { DELETE: 2 } })
  expect([...(await builtinArticles(project)).keys()]).toEqual(['first', 'fourth'])
})

test('without state everything is recognised and nothing written', async () => {
  const project = await syncedProject()
  project.remove('.kb/state')
  expect(await sync(project)).toMatchObject(UNCHANGED)
  project.remove('.kb/state', '.kb/cache')
  expect(await sync(project)).toMatchObject(UNCHANGED)
})

test('touched files are no change', async () => {
  const project = await syncedProject()
  for (const name of Object.keys(THREE))
    utimesSync(project.path(name), new Date(), new Date(Date.now() - 60_000))
  expect(await sync(project)).toEqual({ ...UNCHANGED, requests: {} })
  expect(await sync(project)).toEqual({ ...UNCHANGED, requests: {} })
})

test('a moved file is no change', async () => {
  const project = await syncedProject()
  const before = idsOf(await builtinArticles(project))
  project.move('content/deep/third.md', 'content/elsewhere/third.md')
  expect(await sync(project)).toMatchObject(UNCHANGED)
  expect(idsOf(await builtinArticles(project))).toEqual(before)
  expect(await sync(project)).toEqual({ ...UNCHANGED, requests: {} })
})

test('a changed slug is still the same article', async () => {
  const project = await syncedProject()
  project.write({ 'content/second.md': article('Second', { slug: 'zweite' }) })
  expect(await sync(project)).toMatchObject({ code: 0, articles: { updated: 1, unchanged: 2 } })
  expect([...(await builtinArticles(project)).keys()]).toEqual(['first', 'third', 'zweite'])
})

test('translations are sent to the languages that the configuration enables', async () => {
  const files = {
    ...THREE,
    'content/fr/premier.md': article('Premier', { language: 'fr', translationOf: 'first' }),
    'content/de/erster.md': article('Erster', { language: 'de', translationOf: 'first' }),
  }
  const project = createProject(files)
  expect(await project.kb('check', '--json')).toMatchObject({ code: 0, json: { diagnostics: [] } })
  const diagnostics = [
    {
      code: 'language-not-sent',
      file: 'content/de/erster.md',
      message: 'This article in "de" is not sent: the target has only the language en.',
      hint: "Add 'de' to server.languages in kb.config.ts; keep the default language first.",
    },
    { code: 'language-not-sent', file: 'content/fr/premier.md' },
  ]
  const { json } = await project.kb('sync', '--json')
  expect(json).toMatchObject({ summary: { created: 3, skipped: 2 }, diagnostics })
  // A check knows of the languages what the sync has stored.
  expect(await project.kb('check', '--json')).toMatchObject({ code: 0, json: { diagnostics } })
  project.write({
    'kb.config.ts': configFile({ project: 'demo', server: { languages: ['en', 'fr', 'de'] } }),
  })
  expect(await sync(project)).toMatchObject({ code: 0, articles: { created: 2, unchanged: 3 } })
  const articles = await builtinArticles(project)
  const original = articles.get('first')?.id
  expect(['premier', 'erster', 'first'].map((slug) => articles.get(slug))).toMatchObject([
    { language: 'fr', language_parent: original },
    { language: 'de', language_parent: original },
    { language: null, language_parent: null },
  ])
  expect(await sync(project)).toMatchObject({ code: 0, articles: { unchanged: 5 }, requests: {} })
  project.remove('.kb/state')
  expect(await sync(project)).toMatchObject({ code: 0, articles: { unchanged: 5 }, writes: {} })
})

test('two articles can swap their slugs', async () => {
  const project = await syncedProject()
  project.write({
    'content/first.md': article('First', { slug: 'second' }),
    'content/second.md': article('Second', { slug: 'first' }),
  })
  expect(await sync(project)).toMatchObject({ code: 0, articles: { updated: 2, unchanged: 1 } })
  const articles = await builtinArticles(project)
  expect([...articles.values()].map(({ slug, name }) => [slug, name])).toEqual([
    ['first', 'Second'],
    ['second', 'First'],
    ['third', 'Third'],
  ])
  expect(await sync(project)).toEqual({ ...UNCHANGED, requests: {} })
})

test('categories and tags are created and updated from their files', async () => {
  const project = await syncedProject()
  project.write({
    'content/_categories.yml':
      '- name: Guides\n  slug: guides\n- name: Accounts\n  slug: accounts\n  parent: Guides\n',
    'content/_tags.yml': '- name: Safety\n  slug: safety\n',
    'content/second.md': article('Second', { categories: ['Guides/Accounts'], tags: ['safety'] }),
  })
  expect(await sync(project)).toMatchObject({
    code: 0,
    articles: { updated: 1, unchanged: 2 },
    taxonomy: { created: 2, unchanged: 1 },
  })
  project.write({
    'content/_categories.yml':
      '- name: Guides\n  slug: guides\n  priority: 7\n- name: Accounts\n  slug: accounts\n  parent: Guides\n',
    'content/_tags.yml': '- name: Safety\n  slug: safety\n  description: How to stay safe\n',
  })
  expect(await sync(project)).toMatchObject({
    code: 0,
    articles: { unchanged: 3 },
    taxonomy: { updated: 2, unchanged: 1 },
    writes: { POST: 2 },
  })
  expect(await sync(project)).toMatchObject({ taxonomy: { unchanged: 3 }, requests: {} })
})

test('a category that keeps its slug is renamed, and its articles stay as they are', async () => {
  const slug = (title: string) => article(title, { categories: ['guides'] })
  const project = createProject({
    ...THREE,
    'content/first.md': slug('First'),
    'content/second.md': slug('Second'),
    'content/deep/third.md': slug('Third'),
  })
  expect(await sync(project)).toMatchObject({ code: 0, articles: { created: 3 } })
  project.write({ 'content/_categories.yml': '- name: Manuals\n  slug: guides\n' })
  expect(await sync(project)).toMatchObject({
    code: 0,
    articles: { unchanged: 3 },
    taxonomy: { updated: 1 },
    writes: { POST: 1 },
  })
  expect(await sync(project)).toMatchObject({ requests: {} })
})

test('the status travels both ways', async () => {
  const project = await syncedProject()
  const statusOf = async () => (await builtinArticles(project)).get('first')?.status
  project.write({ 'content/first.md': article('First', { status: 'published' }) })
  expect(await sync(project)).toMatchObject({ code: 0, articles: { updated: 1, unchanged: 2 } })
  expect(await statusOf()).toBe('published')
  project.write({ 'content/first.md': article('First', { status: 'draft' }) })
  expect(await sync(project)).toMatchObject({ code: 0, articles: { updated: 1, unchanged: 2 } })
  expect(await statusOf()).toBe('draft')
  expect((await builtinArticles(project)).size).toBe(3)
})

test('paths select what a run is about', async () => {
  const project = await syncedProject()
  project.write({
    'content/first.md': article('First', { body: 'New.' }),
    'content/deep/third.md': article('Third', { body: 'New.' }),
  })
  expect(await sync(project, 'content/deep')).toMatchObject({
    code: 0,
    articles: { updated: 1 },
    writes: { POST: 1 },
  })
  expect(await sync(project)).toMatchObject({ articles: { updated: 1, unchanged: 2 } })
  expect(await project.kb('sync', 'content/none.md')).toMatchObject({ code: 2, stdout: '' })
  expect(await project.kb('sync', '..')).toMatchObject({ code: 2, stdout: '' })
})

test('a plan writes nothing', async () => {
  const project = createProject(THREE)
  const planned = await project.kb('plan', '--json')
  expect({ code: planned.code, ...(planned.json as object) }).toMatchObject({
    code: 0,
    summary: { created: 3 },
    operations: [
      { kind: 'category', action: 'create', slug: 'guides', outcome: 'planned' },
      { kind: 'article', action: 'create', source: 'deep/third.md', outcome: 'planned' },
      { kind: 'article', action: 'create', source: 'first.md', outcome: 'planned' },
      { kind: 'article', action: 'create', source: 'second.md', outcome: 'planned' },
    ],
    requests: { GET: 3 },
  })
  expect(readdirSync(project.path('.kb'))).not.toContain('kb.db')
  await sync(project)
  const before = await builtinArticles(project)
  project.write({ 'content/first.md': article('First', { body: 'New.' }) })
  expect((await project.kb('sync', '--dry-run', '--json')).json).toMatchObject({
    summary: { updated: 1, unchanged: 2 },
  })
  expect(await builtinArticles(project)).toEqual(before)
})

test('the project may lie elsewhere, and its configuration have another name', async () => {
  const { 'kb.config.ts': _, ...content } = THREE
  const project = createProject(content)
  project.write({ 'other/settings.ts': configFile({ project: 'demo', content: 'content' }) })
  const elsewhere = createProject()
  const args = ['sync', '--json', '--cwd', project.root, '--config', 'other/settings.ts']
  const { code, json } = await project.run(args, { cwd: elsewhere.root })
  expect({ code, ...(json as object) }).toMatchObject({ code: 0, summary: { created: 3 } })
  expect(readdirSync(elsewhere.root)).toEqual([])
  expect((await builtinArticles(project)).size).toBe(3)
})
