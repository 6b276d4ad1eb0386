// The library, used like in a program, with a real server.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createKb, type DoctorReport, type Kb, KbError, type SyncResult } from '../../src/index.ts'
import { type BuiltinService, startBuiltinService } from '../support/builtin-service.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { article, configFile, createProject, type TestProject } from '../support/project.ts'
import { SERVICE_KEY } from '../support/strict-service.ts'

let service: BuiltinService

beforeAll(async () => {
  service = await startBuiltinService()
})
afterAll(() => service.close())

let count = 0

interface Setting {
  readonly project: TestProject
  readonly proxy: FaultProxy
  readonly kb: Kb
  readonly slugs: readonly string[]
}

/** Creates a project of two articles and a service behind a proxy. Titles are unique: the service is shared. */
async function setUp(): Promise<Setting> {
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  const names = [`Alpha ${++count}`, `Beta ${count}`]
  const project = createProject({
    'kb.config.ts': configFile({ project: `demo-${count}` }),
    ...Object.fromEntries(names.map((name) => [`content/${slugOf(name)}.md`, article(name)])),
  })
  const env = { KB_URL: proxy.url, KB_API_KEY: SERVICE_KEY }
  return { project, proxy, kb: createKb({ cwd: project.root, env }), slugs: names.map(slugOf) }
}

const slugOf = (name: string) => name.toLowerCase().replace(' ', '-')

const CALLS: readonly (readonly [keyof Kb, (kb: Kb, signal?: AbortSignal) => Promise<unknown>])[] = [
  ['check', (kb, signal) => kb.check({ signal })],
  ['plan', (kb, signal) => kb.plan({ signal })],
  ['sync', (kb, signal) => kb.sync({ signal })],
  ['pull', (kb, signal) => kb.pull({ signal })],
  ['report', (kb, signal) => kb.report({ signal })],
  ['newArticle', (kb, signal) => kb.newArticle({ title: 'New', categories: ['Guides'], signal })],
  ['move', (kb, signal) => kb.move({ from: 'content', to: 'elsewhere', signal })],
  ['assets', (kb, signal) => kb.assets({ folder: 'public', signal })],
  ['openSite', (kb, signal) => kb.openSite({ signal })],
  ['doctor', (kb, signal) => kb.doctor({ signal })],
  ['watch', (kb, signal) => kb.watch({ pages: false, signal })],
  ['loadSettings', (kb, signal) => kb.loadSettings({ signal })],
]

test('these are the functions that are tested here', async () => {
  const { kb } = await setUp()
  expect(CALLS.map(([name]) => name).toSorted()).toEqual(Object.keys(kb).toSorted())
})

