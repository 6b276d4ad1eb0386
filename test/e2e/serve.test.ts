// `kb serve` as a process, and `kb sync` against it as against any remote target.
import { once } from 'node:events'
import { existsSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { article, configFile, createProject, startServing, type TestProject } from '../support/project.ts'
import { getFrom, readArticles } from '../support/read-articles.ts'
import { fileName, PNG } from '../support/stored-files.ts'

function createServed(): TestProject {
  return createProject({
    'kb.config.ts': configFile({ project: 'demo' }),
    'content/_categories.yml': '- name: Guides\n',
    'content/first.md': article('First'),
  })
}

const CATEGORIES = '/api/v2/categories'

test('it says where it listens, and takes the key of KB_API_KEY without storing it', async () => {
  const project = createServed()
  const running = project.start(['serve', '--port', '0'], { env: { KB_API_KEY: 'key-from-outside' } })
  const [, url = ''] = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(await running.firstLine) ?? []
  expect(await getFrom(url, 'key-from-outside')(CATEGORIES)).toMatchObject({
    success: true,
    data: [{ name: 'Guides' }],
  })
  expect(await getFrom(url, 'another')(CATEGORIES)).toMatchObject({ success: false })
  expect(existsSync(project.path('.kb/api-key'))).toBe(false)
  running.process.kill('SIGTERM')
  const { code, stdout, stderr } = await running.ended
  expect([code, stdout]).toEqual([0, `listening on ${url}\n`])
  expect(stderr).not.toContain('key-from-outside')
})

test('outside of a project it serves the database of the folder, and says so', async () => {
  const project = createProject()
  const { process, ended } = await startServing(project)
  process.kill('SIGTERM')
  const { code, stderr } = await ended
  expect(code).toBe(0)
  expect(JSON.parse(stderr.slice(0, stderr.indexOf('\n')))).toMatchObject({
    level: 'warn',
    msg: 'No kb.config.ts was found in this folder or above, so the defaults apply. To serve a project, use --cwd DIR; to make one, run npx kb-sync init.',
    db: project.path('.kb/kb.db'),
  })
})

test('without one it makes a key that only the owner can read, and keeps it', async () => {
  const project = createServed()
  const first = await startServing(project)
  expect(first.apiKey).toMatch(/^kb_[\w-]{43}$/)
  expect(statSync(project.path('.kb/api-key')).mode & 0o777).toBe(0o600)
  expect(await getFrom(first.url, first.apiKey)(CATEGORIES)).toMatchObject({ success: true })
  first.process.kill('SIGTERM')
  const { code, stdout, stderr } = await first.ended
  expect([code, stdout]).toEqual([0, `{"event":"listening","url":"${first.url}"}\n`])
  // Stderr is a log here, not a terminal: the key is not in it.
  expect(stderr).not.toContain(first.apiKey)

  const second = await startServing(project)
  expect(second.apiKey).toBe(first.apiKey)
  second.process.kill('SIGINT')
  expect(await second.ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining(first.apiKey) })
})

test('its own key is replaced while it runs, and deleting the file takes it back', async () => {
  const project = createServed()
  const { url, apiKey, process, ended } = await startServing(project)
  const status = async (key: string) =>
    (await fetch(`${url}${CATEGORIES}`, { headers: { Authorization: `Bearer ${key}` } })).status
  expect(await status(apiKey)).toBe(200)
  expect((await project.kb('admin', 'keys', 'rotate', '--json')).code).toBe(2)
  expect(await status(apiKey)).toBe(200)

  const rotated = await project.kb('admin', 'keys', 'rotate', '--yes', '--json')
  const { key } = rotated.json as { key: string }
  expect(rotated.json).toEqual({ version: 1, key, file: project.path('.kb/api-key') })
  expect(key).toMatch(/^kb_[\w-]{43}$/)
  expect([await status(apiKey), await status(key)]).toEqual([401, 200])
  expect(statSync(project.path('.kb/api-key')).mode & 0o777).toBe(0o600)

  project.write({ '.kb/api-key': 'one-that-somebody-wrote\n' })
  expect([await status(key), await status('one-that-somebody-wrote')]).toEqual([401, 200])
  rmSync(project.path('.kb/api-key'))
  expect([await status(key), await status('one-that-somebody-wrote')]).toEqual([401, 401])
  process.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining(key) })
})

