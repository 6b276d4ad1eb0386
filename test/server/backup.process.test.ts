import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { spawnSync } from 'node:child_process'
import { basename, dirname, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import Libsql from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { issueKey, openAdministration } from '../../src/server/open-administration.ts'
import { articleOfTarget } from '../../src/server/links/link-target.ts'
import { MIGRATIONS } from '../../src/server/store/sqlite/migrations.ts'
import type { RestoreStep } from '../../src/server/store/sqlite/restore-sqlite.ts'
import { readRevision } from '../../src/server/store/sqlite/read-revision.ts'
import { bundleScript } from '../support/bundle-script.ts'
import { startScript } from '../support/child-script.ts'
import { dumpDatabase } from '../support/dump-database.ts'
import { temporaryFolder } from '../support/folder.ts'
import {
  articleBody,
  createArticle,
  NOW,
  openTestServer,
  reviewedIds,
  type TestServer,
} from '../support/server.ts'
import { addKey } from '../support/with-admin.ts'
import { readRuns } from '../support/runs.ts'
import { backUp, inspectBackup, restoreDatabase } from '../../src/server/backup-and-copy.ts'

const LATER = '2026-03-02T10:00:00.000Z'

/** Number of tables after which a restore is killed; more for a manual run. */
const { numRuns: TABLES } = readRuns('RESTORE_KILLS', 3)

function openAdmin(db: string) {
  return openAdministration({ db, languages: ['en'], mayCreate: true, now: NOW }).then((admin) => {
    onTestFinished(() => admin.close())
    return admin
  })
}

function runSql(file: string, sql: string): void {
  const connection = new Libsql(file)
  connection.exec(sql)
  connection.close()
}

function titlesIn(file: string): string[] {
  return (dumpDatabase(file)['articles'] ?? []).map((row) => (JSON.parse(row) as { name: string }).name)
}

test('a backup contains everything, is only for its owner, and does not change the database', async () => {
  const server = await openTestServer()
  await createArticle(server)
  const before = await server.store.revision()
  const file = join(temporaryFolder(), 'kept.db')
  const backup = backUp(server.db, file)
  expect(backup).toEqual({
    file,
    sizeBytes: statSync(file).size,
    contents: { sites: 1, users: 0, keys: 0, categories: 2, tags: 1, articles: 1 },
  })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(dumpDatabase(file)).toEqual(dumpDatabase(server.db))
  expect(readRevision(file)).toBe(before)
  expect(await server.store.revision()).toBe(before)
  expect(readdirSync(dirname(file))).toEqual(['kept.db'])
})

test('a failed backup is reported and leaves nothing behind', async () => {
  const server = await openTestServer()
  const folder = temporaryFolder()
  expect(() => backUp(server.db, join(folder, 'none', 'kept.db'))).toThrow(
    expect.objectContaining({ code: 'BACKUP_UNWRITABLE' }),
  )
  mkdirSync(join(folder, 'taken'))
  expect(() => backUp(server.db, join(folder, 'taken'))).toThrow(
    expect.objectContaining({ code: 'BACKUP_UNWRITABLE' }),
  )
  expect(readdirSync(folder)).toEqual(['taken'])
  expect(() => backUp(join(folder, 'none.db'), join(folder, 'kept.db'))).toThrow(
    expect.objectContaining({ code: 'DATABASE_MISSING' }),
  )
})

test('a database is neither backed up to itself nor restored from itself', async () => {
  const server = await openTestServer()
  const before = dumpDatabase(server.db)
  for (const name of [server.db, `${server.db}-wal`, join(dirname(server.db), '.', 'kb.db')]) {
    expect(() => backUp(server.db, name)).toThrow(expect.objectContaining({ code: 'USAGE' }))
    expect(() => restoreDatabase(server.db, name, NOW)).toThrow(expect.objectContaining({ code: 'USAGE' }))
  }
  expect(dumpDatabase(server.db)).toEqual(before)
})

test('a backup during writes is from one moment, and a restore results in exactly that', async () => {
  const db = join(temporaryFolder(), 'kb.db')
  const file = join(temporaryFolder(), 'kept.db')
  const {
    process: child,
    lines,
    exited,
  } = startScript(await bundleScript(join(import.meta.dirname, 'write-until-killed.ts')), db)
  const acknowledged: string[] = []
  let acknowledgedBefore = 0
  for await (const title of lines) {
    acknowledged.push(title)
    if (acknowledged.length === 60) {
      acknowledgedBefore = acknowledged.length
      backUp(db, file)
    }
    if (acknowledged.length === 90) child.kill('SIGKILL')
  }
  await exited
  const titles = titlesIn(file)
  expect(acknowledged.slice(0, acknowledgedBefore).filter((title) => !titles.includes(title))).toEqual([])
  const [site] = dumpDatabase(file)['sites'] ?? []
  expect((JSON.parse(site ?? '') as { article_count: number }).article_count).toBe(titles.length)
  expect(titlesIn(db).length).toBeGreaterThan(titles.length)
  const atTheEnd = dumpDatabase(db)
  const { kept } = restoreDatabase(db, file, NOW)
  expect(dumpDatabase(db)).toEqual(dumpDatabase(file))
  expect(dumpDatabase(kept?.file ?? '')).toEqual(atTheEnd)
})

test('a running server sees a restore at once', async () => {
  const server = await openTestServer()
  const first = await createArticle(server)
  const file = join(temporaryFolder(), 'kept.db')
  backUp(server.db, file)
  const second = await createArticle(server, { slug: 'second' })
  expect(await server.call('GET', `/api/v2/articles/${second}`)).toMatchObject({ status: 200 })
  const revision = await server.store.revision()
  restoreDatabase(server.db, file, NOW)
  expect(await server.call('GET', `/api/v2/articles/${second}`)).toMatchObject({ status: 404 })
  expect(await server.call('GET', `/api/v2/articles/${first}`)).toMatchObject({ status: 200 })
  expect(await server.store.revision()).toBe(revision + 1)
  await createArticle(server, { slug: 'second' })
  expect(await reviewedIds(server)).toHaveLength(2)
})

test('the current activity of servers is removed with its site, so that the next backup is valid', async () => {
  const { db, store } = await openTestServer()
  const file = join(temporaryFolder(), 'kept.db')
  backUp(db, file)
  const admin = await openAdmin(db)
  const { id } = await admin.sites.add({ name: 'late', languages: ['en'], articleLimit: null, now: NOW })
  for (const siteId of [store.defaultSiteId, id]) {
    await store.beginSession({ hash: siteId, siteId, name: 'key', endsDate: LATER }, NOW)
    await store.claimHost(siteId, 'example.com', NOW, LATER)
  }
  restoreDatabase(db, file, NOW)
  expect(await store.readSession(store.defaultSiteId, store.defaultSiteId, NOW)).toBe('key')
  expect(await store.busyHosts(store.defaultSiteId, NOW)).toEqual(['example.com'])
  expect(await store.busyHosts(id, NOW)).toEqual([])
  expect(backUp(db, file).contents.sites).toBe(1)
})

test('the revision is higher than that of the backup, too', async () => {
  const [busy, quiet] = [await openTestServer(), await openTestServer()]
  for (const slug of ['a', 'b', 'c']) await createArticle(busy, { slug })
  const file = join(temporaryFolder(), 'kept.db')
  backUp(busy.db, file)
  const revision = await busy.store.revision()
  expect(await quiet.store.revision()).toBeLessThan(revision)
  restoreDatabase(quiet.db, file, NOW)
  expect(await quiet.store.revision()).toBe(revision + 1)
})

test('the backup of another database works with the key of a running server', async () => {
  const [theirs, ours] = [await openTestServer(), await openTestServer({ seed: {} })]
  await createArticle(theirs, { content: '<a href="https://example.com">x</a>' })
  const file = join(temporaryFolder(), 'kept.db')
  backUp(theirs.db, file)
  expect(theirs.store.defaultSiteId).not.toBe(ours.store.defaultSiteId)
  restoreDatabase(ours.db, file, NOW)
  expect(await reviewedIds(ours)).toEqual(await reviewedIds(theirs))
  const { body } = await ours.call('GET', '/api/v2/tools/link_manager')
  expect(body).toMatchObject({ data: [{ site_id: ours.store.defaultSiteId }] })
  const created = articleBody({ guides: theirs.guides }, { slug: 'two' })
  expect(await ours.call('PUT', '/api/v2/articles', created)).toMatchObject({ status: 200 })
})

test('a key that was revoked after the backup stays revoked', async () => {
  const server = await openTestServer()
  const admin = await openAdmin(server.db)
  const site = server.store.defaultSiteId
  const user = await admin.users.add(site, {
    username: 'anna',
    first_name: '',
    last_name: '',
    email_address: '',
  })
  const [revoked, removed, valid] = [issueKey(site), issueKey(site), issueKey(site)]
  for (const { hash } of [revoked, removed, valid])
    await admin.keys.add({ hash, siteId: site, userId: user.id, label: '', readOnly: false, now: NOW })
  const file = join(temporaryFolder(), 'kept.db')
  backUp(server.db, file)
  await admin.keys.revoke(site, revoked.id, LATER)
  restoreDatabase(server.db, file, NOW)
  const statusWith = async ({ key }: { key: string }) =>
    (await server.call('GET', '/api/v2/categories', undefined, { Authorization: `Bearer ${key}` })).status
  expect([await statusWith(revoked), await statusWith(valid)]).toEqual([401, 200])
  await admin.users.remove(site, 'anna', LATER)
  restoreDatabase(server.db, file, LATER)
  expect([await statusWith(removed), await statusWith(valid)]).toEqual([401, 401])
  expect((await admin.users.list(site)).map(({ username }) => username)).toEqual(['anna'])
})

test('a key that was revoked stays revoked through a chain of restores', async () => {
  const server = await openTestServer()
  const admin = await openAdmin(server.db)
  const docs = await admin.sites.add({ name: 'docs', languages: ['en'], articleLimit: null, now: NOW })
  const folder = temporaryFolder()
  const [empty, full] = [join(folder, 'empty.db'), join(folder, 'full.db')]
  backUp(server.db, empty)
  const sites = [server.store.defaultSiteId, docs.id, server.store.defaultSiteId] as const
  const keys = [issueKey(sites[0]), issueKey(sites[1]), issueKey(sites[2])] as const
  const [revoked, ofRemovedSite, valid] = keys
  for (const [index, { hash }] of keys.entries())
    await addKey(server.db, { siteId: sites[index] ?? '', hash })
  backUp(server.db, full)
  await admin.keys.revoke(server.store.defaultSiteId, revoked.id, LATER)
  await admin.keys.revoke(docs.id, ofRemovedSite.id, LATER)
  await admin.sites.remove('docs')
  restoreDatabase(server.db, empty, NOW)
  restoreDatabase(server.db, full, LATER)
  const statuses = await Promise.all(
    keys.map(async ({ key }) => {
      const headers = { Authorization: `Bearer ${key}` }
      return (await server.call('GET', '/api/v2/categories', undefined, headers)).status
    }),
  )
  expect(statuses).toEqual([401, 401, 200])
  expect(await admin.keys.find(docs.id, ofRemovedSite.id)).toMatchObject({ revokedAt: LATER })
  expect(await admin.keys.find(server.store.defaultSiteId, valid.id)).toMatchObject({ revokedAt: null })
})

test('results of checks of links to articles are kept with another site id', async () => {
  const [theirs, ours] = [await openTestServer(), await openTestServer({ seed: {} })]
  await createArticle(theirs, { slug: 'one', content: '<a href="/articles/two">x</a>' })
  await createArticle(theirs, { slug: 'two' })
  const target = (site: TestServer) => `article:${site.store.defaultSiteId}:two`
  const result = { working: true, failures: 0, status: null, reason: '' }
  await theirs.store.scheduleTargets(NOW, 10)
  expect(await theirs.store.claimLinks(theirs.store.defaultSiteId, [target(theirs)], NOW, LATER)).toEqual([
    target(theirs),
  ])
  const file = join(temporaryFolder(), 'kept.db')
  backUp(theirs.db, file)
  restoreDatabase(ours.db, file, NOW)
  const due = await ours.store.dueLinks(ours.store.defaultSiteId, LATER, { target: '', dueDate: '' }, 10)
  expect(due).toEqual([{ target: target(ours), working: true, failures: 0, dueDate: LATER }])
  const article = articleOfTarget(due[0]?.target ?? '')
  expect(article).toEqual({ siteId: ours.store.defaultSiteId, slug: 'two' })
  expect(await ours.store.hasPublishedArticle(article?.siteId ?? '', article?.slug ?? '')).toBe(true)
  const [checked] = await ours.store.claimLinks(
    ours.store.defaultSiteId,
    [target(ours)],
    LATER,
    '2026-03-03T10:00:00.000Z',
  )
  expect(checked).toBe(target(ours))
  await ours.store.recordLinkChecks(ours.store.defaultSiteId, [
    {
      ...result,
      target: target(ours),
      working: false,
      claimedUntil: '2026-03-03T10:00:00.000Z',
      checkedDate: LATER,
      nextCheckDate: '2026-03-04T10:00:00.000Z',
    },
  ])
  expect((await ours.store.listLinks(ours.store.defaultSiteId, { after: 0, limit: 9 }))[0]?.working).toBe(
    false,
  )
})

test('links of a backup are listed, even if a restore interrupts the storing of those of later articles', async () => {
  const server = await openTestServer()
  const write = (slug: string) =>
    server.call('PUT', '/api/v2/articles', articleBody(server, { slug, content: `<a href="/${slug}">x</a>` }))
  const listLinks = () => server.store.listLinks(server.store.defaultSiteId, { after: 0, limit: 1000 })
  await write('old')
  const file = join(temporaryFolder(), 'kept.db')
  backUp(server.db, file)
  const stored = await server.store.revision(server.store.defaultSiteId)
  for (let n = 0; n < 230; n++) await write(`later-${n}`)
  const reader = new Libsql(server.db)
  onTestFinished(() => void reader.close())
  const linked = reader.prepare('select 1 from sites where linked_revision > ?')
  const listing = listLinks()
  while (linked.get(stored) === undefined) await turn()
  restoreDatabase(server.db, file, NOW)
  await listing
  expect((await listLinks()).map(({ url }) => url)).toEqual(['/old'])
})

test('writes during the preparation of a restore are in the backup of the old state', async () => {
  const server = await openTestServer()
  await createArticle(server, { slug: 'old' })
  const file = join(temporaryFolder(), 'kept.db')
  backUp(server.db, file)
  const steps: RestoreStep[] = []
  const writer = new Libsql(server.db)
  onTestFinished(() => void writer.close())
  const { kept } = restoreDatabase(server.db, file, NOW, (step) => {
    steps.push(step)
    // As if someone wrote between the backup and the lock.
    if (step === 'kept')
      writer.exec("update articles set name = 'late'; update meta set revision = revision + 1")
  })
  expect(titlesIn(kept?.file ?? '')).toEqual(['late'])
  expect(titlesIn(server.db)).toEqual(['Reset your password'])
  expect(steps.slice(0, 3)).toEqual(['copied', 'kept', 'locked'])
})

test('the lock is free while a restore checks, copies and backs up', async () => {
  const server = await openTestServer()
  await createArticle(server)
  const file = join(temporaryFolder(), 'kept.db')
  backUp(server.db, file)
  const writer = new Libsql(server.db)
  onTestFinished(() => void writer.close())
  const isFree = () => codeOf(() => writer.exec('begin immediate; rollback')) !== 'SQLITE_BUSY'
  const seen: [string, boolean][] = []
  restoreDatabase(server.db, file, NOW, (step) => seen.push([step.replace(/ .*/, ''), isFree()]))
  expect(new Map(seen)).toEqual(
    new Map([
      ['copied', true],
      ['kept', true],
      ['locked', false],
      ['replaced', false],
      ['committed', true],
    ]),
  )
})

test('backup files of killed processes are removed, but not those in use', async () => {
  const server = await openTestServer()
  const folder = temporaryFolder()
  const { pid: dead } = spawnSync(process.execPath, ['--version'])
  const running = process.ppid
  for (const name of [
    `kept.db.unfinished-${dead}`,
    `kept.db.unfinished-${running}`,
    `other.db.unfinished-${dead}`,
  ])
    writeFileSync(join(folder, name), '')
  backUp(server.db, join(folder, 'kept.db'))
  expect(readdirSync(folder).toSorted()).toEqual(
    ['kept.db', `kept.db.unfinished-${running}`, `other.db.unfinished-${dead}`].toSorted(),
  )
  const backups = join(dirname(server.db), 'backups')
  mkdirSync(backups)
  writeFileSync(join(backups, `2026-01-01-before-restore.db.unfinished-${dead}`), '')
  const { kept } = restoreDatabase(server.db, join(folder, 'kept.db'), NOW)
  expect(readdirSync(backups)).toEqual([basename(kept?.file ?? '')])
})

test('a backup of an older program is migrated, but its file is unchanged', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'old.db')
  runSql(file, `${MIGRATIONS[0]}; pragma user_version = 1`)
  runSql(
    file,
    `insert into sites values ('s', 'default', null, 0, '${NOW}'); insert into languages values ('s', 'en', 0);
     insert into tags values ('t', 's', 'Old', 'old', '', '', '', null, null, '${NOW}', '${NOW}')`,
  )
  const before = dumpDatabase(file)
  const db = join(folder, 'new', 'kb.db')
  expect(restoreDatabase(db, file, NOW)).toEqual({ kept: undefined })
  expect(dumpDatabase(file)).toEqual(before)
  const server = await openTestServer({ db, seed: {} })
  expect(await server.call('GET', '/api/v2/tags/t')).toMatchObject({
    status: 200,
    body: { data: { name: 'Old' } },
  })
  expect(readdirSync(dirname(db)).filter((name) => name.includes('restore'))).toEqual([])
})

