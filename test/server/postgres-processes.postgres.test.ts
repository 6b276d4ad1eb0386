// Two server processes on one PostgreSQL database, over HTTP: decisions of one apply in the other.
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createApiKey, hashApiKey, keyIdOf } from '../../src/server/api-key.ts'
import { openAdminStore } from '../../src/server/store/admin/open-admin-store.ts'
import { openStore } from '../../src/server/store/open-store.ts'
import { API_KEY, startKillableServer, type KillableServer } from '../service/killable-server.ts'
import { createPostgresDatabase } from '../support/postgres-database.ts'
import { openTestServer } from '../support/server.ts'
import { fileName } from '../support/stored-files.ts'
import { addKey, withAdmin } from '../support/with-admin.ts'

const NOW = '2026-03-01T10:00:00.000Z'
const ROUNDS = 12

interface Answer {
  readonly status: number
  readonly location: string
  readonly body: { readonly message: string; readonly data?: Readonly<Record<string, unknown>> }
}

async function call(
  server: KillableServer,
  method: string,
  path: string,
  body?: object,
  key = API_KEY,
): Promise<Answer> {
  const response = await fetch(new URL(path, server.url), {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return {
    status: response.status,
    location: response.headers.get('location') ?? '',
    body: (await response.json()) as Answer['body'],
  }
}

/** Two processes on a new database with the languages en and fr, and the actions of a test on each. */
async function startTwo() {
  const db = await createPostgresDatabase()
  await (await openStore({ db, languages: ['en', 'fr'], articleLimit: 1000, now: NOW })).close()
  const servers = [await startKillableServer(db), await startKillableServer(db)] as const
  for (const server of servers) onTestFinished(() => server.kill())
  const [one, two] = servers
  const create = (server: KillableServer, slug: string, changes: object = {}) =>
    call(server, 'PUT', '/api/v2/articles', {
      title: slug,
      slug,
      categories: [{ value: one.categories[0] }],
      excerpt: 'A short text',
      ordering: 1,
      status: 'published',
      content: '<p>Text</p>',
      ...changes,
    })
  /** Does the same in both at once, many times. */
  const race = async <Value>(
    act: (server: KillableServer, round: number, turn: number) => Promise<Value>,
  ) => {
    const rounds: Value[][] = []
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push(await Promise.all([one, two, one, two].map((server, turn) => act(server, round, turn))))
    }
    return rounds
  }
  const read = async (server: KillableServer, path: string) => (await call(server, 'GET', path)).body.data
  return { db, one, two, create, race, read }
}

const sorted = (statuses: readonly number[]) => statuses.toSorted((a, b) => a - b)

test('one article is created for a slug, with one translation for each language', async () => {
  const { create, race } = await startTwo()
  const slugs = await race((server, round) => create(server, `slug-${round}`))
  for (const round of slugs) {
    expect(sorted(round.map(({ status }) => status))).toEqual([200, 409, 409, 409])
  }
  const originals = slugs.map((round) =>
    round
      .find(({ status }) => status === 200)
      ?.location.split('/')
      .at(-1),
  )
  const translations = await race((server, round, turn) =>
    create(server, `fr-${round}-${turn}`, { lang: 'fr', languageParent: originals[round] }),
  )
  for (const round of translations) {
    expect(sorted(round.map(({ status }) => status))).toEqual([200, 409, 409, 409])
  }
})

test('a draft and a published article created at the same time are paired', async () => {
  const { one, two, create, read } = await startTwo()
  for (let round = 0; round < ROUNDS; round++) {
    const [published, draft] = await Promise.all([
      create(one, `pair-${round}`),
      create(two, `pair-${round}`, { status: 'draft' }),
    ])
    const id = (answer: Answer) => answer.location.split('/').at(-1)
    expect(await read(one, draft.location)).toMatchObject({ article_parent: id(published) })
    expect((await call(two, 'GET', published.location)).body).toMatchObject({ isDraft: { id: id(draft) } })
  }
})

test('the article limit is exact', async () => {
  const { db, create, race } = await startTwo()
  const admin = await openAdminStore({ db, languages: ['en'], now: NOW })
  onTestFinished(() => admin.close())
  await admin.sites.setLimit((await admin.sites.find('default')).id, 17)
  const statuses = (await race((server, round, turn) => create(server, `limit-${round}-${turn}`))).flat()
  expect(statuses.filter(({ status }) => status === 200)).toHaveLength(17)
  expect(statuses.filter(({ status }) => status === 403)).toHaveLength(4 * ROUNDS - 17)
  expect((await admin.sites.find('default')).articles).toBe(17)
})

test('each process refuses a key that was revoked after it had accepted it', async () => {
  const { db, one, two, create } = await startTwo()
  const { location } = await create(one, 'one')
  const site = await withAdmin(db, (admin) => admin.sites.find('default'))
  const other = await withAdmin(db, (admin) =>
    admin.sites.add({ name: 'docs', languages: ['en'], articleLimit: null, now: NOW }),
  )
  const keys = { writer: createApiKey(), reader: createApiKey(), stranger: createApiKey() }
  await addKey(db, { hash: hashApiKey(keys.writer), siteId: site.id })
  await addKey(db, { hash: hashApiKey(keys.reader), siteId: site.id, readOnly: true })
  await addKey(db, { hash: hashApiKey(keys.stranger), siteId: other.id })
  const statusOf = async (server: KillableServer, method: string, key: string) =>
    (await call(server, method, location, method === 'GET' ? undefined : {}, key)).status
  for (let round = 0; round < ROUNDS; round++)
    for (const server of [one, two])
      for (const [key, read, write] of [
        [keys.writer, 200, 400],
        [keys.reader, 200, 403],
        [keys.stranger, 404, 400],
      ] as const)
        expect([await statusOf(server, 'GET', key), await statusOf(server, 'POST', key)]).toEqual([
          read,
          write,
        ])
  await withAdmin(db, (admin) => admin.keys.revoke(site.id, keyIdOf(hashApiKey(keys.writer)), NOW))
  for (const server of [one, two]) {
    await vi.waitFor(async () => expect(await statusOf(server, 'GET', keys.writer)).toBe(401))
    expect([
      await statusOf(server, 'POST', keys.writer),
      await statusOf(server, 'GET', keys.reader),
      await statusOf(server, 'GET', keys.stranger),
    ]).toEqual([401, 200, 404])
  }
})

test('a known key needs no query until the next commit', async () => {
  const server = await openTestServer({ db: await createPostgresDatabase() })
  const key = createApiKey()
  await addKey(server.db, { hash: hashApiKey(key), siteId: server.store.defaultSiteId })
  const client = new Client({ connectionString: server.db })
  await client.connect()
  onTestFinished(() => client.end())
  const ask = async () =>
    (await server.call('OPTIONS', '/api/v2/articles', undefined, { Authorization: `Bearer ${key}` })).status
  // Until notifications arrive, each request looks up its key.
  await vi.waitFor(() => expect(server.store.changeMark()).toBe(server.store.changeMark()))
  expect(await Promise.all([ask(), ask()])).toEqual([200, 200])
  await client.query('begin; lock table api_keys')
  expect(await ask()).toBe(200)
  await client.query('rollback')
  await withAdmin(server.db, (admin) =>
    admin.keys.revoke(server.store.defaultSiteId, keyIdOf(hashApiKey(key)), NOW),
  )
  await vi.waitFor(async () => expect(await ask()).toBe(401))
})

test("categories do not become each other's parents", async () => {
  const { one, two } = await startTwo()
  const [guides = '', accounts = ''] = one.categories
  const move = (server: KillableServer, id: string, name: string, categoryParent: string) =>
    call(server, 'POST', `/api/v2/categories/${id}`, {
      name,
      slug: name.toLowerCase(),
      priority: 1,
      lang: 'en',
      categoryParent,
    })
  for (let round = 0; round < ROUNDS; round++) {
    const moved = await Promise.all([
      move(one, guides, 'Guides', accounts),
      move(two, accounts, 'Accounts', guides),
    ])
    expect(sorted(moved.map(({ status }) => status))).toEqual([200, 400])
    await move(one, guides, 'Guides', '')
    await move(one, accounts, 'Accounts', '')
  }
})

test('a language is removed, or an article is created in it, but not both', async () => {
  const { db, one, two, create } = await startTwo()
  const admin = await openAdminStore({ db, languages: ['en'], now: NOW })
  onTestFinished(() => admin.close())
  const { id } = await admin.sites.find('default')
  for (let round = 0; round < ROUNDS; round++) {
    const [removed, created] = await Promise.all([
      admin.languages.remove(id, 'fr').then(
        () => true,
        () => false,
      ),
      create(round % 2 === 0 ? one : two, `french-${round}`, { lang: 'fr' }),
    ])
    expect([removed, created.status]).toEqual(removed ? [true, 400] : [false, 200])
    if (removed) await admin.languages.add(id, 'fr')
    else await call(one, 'DELETE', created.location)
  }
})

test('writes acknowledged by one process are visible in the other, and stay when the first one is killed', async () => {
  const { one, two, create, read } = await startTwo()
  const acknowledged: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { location } = await create(one, `seen-${round}`)
    expect(await read(two, location)).toMatchObject({ name: `seen-${round}` })
    await call(one, 'POST', location, {
      title: `Changed ${round}`,
      slug: `seen-${round}`,
      categories: [{ value: one.categories[0] }],
      excerpt: '',
      ordering: 1,
      status: 'published',
      content: '<p>Changed</p>',
    })
    expect(await read(two, location)).toMatchObject({ name: `Changed ${round}` })
    acknowledged.push(location)
  }
  // Killed during writes.
  const writing = Array.from({ length: 40 }, async (_, index) => {
    const { status, location } = await create(one, `killed-${index}`)
    if (status === 200) acknowledged.push(location)
  })
  await Promise.race(writing)
  await one.kill()
  await Promise.allSettled(writing)
  for (const location of acknowledged) expect(await read(two, location)).toBeDefined()
  expect((await create(two, 'after')).status).toBe(200)
})

test('a file stored by one process is read from the other one, in ranges, and stays when the first one is killed', async () => {
  const { one, two } = await startTwo()
  // Several chunks, which both processes find in the database.
  const bytes = Buffer.alloc(1_500_001, 'abcdefg')
  const name = fileName('txt', bytes)
  const stored = await fetch(new URL(`/api/v2/files/${name}`, one.url), {
    method: 'PUT',
    headers: { Authorization: `Bearer ${API_KEY}` },
    body: bytes,
  })
  expect([stored.status, await stored.json()]).toEqual([
    200,
    { success: true, message: 'The file was stored' },
  ])
  await one.kill()
  const read = async (headers: Readonly<Record<string, string>>, expected: Uint8Array) => {
    const response = await fetch(new URL(`/files/${name}`, two.url), { headers })
    const received = Buffer.from(await response.arrayBuffer())
    return [response.status, response.headers.get('content-range'), received.equals(expected)]
  }
  expect(await read({}, bytes)).toEqual([200, null, true])
  // From the first chunk to the last one.
  const range = { Range: 'bytes=262143-1499999' }
  const part = bytes.subarray(262_143, 1_500_000)
  expect(await read(range, part)).toEqual([206, 'bytes 262143-1499999/1500001', true])
})
