import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type Libsql from 'libsql'
import { type Backup, backupSqlite } from './backup-sqlite.ts'
import { openConnection } from './open-sqlite.ts'
import { migrate } from './migrate.ts'
import { adoptSite, replaceContents } from './replace-contents.ts'
import type { RestoreOptions } from './restore-options.ts'

/**
 * Puts what is in the database `copy`, which is changed and left over, in the place of what is in the live one.
 *
 * @returns the backup of what was there, if any was asked for
 */
export function replaceDatabase(options: Omit<RestoreOptions, 'source'>, copy: string): Backup | undefined {
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
 * Keeps what is there now before it takes the lock, so that nobody waits for that. Whatever was answered must be in it:
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
