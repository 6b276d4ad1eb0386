// Connections fail at the worst moments: no acknowledged write is lost or duplicated.
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../src/server/http/listen.ts'
import { openStore } from '../../src/server/store/open-store.ts'
import { ALL_SITES, defineQuery } from '../../src/server/store/query.ts'
import { inspectPostgres, openPostgres } from '../../src/server/store/postgres/open-postgres.ts'
import { NOW, openFixture } from '../api/contract/store-fixture.ts'
import { createPostgresDatabase, runInPostgres } from '../support/postgres-database.ts'
import { manyArticles } from '../support/project.ts'
import { articleBody, openTestServer, rethrowUnlessUnavailable } from '../support/server.ts'
import { createSyncProject, outcomeOf } from '../support/sync-project.ts'
import { SERVICE_KEY } from '../support/strict-service.ts'
import { startDatabaseProxy } from '../support/tcp-proxy.ts'
import { waitFor } from '../support/wait-for.ts'

/** The commit message in the protocol of PostgreSQL. */
const COMMIT = 'Q\0\0\0\vcommit\0'

const UNKNOWN = 'The database server does not respond. The change may or may not have been written.'

const openOn = (db: string) => openStore({ db, languages: ['en'], articleLimit: 1000, now: NOW })

const CUTS = ['before', 'after'] as const

const FIRST = { title: 'First', slug: 'first' }

test.each(CUTS)('a write whose connection is cut %s the commit is carried out once', async (when) => {
  const proxy = await startDatabaseProxy(await createPostgresDatabase())
  const server = await openTestServer({ db: proxy.url, onError: rethrowUnlessUnavailable })
  const path = (await server.call('PUT', '/api/v2/articles', articleBody(server))).headers.get('location')!
  const category = { name: 'Changed', slug: 'changed', priority: 1, lang: 'en' }
  const WRITES = [
    ['PUT', '/api/v2/articles', articleBody(server, FIRST)],
    ['POST', '/api/v2/articles', { articles: ['a', 'b'].map((slug) => articleBody(server, { slug })) }],
    ['POST', path, articleBody(server, { content: '<p>Changed</p>' })],
    ['POST', `/api/v2/categories/${server.guides}`, category],
    ['DELETE', path, undefined],
  ] as const
  for (const [method, to, body] of WRITES) {
    const cut = proxy.cut(when, COMMIT)
    expect((await server.call(method, to, body)).status).toBe(200)
    await cut
  }
  expect(await inspectPostgres(proxy.url)).toMatchObject({ articles: 3 })
})

test.each(CUTS)('a list of links whose commit is cut %s it is sent is complete', async (when) => {
  const proxy = await startDatabaseProxy(await createPostgresDatabase())
  const server = await openTestServer({ db: proxy.url, onError: rethrowUnlessUnavailable })
  await server.call('PUT', '/api/v2/articles', articleBody(server, { content: '<a href="/one">x</a>' }))
  const cut = proxy.cut(when, COMMIT)
  const listed = await server.call('GET', '/api/v2/tools/link_manager')
  await cut
  expect(listed).toMatchObject({ status: 200, body: { data: [{ url: '/one' }] } })
})

test.each([
  ['with', '1'],
  ['without', null],
])(
  'a create %s a key whose commit remains unknown is answered with Retry-After %s',
  async (which, retryAfter) => {
    const db = await createPostgresDatabase()
    const proxy = await startDatabaseProxy(db)
    const server = await openTestServer({ db: proxy.url, onError: rethrowUnlessUnavailable })
    const headers: Record<string, string> = which === 'with' ? { 'idempotency-key': '"one"' } : {}
    const create = (slug: string) =>
      server.call('PUT', '/api/v2/articles', articleBody(server, { ...FIRST, slug }), headers)
    // More writes than a site remembers.
    const cut = proxy.cut('after', COMMIT).then(async () => {
      const accept = proxy.refuse()
      await runInPostgres(`update sites set revision = revision + 33, recent_writes = ''`, db)
      accept()
    })
    const { status, headers: answered, body } = await create('first')
    await cut
    expect([status, answered.get('retry-after'), body]).toEqual([
      503,
      retryAfter,
      { success: false, message: UNKNOWN },
    ])
    expect((await create('first')).status).toBe(which === 'with' ? 200 : 409)
    expect(await inspectPostgres(db)).toMatchObject({ articles: 1 })
  },
)

test('a write whose connection is cut before its changes are sent is repeated', async () => {
  const proxy = await startDatabaseProxy(await createPostgresDatabase())
  const server = await openTestServer({ db: proxy.url, onError: rethrowUnlessUnavailable })
  const cut = proxy.cut('before', 'select "id", "name", "status", "slug" from "articles"')
  expect(await server.call('PUT', '/api/v2/articles', articleBody(server))).toMatchObject({ status: 200 })
  await cut
  expect(await inspectPostgres(proxy.url)).toMatchObject({ articles: 1 })
})