test('a file of the pages that is missing ends the start, and a pale colour gets a warning', async () => {
  const configured = (pages: object) => ({ 'kb.config.ts': configFile({ project: 'acme', pages }) })
  const missing = createProject({ ...configured({ logo: 'brand/logo.svg' }), 'content/a.md': article('A') })
  const { code, stderr } = await missing.kb('serve', '--port', '0', '--pages')
  expect([code, stderr.replaceAll(/\s+/g, ' ')]).toEqual([
    2,
    'error: pages.logo: the file brand/logo.svg does not exist. [CONFIG_INVALID] ' +
      'hint: Create the file, or correct its path, which is relative to the project folder. ',
  ])

  const pale = createProject({
    ...configured({ colours: { accent: '#f5a623' } }),
    'content/a.md': article('A'),
  })
  const running = pale.start(['serve', '--port', '0', '--pages'])
  await running.firstLine
  running.process.kill('SIGTERM')
  const ended = await running.ended
  expect(ended.stderr.replaceAll(/\s+/g, ' ')).toContain('The nearest colour that passes is #976300.')
})

test('with --pages it says where they are; readers see what is published, drafts need the key', async () => {
  const project = createServed()
  project.write({ 'kb.config.ts': configFile({ project: 'demo', report: { dueWithin: '9d' } }) })
  const running = project.start(['serve', '--port', '0', '--pages'], { env: { KB_API_KEY: 'key' } })
  const [, url = ''] = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(await running.firstLine) ?? []
  const env = { KB_URL: url, KB_API_KEY: 'key' }
  project.write({
    'content/first.md': article('First', { status: 'published' }),
    'content/second.md': article('Second', { status: 'draft' }),
  })
  expect(await project.start(['sync'], { env }).ended).toMatchObject({ code: 0 })
  const read = async (path: string, headers = {}) => {
    const response = await fetch(`${url}${path}`, { headers })
    return [response.status, /<h1>(.*?)<\/h1>/.exec(await response.text())?.[1]]
  }
  const withKey = { Authorization: 'Bearer key' }
  expect(await read('/')).toEqual([200, 'demo'])
  expect(await read('/articles/first')).toEqual([200, 'First'])
  expect(await read('/articles/second')).toEqual([404, 'This page does not exist'])
  expect(await read('/articles/second', withKey)).toEqual([200, 'Second'])
  expect((await read('/status'))[0]).toBe(403)
  const status = await fetch(`${url}/status`, { headers: withKey })
  expect([status.status, (await status.text()).includes('due within 9 days')]).toEqual([200, true])
  running.process.kill('SIGTERM')
  const { code, stdout } = await running.ended
  expect([code, stdout]).toEqual([0, `listening on ${url}\npages on ${url}/\n`])

  const other = project.start(['serve', '--port', '0', '--pages', '--json'])
  const told = JSON.parse(await other.firstLine) as { url: string; pages: string }
  expect(told).toEqual({ event: 'listening', url: told.url, pages: `${told.url}/` })
  other.process.kill('SIGTERM')
  expect(await other.ended).toMatchObject({ code: 0 })
})

test('it logs its life and every request to stderr', async () => {
  const project = createServed()
  const env = { KB_API_KEY: 'key-from-outside' }
  const { url, process, ended } = await startServing(project, { args: ['--log-level', 'info'], env })
  await getFrom(url, 'key-from-outside')(CATEGORIES)
  process.kill('SIGTERM')
  const { stderr } = await ended
  const entries = stderr.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as object]))
  expect(entries).toMatchObject([
    { level: 'info', msg: 'opened', db: 'kb.db', schemaVersion: expect.any(Number) },
    { msg: 'listening', url },
    { msg: 'request', method: 'GET', route: CATEGORIES, status: 200 },
    { msg: 'stopping', signal: 'SIGTERM' },
    { msg: 'stopped' },
  ])
})

test('it warns of a key that may be guessed, and of an address that others reach without TLS', async () => {
  const warnings = async (key: string, ...args: readonly string[]) => {
    const running = await startServing(createServed(), { args, env: { KB_API_KEY: key } })
    running.process.kill('SIGTERM')
    const lines = (await running.ended).stderr.split('\n').filter((line) => line.includes('"level":"warn"'))
    return lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
  }
  expect(await warnings('fifteen-letters', '--host', '0.0.0.0')).toEqual([
    expect.stringContaining('fewer than 16 characters'),
    expect.stringContaining('plain HTTP on 0.0.0.0'),
  ])
  expect(await warnings('sixteen-letters-', '--host', '::', '--trusted-proxy', '10.0.0.1')).toEqual([])
  expect(await warnings('sixteen-letters-', '--host', 'localhost')).toEqual([])
})