test('an incomplete backup changes nothing', async () => {
  const server = await openTestServer()
  for (let index = 0; index < 20; index++)
    await createArticle(server, { slug: `a-${index}`, content: 'x'.repeat(9000) })
  const folder = temporaryFolder()
  const file = (name: string) => join(folder, name)
  backUp(server.db, file('cut.db'))
  for (const name of ['whole.db', 'dangling.db']) copyFileSync(file('cut.db'), file(name))
  copyFileSync(file('cut.db'), file('newer.db'))
  truncateSync(file('cut.db'), statSync(file('cut.db')).size - 40_960)
  writeFileSync(file('text.db'), 'not a database')
  writeFileSync(file('empty.db'), '')
  runSql(file('theirs.db'), 'create table theirs (id integer)')
  runSql(file('dangling.db'), 'pragma foreign_keys = off; delete from sites')
  runSql(file('newer.db'), 'pragma user_version = 999')
  const before = dumpDatabase(server.db)
  const revision = await server.store.revision()
  for (const name of ['none.db', 'cut.db', 'text.db', 'empty.db', 'theirs.db', 'dangling.db', 'newer.db']) {
    const code = name === 'newer.db' ? 'DATABASE_NEWER' : 'BACKUP_UNUSABLE'
    for (const act of [() => inspectBackup(file(name)), () => restoreDatabase(server.db, file(name), NOW)])
      expect(codeOf(act)).toBe(code)
  }
  expect(codeOf(() => restoreDatabase(join(server.db, 'below.db'), file('whole.db'), NOW))).toBe(
    'DATABASE_UNUSABLE',
  )
  expect(dumpDatabase(server.db)).toEqual(before)
  expect(await server.store.revision()).toBe(revision)
  expect(existsSync(join(dirname(server.db), 'backups'))).toBe(false)
})

