import { expect, test } from 'vitest'
import { openTestServer } from '../support/server.ts'

test.each([
  ['an answer', '/api/v2/categories', 200],
  ['a failure', '/api/v2/nothing', 404],
  ['what needs no key', '/healthz', 200],
])('%s must not be cached, framed, run or sniffed by a browser', async (_, path, status) => {
  const { call } = await openTestServer()
  const answer = await call('GET', path)
  const {
    'x-request-id': requestId,
    'content-length': length,
    ...headers
  } = Object.fromEntries(answer.headers)
  expect(Number(length)).toBe(Buffer.byteLength(JSON.stringify(answer.body)))
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
  expect([answer.status, headers]).toEqual([
    status,
    {
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'content-type': 'application/json',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    },
  ])
})

test('the values of query parameters are checked; unknown parameters are ignored', async () => {
  const { call, security } = await openTestServer()
  const read = async (query: string) => {
    const { status, body } = await call('GET', `/api/v2/tags/${security}?${query}`)
    return [status, (body as { message: string }).message]
  }
  expect(await read('lang=en&lang=fr')).toEqual([400, 'lang must not be given more than once'])
  expect(await read('lang=')).toEqual([400, 'lang must be one of the enabled languages: en'])
  expect(await read('page=2&page=3')).toEqual([200, ''])
})
