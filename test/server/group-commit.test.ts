import { join } from 'node:path'
import Libsql from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { DatabaseBusy } from '../../src/server/store/database-errors.ts'
import { ALL_SITES, defineQuery } from '../../src/server/store/query.ts'
import { GroupCommit } from '../../src/server/store/sqlite/group-commit.ts'
import { openSqlite } from '../../src/server/store/sqlite/open-sqlite.ts'
import { createSqliteSession } from '../../src/server/store/sqlite/sqlite-session.ts'
import { temporaryFolder } from '../support/folder.ts'

const insert = defineQuery((db, is: { target: string; now: string }) =>
  db.insertInto('revoked_keys').values({ hash: is.target, revoked_at: is.now }),
)
const targets = defineQuery((db) => db.selectFrom('revoked_keys').select('hash as target').orderBy('hash'))
const revision = defineQuery((db) => db.selectFrom('meta').select('revision'))

function open() {
  const file = join(temporaryFolder(), 'kb.db')
  const database = openSqlite(file)
  onTestFinished(() => database.close())
  const write = (target: string) =>
    database.write(ALL_SITES, (session) => session.run(insert, { target, now: '2026-03-01T10:00:00.000Z' }))
  return { file, database, write }
}

/** A database, and a separate connection to it. */
function openBeside() {
  const opened = open()
  const other = new Libsql(opened.file)
  onTestFinished(() => void other.close())
  return { ...opened, other }
}

test('a failed write does not affect its group, and leaves nothing behind', async () => {
  const { database, write } = open()
  const half = database.write(ALL_SITES, async (session) => {
    await session.run(insert, { target: 'half', now: '' })
    throw new Error('broken off')
  })
  const settled = await Promise.allSettled([write('a'), half, write('b'), write('a'), write('c')])
  expect(settled.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(settled[1]).toMatchObject({ reason: new Error('broken off') })
  const found = await database.reader.all(targets, {})
  expect(found.map(({ target }) => target)).toEqual(['a', 'b', 'c'])
})

test('a group raises the revision once', async () => {
  const { database, write } = open()
  const before = (await database.reader.first(revision, {}))?.revision ?? 0
  await Promise.all([write('a'), write('b'), write('c')])
  expect((await database.reader.first(revision, {}))?.revision).toBe(before + 1)
  expect(database.ownRevisions()).toBe(1)
})

test("the server's own data does not raise it, but other writes in the group do", async () => {
  const { database, write } = open()
  const note = (target: string) =>
    database.writeWithoutRevision(ALL_SITES, (session) =>
      session.run(insert, { target, now: '2026-03-01T10:00:00.000Z' }),
    )
  await note('a')
  expect(database.ownRevisions()).toBe(0)
  await Promise.all([note('b'), write('c'), note('d')])
  expect(database.ownRevisions()).toBe(1)
})

test('writes wait for another process without blocking the thread, and keep their order', async () => {
  const { database, write, other } = openBeside()
  other.exec('begin immediate')
  const settled: string[] = []
  const waiting = ['c', 'a', 'b'].map(async (target) => {
    await write(target)
    settled.push(target)
  })
  // Reads continue, and the lock is released only after them: a blocked thread would never get there.
  for (let turn = 0; turn < 20; turn++) {
    expect(await database.reader.all(targets, {})).toEqual([])
    await new Promise((resolve) => setImmediate(resolve))
  }
  const late = write('d')
  expect(settled).toEqual([])
  other.exec('commit')
  await Promise.all([...waiting, late])
  expect(settled).toEqual(['c', 'a', 'b'])
  expect((await database.reader.all(targets, {})).map(({ target }) => target)).toEqual(['a', 'b', 'c', 'd'])
  expect(database.ownRevisions()).toBe(1)
})

test('writes that wait too long fail with advice, and the next one is tried again', async () => {
  const { file, other } = openBeside()
  const connection = new Libsql(file)
  onTestFinished(() => void connection.close())
  connection.exec('pragma busy_timeout = 0')
  const commits = new GroupCommit(connection, createSqliteSession(connection), 30)
  const write = (target: string) =>
    commits.write((session) => session.run(insert, { target, now: '' }), { raisesRevision: true })
  other.exec('begin immediate')
  const settled = await Promise.allSettled([write('a'), write('b')])
  expect(settled.map((each) => each.status === 'rejected' && each.reason)).toEqual([
    expect.any(DatabaseBusy),
    expect.any(DatabaseBusy),
  ])
  expect(settled[0]).toMatchObject({ reason: { code: 'DATABASE_BUSY', hint: 'Try again in a moment.' } })
  other.exec('commit')
  expect(await write('c')).toBe(1)
  expect(other.prepare('select hash as target from revoked_keys').all()).toEqual([{ target: 'c' }])
})

test('a transaction that cannot begin fails all of its writes at once', async () => {
  const file = join(temporaryFolder(), 'kb.db')
  await openSqlite(file).close()
  const connection = new Libsql(file)
  onTestFinished(() => void connection.close())
  const commits = new GroupCommit(connection, createSqliteSession(connection))
  // No transaction can begin inside another one.
  connection.exec('begin')
  let tries = 0
  const work = () => Promise.resolve(tries++)
  const settled = await Promise.allSettled([
    commits.write(work, { raisesRevision: true }),
    commits.write(work, { raisesRevision: true }),
  ])
  expect([settled.map(({ status }) => status), tries]).toEqual([['rejected', 'rejected'], 0])
})

test('a long transaction allows other work between its statements, and stays one transaction', async () => {
  const { database } = open()
  const rows = 20_000
  const writing = database.write(ALL_SITES, async (session) => {
    for (let row = 0; row < rows; row++) await session.run(insert, { target: `${row}`, now: '' })
  })
  const written = new AbortController()
  void writing.finally(() => written.abort())
  const seen = new Set<number>()
  let turns = 0
  while (!written.signal.aborted) {
    seen.add((await database.reader.all(targets, {})).length)
    turns++
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(turns).toBeGreaterThan(3)
  seen.add((await database.reader.all(targets, {})).length)
  expect([...seen]).toEqual([0, rows])
})

// The native driver aborts the process if a closed connection is used.
test.each([0, 1, 2, 3, 4, 5, 6, 7, 8])(
  'a write %i microtasks after another one while the database closes is written or rejected',
  async (microtasks) => {
    const { database, write, file } = open()
    const following = write('a').then(async () => {
      for (let each = 0; each < microtasks; each++) await Promise.resolve()
      return write('b')
    })
    const [outcome] = await Promise.allSettled([following, database.close()])
    const reopened = openSqlite(file)
    const written = (await reopened.reader.all(targets, {})).map(({ target }) => target)
    await reopened.close()
    expect(written).toEqual(outcome.status === 'fulfilled' ? ['a', 'b'] : ['a'])
    await expect(write('c')).rejects.toThrow('The database is closed')
  },
)