test('a restore killed after any step results in the old state or the new one', async () => {
  const server = await openTestServer()
  // A restore, and nothing else, changes the database.
  await server.store.leaveLinks()
  await createMany(server, 'old')
  const file = join(temporaryFolder(), 'kept.db')
  backUp(server.db, file)
  await createMany(server, 'new')
  const now = join(temporaryFolder(), 'before.db')
  backUp(server.db, now)
  const states = { old: dumpDatabase(server.db), new: dumpDatabase(file) }
  const steps = stepsOf(server.db, file, now)
  const outcomes: string[] = []
  const expected: string[] = []
  for (const step of chooseKills(steps)) {
    await restoreAndKill(server.db, file, step)
    const after = dumpDatabase(server.db)
    const outcome = step === 'committed' ? 'new' : 'old'
    expect(after).toEqual(states[outcome])
    expect(inspectBackup(server.db).articles).toBe(after['articles']?.length)
    outcomes.push(`${step}: ${JSON.stringify(after) === JSON.stringify(states.new) ? 'new' : 'old'}`)
    expected.push(`${step}: ${outcome}`)
    // Back to the previous state, for the next kill; this also removes the files of the last one.
    restoreDatabase(server.db, now, NOW)
    expect(readdirSync(dirname(server.db)).filter((name) => name.includes('-restore-'))).toEqual([])
  }
  expect(outcomes).toEqual(expected)
})

