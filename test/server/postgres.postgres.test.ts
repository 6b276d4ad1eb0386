// Tests only for PostgreSQL: concurrent starts, changes by other processes, and restarts of the database.
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { projectOf } from '../../src/kb/create-kb.ts'
import { serve, type ServeEvent } from '../../src/kb/serve.ts'
import { openAdminStore } from '../../src/server/store/admin/open-admin-store.ts'
import { openStore } from '../../src/server/store/open-store.ts'
import { inspectPostgres } from '../../src/server/store/postgres/open-postgres.ts'
import { POSTGRES_SCHEMA_VERSION } from '../../src/server/store/postgres/postgres-migrations.ts'
import { ALL_LINKS, linksTo, NOW, openFixture } from '../api/contract/store-fixture.ts'
import { temporaryFolder } from '../support/folder.ts'
import { createMemoryLog } from '../support/memory-log.ts'
import { createPostgresDatabase, runInPostgres } from '../support/postgres-database.ts'
import {
  API_KEY,
  articleBody,
  createArticle,
  openTestServer,
  rethrowUnlessUnavailable,
} from '../support/server.ts'
import { startPostgres } from '../support/start-postgres.ts'
import { PAGES } from './pages/open-pages.ts'
import { waitFor } from '../support/wait-for.ts'

const openOn = (db: string) => openStore({ db, languages: ['en'], articleLimit: 1000, now: NOW })

test('ten processes start at once on an empty database, and create one site', async () => {
  const db = await createPostgresDatabase('none')
  expect(await inspectPostgres(db)).toBeUndefined()
  const stores = await Promise.all(Array.from({ length: 10 }, () => openOn(db)))
  for (const store of stores) onTestFinished(() => store.close())
  expect(new Set(stores.map(({ defaultSiteId }) => defaultSiteId)).size).toBe(1)
  expect(await inspectPostgres(db)).toEqual({ articles: 0, articleLimit: undefined, languages: ['en'] })
})

test('the database of another program is rejected', async () => {
  const foreign = await createPostgresDatabase('none')
  await runInPostgres('create table articles (id int)', foreign)
  await expect(openOn(foreign)).rejects.toMatchObject({
    code: 'DATABASE_UNUSABLE',
    message: expect.stringContaining('another program'),
  })
})

test('the tables are the same after a rejected start', async () => {
  const db = await createPostgresDatabase('none')
  await runInPostgres('create table tags (id int)', db)
  await expect(openOn(db)).rejects.toMatchObject({ code: 'DATABASE_UNUSABLE' })
  await runInPostgres('drop table tags', db)
  await (await openOn(db)).close()
})

test('two schemas of one database are separate', async () => {
  const db = await createPostgresDatabase('none')
  await runInPostgres('create schema one; create schema two', db)
  for (const [schema, articleLimit] of [
    ['one', 1],
    ['two', 2],
  ] as const) {
    const url = `${db}?options=-csearch_path%3D${schema}`
    const { create } = await openFixture(async () => ({ open: () => openOn(url) }))()
    for (let article = 0; article < articleLimit; article++) await create({ slug: `${article}` })
    expect(await inspectPostgres(url)).toMatchObject({ articles: articleLimit })
  }
})

test('the tables themselves reject a second article with a slug, and a second translation', async () => {
  const db = await createPostgresDatabase()
  const { createdId } = await openFixture(async () => ({ open: () => openOn(db) }))()
  const original = await createdId({ slug: 'one' })
  await createdId({ slug: 'two' })
  await expect(runInPostgres("update articles set slug = 'one'", db)).rejects.toMatchObject({
    constraint: 'articles_slug',
  })
  const translate = `update articles set language = 'fr', language_parent = '${original}'`
  await expect(runInPostgres(translate, db)).rejects.toMatchObject({ constraint: 'articles_translation' })
})

test('the mark changes with commits of other processes, and only then', async () => {
  const db = await createPostgresDatabase()
  const { store, create } = await openFixture(async () => ({ open: () => openOn(db) }))()
  const other = await openOn(db)
  onTestFinished(() => other.close())
  // Until notifications arrive, each call returns another mark.
  await waitFor(() => expect(other.changeMark()).toBe(other.changeMark()))
  const mark = other.changeMark()
  const ownMark = store.changeMark()
  await create()
  expect(store.changeMark()).not.toBe(ownMark)
  await waitFor(() => expect(other.changeMark()).not.toBe(mark))
  const changed = other.changeMark()
  expect((await create()).kind).toBe('slug-taken')
  expect(other.changeMark()).toBe(changed)
})

test('sites have separate revisions', async () => {
  const db = await createPostgresDatabase()
  const { store, create } = await openFixture(async () => ({ open: () => openOn(db) }))()
  const admin = await openAdminStore({ db, languages: ['en'], now: NOW })
  onTestFinished(() => admin.close())
  const { id } = await admin.sites.add({ name: 'docs', languages: ['en'], articleLimit: null, now: NOW })
  const [before, other] = [await store.revision(), await store.revision(id)]
  await create()
  expect([await store.revision(), await store.revision(id)]).toEqual([before + 1, other])
})

