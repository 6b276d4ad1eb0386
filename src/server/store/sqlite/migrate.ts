import type Libsql from 'libsql'
import { KbError } from '../../../core/errors/kb-error.ts'
import { MIGRATIONS } from './migrations.ts'

/**
 * Brings the schema up to date. Several processes may do so at once: the steps run under the write lock, and the one that
 * comes second finds them taken.
 *
 * @throws KbError DATABASE_NEWER when the schema is ahead of this program; DATABASE_UNUSABLE when the file is the
 * database of another program
 */
export function migrate(connection: Libsql.Database, file: string): void {
  if (versionOf(connection) === MIGRATIONS.length) return
  connection.exec('begin immediate')
  try {
    const version = versionOf(connection)
    if (version > MIGRATIONS.length) throw newerDatabase(file, version)
    if (version === 0 && holdsTables(connection)) throw foreignDatabase(file)
    for (const step of MIGRATIONS.slice(version)) connection.exec(step)
    connection.exec(`pragma user_version = ${MIGRATIONS.length}`)
    connection.exec('commit')
  } catch (error) {
    if (connection.inTransaction) connection.exec('rollback')
    throw error
  }
}

function versionOf(connection: Libsql.Database): number {
  const row = connection.prepare('pragma user_version').get() as { user_version: number }
  return row.user_version
}

function holdsTables(connection: Libsql.Database): boolean {
  return connection.prepare('select 1 from sqlite_master limit 1').get() !== undefined
}

function newerDatabase(file: string, version: number): KbError {
  return new KbError(
    'DATABASE_NEWER',
    `The database ${file} has schema version ${version}; this program knows up to ${MIGRATIONS.length}. Nothing was changed.`,
    { hint: 'Install the newest kb-sync, or name another database.' },
  )
}

function foreignDatabase(file: string): KbError {
  return new KbError(
    'DATABASE_UNUSABLE',
    `The database ${file} contains the tables of another program. Nothing was changed.`,
    { hint: 'Use a new file, or one that kb-sync created.' },
  )
}
