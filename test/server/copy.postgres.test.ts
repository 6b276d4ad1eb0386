// Copies of a database between SQLite and PostgreSQL, with everything that the service stores.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { issueKey } from '../../src/server/open-administration.ts'
import { openStore } from '../../src/server/store/open-store.ts'
import { COPIED_TABLES, NOT_COPIED } from '../../src/server/store/copy/copy-contents.ts'
import { openPostgresSource } from '../../src/server/store/postgres/copy-postgres.ts'
import { openSqliteSource } from '../../src/server/store/sqlite/copy-sqlite.ts'
import { CURRENT_TABLES } from '../../src/server/store/tables.ts'
import { bundleScript } from '../support/bundle-script.ts'
import { startScript } from '../support/child-script.ts'
import { dumpDatabase } from '../support/dump-database.ts'
import {
  article as articleFile,
  configFile,
  createProject,
  manyArticles,
  startServing,
} from '../support/project.ts'
import { temporaryFolder } from '../support/folder.ts'
import { createPostgresDatabase } from '../support/postgres-database.ts'
import { readRuns, shareOf, timeoutOf } from '../support/runs.ts'
import { startBalancer } from '../support/tcp-proxy.ts'
import { createArticle, NOW } from '../support/server.ts'
import { fileName, PNG, putFile } from '../support/stored-files.ts'
import { addKey, withAdmin } from '../support/with-admin.ts'
import { openPagesServer, visitorOf } from './pages/open-pages.ts'
import { waitFor } from '../support/wait-for.ts'
import { copyToDatabase, inspectBackup } from '../../src/server/backup-and-copy.ts'

const KILLS = readRuns('KILLS', 10)

/** Internal tables of a database, and those of triggers, migrations and copies. */
const OWN_TABLES = /^(?:meta|sqlite_\w+|writable|kb_migrations\w*)$/

const LATER = '2026-03-02T10:00:00.000Z'

const newFile = () => join(temporaryFolder(), 'kb.db')

async function copy(from: string, to: string) {
  return copyToDatabase({ from, to, onProgress: () => undefined })
}

/** Returns the rows of a SQLite database without data that depends on the order of its writes. */
function contentsOf(file: string) {
  const dump = dumpDatabase(file)
  const connection = new Libsql(file)
  onTestFinished(() => void connection.close())
  const [meta] = connection.prepare('select * from meta').all()
  const words = (dump['article_words'] ?? []).map((line) => {
    const row = JSON.parse(line) as { entries: string }
    return JSON.stringify({ ...row, entries: row.entries.split(' ').toSorted() })
  })
  const isCopied = (name: string) => COPIED_TABLES.some(({ table }) => table === name)
  const tables = Object.entries(dump).filter(([name]) => isCopied(name))
  return { ...Object.fromEntries(tables), article_words: words, meta }
}