test('it drains before it stops', async () => {
  const { url, process, ended } = await startServing(createServed(), { args: ['--drain', '700ms'] })
  process.kill('SIGTERM')
  let status = 200
  while (status === 200) ({ status } = await fetch(`${url}/readyz`))
  expect([status, (await fetch(`${url}/healthz`)).status]).toEqual([503, 200])
  const { code, stderr } = await ended
  expect([code, stderr]).toEqual([0, expect.stringContaining('"drainMs":700')])
})

test('it stops as it is told where nobody reads its log any more', async () => {
  const project = createServed()
  for (let round = 0; round < 3; round++) {
    const { process, ended } = await startServing(project)
    process.stderr?.destroy()
    process.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  }
})

test('it describes itself, the page of its documentation is part of the program, and a silent one says nothing', async () => {
  const { url, apiKey, process, ended } = await startServing(createServed(), {
    args: ['--log-level', 'silent'],
  })
  const document = await getFrom(url, apiKey)('/api/v2/openapi.json')
  expect(document).toEqual((await createProject().kb('schema', 'openapi')).json)
  const page = await fetch(`${url}/api/v2/docs`)
  const [, script = ''] = /src="([^"]+swagger-ui-bundle\.js)"/.exec(await page.text()) ?? []
  const answer = await fetch(`${url}${script}`)
  expect([page.status, answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    200,
    'text/javascript; charset=utf-8',
  ])
  process.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
})

test('metrics on an address of their own, and a limit for each key', async () => {
  const running = createServed().start(
    ['serve', '--port', '0', '--json', '--metrics', '127.0.0.1:0', '--rate-limit', '1'],
    { env: { KB_API_KEY: 'k' } },
  )
  const { url, metrics } = JSON.parse(await running.firstLine) as { url: string; metrics: string }
  const ask = () => fetch(`${url}${CATEGORIES}`, { headers: { Authorization: 'Bearer k' } })
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 429])
  const measured = await (await fetch(metrics)).text()
  expect(measured).toContain(`kb_http_requests_total{method="GET",route="${CATEGORIES}",status="429"} 1`)
  running.process.kill('SIGTERM')
  expect((await running.ended).code).toBe(0)
})

test('a second signal ends it at once', async () => {
  const { url, process, ended } = await startServing(createServed(), { env: { KB_API_KEY: 'k' } })
  const headers = { Authorization: 'Bearer k', 'Content-Type': 'application/json' }
  const endless = request(new URL('/api/v2/articles', url), { method: 'PUT', headers })
  endless.on('error', () => undefined)
  endless.write('{')
  await once(endless, 'socket')
  // The server has met the request once it answers another one that was sent later.
  await getFrom(url, 'k')(CATEGORIES)
  process.kill('SIGTERM')
  await untilStopping(url)
  process.kill('SIGTERM')
  expect((await ended).code).toBeNull()
  expect(process.signalCode).toBe('SIGTERM')
})

test.each([
  ['a folder', 'folder.db', 3, 'DATABASE_UNUSABLE'],
  ['no database', 'text.db', 3, 'DATABASE_UNUSABLE'],
  ['in a place that is a file', 'text.db/kb.db', 3, 'DATABASE_UNUSABLE'],
])('a database that is %s is named with what to do', async (_, db, exit, errorCode) => {
  const project = createServed()
  project.write({ 'text.db': 'This is a text and no database.\n', 'folder.db/file': 'x' })
  const { code, json } = await project.kb('serve', '--json', '--port', '0', '--db', db)
  const { error } = json as { error: { code: string; message: string; hint: string } }
  expect([code, error.code]).toEqual([exit, errorCode])
  expect(error.message).toContain(project.path(db))
  expect(error.hint).toBeTruthy()
})

test('an address that is not of this machine is exit code 2, with a hint', async () => {
  // An address for documentation (RFC 5737): no machine has it.
  const { code, json } = await createServed().kb('serve', '--json', '--port', '0', '--host', '192.0.2.1')
  expect([code, json]).toMatchObject([
    2,
    {
      error: {
        code: 'PORT_UNAVAILABLE',
        hint: 'Use an address of this machine; 0.0.0.0 stands for all of them.',
      },
    },
  ])
})

