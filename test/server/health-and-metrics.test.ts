import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import Libsql from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { hashApiKey } from '../../src/server/api-key.ts'
import { createMetrics } from '../../src/server/observe/create-metrics.ts'
import { listenForMetrics } from '../../src/server/observe/listen-metrics.ts'
import { temporaryFolder } from '../support/folder.ts'
import { createArticle, openTestServer, type TestServer } from '../support/server.ts'
import { addKey } from '../support/with-admin.ts'

const NO_KEY = { Authorization: '' }

async function startMeasured() {
  const db = `${temporaryFolder()}/kb.db`
  const metrics = createMetrics({ version: '9.9.9', db })
  return { metrics, server: await openTestServer({ db, metrics }) }
}

/** Returns values by name and labels, except those of the process. */
async function readMetrics({ app }: TestServer): Promise<Record<string, number>> {
  const response = await app.request('/metrics', { headers: { Authorization: 'Bearer key-for-tests' } })
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('kb_'))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  )
}

test('health and readiness need no key and reveal nothing else', async () => {
  const server = await openTestServer({ onError: () => undefined })
  expect(await server.call('GET', '/healthz', undefined, NO_KEY)).toMatchObject({
    status: 200,
    body: { success: true, message: 'The server is alive' },
  })
  expect(await server.call('GET', '/readyz', undefined, NO_KEY)).toMatchObject({
    status: 200,
    body: { success: true, message: 'The server is ready' },
  })
  await server.close()
  expect((await server.call('GET', '/healthz', undefined, NO_KEY)).status).toBe(200)
  expect(await server.call('GET', '/readyz', undefined, NO_KEY)).toMatchObject({
    status: 503,
    body: { success: false, message: 'The database does not respond' },
  })
})

test('a server that cannot write is not ready until it can again', async () => {
  const faults: string[] = []
  const server = await openTestServer({ onError: (error) => faults.push((error as Error).message) })
  const ready = async () => {
    const { status, body } = await server.call('GET', '/readyz', undefined, NO_KEY)
    return [status, (body as { message: string }).message]
  }
  const yes = [200, 'The server is ready']
  const no = [503, 'The database cannot be written']
  const mark = await server.store.revision()
  expect(await ready()).toEqual(yes)

  // Writes fail in the database itself, as on a full disk; reads continue.
  const beside = new Libsql(server.db)
  onTestFinished(() => void beside.close())
  beside.exec(`create trigger full before update on meta begin select raise(abort, 'disk full'); end`)
  expect(await ready()).toEqual(no)
  expect((await server.call('GET', '/api/v2/categories')).status).toBe(200)
  beside.exec('drop trigger full')
  expect(await ready()).toEqual(yes)

  renameSync(server.db, `${server.db}.gone`)
  expect(await ready()).toEqual(no)
  writeFileSync(server.db, 'another file')
  expect(await ready()).toEqual(no)
  rmSync(server.db)
  renameSync(`${server.db}.gone`, server.db)
  expect(await ready()).toEqual(yes)

  chmodSync(server.db, 0o444)
  // Root can write everything.
  expect(await ready()).toEqual(process.getuid?.() === 0 || process.platform === 'win32' ? yes : no)
  chmodSync(server.db, 0o600)
  expect(await ready()).toEqual(yes)
  expect(faults.slice(0, 3)).toEqual([
    expect.stringContaining('disk full'),
    expect.stringContaining('ENOENT'),
    'it was replaced by another file',
  ])
  expect(await server.store.revision()).toBe(mark)
})

test('requests are counted by operation and outcome, whatever the client sends', async () => {
  const { server, metrics } = await startMeasured()
  const id = await createArticle(server)
  for (const _ of [1, 2]) await server.call('GET', `/api/v2/articles/${id}`)
  await server.call('GET', '/api/v2/articles/unknown')
  await server.call('INVENTED', '/api/v2/invented')
  metrics.countLinkCheck('working')
  const values = await readMetrics(server)
  expect(values).toMatchObject({
    'kb_build_info{version="9.9.9"}': 1,
    'kb_http_requests_total{method="PUT",route="/api/v2/articles",status="200"}': 1,
    'kb_http_requests_total{method="GET",route="/api/v2/articles/{id}",status="200"}': 2,
    'kb_http_requests_total{method="GET",route="/api/v2/articles/{id}",status="404"}': 1,
    'kb_http_requests_total{method="other",route="none",status="404"}': 1,
    'kb_http_request_duration_seconds_count{method="GET",route="/api/v2/articles/{id}",status="200"}': 2,
    kb_http_requests_in_flight: 1,
    'kb_link_checks_total{result="working"}': 1,
  })
  expect(values['kb_database_size_bytes']).toBeGreaterThan(4096)
})

test('on the main address, the metrics require a key of the default site', async () => {
  const { server } = await startMeasured()
  const { app, db, store, call } = server
  expect(await call('GET', '/metrics', undefined, NO_KEY)).toMatchObject({ status: 401 })
  await addKey(db, { siteId: store.defaultSiteId, hash: hashApiKey('reader-key'), readOnly: true })
  const read = await app.request('/metrics', { headers: { Authorization: 'Bearer reader-key' } })
  expect(read.status).toBe(200)
  const { call: unmeasured } = await openTestServer()
  expect(await unmeasured('GET', '/metrics')).toMatchObject({ status: 404 })
})

test('on a separate address they require none, and nothing else is served', async () => {
  const { metrics } = await startMeasured()
  const listening = await listenForMetrics(metrics, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => listening.close())
  const read = await fetch(listening.url)
  expect([read.status, read.headers.get('content-type')]).toEqual([200, metrics.contentType])
  expect(await read.text()).toContain('process_cpu_seconds_total')
  const posted = await fetch(listening.url, { method: 'POST' })
  expect([posted.status, posted.headers.get('allow'), await posted.json()]).toEqual([
    405,
    'GET, HEAD',
    { success: false, message: 'The metrics are read-only' },
  ])
  const other = await fetch(new URL('/api/v2/categories', listening.url))
  expect([other.status, await other.json()]).toEqual([
    404,
    { success: false, message: 'Only /metrics is served here' },
  ])
})

test('metrics that cannot be collected are a failure in the usual form', async () => {
  const broken = { contentType: 'text/plain', render: () => Promise.reject(new Error('gone')) }
  const listening = await listenForMetrics(broken, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => listening.close())
  const answer = await fetch(listening.url)
  expect([answer.status, await answer.json()]).toEqual([
    500,
    { success: false, message: 'The metrics could not be collected' },
  ])
})
