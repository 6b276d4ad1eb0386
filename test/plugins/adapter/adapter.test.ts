// The core of the build plugins on real files, with a real server behind it.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Adapter, AdapterHost } from '../../../src/plugins/adapter/adapter.ts'
import { createAdapter } from '../../../src/plugins/adapter/create-adapter.ts'
import type { PluginOptions } from '../../../src/plugins/adapter/plugin-options.ts'
import { type BuiltinService, startBuiltinService } from '../../support/builtin-service.ts'
import { type FaultProxy, refusal, startFaultProxy } from '../../support/fault-proxy.ts'
import { article, configFile, createProject, type Files, type TestProject } from '../../support/project.ts'
import { SERVICE_KEY } from '../../support/strict-service.ts'

let service: BuiltinService

beforeAll(async () => {
  service = await startBuiltinService()
})
afterAll(() => service.close())

let count = 0

interface Setting {
  readonly project: TestProject
  readonly proxy: FaultProxy
  readonly adapter: Adapter
  readonly slug: string
  /** The plugin's messages, `warn` with its name in front. */
  readonly told: string[]
  /** Resolves once a message contains this text. */
  readonly waitFor: (text: string) => Promise<void>
}

interface Given extends PluginOptions {
  readonly mode?: AdapterHost['mode']
  readonly env?: AdapterHost['env']
  readonly files?: (slug: string) => Files
}

const bySlug =
  (body?: string) =>
  (slug: string): Files => ({
    [`content/${slug}.md`]: article(`Title of ${slug}`, { status: 'published', body }),
  })
const BROKEN = bySlug('See [b](b.md).')

/** A project of one article with a unique slug, and its plugin, which may sync. */
async function setUp({
  mode = 'build',
  env = {},
  files = bySlug(),
  ...options
}: Given = {}): Promise<Setting> {
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  const slug = `adapter-${++count}`
  const project = createProject({ 'kb.config.ts': configFile({ project: slug }), ...files(slug) })
  const told: string[] = []
  const waiting = new Set<() => void>()
  const tell = (text: string) => {
    told.push(text)
    for (const look of waiting) look()
  }
  const adapter = createAdapter(options, {
    cwd: project.root,
    mode,
    env: { KB_URL: proxy.url, KB_API_KEY: SERVICE_KEY, KB_SYNC: '1', ...env },
    info: tell,
    warn: (text) => tell(`warn: ${text}`),
  })
  onTestFinished(() => adapter.close())
  const waitFor = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (told.some((each) => each.includes(text))) resolve()
      }
      waiting.add(look)
      look()
    })
  return { project, proxy, adapter, slug, told, waitFor }
}

const writesOf = ({ proxy }: Setting) =>
  proxy.seen.filter(({ method }) => method !== 'GET' && method !== 'OPTIONS')

test('nothing is read before a call, and nothing must be closed', async () => {
  const { project, adapter } = await setUp({ config: 'none.config.ts' })
  await adapter.close()
  expect(() => project.read('.kb/.gitignore')).toThrow('ENOENT')
  await expect(adapter.read()).rejects.toMatchObject({ code: 'CONFIG_UNREADABLE' })
})

test('a configuration outside of the site makes its own folder the project', async () => {
  const above = createProject({
    'kb.config.ts': configFile(),
    'content/a.md': article('A', { status: 'published' }),
    'site/index.html': '',
  })
  const host = { cwd: above.path('site'), mode: 'build', env: {}, info: () => {}, warn: () => {} } as const
  const adapter = createAdapter({ config: '../kb.config.ts' }, host)
  onTestFinished(() => adapter.close())
  expect([(await adapter.read()).view.articles.map(({ id }) => id), await adapter.root()]).toEqual([
    ['a'],
    above.root,
  ])
})