test('the built-in target and a running server share one database, and other projects sync to it', async () => {
  const server = createServed()
  const { url, apiKey } = await startServing(server)
  expect((await server.kb('sync', '--json')).json).toMatchObject({ summary: { created: 1 } })
  expect([...(await readArticles(getFrom(url, apiKey))).keys()]).toEqual(['first'])

  const project = createProject({
    'kb.config.ts': configFile({ project: 'elsewhere' }),
    'content/second.md': article('Second'),
    'content/third.md': article('Third', { body: 'See [the second](second.md).' }),
  })
  const env = { KB_URL: `${url}/api/v2/`, KB_API_KEY: apiKey }
  const first = await project.run(['sync', '--json'], { env })
  expect([first.code, first.json]).toMatchObject([0, { target: url, summary: { created: 2 } }])
  const again = await project.run(['sync', '--json'], { env })
  expect([again.code, again.json]).toMatchObject([
    0,
    { summary: { unchanged: 2 }, requests: { GET: 2 }, operations: [] },
  ])
  const articles = await readArticles(getFrom(url, apiKey))
  expect([...articles.keys()]).toEqual(['first', 'second', 'third'])
  expect(articles.get('third')?.content).toContain('<a href="/articles/second">')
  expect(existsSync(project.path('.kb/kb.db'))).toBe(false)
})

test('a port that is taken is exit code 2, with a hint', async () => {
  const blocker = createServer()
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void blocker.close())
  const { port } = blocker.address() as AddressInfo
  const { code, json } = await createServed().kb('serve', '--json', '--port', String(port))
  expect([code, json]).toEqual([
    2,
    {
      version: 1,
      error: {
        code: 'PORT_UNAVAILABLE',
        message: `Cannot listen on 127.0.0.1:${port}: the port is already in use.`,
        hint: 'Stop the program that uses the port, or choose another with --port (0 picks a free one).',
      },
    },
  ])
})

test('with a heap of 256 MB it outlives bodies of 31 MB: ten million values are refused, an article is kept', async () => {
  const env = { KB_API_KEY: 'key', NODE_OPTIONS: '--max-old-space-size=256' }
  const { url } = await startServing(createServed(), { env })
  const { data } = (await getFrom(url, 'key')(CATEGORIES)) as { readonly data: readonly { id: string }[] }
  const put = async (body: string) => {
    const headers = { Authorization: 'Bearer key', 'Content-Type': 'application/json' }
    return (await fetch(`${url}/api/v2/articles`, { method: 'PUT', headers, body })).json()
  }
  expect(await put(`{"more":[${'[],'.repeat(10_300_000)}[]]}`)).toEqual({
    success: false,
    message: 'The body holds too many values: at most 10000 are read',
  })
  const large = {
    title: 'Large',
    slug: 'large',
    categories: [{ value: data[0]?.id }],
    excerpt: '',
    ordering: 1,
    status: 'published',
    // Three bytes each, and two in memory.
    content: `<a href="/one">${'字'.repeat(10_300_000)}</a>`,
  }
  expect(await put(JSON.stringify(large))).toMatchObject({ success: true })
  expect(await getFrom(url, 'key')('/api/v2/tools/link_manager')).toMatchObject({ data: [{ url: '/one' }] })
})

test('a server with half of its categories does not start', async () => {
  const project = createServed()
  project.write({ 'content/_categories.yml': '- nmae: Guides\n' })
  const { code, stdout, stderr } = await project.kb('serve', '--port', '0')
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('content/_categories.yml:1:3 error taxonomy-unknown-key')
})

/** Resolves once the server takes no new connection. */
async function untilStopping(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/healthz`, { headers: { Connection: 'close' } }).catch(() => undefined)
    if (answer?.status !== 200) return
  }
}

test('a process that is killed within an upload leaves nothing in the way of the next one', async () => {
  const project = createServed()
  const file = Buffer.concat([PNG, Buffer.alloc(2_000_000)])
  const name = fileName('png', file)
  const path = `/api/v2/files/${name}`
  const first = await startServing(project)
  const headers = { authorization: `Bearer ${first.apiKey}` }
  const cut = request(`${first.url}${path}`, {
    method: 'PUT',
    headers: { ...headers, 'content-length': file.length },
  })
  const failed = once(cut, 'error')
  await new Promise((resolve) => cut.write(file.subarray(0, 1_000_000), resolve))
  // The server has met the upload once it answers another request.
  await fetch(`${first.url}/healthz`)
  first.process.kill('SIGKILL')
  await Promise.all([first.ended, failed])

  const { url } = await startServing(project)
  expect((await fetch(`${url}/files/${name}`)).status).toBe(404)
  const answer = await fetch(`${url}${path}`, { method: 'PUT', headers, body: file })
  expect(await answer.json()).toMatchObject({ success: true })
  expect(Buffer.from(await (await fetch(`${url}/files/${name}`)).arrayBuffer()).equals(file)).toBe(true)
})
