// External links, checked on real servers on the loopback address, with any host names.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ExternalOptions } from '../../../../src/inspect/check/external/check-external-links.ts'
import { type RunCheckOptions, runCheck } from '../../../../src/inspect/check/run-check.ts'
import { loadConfig } from '../../../../src/core/config/load-config.ts'
import { check as checkFiles } from '../../../../src/kb/on-files.ts'
import { closedAddress } from '../../../support/fault-proxy.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import {
  onHead,
  redirect,
  resolveToLoopback,
  serveWeb,
  silence,
  type Web,
} from '../../../api/link-probe/web-fixture.ts'
import { writeFiles } from '../../../content/load-files.ts'

const START_MS = Date.parse('2026-03-01T10:00:00.000Z')
const DAY_MS = 86_400_000

const article = (body: string, title = 'A') => `---\ntitle: ${title}\ncategories: [g]\n---\n${body}\n`

/** A project with a clock that moves only during sleeps and by a test. */
async function createProject(files: Readonly<Record<string, string>>, config: object = {}) {
  const root = temporaryFolder()
  writeFiles(root, {
    'kb.config.ts': `export default ${JSON.stringify({ rules: { 'bare-url': 'off' }, ...config })}\n`,
    'content/_categories.yml': '- {name: G, slug: g}\n',
    ...files,
  })
  const settings = await loadConfig({ cwd: root })
  const clock = { nowMs: START_MS }
  const pauses: number[] = []
  const sleep = async (ms: number) => {
    if (ms > 0) pauses.push(ms)
    clock.nowMs += ms
  }
  const check = async (options: ExternalOptions = {}, others: Partial<RunCheckOptions> = {}) => {
    const { diagnostics, external } = await runCheck({
      settings,
      now: () => new Date(clock.nowMs),
      env: {},
      external: {
        allowPrivateAddresses: true,
        resolve: resolveToLoopback,
        limits: { hostPauseMs: 0 },
        sleep,
        ...options,
      },
      ...others,
    })
    return {
      diagnostics,
      external,
      found: diagnostics.map(
        (each) => `${each.file}:${each.line}:${each.column} ${each.code} ${each.message}`,
      ),
    }
  }
  return { root, clock, pauses, check, memory: join(root, '.kb/cache/all-external-links.json') }
}

const pagesOf = (web: Web) => web.seen.map(({ method, page }) => `${method} ${page}`).toSorted()

test('every broken link is reported at its position, and every URL requested once', async () => {
  const web = await serveWeb({
    'a.test/ok': 200,
    'a.test/moved': redirect('/ok', 301),
    'a.test/gone': 410,
    'b.test/get-only': onHead(405, 200),
    'b.test/members': 401,
  })
  const url = (page: string) => web.url(page)
  const project = await createProject({
    'content/a.md': article(
      `[x](${url('a.test/ok')}) [y](${url('a.test/ok')}#part) [z][gone]\n\n` +
        `<a href="${url('a.test/gone')}#x">w</a> ![i](${url('b.test/none.png')})\n\n[gone]: ${url('a.test/gone')}`,
    ),
    'content/b.md': article(
      `[x](${url('a.test/moved')}) [y](${url('b.test/get-only')}) [m](${url('b.test/members')}) [mail](mailto:a@b.test)`,
      'B',
    ),
    'content/_tags.yml': `- name: T\n  slug: t\n  longDescription: "See [x](${url('b.test/none.png')})."\n`,
  })
  const { found, external, diagnostics } = await project.check()
  const gone = `${url('a.test/gone')} does not work: 410 Gone.`
  const none = `${url('b.test/none.png')} does not work: 404 Not Found.`
  const start = 2 + `[x](${url('a.test/ok')}) [y](${url('a.test/ok')}#part)`.length
  const image = `<a href="${url('a.test/gone')}#x">w</a> ![i](`.length + 1
  expect(found).toEqual([
    `content/_tags.yml:3:20 link-external-broken ${none}`,
    `content/a.md:5:${start} link-external-broken ${gone}`,
    `content/a.md:7:10 link-external-broken ${url('a.test/gone')}#x does not work: 410 Gone.`,
    `content/a.md:7:${image} link-external-broken ${none}`,
  ])
  expect(diagnostics[1]).toMatchObject({
    severity: 'warning',
    end: { line: 5, column: start + '[z][gone]'.length },
  })
  expect(external).toEqual({ addresses: 6, asked: 6, broken: 2, unknown: 1, ignored: 0 })
  expect(pagesOf(web)).toEqual([
    'GET a.test/gone',
    'GET b.test/get-only',
    'GET b.test/members',
    'GET b.test/none.png',
    'HEAD a.test/gone',
    'HEAD a.test/moved',
    'HEAD a.test/ok',
    'HEAD a.test/ok',
    'HEAD b.test/get-only',
    'HEAD b.test/members',
    'HEAD b.test/none.png',
  ])
})

