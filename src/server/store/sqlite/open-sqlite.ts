import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Libsql from 'libsql'
import { KbError, reasonOf } from '../../../errors/kb-error.ts'
import type { Database } from '../session.ts'
import { assertOpen } from './assert-open.ts'
import { createGroupCommit } from './group-commit.ts'
import { migrate } from './migrate.ts'
import { createSqliteSession } from './sqlite-session.ts'

/** How long a statement waits for another process to finish writing. */
const BUSY_TIMEOUT_MS = 10_000

/** How every SQLite file begins (the file format's magic header string). */
const HEADER = 'SQLite format 3\0'

/** Pages of 4 KiB in the log before they move into the database: moving them costs two more fsyncs. */
const CHECKPOINT_PAGES = 4000

/**
 * Opens (and makes, where there is none) the SQLite database in `file`. Reads have a connection of their own and see
 * only what is committed.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER
 */
export function openSqlite(file: string): Database {
  const opened: Libsql.Database[] = []
  try {
    mkdirSync(dirname(file), { recursive: true })
    assertDatabase(file)
    const writing = connect(file, opened)
    migrate(writing, file)
    const reading = connect(file, opened)
    reading.exec('pragma query_only = on')
    return createDatabase(writing, reading)
  } catch (error) {
    for (const connection of opened) connection.close()
    throw error instanceof KbError ? error : unusable(file, error)
  }
}

/** SQLite itself takes a file of a few bytes for an empty database and would write over it. */
function assertDatabase(file: string): void {
  if (!existsSync(file) || statSync(file).size === 0) return
  const header = Buffer.alloc(HEADER.length)
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, header, 0, header.length, 0)
  } finally {
    closeSync(descriptor)
  }
  if (header.toString('latin1') !== HEADER) throw new Error('file is not a database')
}

function connect(file: string, opened: Libsql.Database[]): Libsql.Database {
  const connection = new Libsql(file, { timeout: BUSY_TIMEOUT_MS / 1000 })
  opened.push(connection)
  connection.exec(`
    pragma busy_timeout = ${BUSY_TIMEOUT_MS};
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    pragma cache_size = -16000;
    pragma wal_autocheckpoint = ${CHECKPOINT_PAGES};
  `)
  return connection
}

function createDatabase(writing: Libsql.Database, reading: Libsql.Database): Database {
  const commits = createGroupCommit(writing, createSqliteSession(writing))
  const dataVersion = reading.prepare('pragma data_version')
  return {
    changeMark() {
      assertOpen(reading)
      return (dataVersion.get() as { data_version: number }).data_version
    },
    reader: createSqliteSession(reading),
    write: (work) => commits.write(work),
    ownRevisions: () => commits.raised(),
    async close() {
      await commits.drained()
      foldLog(writing)
      for (const connection of [reading, writing]) if (connection.open) connection.close()
    },
  }
}

/** Moves the log into the database file, so that a copy of that one file is whole. */
function foldLog(connection: Libsql.Database): void {
  try {
    if (connection.open) connection.exec('pragma wal_checkpoint(truncate)')
  } catch {
    // Another process is at work on it: nothing is lost, the last one out does it.
  }
}

function unusable(file: string, cause: unknown): KbError {
  return new KbError('DATABASE_UNUSABLE', `The database ${file} could not be opened: ${reasonOf(cause)}.`, {
    hint: 'Check that the folder may be written and that the file is a database of kb-sync.',
    cause,
  })
}
