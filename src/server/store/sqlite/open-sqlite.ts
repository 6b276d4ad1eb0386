import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Libsql from 'libsql'
import { isOutOfSpace } from '../../../core/error-code.ts'
import { KbError, reasonOf } from '../../../core/errors/kb-error.ts'
import { type Database, defineQuery } from '../query.ts'
import { assertOpen, createSqliteSession } from './sqlite-session.ts'
import { GroupCommit } from './group-commit.ts'
import { MIGRATIONS, migrate } from './migrations.ts'

/**
 * Maximum time that a statement, and with it its thread, waits for another process. Used only where nothing else needs
 * the thread.
 */
const BUSY_TIMEOUT_MS = 10_000

/** The size of one page of the minimum size. */
const SMALLEST_DATABASE_BYTES = 512

/** Number of 4 KiB pages in the log before a checkpoint, which costs two more fsyncs. */
const CHECKPOINT_PAGES = 4000

/**
 * Opens the SQLite database `file`, and creates it if it is missing. Reads have their own connection and see only
 * committed data.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER
 */
export function openSqlite(file: string): Database {
  const opened: Libsql.Database[] = []
  try {
    assertNotEmptied(file)
    const writing = openConnection(file)
    opened.push(writing)
    migrate(writing, file)
    const reading = openConnection(file)
    opened.push(reading)
    reading.exec('pragma query_only = on')
    writing.exec('pragma busy_timeout = 0')
    return createDatabase(file, writing, reading)
  } catch (error) {
    for (const connection of opened) connection.close()
    throw error instanceof KbError ? error : unusable(file, error)
  }
}

/** Opens a connection with the common settings; creates a missing file, but no tables. */
export function openConnection(file: string): Libsql.Database {
  mkdirSync(dirname(file), { recursive: true })
  assertDatabase(file)
  assertWritable(file)
  makePrivate(file)
  const connection = new Libsql(file)
  try {
    connection.exec(`
      pragma busy_timeout = ${BUSY_TIMEOUT_MS};
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma foreign_keys = on;
      pragma cache_size = -16000;
      pragma wal_autocheckpoint = ${CHECKPOINT_PAGES};
    `)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/**
 * Rejects files that are not databases. SQLite does so itself, but treats a file of a few bytes as an empty one and
 * would overwrite it. The file is not opened for that: closing it would release the locks of all connections of this
 * process, and another process could then delete the log while they use it.
 */
export function assertDatabase(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > 0 && size < SMALLEST_DATABASE_BYTES) throw new Error('file is not a database')
}

/**
 * Rejects an empty database beside a key. A server creates its database before its key, so articles were lost, and a
 * server that started anyway would hide that.
 */
function assertNotEmptied(file: string): void {
  // The key is checked first, since another process may be creating both.
  if (!existsSync(join(dirname(file), 'api-key'))) return
  if (statSync(file, { throwIfNoEntry: false })?.size !== 0) return
  throw new KbError(
    'DATABASE_UNUSABLE',
    `The database ${file} is empty, although a server has used it before.`,
    { hint: 'Restore a backup with kb admin restore; to start with no articles, remove the empty file.' },
  )
}

/** Rejects a read-only file, which SQLite would open, leaving read-only files next to it. */
function assertWritable(file: string): void {
  if (!existsSync(file)) return
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
  } catch (cause) {
    throw new Error('it is not readable and writable', { cause })
  }
}

/**
 * Creates a new database that only the owner can read, because it contains personal data and hashes of keys. The files
 * that SQLite creates beside it inherit the mode. The mode of an existing file is kept.
 */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch {
    // It exists, or cannot be created, which the driver then reports.
  }
}

function createDatabase(file: string, writing: Libsql.Database, reading: Libsql.Database): Database {
  const opened = statSync(file, { bigint: true })
  const commits = new GroupCommit(writing, createSqliteSession(writing))
  const dataVersion = reading.prepare('pragma data_version')
  const reader = createSqliteSession(reading)
  const changeMark = () => {
    assertOpen(reading)
    return (dataVersion.get() as { data_version: number }).data_version
  }
  // SQLite has one write lock for all sites, and one revision.
  return {
    schemaVersion: MIGRATIONS.length,
    changeMark,
    exactMark: changeMark,
    revision: async () => (await reader.first(metaQueries.revision, {}))?.revision ?? 0,
    changesSince: async () => (await reader.first(metaQueries.changesSince, {}))?.changes_since ?? 0,
    reader,
    write: (_, work) => commits.write(work, { raisesRevision: true }),
    writeItem: (siteId, work, item) => commits.writeItem(siteId, work, item),
    writeWithoutRevision: (_, work) => commits.write(work, { raisesRevision: false }),
    ownRevisions: () => commits.raised,
    async assertWritable() {
      // If the file was deleted, writes would go to a file without a name.
      const { dev, ino } = statSync(file, { bigint: true })
      if (dev !== opened.dev || ino !== opened.ino) throw new Error('it was replaced by another file')
      assertWritable(file)
      await commits.write((session) => session.run(metaQueries.touch, {}), { raisesRevision: false })
    },
    async close() {
      await commits.close()
      foldLog(writing)
      for (const connection of [reading, writing]) if (connection.open) connection.close()
    },
  }
}

const metaQueries = {
  revision: defineQuery((db) => db.selectFrom('meta').select('revision')),
  changesSince: defineQuery((db) => db.selectFrom('meta').select('changes_since')),
  touch: defineQuery((db) => db.updateTable('meta').set((eb) => ({ revision: eb.ref('revision') }))),
}

/** Moves the log into the database file, so that a copy of that file is complete. */
function foldLog(connection: Libsql.Database): void {
  try {
    if (connection.open) connection.exec('pragma wal_checkpoint(truncate)')
  } catch {
    // Another process uses it. Nothing is lost: the last process to close it does this.
  }
}

/** The driver reports these errors only by number (https://sqlite.org/rescode.html). */
const DRIVER_REASONS: Readonly<Record<string, string>> = {
  8: 'it is not writable',
  14: 'the file, or one next to it, is not readable and writable',
}

/** The error for a database that cannot be opened, in plain words. */
export function unusable(file: string, cause: unknown): KbError {
  const code = /^ConnectionFailed\(.*: (\d+)"\)$/.exec(reasonOf(cause))?.[1] ?? ''
  const reason = DRIVER_REASONS[code] ?? reasonOf(cause)
  return new KbError('DATABASE_UNUSABLE', `The database ${file} could not be opened: ${reason}.`, {
    hint: isOutOfSpace(cause)
      ? 'Free some disk space, and run the command again.'
      : 'Check that the folder is writable and that the file is a database of kb-sync.',
    cause,
  })
}