/** A server with pages whose database has rows in every table. */
async function openFullServer() {
  const server = await openPagesServer({ languages: ['en', 'fr'] })
  const site = server.store.defaultSiteId
  const revoked = issueKey(site)
  const reader = issueKey(site)
  await addKey(server.db, { siteId: site, hash: revoked.hash, label: 'old' })
  await addKey(server.db, {
    siteId: site,
    hash: reader.hash,
    readOnly: true,
    expiresAt: '2027-01-31T00:00:00.000Z',
  })
  const image = fileName('png', PNG)
  expect((await putFile(server, image, PNG)).status).toBe(200)
  const long = Buffer.alloc(1_500_001, 'abcdefg')
  expect((await putFile(server, fileName('txt', long), long)).status).toBe(200)
  // A draft before its published article, a translation, many links, and texts of every kind.
  await createArticle(server, { slug: 'pair', status: 'draft', title: `Quotes ' " \\ and \u{1f600}` })
  const original = await createArticle(server, { slug: 'pair', ordering: 2.5 })
  await createArticle(server, { slug: 'paire', lang: 'fr', languageParent: original })
  const links = Array.from({ length: 700 }, (_, index) => `<a href="https://example.com/${index}">x</a>`)
  const renamed = await createArticle(server, {
    slug: 'old',
    tags: [{ value: server.security }],
    content: `<img src="/files/${image}">${links.join('')}<a href="/articles/pair">y</a>`,
  })
  for (const slug of ['large-1', 'large-2', 'large-3'])
    await createArticle(server, { slug, content: `<p>${'x'.repeat(1_900_000)}</p>` })
  const article = {
    title: 'New',
    slug: 'new',
    categories: [{ value: server.guides }],
    excerpt: '',
    ordering: 1,
    status: 'published',
    content: `<img src="/files/${image}">${links.join('')}`,
  }
  expect((await server.call('POST', `/api/v2/articles/${renamed}`, article)).status).toBe(200)
  const guides = { name: 'Guides', slug: 'manuals', priority: 0, lang: 'en' }
  expect((await server.call('POST', `/api/v2/categories/${server.guides}`, guides)).status).toBe(200)
  const tag = { id: server.security, name: 'Security', slug: 'safety', lang: 'en' }
  expect((await server.call('POST', `/api/v2/tags/${server.security}`, tag)).status).toBe(200)
  const keyed = { ...article, title: 'Keyed', slug: 'keyed' }
  const key = { 'Idempotency-Key': '"one"' }
  expect((await server.call('PUT', '/api/v2/articles', keyed, key)).status).toBe(200)
  const removed = await createArticle(server, { slug: 'removed' })
  expect((await server.call('DELETE', `/api/v2/articles/${removed}`)).status).toBe(200)
  expect((await visitorOf(server).get('/articles/old')).status).toBe(301)
  const { store } = server
  await store.retargetLinks({ after: 0, limit: 5000 }, ({ url }) => (url.startsWith('/') ? '' : url))
  await store.scheduleTargets(NOW, 5000)
  const [target = ''] = await store.claimLinks(site, ['https://example.com/1'], NOW, LATER)
  const check = { working: false, failures: 1, status: 404, reason: '404 Not Found' }
  await store.recordLinkChecks(site, [
    { target, ...check, claimedUntil: LATER, checkedDate: NOW, nextCheckDate: LATER },
  ])
  await withAdmin(server.db, async (admin) => {
    await admin.sites.add({ name: 'docs', languages: ['en'], articleLimit: 5, now: NOW })
    await admin.keys.revoke(site, revoked.id, NOW)
  })
  await waitFor(async () => expect((await store.findBacklog(site)).lastId).toBeUndefined())
  await createArticle(server, { slug: 'late' })
  // Stores the hits of redirects.
  await server.close()
  // A parent with a higher id than its child.
  runSql(
    server.db,
    `update categories set parent_id = null;
     update categories set parent_id = (select max(id) from categories) where id = (select min(id) from categories)`,
  )
  runSql(server.db, `insert into article_sources values ('${original}', 'guides/pair.md')`)
  runSql(server.db, `insert into removed_words values (1000, '${site}', '', 'published', 'gone=1')`)
  runSql(server.db, 'insert or ignore into unindexed_articles select id, site_id from articles limit 1')
  return { db: server.db, original, reader, revoked, image, long }
}

function runSql(file: string, sql: string): void {
  const connection = new Libsql(file)
  connection.exec(sql)
  connection.close()
}

const failure = (code: string, message = '') =>
  expect.objectContaining({ code, message: expect.stringContaining(message) })