describe('a build', () => {
  test('reads once, reports what it reads, and warnings once', async () => {
    const { adapter, project, slug, told } = await setUp({
      files: bySlug('Some text. ![](https://x.example/a.png)'),
    })
    const [first, second] = await Promise.all([adapter.read(), adapter.read()])
    expect(second).toBe(first)
    expect([first.view.articles.map(({ id }) => id), first.touched, first.failure]).toEqual([
      [slug],
      [`${slug}.md`],
      undefined,
    ])
    expect(told).toEqual([
      expect.stringMatching(new RegExp(`^warn: content/${slug}\\.md:\\d+:\\d+ warning `)),
    ])
    expect(adapter.readBody(slug)?.html).toContain('Some text.')
    expect(await adapter.root()).toBe(project.root)
    expect(await adapter.watched()).toEqual({
      content: project.path('content'),
      configFiles: [project.path('kb.config.ts')],
    })
  })

  test('has no drafts by default', async () => {
    const files = (slug: string): Files => ({ [`content/${slug}.md`]: article('Draft') })
    const idsOf = async (given: Given) =>
      (await (await setUp({ files, ...given })).adapter.read()).view.articles.length
    expect([await idsOf({}), await idsOf({ drafts: true }), await idsOf({ mode: 'dev' })]).toEqual([0, 1, 1])
    expect(await idsOf({ mode: 'dev', drafts: false })).toBe(0)
  })

  test('fails with the errors in the content', async () => {
    const { adapter, told, slug } = await setUp({ files: BROKEN })
    const failure = adapter.failureOf(await adapter.read())
    expect(failure).toMatchObject({
      title: '1 problem in the content',
      first: { code: 'link-file-missing', line: 7 },
    })
    expect(failure?.report).toContain(`content/${slug}.md:7:9 error link-file-missing`)
    // The tool reports them.
    expect(told).toEqual([])
  })

  test('with check "warn" reports them and continues', async () => {
    const { adapter, told } = await setUp({ files: BROKEN, check: 'warn', sync: 'build' })
    const reading = await adapter.read()
    expect([adapter.failureOf(reading), reading.failure?.diagnostics.length]).toEqual([undefined, 1])
    expect(told).toEqual([expect.stringContaining('error link-file-missing')])
    expect(await adapter.sync()).toEqual({
      kind: 'failed',
      text: 'Nothing was sent because of 1 problem in the content, shown above.',
    })
  })

  test('that is renewed checks the files again, and may sync again', async () => {
    const { adapter, project, proxy, slug } = await setUp({ sync: 'build' })
    await adapter.read()
    adapter.fail()
    expect((await adapter.sync()).kind).toBe('skipped')
    adapter.renew()
    project.write(bySlug('Changed.')(slug))
    expect((await adapter.read()).touched).toEqual([`${slug}.md`])
    expect((await adapter.sync()).kind).toBe('synced')
    expect(proxy.seen.filter(({ method }) => method === 'PUT').length).toBe(1)
  })
})