test('unknown options are rejected before anything is done', async () => {
  const { project, kb, proxy, slugs } = await setUp()
  const [alpha = ''] = slugs
  const untyped = kb as unknown as Record<string, (options?: unknown) => Promise<unknown>>
  const messageOf = async (name: string, options?: unknown): Promise<unknown> => {
    const error: unknown = await untyped[name]?.(options).catch((reason: unknown) => reason)
    return error instanceof KbError ? [error.code, error.message, error.hint] : error
  }
  const titles =
    'signal, title, categories, tags, language, translationOf, slug, folder, dryRun, chooseCategory'
  expect([
    await messageOf('newArticle'),
    await messageOf('move', { from: 'a.md' }),
    await messageOf('sync', { onConflict: 'skp' }),
    await messageOf('check', { sorces: [] }),
    await messageOf('check', { external: { allowPrivate: true } }),
    await messageOf('report', { failOn: ['overdue', 'late'] }),
    await messageOf('report', { owners: true }),
    await messageOf('report', { maxOverdue: -1 }),
    await messageOf('report', { external: { deep: true } }),
    await messageOf('report', { writeBaseline: true }),
    await messageOf('report', { writeBaseline: true, baseline: 'accepted.json', sources: [''] }),
    await messageOf('check', { sources: ['nope.md'] }),
    await messageOf('plan', { sources: ['nope.md'] }),
    await messageOf('pull', { sources: ['nope.md'] }),
    await messageOf('report', { sources: ['nope.md'] }),
    await messageOf('check', { sources: [`x${alpha}.md`] }),
    await messageOf('plan', null),
  ]).toEqual([
    ['USAGE', 'newArticle(): title is required.', `The options are: ${titles}.`],
    ['USAGE', 'move(): to is required.', 'The options are: signal, from, to, newSlug, dryRun.'],
    ['USAGE', 'sync(): onConflict must be one of fail, skip, overwrite.', expect.stringContaining('prune')],
    ['USAGE', 'check() has no option "sorces".', 'Did you mean "sources"?'],
    ['USAGE', 'check({ external }) has no option "allowPrivate".', 'The options are: allowPrivateAddresses.'],
    [
      'USAGE',
      'report(): failOn[1] must be one of overdue, broken, due.',
      expect.stringContaining('maxOverdue'),
    ],
    ['USAGE', 'report(): owners must be one of names, email.', expect.stringContaining('ownersFrom')],
    [
      'USAGE',
      'report(): maxOverdue must be a whole number from 0 to 999999999.',
      expect.stringContaining('failOn'),
    ],
    ['USAGE', 'report({ external }) has no option "deep".', 'The options are: allowPrivateAddresses.'],
    [
      'USAGE',
      'The name of the baseline is missing.',
      'Set it with --baseline, such as --baseline kb-baseline.json, or as report.baseline in kb.config.ts.',
    ],
    ['USAGE', 'A baseline must cover all articles.', 'Leave out the paths, or --write-baseline.'],
    ...Array.from({ length: 4 }, () => [
      'USAGE',
      'There is no file or folder nope.md in the content folder.',
      'Sources are paths relative to the content folder, with /.',
    ]),
    [
      'USAGE',
      `There is no file or folder x${alpha}.md in the content folder.`,
      `Did you mean "${alpha}.md"?`,
    ],
    ['USAGE', 'plan() requires an object with options.', expect.stringContaining('out')],
  ])
  const mistyped = createKb({ cdw: project.root } as object)
  await expect(mistyped.check()).rejects.toThrow('createKb() has no option "cdw".')
  expect(proxy.seen).toEqual([])
})

test('an article is checked, planned and sent, and another one is pulled', async () => {
  const { project, kb, slugs } = await setUp()
  expect(await kb.check()).toMatchObject({ articles: 2, diagnostics: [] })
  expect((await kb.plan()).operations.map(({ action, slug, outcome }) => [action, slug, outcome])).toEqual(
    slugs.map((slug) => ['create', slug, 'planned']),
  )
  const phases: string[] = []
  const synced = await kb.sync({
    onProgress: (phase, done, total) => phases.push(`${phase} ${done}/${total}`),
  })
  expect(synced).toMatchObject({ summary: { created: 2 }, failure: undefined })
  expect(phases).toContain('send 2/2')
  expect((await kb.sync()).summary).toMatchObject({ unchanged: 2, created: 0 })

  const categories = await categoriesOf(slugs[0] ?? '')
  const newcomer = {
    title: 'Written there',
    slug: 'written-there',
    excerpt: 'By hand.',
    content: '<p>By hand.</p>',
  }
  await request('PUT', '', {
    ...newcomer,
    categories,
    ordering: 0,
    status: 'published',
    articleReviewDate: '2099-01-31',
  })
  const looked = await kb.pull({ dryRun: true })
  expect(looked.files.map(({ action, file, outcome }) => [action, file, outcome])).toEqual([
    ['create', 'content/written-there.md', 'planned'],
  ])
  expect((await kb.pull()).summary).toMatchObject({ created: 1, unchanged: 2, failed: 0 })
  expect(project.read('content/written-there.md')).toContain('By hand.')
})

async function categoriesOf(slug: string): Promise<object[]> {
  const id = (await service.articles()).find((each) => each.slug === slug)?.id ?? ''
  const { categories } = (await request('GET', `/${id}`)) as { categories: readonly { value: string }[] }
  return categories.map(({ value }) => ({ value }))
}

