// Several servers on one database share sessions, and limit attempts and requests together.
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { hashApiKey } from '../../../src/server/api-key.ts'
import { type KnowledgeBaseOptions, openKnowledgeBase } from '../../../src/server/open-knowledge-base.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { createPostgresDatabase } from '../../support/postgres-database.ts'
import { API_KEY, NOW } from '../../support/server.ts'
import { addKey } from '../../support/with-admin.ts'
import { PAGES, visitorOf } from './open-pages.ts'
import { waitFor } from '../../support/wait-for.ts'

const SIGN_IN = '/_kb/sign-in'
const STORED_KEY = 'a-key-that-is-in-the-database'

const DATABASES = {
  SQLite: async () => join(temporaryFolder(), 'kb.db'),
  PostgreSQL: () => createPostgresDatabase(),
}

/** Two servers, with different keys or the same one, and the control of their clocks. */
async function startTwo(createDatabase: () => Promise<string>, options: Partial<KnowledgeBaseOptions> = {}) {
  const db = await createDatabase()
  const clock = { nowMs: Date.parse(NOW) }
  const open = async (apiKey: string) => {
    const kb = await openKnowledgeBase({
      db,
      apiKey,
      pages: PAGES,
      clock: () => new Date(clock.nowMs),
      ...options,
    })
    onTestFinished(() => kb.close())
    return kb
  }
  const servers = [await open(API_KEY), await open(API_KEY), await open('the-own-key-of-another')] as const
  await addKey(db, { siteId: servers[0].store.defaultSiteId, hash: hashApiKey(STORED_KEY) })
  return { servers, clock }
}

test.each(Object.entries(DATABASES))(
  'a session on %s is valid everywhere, and ends everywhere',
  async (_, db) => {
    const { servers } = await startTwo(db)
    const [one, two, other] = servers
    const statusOf = async (server: (typeof servers)[number], cookie: string | undefined) =>
      (await visitorOf(server, cookie).get('/status')).status
    for (const key of [API_KEY, STORED_KEY]) {
      const visitor = visitorOf(one)
      await visitor.post(SIGN_IN, { key })
      const cookie = visitor.cookie()
      // The key of one process does not open another one.
      const expected = [200, 200, key === API_KEY ? 403 : 200]
      expect([
        await statusOf(one, cookie),
        await statusOf(two, cookie),
        await statusOf(other, cookie),
      ]).toEqual(expected)
      // A person who kept the cookie is signed out, too.
      await visitorOf(two, cookie).post('/_kb/sign-out', {})
      expect([await statusOf(one, cookie), await statusOf(two, cookie)]).toEqual([403, 403])
    }
  },
)

test.each(Object.entries(DATABASES))('attempts to sign in on %s are limited in total', async (_, db) => {
  const { servers, clock } = await startTwo(db)
  const attempt = async (index: number, key: string) => {
    const { status } = await visitorOf(servers[index % 2]!).post(SIGN_IN, { key })
    return status
  }
  const statuses: number[] = []
  for (let index = 0; index < 14; index++) statuses.push(await attempt(index, `wrong-${index}`))
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429, 429, 429])
  // A guessable one must wait, on both.
  expect([await attempt(0, API_KEY), await attempt(1, API_KEY), await attempt(0, STORED_KEY)]).toEqual([
    429, 429, 303,
  ])
  clock.nowMs += 60_000
  expect([await attempt(0, API_KEY), await attempt(1, 'wrong')]).toEqual([303, 401])
})

test.each(Object.entries(DATABASES))('concurrent passwords on %s are, too', async (_, db) => {
  const { servers } = await startTwo(db, { pages: { ...PAGES, password: 'sesame' } })
  const passwords = [...Array.from({ length: 50 }, (_each, index) => `wrong-${index}`), 'sesame']
  const all = await Promise.all(
    servers.flatMap((server) =>
      passwords.map((password) => visitorOf(server).post('/_kb/password', { password })),
    ),
  )
  const statuses = all.map(({ status }) => status)
  expect(statuses.filter((status) => status !== 429)).toEqual(Array.from({ length: 10 }, () => 401))
})

test.each(Object.entries(DATABASES))('requests on %s are limited in total, to a twentieth', async (_, db) => {
  const { servers } = await startTwo(db, { rateLimit: 100 })
  const ask = async (index: number) => {
    const headers = { Authorization: `Bearer ${API_KEY}` }
    return (await servers[index]!.app.request('/api/v2/categories', { headers })).status
  }
  // One process leaves four of the five that it has taken, which the other one cannot use.
  expect(await ask(0)).toBe(200)
  const statuses = await Promise.all(Array.from({ length: 120 }, () => ask(1)))
  expect(statuses.filter((status) => status === 200)).toHaveLength(95)
  const rest = await Promise.all(Array.from({ length: 10 }, () => ask(0)))
  expect(rest.filter((status) => status === 200)).toHaveLength(4)
})

test('processes on PostgreSQL that count the same keys in another order wait for each other', async () => {
  const db = await createPostgresDatabase()
  const { servers } = await startTwo(async () => db)
  const [one, two] = servers.map(({ store }) => store)
  const later = '2999-01-01T00:00:00.000Z'
  const take = (store = one, keys: readonly string[] = []) =>
    Promise.all(keys.map(async (key) => (await store!.takeQuota(key, 1, NOW, later)).taken))
  expect(await take(one, ['a', 'b', 'held'])).toEqual([1, 1, 1])

  const client = new Client({ connectionString: db })
  await client.connect()
  onTestFinished(() => client.end())
  const select = async (value: string, rest: string) =>
    Number((await client.query({ text: `select ${value} ${rest}`, rowMode: 'array' })).rows[0]?.[0])
  const OF_DATABASE = 'where datname = current_database()'
  const untilWaiting = (count: number) =>
    waitFor(async () =>
      expect(
        await select('count(*)', `from pg_stat_activity ${OF_DATABASE} and wait_event_type = 'Lock'`),
      ).toBe(count),
    )
  await client.query(`begin; update quotas set taken = taken where key = 'held'`)
  const first = take(one, ['a', 'held', 'b'])
  await untilWaiting(1)
  const second = take(two, ['b', 'a'])
  await untilWaiting(2)
  await client.query('commit')
  expect([await first, await second]).toEqual([
    [2, 2, 2],
    [3, 3],
  ])
  // A process of PostgreSQL stores its counts when it ends.
  for (const server of servers) await server.close()
  await waitFor(async () => expect(await select('count(*)', `from pg_stat_activity ${OF_DATABASE}`)).toBe(1))
  expect(await select('deadlocks', `from pg_stat_database ${OF_DATABASE}`)).toBe(0)
})