test('every table and column of both databases is copied, or listed as an exception', async () => {
  const file = newFile()
  await (await openStore({ db: file, languages: ['en'], articleLimit: 1, now: NOW })).close()
  const sqlite = await openSqliteSource(file)
  const postgres = await openPostgresSource(await createPostgresDatabase())
  const inSqlite = await sqlite.query("select name from sqlite_master where type in ('table', 'view')")
  const inPostgres = await postgres.query(
    "select relname::text from pg_class where relkind in ('r', 'v') and relnamespace = current_schema()::regnamespace",
  )
  const copied = COPIED_TABLES.map(({ table }) => table).toSorted()
  for (const rows of [inSqlite, inPostgres]) {
    const names = rows.map(([name]) => String(name)).filter((name) => !OWN_TABLES.test(name))
    expect(names.toSorted()).toEqual([...copied, ...CURRENT_TABLES].toSorted())
  }
  for (const [position, { table, key, references = [] }] of COPIED_TABLES.entries()) {
    const columns = await sqlite.columnsOf(table)
    const others = await postgres.columnsOf(table)
    expect(columns).toEqual(others.filter((name) => !NOT_COPIED[table]?.includes(name)))
    // Rows reference earlier tables, or their own table with the columns that are set later.
    const refers = await sqlite.query('select "table", "from" from pragma_foreign_key_list($1)', [table])
    for (const [other, column] of refers) {
      const before = COPIED_TABLES.slice(0, position).map((each) => each.table)
      expect(other === table ? references : before).toContain(other === table ? column : other)
    }
    expect(key.filter((column) => !column.includes('(') && !columns.includes(column))).toEqual([])
  }
  await Promise.all([sqlite.close(), postgres.close()])
})

test('everything reaches PostgreSQL, and another file from there', async () => {
  const { db } = await openFullServer()
  const postgres = await createPostgresDatabase('none')
  const there = await copy(db, postgres)
  const empty = Object.entries(there.tables).filter(([, { rows }]) => rows === 0)
  expect([there.isContinued, empty]).toEqual([false, []])
  const back = newFile()
  expect(await copy(postgres, back)).toEqual(there)
  expect(contentsOf(back)).toEqual(contentsOf(db))
  expect(contentsOf(back).meta).toMatchObject({ revision: expect.any(Number) })
  expect(inspectBackup(back).articles).toBe(there.tables['articles']?.rows)
})

test('clients and readers notice only the new URL', async () => {
  const { db, original, reader, revoked, image } = await openFullServer()
  const postgres = await createPostgresDatabase()
  const before = await openPagesServer({ db, languages: ['en', 'fr'] })
  await copy(db, postgres)
  const after = await openPagesServer({ db: postgres, languages: ['en', 'fr'] })
  const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })
  const paths = [
    'articles/' + original,
    'categories',
    'tools/review_dates',
    'tools/link_manager',
    'tools/redirects',
  ]
  for (const path of paths) {
    const [expected, found] = await Promise.all(
      [before, after].map((server) => server.call('GET', `/api/v2/${path}`, undefined, bearer(reader.key))),
    )
    expect({ path, status: found?.status, body: found?.body }).toEqual({
      path,
      status: 200,
      body: expected?.body,
    })
  }
  expect((await after.call('GET', '/api/v2/categories', undefined, bearer(revoked.key))).status).toBe(401)
  const visitor = visitorOf(after)
  expect((await visitor.get('/articles/old')).headers.get('location')).toBe('/articles/new')
  expect((await visitor.get('/categories/guides')).headers.get('location')).toBe('/categories/manuals')
  expect((await visitor.get('/search?q=hello')).text).toBe(
    (await visitorOf(before).get('/search?q=hello')).text,
  )
  const file = await after.app.request(`/files/${image}`)
  expect(Buffer.from(await file.arrayBuffer())).toEqual(PNG)
  // New row numbers are higher than the old ones, and changes since the copy have higher revisions.
  const revision = await before.store.revision()
  const since = await after.store.revision()
  await createArticle(after, { slug: 'next', content: '<a href="https://example.com/next">x</a>' })
  expect([since, await after.store.revision()]).toEqual([revision, revision + 1])
  await visitor.get('/search?q=next')
  const source = await openPostgresSource(postgres)
  const [[last] = []] = await source.query('select max(number) from article_words')
  await source.close()
  // The number of a deleted article whose postings still existed.
  expect(Number(last)).toBeGreaterThan(1000)
})