async function request(method: string, path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${SERVICE_KEY}`, 'content-type': 'application/json' }
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const answer: unknown = await (await fetch(`${service.url}/api/v2/articles${path}`, init)).json()
  expect(answer).toMatchObject({ success: true })
  return answer
}

test('only selected files take part', async () => {
  const { kb, slugs } = await setUp()
  const sources = [`${slugs[1]}.md`]
  expect(await kb.check({ sources })).toMatchObject({ articles: 1 })
  expect((await kb.sync({ sources })).operations.map(({ slug }) => slug)).toEqual([slugs[1]])
})

test('a new article is written, moved and checked', async () => {
  const { project, kb, slugs } = await setUp()
  project.write({
    'kb.config.ts': configFile({ assets: { baseUrl: 'https://cdn.example.com/' } }),
    'content/_categories.yml': '- name: Guides\n',
    'content/old.md': article('Old', { body: `See [alpha](${slugs[0]}.md) and [new](new-one.md).` }),
  })
  const created = await kb.newArticle({ title: 'New one', categories: ['Guides'] })
  expect(created).toMatchObject({ file: 'content/new-one.md', slug: 'new-one', dryRun: false })
  const moved = await kb.move({ from: 'content/old.md', to: 'content/guides/old.md' })
  expect(moved).toMatchObject({ to: 'content/guides/old.md', moved: 1, left: [] })
  expect(project.read('content/guides/old.md')).toContain(`(../${slugs[0]}.md) and [new](../new-one.md)`)
  const { diagnostics } = await kb.check()
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(await kb.assets({ folder: 'public' })).toMatchObject({ files: [] })
  await expect(kb.move({ from: 'content/none.md', to: 'content/x.md' })).rejects.toMatchObject({
    code: 'USAGE',
  })
})

test('a saved plan is executed', async () => {
  const { kb } = await setUp()
  const planned = await kb.plan({ out: 'plan.json' })
  expect(planned.savedPlan).toMatchObject({ version: 2 })
  expect((await kb.sync({ plan: 'plan.json' })).summary).toMatchObject({ created: 2 })
  await expect(kb.sync({ plan: 'plan.json' })).rejects.toMatchObject({ code: 'PLAN_OUTDATED' })
})

test('a watch sends every save until it is stopped, and returns its result', async () => {
  const { project, kb, slugs } = await setUp()
  const controller = new AbortController()
  const names = [`${slugs[0]}.md`, `${slugs[1]}.md`]
  const told: unknown[] = []
  const summary = await kb.watch({
    pages: false,
    signal: controller.signal,
    onEvent: (event) => {
      if (event.kind === 'ready') {
        told.push(event.result.summary.created)
        project.write({ [`content/${names[0]}`]: article('Edited here') })
      }
      if (event.kind !== 'sent') return
      told.push(event.operations.map(({ action, source, outcome }) => [action, source, outcome]))
      controller.abort()
    },
  })
  expect(told).toEqual([2, [['update', names[0], 'done']]])
  expect(summary).toMatchObject({ sent: 3, pending: 0, heldBack: [], failures: [], failure: undefined })
  expect((await kb.sync()).summary).toMatchObject({ unchanged: 2, updated: 0 })
})

test('the doctor checks the target that the environment names', async () => {
  const { kb, proxy } = await setUp()
  const { target, findings } = await kb.doctor()
  expect({ target, errors: findings.filter(({ status }) => status === 'error') }).toEqual({
    target: proxy.url,
    errors: [],
  })
})

test('an edit of the configuration, or of its imports, applies from the next call on', async () => {
  const { project, kb } = await setUp()
  const config = (name: string) =>
    `import { name } from './name.ts'\nexport default { project: name + '${name}' }\n`
  project.write({ 'kb.config.ts': config('one'), 'name.ts': "export const name = 'a-'\n" })
  expect((await kb.loadSettings()).project).toBe('a-one')
  project.write({ 'kb.config.ts': config('two') })
  expect((await kb.loadSettings()).project).toBe('a-two')
  project.write({ 'name.ts': "export const name = 'b-'\n" })
  expect((await kb.loadSettings()).project).toBe('b-two')
})

test('calls that only read run beside any other, and a second writer is rejected', async () => {
  const { proxy, kb } = await setUp()
  proxy.inject({ kind: 'hold' })
  const first = kb.sync()
  await proxy.waitForHeld(1)
  const [checked, second, pulled] = await Promise.allSettled([kb.check(), kb.sync(), kb.pull()])
  expect(checked).toMatchObject({ status: 'fulfilled', value: { articles: 2 } })
  for (const refused of [second, pulled])
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'LOCKED' } })
  const planned = kb.plan()
  proxy.release()
  expect((await first).summary).toMatchObject({ created: 2, failed: 0 })
  expect((await planned).failure).toBeUndefined()
  expect((await kb.sync()).summary).toMatchObject({ unchanged: 2 })
})

test('two projects sync at the same time', async () => {
  const settings = [await setUp(), await setUp()]
  const results = await Promise.all(settings.map(({ kb }) => kb.sync()))
  expect(results.map(({ summary }) => [summary.created, summary.orphans])).toEqual([
    [2, 0],
    [2, 0],
  ])
})

test.each(CALLS)('%s does nothing once its signal is aborted', async (_, call) => {
  const { project, proxy, kb } = await setUp()
  const stopped = call(kb, AbortSignal.abort(new Error('enough')))
  await expect(stopped).rejects.toMatchObject({ code: 'INTERRUPTED', cause: { message: 'enough' } })
  await expect(stopped).rejects.toBeInstanceOf(KbError)
  expect(proxy.seen).toEqual([])
  expect(() => project.read('.kb/.gitignore')).toThrow('ENOENT')
})

test('check stops between two batches', async () => {
  const { project, kb } = await setUp()
  const controller = new AbortController()
  project.write(
    Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`content/${index}.md`, article(`No. ${index}`)]),
    ),
  )
  const checked = kb.check({ signal: controller.signal, onProgress: () => controller.abort() })
  await expect(checked).rejects.toMatchObject({ code: 'INTERRUPTED' })
})

test.each(CALLS.filter(([name]) => ['plan', 'sync', 'pull', 'doctor'].includes(name)))(
  '%s stops while it waits for the target',
  async (_, call) => {
    const { proxy, kb } = await setUp()
    await kb.sync({ sources: [] })
    const before = proxy.seen.length
    const controller = new AbortController()
    proxy.inject({ kind: 'hold' }, { times: 1 })
    const run = call(kb, controller.signal).then(interruptionOf, (error: unknown) => error)
    await proxy.waitForHeld(1)
    controller.abort()
    proxy.release()
    expect(await run).toMatchObject({ code: 'INTERRUPTED' })
    expect(proxy.seen.slice(before).filter(({ method }) => method === 'PUT')).toEqual([])
    // Nothing is left behind that would prevent the next one.
    expect((await kb.sync()).summary).toMatchObject({ created: 2, failed: 0 })
  },
)

/** Returns the interruption from a result; the doctor has a finding for it. */
function interruptionOf(result: unknown): unknown {
  const { failure, findings } = result as Partial<SyncResult & DoctorReport>
  return failure ?? findings?.find(({ code }) => code === 'INTERRUPTED') ?? result
}

test('a sync that is stopped while sending reports what was done, and the next one completes it', async () => {
  const { project, proxy, kb, slugs } = await setUp()
  // Too long for both to fit in one request.
  for (const slug of slugs)
    project.write({ [`content/${slug}.md`]: article(slug, { body: 'word '.repeat(100_000) }) })
  const controller = new AbortController()
  proxy.inject({ kind: 'hold' }, { matches: (method) => method === 'PUT' })
  const run = kb.sync({ signal: controller.signal, concurrency: 1 })
  await proxy.waitForHeld(1)
  controller.abort()
  proxy.release()
  const { failure, summary } = await run
  expect({ code: failure?.code, created: summary.created }).toEqual({ code: 'INTERRUPTED', created: 1 })
  expect((await kb.sync()).summary).toMatchObject({ created: 1, unchanged: 1 })
})

test('drafts count if they are on the target after the run', async () => {
  const { project, kb, slugs } = await setUp()
  const [a = ''] = slugs
  project.write({ [`content/${a}.md`]: article(a, { status: 'published' }) })
  expect((await kb.sync({ sources: [`${a}.md`] })).drafts).toBe(0)
  expect((await kb.sync()).drafts).toBe(1)
})

test('an external failure is a KbError with a code', async () => {
  const { project, kb } = await setUp()
  await expect(kb.sync({ maxDeletes: 'all' })).rejects.toMatchObject({ name: 'KbError', code: 'USAGE' })
  await expect(createKb({ cwd: project.path('nowhere') }).check()).rejects.toMatchObject({ code: 'USAGE' })
  const unknown = createKb({ cwd: project.root, env: { KB_URI: 'x' } })
  await expect(unknown.plan()).rejects.toMatchObject({ code: 'ENVIRONMENT_INVALID' })
  project.write({ 'kb.config.ts': configFile({ contnet: 'docs' }) })
  await expect(kb.check()).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
})
