// `kb serve` as a process, and `kb sync` against it as against any remote target.
import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { article, configFile, createProject, startServing, type TestProject } from '../support/project.ts'
import { getFrom, readArticles } from '../support/read-articles.ts'

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
  expect(await running.ended).toMatchObject({ code: 0, stdout: `listening on ${url}\n`, stderr: '' })
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
  expect(await second.ended).toMatchObject({ code: 0, stderr: '' })
})

test('it describes itself', async () => {
  const { url, apiKey } = await startServing(createServed())
  const document = await getFrom(url, apiKey)('/api/v2/openapi.json')
  const { kb } = createProject()
  expect(document).toEqual((await kb('schema', 'openapi')).json)
})

test('a project syncs to it over the network', async () => {
  const server = createServed()
  const { url, apiKey } = await startServing(server)
  const project = createProject({
    'kb.config.ts': configFile({ project: 'elsewhere' }),
    'content/first.md': article('First'),
    'content/second.md': article('Second', { body: 'See [the first](first.md).' }),
  })
  const env = { KB_URL: `${url}/api/v2/`, KB_API_KEY: apiKey }
  const first = await project.run(['sync', '--json'], { env })
  expect([first.code, first.json]).toMatchObject([0, { target: 'KB_URL', summary: { created: 2 } }])
  const again = await project.run(['sync', '--json'], { env })
  expect([again.code, again.json]).toMatchObject([
    0,
    { summary: { unchanged: 2 }, requests: { GET: 2 }, operations: [] },
  ])
  const articles = await readArticles(getFrom(url, apiKey))
  expect([...articles.keys()]).toEqual(['first', 'second'])
  expect(articles.get('second')?.content).toContain('<a href="/articles/first">')
  expect(existsSync(project.path('.kb/kb.db'))).toBe(false)
})

test('the built-in target and a running server share one database', async () => {
  const project = createServed()
  const { url, apiKey } = await startServing(project)
  expect((await project.kb('sync', '--json')).json).toMatchObject({ summary: { created: 1 } })
  expect([...(await readArticles(getFrom(url, apiKey))).keys()]).toEqual(['first'])
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
        message: `Cannot listen on 127.0.0.1:${port}: listen EADDRINUSE: address already in use 127.0.0.1:${port}.`,
        hint: 'Stop the program that uses the port, or choose another with --port (0 picks a free one).',
      },
    },
  ])
})

test('a server with half of its categories does not start', async () => {
  const project = createServed()
  project.write({ 'content/_categories.yml': '- nmae: Guides\n' })
  const { code, stdout, stderr } = await project.kb('serve', '--port', '0')
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('content/_categories.yml:1:3 error taxonomy-unknown-key')
})