function codeOf(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return (error as { readonly code?: string }).code
  }
}

async function createMany(server: Awaited<ReturnType<typeof openTestServer>>, prefix: string): Promise<void> {
  const create = (index: number) =>
    server.call(
      'PUT',
      '/api/v2/articles',
      articleBody(server, { slug: `${prefix}-${index}`, content: `<p>${'x'.repeat(16_000)}</p>` }),
    )
  const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => create(index)))
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
}

/** Returns all steps of a restore, which another restore undoes. */
function stepsOf(db: string, file: string, now: string): RestoreStep[] {
  const steps: RestoreStep[] = []
  restoreDatabase(db, file, NOW, (step) => steps.push(step))
  restoreDatabase(db, now, NOW)
  expect(steps.filter((step) => !step.startsWith('replaced '))).toEqual([
    'copied',
    'kept',
    'locked',
    'committed',
  ])
  return steps
}

/** Chooses every kind of step, and the requested number of tables, different ones for each number. */
function chooseKills(steps: readonly RestoreStep[]): RestoreStep[] {
  const random = seeded(20_260_301)
  const order = new Map(steps.map((step) => [step, random()]))
  const tables = steps.filter((step) => step.startsWith('replaced '))
  const chosen = new Set(
    tables.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0)).slice(0, TABLES),
  )
  return steps.filter((step) => chosen.has(step) || !tables.includes(step))
}

async function restoreAndKill(db: string, file: string, last: RestoreStep): Promise<void> {
  const script = await bundleScript(join(import.meta.dirname, 'restore-once.ts'))
  const child = startScript(script, db, file, LATER, last)
  const seen: string[] = []
  for await (const step of child.lines) {
    seen.push(step)
    if (step === last) child.process.kill('SIGKILL')
  }
  await child.exited
  expect([seen.at(-1), child.process.signalCode]).toEqual([last, 'SIGKILL'])
}

/** The same numbers in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