test('kb sync sends nothing to a moved server, not even from a fresh checkout', async () => {
  const home = createProject({ 'content/_categories.yml': '- name: Guides\n  slug: guides\n' })
  const env = { KB_API_KEY: 'key-of-both-servers' }
  const before = await startServing(home, { env })
  const urls = [before.url]
  const { url } = await startBalancer(urls)
  const project = createProject({
    ...manyArticles(30),
    'kb.config.ts': configFile({ project: 'moved', target: { url } }),
  })
  const sync = async () => {
    const { code, json } = await project.run(['sync', '--json'], { env })
    const { summary, operations } = json as {
      summary: Record<string, number>
      operations: readonly unknown[]
    }
    const { created, updated, unchanged } = summary
    return { code, created, updated, unchanged, operations: operations.length }
  }
  expect(await sync()).toMatchObject({ code: 0, created: 30 })
  before.process.kill('SIGTERM')
  await before.ended

  const db = await createPostgresDatabase('none')
  expect((await home.run(['admin', 'copy', '--to', db])).code).toBe(0)
  const after = await startServing(home, { env: { ...env, KB_DB: db } })
  urls[0] = after.url
  const same = { code: 0, created: 0, updated: 0, unchanged: 30, operations: 0 }
  expect(await sync()).toEqual(same)
  project.remove('.kb')
  expect(await sync()).toEqual(same)
  project.write({ 'content/page-3.md': articleFile('Page 3', { body: 'Changed.' }) })
  expect(await sync()).toEqual({ code: 0, created: 0, updated: 1, unchanged: 29, operations: 1 })
  const postgres = await openPostgresSource(db)
  const stored = await postgres.query('select count(*), count(distinct slug) from articles')
  await postgres.close()
  expect(stored.map((row) => row.map(Number))).toEqual([[30, 30]])
})

test('a server may write to the source: the copy is of the moment when it began', async () => {
  const { db } = await openFullServer()
  const expected = contentsOf(db)
  const target = newFile()
  let isLate = false
  await copyToDatabase({
    from: db,
    to: target,
    onProgress: () => {
      if (!isLate) runSql(db, "update articles set name = 'late'; update meta set revision = revision + 1")
      isLate = true
    },
  })
  expect(contentsOf(target)).toEqual(expected)
})

test('the target must be empty, and the source a database of kb-sync', async () => {
  const { db } = await openFullServer()
  const full = newFile()
  await (await openStore({ db: full, languages: ['en'], articleLimit: 1, now: NOW })).close()
  const before = contentsOf(full)
  await expect(copy(db, full)).rejects.toEqual(failure('COPY_REFUSED', 'its table sites has rows'))
  await expect(copy(db, db)).rejects.toEqual(failure('COPY_REFUSED'))
  expect(contentsOf(full)).toEqual(before)
  const none = newFile()
  await expect(copy(none, newFile())).rejects.toEqual(failure('DATABASE_MISSING'))
  expect(existsSync(none)).toBe(false)
  await expect(copy(await createPostgresDatabase('none'), newFile())).rejects.toEqual(
    failure('DATABASE_MISSING'),
  )
  const foreign = newFile()
  runSql(foreign, 'create table theirs (id integer)')
  await expect(copy(foreign, newFile())).rejects.toEqual(failure('DATABASE_UNUSABLE', 'another program'))
  await expect(copy(full, foreign)).rejects.toEqual(failure('DATABASE_UNUSABLE', 'another program'))
  runSql(full, 'pragma user_version = 3')
  await expect(copy(full, newFile())).rejects.toEqual(failure('DATABASE_UNUSABLE', 'schema version 3'))
  await expect(copy(db, 'postgres://127.0.0.1:1/kb')).rejects.toEqual(failure('DATABASE_UNUSABLE'))
})

