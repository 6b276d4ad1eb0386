// A restore replaces all rows in one transaction of the live database, and not the file: servers that have it open see
// the old state until the commit and the new one after it, and a process that is killed leaves the old one.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Libsql from 'libsql'
import { KbError, reasonOf } from '../../../core/errors/kb-error.ts'
import type { Backup } from './backup-sqlite.ts'
import { checkDatabase, unusableBackup } from './check-database.ts'
import { copyDatabase } from './copy-database.ts'
import { migrate } from './migrate.ts'
import { replaceDatabase } from './replace-database.ts'
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
    `The database ${file} could not be restored: ${reasonOf(cause)}. It was left as it is.`,
    {
      hint: 'Check that it can be written, that there is room, and that no other restore is running.',
      cause,
    },
  )
}
