import { expect, onTestFinished, test, vi } from 'vitest'
import { hashApiKey } from '../../src/server/api-key.ts'
import { type QuotaState, SharedLimit } from '../../src/server/http/shared-limit.ts'
import { NOW, openTestServer } from '../support/server.ts'
import { addKey } from '../support/with-admin.ts'

test('a key with too many requests is told how long to wait; others are not', async () => {
  vi.useFakeTimers({ now: new Date(NOW), toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { db, store, call } = await openTestServer({ rateLimit: 2, clock: () => new Date() })
  await addKey(db, { siteId: store.defaultSiteId, hash: hashApiKey('other-key') })
  const ask = async (headers = {}) => {
    const { status, headers: received } = await call('GET', '/api/v2/categories', undefined, headers)
    const names = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After']
    return [status, ...names.map((name) => received.get(name))]
  }

  expect(await ask()).toEqual([200, '2', '1', '60', null])
  vi.advanceTimersByTime(20_000)
  expect(await ask()).toEqual([200, '2', '0', '40', null])
  expect(await ask()).toEqual([429, '2', '0', '40', '40'])
  expect(await ask({ Authorization: 'Bearer other-key' })).toEqual([200, '2', '1', '60', null])
  expect(await ask({ Authorization: 'Bearer unknown' })).toEqual([401, null, null, null, null])
  for (const path of ['/healthz', '/readyz', '/api/v2/openapi.json']) {
    expect((await call('GET', path)).status).toBe(200)
  }
  expect(await call('PUT', '/api/v2/nothing')).toMatchObject({
    status: 429,
    body: {
      success: false,
      message: 'The API key has sent more than 2 requests in a minute: wait 40 seconds',
    },
  })
  vi.advanceTimersByTime(40_000)
  expect(await ask()).toEqual([200, '2', '1', '60', null])
})

test('a process that cannot write to its database counts by itself', async () => {
  const { store, close } = await openTestServer()
  await close()
  const limit = new SharedLimit({ name: 'test', perMinute: 100, store, clock: () => new Date(NOW) })
  const states: QuotaState[] = []
  for (let attempt = 0; attempt < 102; attempt++) states.push(await limit.count('key'))
  expect(states.map(({ isWithin }) => isWithin)).toEqual([
    ...Array.from({ length: 100 }, () => true),
    false,
    false,
  ])
  expect(states.at(-1)).toEqual({ isWithin: false, remaining: 0, resetSeconds: 60 })
})
