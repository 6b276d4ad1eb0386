// Another process holds the write lock of the database: requests that do not need it are answered.
import Libsql from 'libsql'
import { expect, onTestFinished, test, vi } from 'vitest'
import { articleBody, createArticle, openTestServer, type TestServer } from '../support/server.ts'

/** Another writer. */
function lock({ db }: TestServer): Libsql.Database {
  const other = new Libsql(db)
  onTestFinished(() => void other.close())
  other.exec('begin immediate')
  return other
}

test('reads and health checks are answered while a write waits, which is executed as soon as possible', async () => {
  const server = await openTestServer()
  const id = await createArticle(server)
  const other = lock(server)
  const writing = server.call('PUT', '/api/v2/articles', articleBody(server, { slug: 'second' }))
  for (const path of ['/healthz', '/readyz', `/api/v2/articles/${id}`]) {
    const startedMs = performance.now()
    // In a later turn of the event loop than the one in which the write requests the lock.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect((await server.call('GET', path)).status).toBe(200)
    expect(performance.now() - startedMs).toBeLessThan(2000)
  }
  other.exec('commit')
  expect(await writing).toMatchObject({ status: 200 })
})

test('a write that waits too long is rejected, and may be sent again', async () => {
  const server = await openTestServer()
  const other = lock(server)
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const create = () => server.call('PUT', '/api/v2/articles', articleBody(server))
  const seen = { answered: false }
  const writing = create().finally(() => (seen.answered = true))
  while (!seen.answered) await vi.advanceTimersByTimeAsync(100)
  const answer = await writing
  expect([answer.status, answer.headers.get('retry-after'), answer.body]).toEqual([
    503,
    '1',
    {
      success: false,
      message: 'Another process has been writing to the database for 10 seconds. Nothing was changed.',
    },
  ])
  other.exec('commit')
  expect(await create()).toMatchObject({ status: 200 })
})