test('a working URL is not requested again for a day, a failed one for ten minutes', async () => {
  const web = await serveWeb({ 'a.test/ok': 200 })
  const project = await createProject({
    'content/a.md': article(`[x](${web.url('a.test/ok')}) [y](${web.url('a.test/gone')})`),
  })
  const first = await project.check()
  expect(first.external).toEqual({ addresses: 2, asked: 2, broken: 1, unknown: 0, ignored: 0 })
  project.clock.nowMs += 9 * 60_000
  const second = await project.check()
  expect([second.found, second.external?.asked]).toEqual([first.found, 0])
  project.clock.nowMs += 2 * 60_000
  expect((await project.check()).external?.asked).toBe(1)
  project.clock.nowMs = START_MS + DAY_MS + 1
  expect((await project.check()).external?.asked).toBe(2)
  // Disposable: without it, or with another one, everything is requested.
  for (const text of ['', '{}', '{"version":1,"entries":[[1]]}', '{"version":2,"entries":[]}']) {
    writeFileSync(project.memory, text)
    expect((await project.check()).external?.asked).toBe(2)
  }
})

test('a server that fails once is no finding, one that fails twice is', async () => {
  let first = true
  const web = await serveWeb({
    'a.test/once': () => {
      const status = first ? 500 : 200
      first = false
      return status
    },
    'a.test/always': 502,
  })
  // GET follows HEAD within one check, so both must fail.
  let asked = 0
  const flaky = await serveWeb({ 'c.test/twice': () => (++asked <= 2 ? 500 : 200) })
  const project = await createProject({
    'content/a.md': article(
      `[x](${web.url('a.test/once')}) [y](${web.url('a.test/always')}) [z](${flaky.url('c.test/twice')})`,
    ),
  })
  const { found, external } = await project.check()
  expect(found).toEqual([expect.stringMatching(/always does not work: 502 Bad Gateway\.$/)])
  expect(external).toEqual({ addresses: 3, asked: 3, broken: 1, unknown: 0, ignored: 0 })
  expect(project.pauses).toEqual([3000])
})

test('a busy host is not requested for as long as it asks, and the link has no result', async () => {
  let busyUntilMs = START_MS + 40_000
  const clock = { now: () => START_MS }
  const busy = (_: unknown, response: { setHeader: (name: string, value: string) => unknown }) => {
    if (clock.now() >= busyUntilMs) return 200
    response.setHeader('retry-after', '40')
    return 429
  }
  const web = await serveWeb({
    'a.test/1': busy,
    'a.test/2': busy,
    'b.test/long': (_, response) => {
      response.setHeader('retry-after', '7200')
      return 503
    },
    'b.test/other': 200,
  })
  const project = await createProject({
    'content/a.md': article(
      `[x](${web.url('a.test/1')}) [y](${web.url('a.test/2')}) [z](${web.url('b.test/long')}) [o](${web.url('b.test/other')})`,
    ),
  })
  clock.now = () => project.clock.nowMs
  const first = await project.check({ limits: { perHost: 1, hostPauseMs: 0 } })
  expect(first.found).toEqual([])
  expect(first.external).toEqual({ addresses: 4, asked: 4, broken: 0, unknown: 2, ignored: 0 })
  expect(project.pauses).toEqual([40_000])
  // One request to a host that requested a pause, then none before its end.
  expect(pagesOf(web)).toEqual(['HEAD a.test/1', 'HEAD a.test/1', 'HEAD a.test/2', 'HEAD b.test/long'])
  busyUntilMs = 0
  project.clock.nowMs += 30 * 60_000
  expect((await project.check()).external).toMatchObject({ asked: 0, unknown: 2 })
})

test('private addresses are not requested, not even after redirects', async () => {
  const inner = await serveWeb({ '127.0.0.1/*': 200, 'inner.test/*': 200 })
  const project = await createProject({
    'content/a.md': article(
      [
        inner.url('127.0.0.1/by-address'),
        inner.url('inner.test/by-name'),
        'http://[0:0:0:0:0:ffff:7f00:1]:9/six',
        'http://169.254.169.254/latest/meta-data/',
        'http://localhost:9/local',
      ]
        .map((url) => `<a href="${url}">x</a>`)
        .join(' '),
    ),
  })
  const { found, external } = await project.check({ allowPrivateAddresses: false })
  expect(found).toEqual([])
  expect(external).toEqual({ addresses: 5, asked: 5, broken: 0, unknown: 5, ignored: 0 })
  expect(inner.seen).toEqual([])
  // A rejection is not stored, because the next run may be allowed to request the URL.
  const allowed = await project.check({}, { isSelected: (source) => source === 'a.md' })
  expect(allowed.external?.asked).toBe(5)
  expect(inner.seen.length).toBeGreaterThan(0)
})