test('an interrupted copy continues, is not a database until then, and never mixes two states', async () => {
  const { db } = await openFullServer()
  // A table without rows, which most databases have.
  runSql(db, 'delete from revoked_keys')
  for (const target of [newFile(), await createPostgresDatabase()]) {
    await interrupt(db, target, 'article_categories')
    const open = openStore({ db: target, languages: ['en'], articleLimit: 1, now: NOW })
    await expect(open).rejects.toEqual(failure('DATABASE_UNUSABLE', 'an unfinished copy'))
    await expect(copy(target, newFile())).rejects.toEqual(failure('DATABASE_UNUSABLE', 'an unfinished copy'))
    const other = newFile()
    await (await openStore({ db: other, languages: ['en'], articleLimit: 1, now: NOW })).close()
    await expect(copy(other, target)).rejects.toEqual(failure('COPY_OUTDATED'))
    runSql(db, "update articles set name = name || '!' where slug = 'new'")
    await expect(copy(db, target)).rejects.toEqual(failure('COPY_OUTDATED'))
    runSql(db, "update articles set name = rtrim(name, '!') where slug = 'new'")
    // Data that was not copied yet may have changed.
    runSql(db, 'update links set created_date = created_date || 0')
    expect(await copy(db, target)).toMatchObject({ isContinued: true })
  }
})

test('differences from the source are detected', async () => {
  const { db } = await openFullServer()
  const target = newFile()
  const changed = copyToDatabase({
    from: db,
    to: target,
    onProgress: (phase, done, total) => {
      if (phase === 'copy' && done === total) runSql(target, "update files set created_date = ''")
    },
  })
  await expect(changed).rejects.toEqual(failure('COPY_DIFFERENT', 'The table files'))
  await expect(copy(target, newFile())).rejects.toEqual(failure('DATABASE_UNUSABLE', 'an unfinished copy'))
})

test('one of two copies into one database ends', async () => {
  const { db } = await openFullServer()
  const target = await createPostgresDatabase()
  const results = await Promise.allSettled([copy(db, target), copy(db, target)])
  expect(results.map(({ status }) => status)).toContain('fulfilled')
  expect(await copy(target, newFile())).toMatchObject({ isContinued: false })
})

test('a copy killed at any statement continues with the same result', timeoutOf(KILLS, 20_000), async () => {
  const { db } = await openFullServer()
  const expected = contentsOf(db)
  const script = await bundleScript(join(import.meta.dirname, 'copy-until-killed.ts'))
  for (const [turn, kind] of (['sqlite', 'postgres'] as const).entries()) {
    const create = async () => (kind === 'sqlite' ? newFile() : createPostgresDatabase('none'))
    let count = 0
    for await (const line of startScript(script, db, await create()).lines) count = Number(line)
    const moments = Array.from({ length: count }, (_, statement) => statement)
    for (const moment of shareOf(moments, KILLS, turn)) {
      const target = await create()
      const child = startScript(script, db, target, `${moment}`)
      for await (const line of child.lines) {
        expect([moment, line]).toEqual([moment, 'stopped'])
        child.process.kill('SIGKILL')
      }
      await child.exited
      await copy(db, target)
      const back = kind === 'sqlite' ? target : newFile()
      if (kind === 'postgres') await copy(target, back)
      expect(contentsOf(back)).toEqual(expected)
    }
  }
})

/** Copies until before a table, and fails then. */
async function interrupt(from: string, to: string, table: string): Promise<void> {
  let rows = 0
  const source = await openSqliteSource(from)
  for (const each of COPIED_TABLES.slice(
    0,
    COPIED_TABLES.findIndex((one) => one.table === table),
  ))
    rows += Number((await source.query(`select count(*) from ${each.table}`))[0]?.[0])
  await source.close()
  const stopped = copyToDatabase({
    from,
    to,
    onProgress: (_, done) => {
      if (done === rows) throw new Error('stopped')
    },
  })
  await expect(stopped).rejects.toEqual(failure('DATABASE_UNUSABLE', 'stopped'))
}