describe('a sync', () => {
  test('sends the articles once, however often it is called', async () => {
    const setting = await setUp({ sync: 'build' })
    const { adapter, slug, proxy } = setting
    const [first, second] = await Promise.all([adapter.sync(), adapter.sync()])
    expect(first).toEqual({
      kind: 'synced',
      text: `synced to ${proxy.url}: 1 created, 0 changed, 0 deleted, 0 unchanged`,
    })
    const asked = proxy.seen.length
    await adapter.close()
    expect([second, await adapter.sync()]).toEqual([first, first])
    expect([proxy.seen.length, writesOf(setting).length]).toEqual([asked, 1])
    expect((await service.articles()).filter((each) => each.slug === slug)).toHaveLength(1)
  })

  test.each<[string, Given, (adapter: Adapter) => unknown, string | undefined]>([
    ['nobody asked for', {}, () => undefined, undefined],
    ['only a watch was asked for', { sync: 'watch' }, () => undefined, undefined],
    ['a server shows the site', { sync: 'build', mode: 'dev' }, () => undefined, undefined],
    ['the build failed', { sync: 'build' }, (adapter) => adapter.fail(), 'the build failed'],
    ['the check failed', { sync: 'build', files: BROKEN }, (adapter) => adapter.read(), 'the build failed'],
    ['KB_SYNC forbids it', { sync: 'build', env: { KB_SYNC: '0' } }, () => undefined, 'KB_SYNC is 0'],
  ])('does not happen if %s', async (_, given, before, reason) => {
    const setting = await setUp(given)
    await before(setting.adapter)
    expect(await setting.adapter.sync()).toEqual({ kind: 'skipped', reason })
    expect(setting.proxy.seen).toEqual([])
  })

  test('of invalid content fails, with a message if nothing else reported it', async () => {
    const { adapter, proxy } = await setUp({ sync: 'build', files: BROKEN })
    expect(await adapter.sync()).toEqual({
      kind: 'failed',
      text: expect.stringMatching(
        /^Nothing was sent because of 1 problem in the content:\n\ncontent\/.*link-file-missing\n/,
      ) as string,
    })
    expect(proxy.seen).toEqual([])
  })

  test('that fails reports the reason, and what was not sent', async () => {
    const setting = await setUp({ sync: 'build' })
    const { adapter, proxy, slug } = setting
    proxy.inject(refusal(400, 'The title is taken.'), { times: 9, matches: (method) => method === 'PUT' })
    const end = await adapter.sync()
    expect(end).toMatchObject({
      kind: 'failed',
      text: expect.stringMatching(new RegExp(`^${slug}.md: .*taken`)) as string,
    })
  })

  test('that cannot start counts as failed', async () => {
    const noKey = await setUp({ sync: 'build', env: { KB_API_KEY: undefined } })
    expect(await noKey.adapter.sync()).toEqual({
      kind: 'failed',
      text: `There is no API key for ${noKey.proxy.url}. Set KB_API_KEY to the key of the knowledge base.`,
    })
    const misspelt = await setUp({ sync: 'build', env: { KB_SYNC: 'yes' } })
    expect(await misspelt.adapter.sync()).toMatchObject({
      kind: 'failed',
      text: expect.stringContaining('"yes"') as string,
    })
    const refused = await setUp({ sync: 'build', env: { KB_API_KEY: 'wrong' } })
    expect(await refused.adapter.sync()).toMatchObject({
      kind: 'failed',
      text: expect.stringContaining('key') as string,
    })
  })

  test('fails if a guard held something back, and sends the rest', async () => {
    const { adapter, project, slug } = await setUp({ sync: 'build' })
    const pruning = configFile({ project: slug, sync: { prune: true, maxDeletes: 0 } })
    project.write({
      'kb.config.ts': pruning,
      'content/first.md': article('First', { slug: `${slug}-first` }),
    })
    expect((await adapter.sync()).kind).toBe('synced')
    project.move(`content/${slug}.md`, 'kept.md')
    project.write({ 'content/second.md': article('Second', { slug: `${slug}-second` }) })
    adapter.renew()
    expect(await adapter.sync()).toEqual({
      kind: 'failed',
      text: '1 of 2 articles would be deleted, more than sync.maxDeletes allows (0); nothing was deleted. If you want that, run again with --yes.\n--yes is an option of kb sync.',
    })
    const slugs = (await service.articles()).map((each) => String(each.slug))
    expect(new Set(slugs.filter((each) => each.startsWith(slug)))).toEqual(
      new Set([slug, `${slug}-first`, `${slug}-second`]),
    )
  })

  test('with a conflict fails, unless conflicts are to be skipped', async () => {
    const { project, adapter, slug, proxy } = await setUp({ sync: 'build' })
    await adapter.sync()
    // Another project with the same slug.
    const foreign = (onConflict: string) => configFile({ project: `other-${slug}`, sync: { onConflict } })
    const again = async (onConflict: string) => {
      project.write({ 'kb.config.ts': foreign(onConflict) })
      project.remove('.kb')
      adapter.reopen()
      adapter.renew()
      return adapter.sync()
    }
    const reason = expect.stringMatching(new RegExp(`^${slug}.md: `)) as string
    expect(await again('fail')).toEqual({ kind: 'failed', text: reason })
    const skipped = await again('skip')
    expect(skipped.kind === 'synced' && skipped.text.split('\n')).toEqual([
      `synced to ${proxy.url}: 0 created, 0 changed, 0 deleted, 0 unchanged`,
      reason,
    ])
  })
})

