import { expect, test } from 'vitest'
import { hashApiKey } from '../../src/server/api-key.ts'
import { asText, createLog, describeError } from '../../src/server/observe/create-log.ts'
import { createMemoryLog } from '../support/memory-log.ts'
import { API_KEY, articleBody, createArticle, openTestServer } from '../support/server.ts'

const ID = { 'X-Request-Id': 'from-a-proxy' }
const KEY_ID = hashApiKey(API_KEY).slice(0, 12)

test('every request is one line with the operation and the key, without its content', async () => {
  const log = createMemoryLog('info')
  const server = await openTestServer({ log })
  const { store, call } = server
  const body = articleBody(server, { title: 'Secret title', content: '<p>Secret text</p>' })
  await call('PUT', '/api/v2/articles?secret=query', body, ID)
  await call('PATCH', '/api/v2/categories', undefined, ID)
  await call('GET', '/api/v2/secret-path', undefined, { ...ID, Authorization: 'Bearer secret-key' })
  const known = { level: 'info', msg: 'request', requestId: 'from-a-proxy' }
  const by = { siteId: store.defaultSiteId, keyId: KEY_ID }
  const written = { action: 'create', item: 'article', id: expect.stringMatching(/^[0-9a-f-]{36}$/) }
  expect(log.entries()).toEqual([
    { ...known, method: 'PUT', route: '/api/v2/articles', status: 200, ...by },
    { ...known, msg: 'audit', ...written, ...by },
    { ...known, method: 'PATCH', route: '/api/v2/categories', status: 405, ...by },
    { ...known, method: 'GET', status: 401 },
  ])
  expect(log.text()).not.toMatch(/secret/i)
  expect(log.text()).not.toContain(API_KEY)
  const { time, durationMs } = JSON.parse(log.text().split('\n')[0] ?? '') as Record<string, unknown>
  expect([time, durationMs]).toEqual([expect.stringMatching(/^\d{4}-.*Z$/), expect.any(Number)])
})

test('every write has a separate line with its item and its key', async () => {
  const log = createMemoryLog('info')
  const server = await openTestServer({ log, languages: ['en', 'fr'] })
  const { call, guides, security, store } = server
  const id = await createArticle(server, { title: 'Secret title', slug: 'secret-slug' })
  const path = `/api/v2/articles/${id}`
  const words = { name: 'Secret name', slug: 'secret' }
  const statuses = [
    await call(
      'POST',
      path.toUpperCase().replace('/API/V2/ARTICLES', '/api/v2/articles'),
      articleBody(server),
    ),
    await call('POST', `/api/v2/categories/${guides}`, { ...words, priority: 1, lang: 'fr' }),
    await call('POST', `/api/v2/tags/${security}`, { id: security, ...words, lang: 'en' }),
    await call('DELETE', path),
    // These write nothing.
    await call('DELETE', path),
    await call('POST', `/api/v2/tags/${security}`, { id: security, ...words, lang: 'xx' }),
    await call('PUT', '/api/v2/articles', {}),
  ].map(({ status }) => status)
  expect(statuses).toEqual([200, 200, 200, 200, 404, 400, 400])
  const by = { siteId: store.defaultSiteId, keyId: KEY_ID }
  const audit = { level: 'info', msg: 'audit', requestId: expect.any(String) }
  expect(log.entries().filter(({ msg }) => msg === 'audit')).toEqual([
    { ...audit, action: 'create', item: 'article', id, ...by },
    { ...audit, action: 'update', item: 'article', id, ...by },
    { ...audit, action: 'update', item: 'category', id: guides, language: 'fr', ...by },
    { ...audit, action: 'update', item: 'tag', id: security, language: 'en', ...by },
    { ...audit, action: 'delete', item: 'article', id, ...by },
  ])
  expect(log.text()).not.toMatch(/secret/i)
})

test('the path of a request without an operation is logged only in detail', async () => {
  const log = createMemoryLog('debug')
  const { call } = await openTestServer({ log })
  await call('GET', '/api/v3/articles?lang=fr')
  expect(log.entries()).toMatchObject([{ path: '/api/v3/articles', status: 404 }])
})

test('an internal error is logged with its stack, and the response names the line to look for', async () => {
  const log = createMemoryLog('error')
  const server = await openTestServer({ log, onError: () => undefined })
  await server.close()
  const answer = await server.call('GET', '/api/v2/categories')
  const requestId = answer.headers.get('x-request-id')
  expect(answer.body).toEqual({
    success: false,
    message: `An internal error occurred in the server; nothing was changed. Request id: ${requestId}`,
  })
  expect(log.entries()).toEqual([
    {
      level: 'error',
      msg: 'a request failed with an internal error',
      requestId,
      error: { name: 'Error', message: expect.any(String), stack: expect.stringMatching(/^\s+at /) },
    },
    expect.objectContaining({ level: 'error', msg: 'request', requestId, status: 500 }),
  ])
})

test('an id of the client is kept if it is short and plain', async () => {
  const server = await openTestServer()
  const idFor = async (id: string) => {
    const { headers } = await server.call('GET', '/healthz', undefined, { 'X-Request-Id': id })
    return headers.get('x-request-id')
  }
  expect(await idFor('trace-1.a_b=')).toBe('trace-1.a_b=')
  const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/
  for (const id of ['', 'a b', 'a"b', 'x'.repeat(65), 'ä']) expect(await idFor(id)).toMatch(uuid)
})

test('members that a driver adds to an exception are not logged, nor the values in its message', () => {
  const driver = Object.assign(new Error('invalid input "Reset your password" for (slug)=(reset)'), {
    code: '22P02',
    detail: 'Key (slug)=(reset) exists',
    parameters: ['Reset your password'],
  })
  const { stack, cause } = describeError(new TypeError('x is no function', { cause: driver }))
  expect(stack).toMatch(/^\s+at /)
  expect({ ...cause, stack: '' }).toEqual({
    name: 'Error',
    code: '22P02',
    message: 'invalid input … for …=…',
    stack: '',
  })
  const missing = Object.assign(new Error("ENOENT: no such file, open '/data/kb.db'"), {
    code: 'ENOENT',
    syscall: 'open',
  })
  expect(describeError(missing).message).toContain('/data/kb.db')
  expect(describeError('Secret')).toEqual({ name: 'string', message: 'no Error was thrown', stack: '' })
})

test('without a log nothing is counted or written, but requests have an id', async () => {
  const server = await openTestServer()
  await createArticle(server)
  const { headers } = await server.call('GET', '/api/v2/categories')
  expect(headers.get('x-request-id')).toBeTruthy()
})

test('in a terminal, the log is text', () => {
  const lines: string[] = []
  const log = createLog('info', asText({ write: (line) => void lines.push(line) }))
  log.write('warn', 'slow\u001b[2J', { route: '/api', hosts: ['a'], durationMs: 5 })
  log.write('error', 'failed', { error: Object.assign(new Error('no'), { stack: 'Error: no\n    at x' }) })
  log.write('debug', 'left out')
  expect(lines).toEqual([
    'warn: slow\\u{1b}[2J route=/api hosts=["a"] durationMs=5\n',
    'error: failed\nError: no\n    at x\n',
  ])
})