test.each(CUTS)('a sync whose commit is cut %s it is sent loses and duplicates no article', async (when) => {
  const proxy = await startDatabaseProxy(await createPostgresDatabase())
  const server = await openTestServer({
    db: proxy.url,
    apiKey: SERVICE_KEY,
    onError: rethrowUnlessUnavailable,
  })
  const listening = await listen(server, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => listening.close())
  const project = createSyncProject(listening.url, manyArticles(5))
  const sync = () => project.sync({ client: { retries: 3 } })
  const cut = proxy.cut(when, COMMIT)
  // Each create has a key, so it can be repeated at once.
  const first = outcomeOf(await sync())
  await cut
  expect(first).toMatchObject({ created: 5 })
  expect(outcomeOf(await sync())).toEqual({ unchanged: 5 })
  expect(await inspectPostgres(proxy.url)).toMatchObject({ articles: 5 })
})

test('a transaction that the database rolled back is not acknowledged', async () => {
  const database = await openPostgres(await createPostgresDatabase())
  onTestFinished(() => database.close())
  const fail = defineQuery((db) => db.insertInto('sites').values({ id: 'one' } as never))
  const swallowed = database.write(ALL_SITES, (session) => session.run(fail, {}).catch(() => 0))
  await expect(swallowed).rejects.toThrow('undid the transaction')
})

test('a transaction fails with the error of a statement that was only sent', async () => {
  const database = await openPostgres(await createPostgresDatabase())
  onTestFinished(() => database.close())
  const fail = defineQuery((db) => db.insertInto('sites').values({ id: 'one' } as never))
  const read = defineQuery((db) => db.selectFrom('sites').select('id'))
  const NOT_NULL = { code: '23502' }
  const last = database.write(ALL_SITES, (session) => session.send(fail, {}))
  await expect(last).rejects.toMatchObject(NOT_NULL)
  const followed = database.write(ALL_SITES, async (session) => {
    await session.send(fail, {})
    return session.all(read, {})
  })
  await expect(followed).rejects.toMatchObject(NOT_NULL)
  expect(await database.reader.all(read, {})).toEqual([])
})

test('a connection cut while the tables are created is an error, and the next start creates them', async () => {
  const proxy = await startDatabaseProxy(await createPostgresDatabase('none'))
  const cut = proxy.cut('before', 'kb_digest')
  await expect(openPostgres(proxy.url)).rejects.toMatchObject({ code: 'DATABASE_UNUSABLE' })
  await cut
  await (await openPostgres(proxy.url)).close()
})

test('a commit whose notification was lost is noticed', async () => {
  const db = await createPostgresDatabase()
  const proxy = await startDatabaseProxy(db)
  const { store, create } = await openFixture(async () => ({ open: () => openOn(proxy.url) }))()
  const other = await openOn(db)
  onTestFinished(() => other.close())
  await waitFor(() => expect(other.changeMark()).toBe(other.changeMark()))
  const cut = proxy.cut('before', 'notify kb_sync')
  expect(await create()).toMatchObject({ kind: 'created' })
  const mark = other.changeMark()
  await cut
  await waitFor(() => expect(other.changeMark()).not.toBe(mark))
  // The process that lost the connection continues to write.
  expect(await create({ slug: 'next' })).toMatchObject({ kind: 'created' })
  expect(await store.revision()).toBeGreaterThan(0)
})

test('commits without a listening connection are noticed', async () => {
  const db = await createPostgresDatabase()
  const proxy = await startDatabaseProxy(db)
  const { create } = await openFixture(async () => ({ open: () => openOn(db) }))()
  const other = await openOn(proxy.url)
  onTestFinished(() => other.close())
  const cut = proxy.cut('before', 'concat_ws')
  other.changeMark()
  await cut
  const marks = [other.changeMark(), other.changeMark()]
  expect(marks[0]).not.toBe(marks[1])
  await create()
  await waitFor(() => expect(other.changeMark()).toBe(other.changeMark()))
  const mark = other.changeMark()
  await create({ slug: 'heard' })
  await waitFor(() => expect(other.changeMark()).not.toBe(mark))
})

test('a store with dead connections can be closed', async () => {
  const proxy = await startDatabaseProxy(await createPostgresDatabase())
  const store = await openOn(proxy.url)
  await waitFor(() => expect(store.changeMark()).toBe(store.changeMark()))
  await Promise.all([store.revision(), store.revision()])
  const sockets = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length
  const [open, ours] = [sockets(), proxy.connections()]
  expect(ours).toBeGreaterThan(2)
  proxy.freeze()
  await store.close()
  await waitFor(() => expect(sockets()).toBeLessThanOrEqual(open - ours))
})