describe('in development', () => {
  test('every read checks the files, and errors end nothing', async () => {
    const { adapter, project, slug, told } = await setUp({ mode: 'dev' })
    expect((await adapter.read()).failure).toBeUndefined()
    project.write(BROKEN(slug))
    const broken = await adapter.read()
    expect([broken.touched, broken.failure?.first.line]).toEqual([[`${slug}.md`], 7])
    project.write(bySlug('Mended.')(slug))
    expect((await adapter.read()).failure).toBeUndefined()
    expect(adapter.readBody(slug)?.html).toBe('<p>Mended.</p>\n')
    expect(told).toEqual([])
  })

  test('an edited configuration is read again; until then, texts are those of the last read', async () => {
    const { adapter, project, slug } = await setUp({ mode: 'dev' })
    await adapter.read()
    project.write({ 'kb.config.ts': 'export default {', 'docs/new.md': article('New') })
    adapter.reopen()
    await expect(adapter.read()).rejects.toMatchObject({ code: 'CONFIG_UNREADABLE' })
    expect(adapter.readBody(slug)?.html).toContain(slug)
    project.write({ 'kb.config.ts': configFile({ content: 'docs' }) })
    // The next attempt needs no other event.
    expect((await adapter.read()).view.articles.map(({ id }) => id)).toEqual(['new'])
    expect([adapter.readBody(slug), adapter.readBody('new')?.html]).toEqual([
      undefined,
      '<p>Text of New.</p>\n',
    ])
  })

  test('a read during an edit of the configuration keeps all texts available', async () => {
    const { adapter, project, slug } = await setUp({ mode: 'dev' })
    await adapter.read()
    const before = adapter.read()
    project.write({ 'kb.config.ts': configFile({ links: { article: '/help/{slug}' } }) })
    adapter.reopen()
    const [, after] = await Promise.all([before, adapter.read()])
    expect(after.view.articles[0]?.url).toBe(`/help/${slug}`)
    expect(adapter.readBody(slug)?.html).toContain(slug)
  })

  test('with sync "watch", saved files are sent, until it is closed', async () => {
    const { adapter, project, slug, told, waitFor } = await setUp({ mode: 'dev', sync: 'watch' })
    adapter.watch()
    adapter.watch()
    await waitFor('watching;')
    project.write(bySlug('Saved.')(slug))
    await waitFor('done')
    await adapter.close()
    expect(told).toEqual([
      expect.stringMatching(/^watching; http\S+ has 1 article, 1 sent and 0 deleted now$/),
      `update ${slug}.md done`,
    ])
    const sent = (await service.articles()).filter((each) => each.slug === slug)
    expect(sent.map(({ content }) => content)).toEqual([expect.stringContaining('Saved.')])
  })

  test('with sync "watch", an ended watch does not start again, but content can be read', async () => {
    const { adapter, told, waitFor } = await setUp({ mode: 'dev', sync: 'watch' })
    adapter.watch()
    await waitFor('watching;')
    const { view } = await adapter.read()
    await adapter.endWatch()
    adapter.watch()
    await adapter.endWatch()
    expect(told).toHaveLength(1)
    expect(view.articles.map(({ id }) => adapter.readBody(id)?.html)).toEqual([expect.any(String)])
  })

  test.each<[string, Given, string[]]>([
    ['was not asked for', {}, []],
    ['is for builds only', { sync: 'build' }, []],
    ['is forbidden', { sync: 'watch', env: { KB_SYNC: '0' } }, ['nothing is sent: KB_SYNC is 0']],
    [
      'has no key',
      { sync: 'watch', env: { KB_API_KEY: '' } },
      [
        expect.stringMatching(
          /^warn: nothing is sent from now on: There is no API key.* Set KB_API_KEY/,
        ) as string,
      ],
    ],
  ])('nothing is sent if that %s', async (_, given, messages) => {
    const { adapter, told, proxy, waitFor } = await setUp({ mode: 'dev', ...given })
    adapter.watch()
    await adapter.read()
    if (messages.length > 0) await waitFor('nothing is sent')
    await adapter.close()
    expect([told, proxy.seen]).toEqual([messages, []])
  })
})