test('results for private addresses are not used by a run without them', async () => {
  const web = await serveWeb({ 'a.test/gone': 404 })
  const project = await createProject({ 'content/a.md': article(`[x](${web.url('a.test/gone')})`) })
  expect((await project.check()).external).toMatchObject({ asked: 1, broken: 1 })
  expect((await project.check({ allowPrivateAddresses: false })).external).toMatchObject({
    asked: 1,
    broken: 0,
    unknown: 1,
  })
  expect((await project.check()).external).toMatchObject({ asked: 0, broken: 1 })
})

test('URLs ignored in the configuration and examples are not requested', async () => {
  const web = await serveWeb({})
  const port = String(web.port)
  const project = await createProject(
    {
      'content/a.md': article(
        [
          web.url('a.test/secret/page?x=1'),
          `http://b.test:${port}`,
          `http://b.test:${port}/not-this`,
          'https://example.com/x',
          'https://kb.your-company.example/y',
          'https://www.example.org',
        ]
          .map((url) => `[x](${url})`)
          .join(' '),
      ),
    },
    { links: { ignore: [`http://a.test:${port}/secret/*`, `http://b.test:${port}`] } },
  )
  const { found, external } = await project.check()
  expect(found).toEqual([expect.stringContaining('/not-this does not work: 404 Not Found.')])
  expect(external).toEqual({ addresses: 1, asked: 1, broken: 1, unknown: 0, ignored: 5 })
})

test('links that no program could follow are broken, without a request', async () => {
  const dead = await closedAddress()
  const project = await createProject({
    'content/a.md': article(`[x](http://[) [y](${dead}/p) [z](//127.0.0.1:99999/x)`),
  })
  const { found, external } = await project.check()
  expect(found.map((each) => each.replace(/^.* link/, 'link'))).toEqual([
    'link-external-broken http://%5B does not work: the URL is not valid.',
    `link-external-broken ${dead}/p does not work: the connection was refused (ECONNREFUSED).`,
    'link-external-broken //127.0.0.1:99999/x does not work: the URL is not valid.',
  ])
  expect(external).toEqual({ addresses: 3, asked: 1, broken: 3, unknown: 0, ignored: 0 })
})

test('only links of the selected files are requested, and none if the rule is off', async () => {
  const web = await serveWeb({})
  const files = {
    'content/a.md': article(`[x](${web.url('a.test/a')})`),
    'content/b.md': article(`[x](${web.url('a.test/b')})`, 'B'),
  }
  const project = await createProject(files)
  const { found } = await project.check({}, { isSelected: (source) => source === 'b.md' })
  expect(found).toEqual([expect.stringMatching(/^content\/b\.md:5:5 link-external-broken /)])
  expect(await project.check({}, { external: undefined })).toMatchObject({ found: [], external: undefined })
  const off = await createProject(files, { rules: { 'link-external-broken': 'off' } })
  expect(await off.check()).toMatchObject({ found: [], external: undefined })
  expect(existsSync(off.memory)).toBe(false)
  const strict = await createProject(files, { rules: { 'link-external-broken': 'error' } })
  expect((await strict.check()).diagnostics.map(({ severity }) => severity)).toEqual(['error', 'error'])
  expect(pagesOf(web).every((page) => !page.endsWith('/c'))).toBe(true)
})

test('an interrupted check ends immediately and stores its results', async () => {
  const web = await serveWeb({ 'a.test/ok': 200, 'b.test/slow': silence })
  const project = await createProject({
    'content/a.md': article(`[x](${web.url('a.test/ok')}) [y](${web.url('b.test/slow')})`),
  })
  const stopper = new AbortController()
  const onProgress: RunCheckOptions['onProgress'] = (phase) => {
    if (phase === 'links') void web.waitForSeen(2).then(() => stopper.abort())
  }
  await expect(project.check({}, { signal: stopper.signal, onProgress })).rejects.toMatchObject({
    code: 'INTERRUPTED',
    message: 'Stopped after 1 of 2 links to other sites.',
  })
  const { entries } = JSON.parse(readFileSync(project.memory, 'utf8')) as { entries: [string, unknown][] }
  expect(entries.map(([address]) => address)).toEqual([web.url('a.test/ok')])
})

