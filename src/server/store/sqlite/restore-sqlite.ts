// A restore replaces all rows in one transaction of the live database, and not the file: servers that have it open see
// the old state until the commit and the new one after it, and a process that is killed leaves the old one.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Libsql from 'libsql'
import { KbError, reasonOf } from '../../../errors/kb-error.ts'
import { type Backup, backupSqlite } from './backup-sqlite.ts'
import { checkDatabase, unusableBackup } from './check-database.ts'
import { copyDatabase } from './copy-database.ts'
import { migrate } from './migrate.ts'
import { openConnection } from './open-sqlite.ts'
import { replaceContents } from './replace-contents.ts'
import { sweepWork, workFolderPrefix } from './restore-work.ts'

export interface RestoreOptions {
  /** The live database; made where there is none. */
  readonly file: string
  /** The backup to be restored. */
  readonly source: string
  /** Where what is there now is kept first; undefined where nothing is. */
  readonly keepAs: string | undefined
  /** Name of the site whose id stays. */
  readonly defaultSite: string
}

/**
 * Replaces everything in the database `file` by what a backup holds. Writes of other processes wait meanwhile.
 *
 * @returns the backup of what was there, if anything was
 * @throws KbError BACKUP_UNUSABLE, BACKUP_UNWRITABLE, DATABASE_NEWER, DATABASE_UNUSABLE: then nothing was changed
 */
export function restoreSqlite({ file, source, keepAs, defaultSite }: RestoreOptions): Backup | undefined {
  checkDatabase(source, 'full')
  let work: string | undefined
  try {
    mkdirSync(dirname(file), { recursive: true })
    sweepWork(file)
    work = mkdtempSync(workFolderPrefix(file))
    const copy = join(work, 'copy.db')
    prepareCopy(source, copy)
    return replace(file, copy, keepAs, defaultSite)
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

function replace(
  file: string,
  copy: string,
  keepAs: string | undefined,
  defaultSite: string,
): Backup | undefined {
  const connection = openConnection(file)
  try {
    migrate(connection, file)
    connection.exec('pragma foreign_keys = off')
    connection.prepare('attach database ? as copy').run(copy)
    connection.exec('begin immediate')
    // Under the write lock: whatever was answered before it is in the backup.
    const kept = keepAs === undefined ? undefined : keep(file, keepAs)
    replaceContents(connection, defaultSite)
    connection.exec('commit')
    return kept
  } catch (error) {
    if (connection.inTransaction) connection.exec('rollback')
    throw error
  } finally {
    connection.close()
  }
}

function keep(file: string, keepAs: string): Backup {
  mkdirSync(dirname(keepAs), { recursive: true })
  return backupSqlite(file, keepAs)
}

function failed(file: string, cause: unknown): KbError {
  return new KbError(
    'DATABASE_UNUSABLE',
    `The database ${file} could not be restored: ${reasonOf(cause)}. It was left as it is.`,
    {
      hint: 'Check that it can be written, that there is room, and that no other restore is running.',
      cause,
    },
  )
}
