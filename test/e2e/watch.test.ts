// kb watch as its users run it: the built program, real files, and other programs beside it.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { article, configFile, createProject, type Files, startServing } from '../support/project.ts'
import { builtinArticles, getFrom, readArticles } from '../support/read-articles.ts'
import { SERVICE_KEY, startStrictService } from '../support/strict-service.ts'
import { startWatchCommand, type ToldEvent } from '../support/watching.ts'

const BASE: Files = {
  'kb.config.ts': configFile({ project: 'demo', defaults: { status: 'published' } }),
  'content/_categories.yml': '- name: Guides\n  slug: guides\n',
}

/** The same, where a request that fails is not sent again: how long a client waits before that is proven elsewhere. */
const WITHOUT_RETRIES: Files = {
  ...BASE,
  'kb.config.ts': configFile({
    project: 'demo',
    defaults: { status: 'published' },
    sync: { retries: 0, settle: '0s' },
  }),
}

/** `update reset.md` and so on. */
function operationsOf({ operations }: ToldEvent): string[] {
  const all = operations as readonly { action: string; source?: string; slug: string; outcome: string }[]
  return all.map(({ action, slug, source = slug, outcome }) => `${action} ${source} ${outcome}`)
}

test('the pages follow the brand: a file that is missing, one that changes, and a colour', async () => {
  const svg = (name: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><title>${name}</title></svg>`
  const configured = (pages: object) => ({ 'kb.config.ts': configFile({ project: 'demo', pages }) })
  const project = createProject({
    ...configured({ logo: 'brand/logo.svg' }),
    'brand/logo.svg': svg('first'),
    'content/reset.md': article('Reset'),
  })
  const watch = startWatchCommand(project, { args: ['--port', '0'] })
  const pages = String((await watch.next('started')).pages)
  await watch.next('ready')
  const readLogo = async () => {
    const [, path = ''] = /class="kb-logo"\s+src="([^"]*)"/.exec(await (await fetch(pages)).text()) ?? []
    return path === '' ? '' : (await fetch(new URL(path, pages))).text()
  }
  expect(await readLogo()).toBe(svg('first'))

  // The page is told, as of an edit.
  const stream = await fetch(new URL('/_kb/events', pages))
  const told = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  const isShown = async (logo: string) => {
    for (;;) {
      await told?.read()
      if ((await readLogo()) === logo) return true
    }
  }
  project.write({ 'brand/logo.svg': svg('second') })
  expect(await isShown(svg('second'))).toBe(true)

  project.write(configured({ logo: 'brand/other.svg' }))
  expect(await watch.next('configured')).toMatchObject({
    error: { code: 'CONFIG_INVALID', message: 'pages.logo: the file brand/other.svg does not exist.' },
  })
  expect(await readLogo()).toBe(svg('second'))
  project.write({ 'brand/other.svg': svg('other') })
  await watch.next('configured')
  expect(await readLogo()).toBe(svg('other'))

  project.write(configured({ colours: { accent: '#f5a623' } }))
  const reported = async () => JSON.stringify(await watch.next('problems'))
  while (!(await reported()).includes('The nearest colour that passes is #976300.'));
  expect(await (await fetch(pages)).text()).toMatch(/_kb\/\w+\/brand\.css/)
  await told?.cancel()
  await watch.stop()
})

test('from an empty database to the last word', async () => {
  const project = createProject({ ...BASE, 'content/reset.md': article('Reset') })
  const watch = startWatchCommand(project, { args: ['--port', '0'] })
  const { pages, target, content } = await watch.next('started')
  expect([target, content]).toEqual([{ kind: 'builtin', name: 'builtin' }, 'content'])
  expect(await watch.next('ready')).toMatchObject({ summary: { created: 1 }, requests: { PUT: 1 } })

  project.write({ 'content/reset.md': article('Reset', { body: 'Edited.' }) })
  const sent = await watch.next('sent')
  expect([operationsOf(sent), sent.operations]).toMatchObject([
    ['update reset.md done'],
    [{ slug: 'reset', url: '/articles/reset' }],
  ])
  const shown = await fetch(new URL('/articles/reset', String(pages)))
  expect(await shown.text()).toContain('Edited.')

  // A mistake beside a good edit: this one is sent, the last good version of that one stays.
  project.write({ 'content/reset.md': '---\ntitel: Reset\n---\n', 'content/faq.md': article('FAQ') })
  expect(operationsOf(await watch.next('sent'))).toEqual(['create faq.md done'])
  const problems = await watch.next('problems', ({ heldBack }) => (heldBack as string[]).length > 0)
  expect(problems).toMatchObject({ heldBack: ['reset.md'], fixed: [] })
  expect((problems.appeared as { file: string }[]).map(({ file }) => file)).toContain('content/reset.md')
  project.write({ 'content/reset.md': article('Reset', { body: 'Mended.' }) })
  expect(await watch.next('problems', ({ heldBack }) => (heldBack as string[]).length === 0)).toMatchObject({
    diagnostics: [],
    fixed: ['content/reset.md'],
  })
  await watch.settled()

  project.remove('content/faq.md')
  expect(await watch.next('orphaned')).toEqual({ event: 'orphaned', source: 'faq.md', slug: 'faq' })
  await watch.settled()
  expect(await watch.stop()).toEqual({
    code: 0,
    last: {
      event: 'stopped',
      target: 'builtin',
      sent: 4,
      pending: 0,
      heldBack: [],
      failures: [],
      isComplete: true,
    },
  })
  const articles = await builtinArticles(project)
  expect([...articles.keys()]).toEqual(['faq', 'reset'])
  expect(articles.get('reset')?.content).toContain('Mended.')
  expect((await project.kb('sync', '--json')).json).toMatchObject({ operations: [] })
})

test('with --prune, the article of a file that is gone goes, but not beside a mistake', async () => {
  const project = createProject({ ...BASE, 'content/a.md': article('A'), 'content/b.md': article('B') })
  const watch = startWatchCommand(project, { args: ['--no-pages', '--prune'] })
  await watch.next('ready')
  project.write({ 'content/b.md': '---\ntitel: B\n---\n' })
  await watch.next('problems', ({ heldBack }) => (heldBack as string[]).length > 0)
  project.remove('content/a.md')
  await watch.settled()
  project.write({ 'content/b.md': article('B') })
  expect(operationsOf(await watch.next('sent'))).toEqual(['delete-orphan a done'])
  expect((await watch.stop()).code).toBe(0)
  expect([...(await builtinArticles(project)).keys()]).toEqual(['b'])
})

test('what is left when it stops is said, and the exit code says so', async () => {
  const project = createProject({
    ...BASE,
    'content/a.md': '---\ntitel: A\n---\n',
    'content/b.md': article('B'),
  })
  const watch = startWatchCommand(project)
  await watch.next('ready')
  expect(await watch.stop()).toMatchObject({
    code: 1,
    last: { event: 'stopped', sent: 1, heldBack: ['a.md'] },
  })
})

test('a remote target is watched only where it is named', async () => {
  const service = await startStrictService()
  const project = createProject({
    ...BASE,
    'kb.config.ts': configFile({ project: 'demo', target: { url: service.url } }),
    'content/a.md': article('A'),
  })
  const plain = startWatchCommand(project)
  expect(await plain.next('started')).toMatchObject({
    target: { kind: 'builtin', name: 'builtin' },
    passedOver: { kind: 'remote', name: 'default', url: service.url },
  })
  await plain.next('ready')
  expect([(await plain.stop()).code, service.requests]).toEqual([0, []])

  const env = { KB_API_KEY: SERVICE_KEY }
  const named = startWatchCommand(project, { args: ['--no-pages', '--target', 'default'], env })
  const started = await named.next('started')
  expect(started).toMatchObject({ target: { name: 'default' } })
  expect(JSON.stringify(started)).not.toContain(SERVICE_KEY)
  await named.next('ready')
  expect(await named.next('offers')).toEqual({ event: 'offers', updatesInPlace: false })
  project.write({ 'content/a.md': article('A', { body: 'Edited.' }) })
  service.forget()
  expect(operationsOf(await named.next('sent'))).toEqual(['replace a.md done'])
  // The number that the first lines name.
  expect(service.requests.length).toBeLessThanOrEqual(11)
  expect((await named.stop()).code).toBe(0)
  expect(service.articles().map(({ slug }) => slug)).toEqual(['a'])
})

test('a target that goes away and comes back; stopped while it is away, the next sync does what is left', async () => {
  const service = await startStrictService()
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  const project = createProject({ ...WITHOUT_RETRIES, 'content/a.md': article('A') })
  const env = { KB_URL: proxy.url, KB_API_KEY: SERVICE_KEY }
  const slugs = () =>
    service
      .articles()
      .map(({ slug }) => slug)
      .toSorted()
  const watch = startWatchCommand(project, { env })
  await watch.next('ready')
  proxy.inject({ kind: 'cut-before' }, { times: 10_000 })
  project.write({ 'content/a.md': article('A', { body: 'Meanwhile.' }) })
  expect(await watch.next('offline')).toMatchObject({ error: { code: 'TARGET_UNREACHABLE' } })
  project.write({ 'content/b.md': article('B') })
  proxy.clear()
  await watch.next('online')
  await watch.settled()
  expect(slugs()).toEqual(['a', 'b'])
  expect(JSON.stringify(service.articles())).toContain('Meanwhile.')

  proxy.inject({ kind: 'cut-before' }, { times: 10_000 })
  project.write({ 'content/c.md': article('C') })
  await watch.next('offline')
  expect(await watch.stop()).toMatchObject({
    code: 3,
    last: { event: 'stopped', pending: 1, error: { code: 'TARGET_UNREACHABLE' } },
  })
  proxy.clear()
  expect((await project.run(['sync', '--json'], { env })).json).toMatchObject({ summary: { created: 1 } })
  expect(slugs()).toEqual(['a', 'b', 'c'])
})

test('other commands run beside it', { timeout: 90_000 }, async () => {
  const project = createProject({ ...BASE, 'content/a.md': article('A'), 'content/b.md': article('B') })
  const watch = startWatchCommand(project)
  await watch.next('ready')
  const server = await startServing(project)
  expect((await project.kb('sync', '--json')).json).toMatchObject({ operations: [] })
  expect((await project.kb('pull', '--json')).code).toBe(0)
  expect((await project.kb('check')).code).toBe(0)
  expect((await project.kb('mv', 'content/a.md', 'content/guides/a.md')).code).toBe(0)
  await watch.settled()
  project.write({ 'content/b.md': article('B', { body: 'Edited.' }) })
  expect(
    operationsOf(await watch.next('sent', (told) => operationsOf(told).includes('update b.md done'))),
  ).toEqual(['update b.md done'])
  const articles = await readArticles(getFrom(server.url, server.apiKey))
  expect(articles.get('b')?.content).toContain('Edited.')
  // A sync by hand sends an edit before the watch comes to it, or after; nobody is in the way of the other.
  project.write({ 'content/b.md': article('B', { body: 'Both.' }) })
  const { code } = await project.kb('sync')
  await watch.settled()
  expect([0, 1]).toContain(code)
  expect((await watch.stop()).code).toBe(0)
  expect((await project.kb('sync', '--json')).json).toMatchObject({
    operations: [],
    summary: { unchanged: 2 },
  })
})

test('a git checkout of many files', async () => {
  // So many that threads compile them, and far more than are taken as edits.
  const count = 320
  const pages = (body: string): Files =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `content/page-${index}.md`,
        article(`Page ${index}`, { body: `${body} ${index}.` }),
      ]),
    )
  const project = createProject({ ...BASE, ...pages('First'), '.gitignore': '.kb\n' })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: project.root,
      stdio: 'pipe',
    })
  git('init', '--quiet', '--initial-branch', 'main')
  git('add', '.')
  git('commit', '--quiet', '-m', 'first')
  git('checkout', '--quiet', '-b', 'other')
  project.write(pages('Second'))
  git('commit', '--quiet', '-am', 'second')
  git('checkout', '--quiet', 'main')
  const watch = startWatchCommand(project)
  expect(await watch.next('ready')).toMatchObject({ summary: { created: count } })
  git('checkout', '--quiet', 'other')
  await watch.settled()
  expect((await watch.stop()).last).toMatchObject({ sent: 2 * count, pending: 0 })
  const articles = await builtinArticles(project)
  expect([...articles.values()].filter(({ content }) => !content.includes('Second'))).toEqual([])
  expect((await project.kb('sync', '--json')).json).toMatchObject({
    summary: { unchanged: count },
    operations: [],
  })
})

test('a second Ctrl-C ends it at once', async () => {
  const service = await startStrictService()
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  const project = createProject({ ...WITHOUT_RETRIES, 'content/a.md': article('A') })
  const watch = startWatchCommand(project, { env: { KB_URL: proxy.url, KB_API_KEY: SERVICE_KEY } })
  await watch.next('ready')
  proxy.inject({ kind: 'silence' }, { times: 10_000 })
  project.write({ 'content/b.md': article('B') })
  await proxy.waitForSeen(proxy.seen.length + 1)
  const told = once(watch.process.stderr as Readable, 'data')
  watch.process.kill('SIGINT')
  await told
  watch.process.kill('SIGINT')
  const { code, stderr } = await watch.ended
  expect([code, stderr]).toEqual([
    null,
    'Stopping: finishing the requests in progress. Press Ctrl-C again to stop now.\n',
  ])
})

test('what keeps it from beginning is one line of JSON', async () => {
  const project = createProject({ ...BASE })
  const { code, stdout } = await project.kb('watch', '--json', '--target', 'nowhere')
  expect([code, JSON.parse(stdout)]).toMatchObject([
    2,
    { event: 'failed', error: { code: 'TARGET_UNKNOWN' } },
  ])
  const together = await project.kb('watch', '--no-pages', '--port', '1')
  expect([together.code, together.stderr]).toEqual([
    2,
    'error: --no-pages cannot be combined with --host or --port. [USAGE]\nhint: Leave out --no-pages, or leave out --host and --port.\n',
  ])
})