test('an interrupted check does not wait for a name without a network', async () => {
  const project = await createProject({ 'content/a.md': article('[x](https://a.test/)') })
  const stopper = new AbortController()
  const onProgress: RunCheckOptions['onProgress'] = (phase) => {
    if (phase === 'links') stopper.abort()
  }
  const resolve = (host: string) =>
    host === 'a.test' ? unresolved('ENOTFOUND')() : new Promise<never>(() => {})
  await expect(project.check({ resolve }, { signal: stopper.signal, onProgress })).rejects.toMatchObject({
    code: 'INTERRUPTED',
  })
})

const unresolved = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))

test('without a network, links are not reported as broken, and are requested again as soon as there is one', async () => {
  const web = await serveWeb({ 'a.test/x': 200, 'b.test/x': 200, 'c.test/x': 404 })
  const links = ['a', 'b', 'c'].map((host) => `[x](${web.url(`${host}.test/x`)})`)
  const project = await createProject({ 'content/a.md': article(links.join(' ')) })
  const offline = { addresses: 3, asked: 3, broken: 0, unknown: 3, ignored: 0, isOffline: true }
  for (const code of ['ENOTFOUND', 'EAI_AGAIN'])
    expect(await project.check({ resolve: unresolved(code) })).toMatchObject({ found: [], external: offline })
  project.clock.nowMs += 130_000
  const { found, external } = await project.check()
  expect(found).toEqual([expect.stringContaining('404 Not Found')])
  expect(external).toEqual({ addresses: 3, asked: 3, broken: 1, unknown: 0, ignored: 0 })
})

test('a missing host is broken if another host can be reached, or if there are few and names can be resolved', async () => {
  const web = await serveWeb({ 'a.test/x': 200 })
  const url = (host: string) => web.url(`${host}.test/x`)
  const resolveOnly =
    (known: string, codes: Readonly<Record<string, string>> = {}) =>
    (host: string) =>
      host === known ? resolveToLoopback(host) : unresolved(codes[host] ?? 'ENOTFOUND')()
  const project = await createProject({
    'content/a.md': article(`[x](${url('a')}) [y](${url('b')}) [z](${url('c')}) [w](${url('d')})`),
  })
  expect((await project.check({ resolve: resolveOnly('a.test') })).external).toMatchObject({
    broken: 3,
    unknown: 0,
  })
  const few = await createProject({ 'content/a.md': article(`[y](${url('b')}) [z](${url('c')})`) })
  const resolve = resolveOnly('example.com')
  for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT'])
    expect(await few.check({ resolve: unresolved(code) })).toMatchObject({
      found: [],
      external: { broken: 0, unknown: 2, isOffline: true },
    })
  few.clock.nowMs += 130_000
  const mixed = await few.check({ resolve: resolveOnly('example.com', { 'b.test': 'EAI_AGAIN' }) })
  expect(mixed.external).toEqual({ addresses: 2, asked: 2, broken: 1, unknown: 1, ignored: 0 })
  few.clock.nowMs += DAY_MS
  expect((await few.check({ resolve })).external).toMatchObject({ broken: 2, unknown: 0 })
})

test('without a network, a baseline still needs its entries for links, and keeps them when it is written', async () => {
  const web = await serveWeb({ 'a.test/x': 404 })
  const { root, memory } = await createProject({ 'content/a.md': article(`[x](${web.url('a.test/x')})`) })
  const loadSettings = () => loadConfig({ cwd: root })
  const resolvedWith = async (resolve: ExternalOptions['resolve'], writeBaseline = false) => {
    const external = { allowPrivateAddresses: true, resolve, sleep: () => Promise.resolve() }
    const options = { external, baseline: 'accepted.json', writeBaseline }
    const result = await checkFiles({ cwd: root, configFile: undefined, env: {}, loadSettings }, options)
    return result.baseline?.resolved.map(({ code }) => code)
  }
  const written = () => readFileSync(join(root, 'accepted.json'), 'utf8')
  await resolvedWith(resolveToLoopback, true)
  const before = written()
  rmSync(memory)
  for (const resolve of [unresolved('EAI_AGAIN'), unresolved('ENOTFOUND')]) {
    expect(await resolvedWith(resolve)).toEqual([])
    await resolvedWith(resolve, true)
    expect(written()).toBe(before)
  }
  writeFiles(root, { 'content/a.md': article('No link.') })
  expect(await resolvedWith(resolveToLoopback)).toEqual(['link-external-broken'])
  await resolvedWith(resolveToLoopback, true)
  expect(written()).toContain('"findings": []')
})
