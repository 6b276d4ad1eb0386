import { chmodSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { loadOrCreateApiKey } from '../../src/server/api-key.ts'
import { openAdministration } from '../../src/server/open-administration.ts'
import { openKnowledgeBase } from '../../src/server/open-knowledge-base.ts'
import { toPlainFailure } from '../../src/kb/target/builtin-messages.ts'
import { unusable } from '../../src/server/store/sqlite/open-sqlite.ts'
import { readRevision } from '../../src/server/store/sqlite/read-revision.ts'
import { temporaryFolder } from '../support/folder.ts'
import { createArticle, NOW, openTestServer, reviewedIds } from '../support/server.ts'
import { backUp, restoreDatabase } from '../../src/server/backup-and-copy.ts'

function changeBySql(file: string, sql: string): void {
  const connection = new Libsql(file)
  connection.exec(sql)
  connection.close()
}

test('a database of a newer program is not changed', async () => {
  const db = join(temporaryFolder(), 'kb.db')
  changeBySql(db, 'pragma user_version = 999')
  await expect(openKnowledgeBase({ db })).rejects.toMatchObject({ code: 'DATABASE_NEWER' })
})

test('a database of another program is not changed', async () => {
  const db = join(temporaryFolder(), 'kb.db')
  changeBySql(db, 'create table theirs (id integer)')
  await expect(openKnowledgeBase({ db })).rejects.toMatchObject({ code: 'DATABASE_UNUSABLE' })
})

test('a file that is not a database is reported with advice', async () => {
  const db = join(temporaryFolder(), 'kb.db')
  writeFileSync(db, 'not a database, but long enough to be looked at as one\n'.repeat(20))
  await expect(openKnowledgeBase({ db })).rejects.toMatchObject({
    code: 'DATABASE_UNUSABLE',
    hint: expect.stringContaining('Check that'),
  })
  await expect(openKnowledgeBase({ db: join(db, 'below-a-file.db') })).rejects.toMatchObject({
    code: 'DATABASE_UNUSABLE',
  })
})

test('a full disk is reported as such, not as a wrong file or a bug', () => {
  const connection = new Libsql(join(temporaryFolder(), 'kb.db'))
  onTestFinished(() => void connection.close())
  connection.exec('pragma max_page_count = 1')
  const errors: unknown[] = []
  try {
    connection.exec('create table t (id integer)')
  } catch (error) {
    errors.push(error)
  }
  const hint = 'Free some disk space, and run the command again.'
  const full = {
    code: 'DATABASE_UNUSABLE',
    message: expect.stringContaining('disk is full') as unknown,
    hint,
  }
  expect(errors.map((error) => unusable('kb.db', error))).toMatchObject([full])
  expect(errors.map(toPlainFailure)).toEqual([full])
  // The memory that the connections share has no space beside the database.
  const noSharedMemory = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_SHMSIZE' })
  expect(unusable('kb.db', noSharedMemory)).toMatchObject({ code: 'DATABASE_UNUSABLE', hint })
})

test('an empty database beside a key has lost its data, and is not changed', async () => {
  const unused = join(temporaryFolder(), 'kb.db')
  writeFileSync(unused, '')
  await (await openKnowledgeBase({ db: unused })).close()

  const db = join(temporaryFolder(), 'kb.db')
  writeFileSync(db, '')
  loadOrCreateApiKey(join(db, '..', 'api-key'))
  const refused = {
    code: 'DATABASE_UNUSABLE',
    message: expect.stringContaining('is empty, although a server has used it before'),
    hint: 'Restore a backup with kb admin restore; to start with no articles, remove the empty file.',
  }
  await expect(openKnowledgeBase({ db })).rejects.toMatchObject(refused)
  await expect(
    openAdministration({ db, languages: ['en'], mayCreate: true, now: NOW }),
  ).rejects.toMatchObject(refused)
  expect(statSync(db).size).toBe(0)

  // Both fixes in the hint.
  const other = await openTestServer()
  await createArticle(other)
  const backup = join(temporaryFolder(), 'backup.db')
  backUp(other.db, backup)
  restoreDatabase(db, backup, NOW)
  const restored = await openTestServer({ db, seed: {} })
  expect(await reviewedIds(restored)).toHaveLength(1)
  await restored.close()
  for (const file of [db, `${db}-wal`, `${db}-shm`]) rmSync(file, { force: true })
  await (await openKnowledgeBase({ db })).close()
})

test('the revision is read without the server, and reading creates no file', async () => {
  const missing = join(temporaryFolder(), 'none.db')
  expect([readRevision(missing), existsSync(missing)]).toEqual([undefined, false])
  const server = await openTestServer()
  const before = readRevision(server.db)
  await createArticle(server)
  expect(readRevision(server.db)).toBe((before ?? 0) + 1)
  expect(readRevision(server.db)).toBe(await server.store.revision())
  await server.close()
  expect(readRevision(server.db)).toBeGreaterThan(before ?? 0)
})

test('a new database is only for its owner, an existing one keeps its mode', async () => {
  const modesOf = (db: string) => ['', '-wal', '-shm'].map((end) => statSync(`${db}${end}`).mode & 0o777)
  const { db } = await openTestServer()
  expect(modesOf(db)).toEqual([0o600, 0o600, 0o600])
  const shared = join(temporaryFolder(), 'kb.db')
  writeFileSync(shared, '')
  chmodSync(shared, 0o640)
  await openTestServer({ db: shared })
  expect(modesOf(shared)).toEqual([0o640, 0o640, 0o640])
})

test.each(['articles', 'categories', 'tags'])('removing a user finds %s with an index', async (table) => {
  const { db } = await openTestServer()
  const connection = new Libsql(db)
  onTestFinished(() => void connection.close())
  const plan = connection
    .prepare(`explain query plan update ${table} set created_by = null where created_by = ?`)
    .all('x')
  expect((plan as { detail: string }[]).map(({ detail }) => detail)).toEqual([
    `SEARCH ${table} USING COVERING INDEX ${table}_creator (created_by=?)`,
  ])
})

test('the key file is created once, for its owner only', () => {
  const file = join(temporaryFolder(), '.kb', 'api-key')
  const made = loadOrCreateApiKey(file)
  expect(made).toEqual({ key: expect.stringMatching(/^kb_[\w-]{43}$/), created: true })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(loadOrCreateApiKey(file)).toEqual({ key: made.key, created: false })
})

test('a key file that cannot be created is reported', () => {
  const file = join(temporaryFolder(), 'api-key')
  writeFileSync(file, '')
  expect(() => loadOrCreateApiKey(file)).toThrow(expect.objectContaining({ code: 'WORKSPACE_UNWRITABLE' }))
})