test('a change raises the revision if links to known targets are stored in the same transaction', async () => {
  const db = await createPostgresDatabase()
  const { store, site, seeded, create } = await openFixture(async () => ({ open: () => openOn(db) }))()
  await create({ slug: 'one', content: linksTo('https://example.com') })
  await store.catchUpLinks()
  await create({ slug: 'two', content: linksTo('https://example.com') })
  const before = await store.revision()
  const other = new Client({ connectionString: db })
  await other.connect()
  onTestFinished(() => other.end())
  await other.query('begin; select from sites for no key update')
  const linked = store.catchUpLinks()
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await waitFor(async () => expect((await other.query(waiting)).rowCount).toBe(1))
  const kept = {
    description: undefined,
    longDescription: undefined,
    language: 'en',
    editedBy: null,
    now: NOW,
  }
  const change = { ...kept, name: 'Safety', slug: 'security' }
  const changed = store.updateTag(site, seeded.tags['security'] ?? '', change)
  await other.query('rollback')
  await linked
  expect(await changed).toEqual({ kind: 'updated' })
  expect(await store.listLinks(site, ALL_LINKS)).toHaveLength(2)
  expect(await store.revision()).toBe(before + 1)
})

test('texts that are too long for an index of PostgreSQL, and those that it cannot store', async () => {
  const db = await createPostgresDatabase()
  const { store, site, createdId } = await openFixture(async () => ({ open: () => openOn(db) }))()
  const url = `https://example.com/${'long/'.repeat(1600)}`
  const title = '\u{1f600}'.repeat(500)
  const id = await createdId({
    title,
    slug: '\u{1f600}'.repeat(200),
    content: linksTo(url, `${url}#part`, '/articles/a%00b'),
  })
  expect(await store.readArticle(site, id)).toMatchObject({ record: { name: title } })
  expect(await store.listLinks(site, { after: 0, limit: 10 })).toHaveLength(3)
  await store.scheduleTargets(NOW, 10)
  expect(await store.dueLinks(site, NOW, { dueDate: '', target: '' }, 10)).toMatchObject([
    { target: `article:${site}:a\u{fffd}b` },
    { target: url },
  ])
  const server = await openTestServer({ db })
  const refused = await server.call('PUT', '/api/v2/articles', articleBody(server, { title: 'a\0b' }))
  expect([refused.status, refused.body]).toEqual([
    400,
    { success: false, message: 'title must not contain U+0000 or an unpaired surrogate' },
  ])
  expect(await server.call('GET', '/api/v2/articles/%00')).toMatchObject({ status: 404 })
})

const KEY = { Authorization: `Bearer ${API_KEY}` }
const LISTS = ['/api/v2/categories', '/api/v2/tools/review_dates', '/api/v2/tools/link_manager']
const OTHERS = [
  ...LISTS,
  '/',
  '/articles/reset-password',
  '/search?q=hello',
  '/status',
  '/feed.xml',
  '/readyz',
]

test('while the database restarts, requests are answered with 503, and then as before', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const server = await openTestServer({
    db: postgres.urlOf('postgres'),
    pages: PAGES,
    onError: rethrowUnlessUnavailable,
  })
  const id = await createArticle(server)
  const read = () => server.call('GET', `/api/v2/articles/${id}`)
  const write = (slug: string) => server.call('PUT', '/api/v2/articles', articleBody(server, { slug }))
  await postgres.restart(async () => {
    const answers = [
      read(),
      write('during'),
      ...OTHERS.map(async (path) => server.app.request(path, { headers: KEY })),
    ]
    for (const { status, headers } of await Promise.all(answers)) {
      expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    }
    await expect(server.store.siteSettings(server.store.defaultSiteId)).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
    })
    expect(await read()).toMatchObject({
      body: { message: 'The database server does not respond. Nothing was changed.' },
    })
  })
  expect(await read()).toMatchObject({ status: 200 })
  expect(await write('during')).toMatchObject({ status: 200 })
  // Connections that were open before are replaced, too.
  await postgres.restart(async () => undefined)
  const answers = await Promise.all([read(), write('after'), read(), write('later'), read()])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
})

test('kb serve gets the URL from KB_DB, and shows neither user nor password', async () => {
  const db = await createPostgresDatabase()
  const project = projectOf({ cwd: temporaryFolder(), env: { KB_DB: db } })
  const log = createMemoryLog('debug')
  const events: ServeEvent[] = []
  const stop = new AbortController()
  const onEvent = (event: ServeEvent) => {
    events.push(event)
    if (event.kind === 'listening') stop.abort('SIGTERM')
  }
  await serve(project, { port: 0, checkLinks: 'off' }, { signal: stop.signal, log, onEvent })
  const { host, pathname, password } = new URL(db)
  expect(events[0]).toMatchObject({ kind: 'opening', db: `postgres://${host}${pathname}` })
  expect(log.entries()).toContainEqual(
    expect.objectContaining({
      msg: 'opened',
      db: `postgres://${host}${pathname}`,
      schemaVersion: POSTGRES_SCHEMA_VERSION,
    }),
  )
  for (const text of [JSON.stringify(events), log.text()]) {
    expect(text).not.toContain(`@${host}`)
    expect(text).not.toContain(password)
    expect(text).not.toContain(decodeURIComponent(password))
  }
})
