// A restore replaces all rows in one transaction of the live database, and not the file: servers that have it open see
// the old state until the commit and the new one after it, and a process that is killed leaves the old one.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Libsql from 'libsql'
import { KbError, reasonOf } from '../../../core/errors/kb-error.ts'
import { type Backup, backupSqlite } from './backup-sqlite.ts'
import { checkDatabase, unusableBackup } from './check-database.ts'
import { copyDatabase } from './copy-database.ts'
import { migrate } from './migrate.ts'
import { openConnection } from './open-sqlite.ts'
import { adoptSite, replaceContents } from './replace-contents.ts'
import type { RestoreOptions } from './restore-options.ts'
import { sweepLeftovers } from './sweep-leftovers.ts'

/**
 * Replaces everything in the database `file` by what a backup holds. Writes of other processes wait while the rows are
 * replaced.
 *
 * @returns the backup of what was there, if anything was
 * @throws KbError BACKUP_UNUSABLE, BACKUP_UNWRITABLE, DATABASE_NEWER, DATABASE_UNUSABLE: then nothing was changed
 */
export function restoreSqlite(options: RestoreOptions): Backup | undefined {
  const { file, source, keepAs, onStep } = options
  checkDatabase(source, 'full')
  let work: string | undefined
  try {
    mkdirSync(dirname(file), { recursive: true })
    sweepLeftovers(dirname(file), `${basename(file)}-restore-`, /^(\d+)-/)
    // The names of these backups differ, so that none of them sweeps what another one has left.
    if (keepAs !== undefined) sweepLeftovers(dirname(keepAs), '', /-before-restore\.db\.unfinished-(\d+)$/)
    work = mkdtempSync(`${file}-restore-${process.pid}-`)
    const copy = join(work, 'copy.db')
    prepareCopy(source, copy)
    onStep('copied')
    return replaceDatabase(options, copy)
  } catch (error) {
    throw error instanceof KbError ? error : failed(file, error)
  } finally {
    if (work !== undefined) rmSync(work, { recursive: true, force: true })
  }
}

/** The backup itself is never written to: an older one is migrated in the copy. */
function prepareCopy(source: string, copy: string): void {
  try {
    copyDatabase(source, copy)
    const connection = new Libsql(copy)
    try {
      migrate(connection, copy)
    } finally {
      connection.close()
    }
    checkDatabase(copy, 'quick')
  } catch (error) {
    throw unusableBackup(source, reasonOf(error), error)
  }
}

function failed(file: string, cause: unknown): KbError {
  return new KbError(
    'DATABASE_UNUSABLE',
    `The database ${file} could not be restored: ${reasonOf(cause)}. It was not changed.`,
    {
      hint: 'Check that it is writable, that there is enough disk space, and that no other restore is running.',
      cause,
    },
  )
}

/**
 * Puts what is in the database `copy`, which is changed and left over, in the place of what is in the live one.
 *
 * @returns the backup of what was there, if any was asked for
 */
function replaceDatabase(options: Omit<RestoreOptions, 'source'>, copy: string): Backup | undefined {
  const { file, defaultSite, onStep } = options
  const connection = openConnection(file)
  try {
    migrate(connection, file)
    attach(connection, copy)
    adoptSite(connection, defaultSite)
    const kept = keepAndLock(connection, options)
    onStep('locked')
    replaceContents(connection, defaultSite, (table) => onStep(`replaced ${table}`))
    connection.exec('commit')
    onStep('committed')
    return kept
  } catch (error) {
    if (connection.inTransaction) connection.exec('rollback')
    throw error
  } finally {
    connection.close()
  }
}

/** The copy is made again if anything goes wrong: it needs neither a journal on disk nor to be there after a crash. */
function attach(connection: Libsql.Database, copy: string): void {
  connection.prepare('attach database ? as copy').run(copy)
  connection.exec(
    'pragma copy.journal_mode = memory; pragma copy.synchronous = off; pragma foreign_keys = off',
  )
}

/**
 * Keeps what is there now before it takes the lock, so that no one waits for that. Whatever was answered must be in it:
 * where something was written in between, it is made again under the lock.
 */
function keepAndLock(
  connection: Libsql.Database,
  { file, keepAs, onStep }: Omit<RestoreOptions, 'source'>,
): Backup | undefined {
  const before = revisionOf(connection)
  const kept = keep(file, keepAs)
  onStep('kept')
  connection.exec('begin immediate')
  return revisionOf(connection) === before ? kept : keep(file, keepAs)
}

function keep(file: string, keepAs: string | undefined): Backup | undefined {
  if (keepAs === undefined) return undefined
  mkdirSync(dirname(keepAs), { recursive: true })
  return backupSqlite(file, keepAs)
}

function revisionOf(connection: Libsql.Database): number {
  const row = connection.prepare('select revision from main.meta').get() as { revision: number }
  return row.revision
}
