import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import Libsql from 'libsql'
import { KbError, reasonOf } from '../../../core/errors/kb-error.ts'
import { MIGRATIONS } from './migrations.ts'
import { assertDatabase } from './open-sqlite.ts'

/**
 * Checks that `file` is a complete database of kb-sync, and not newer than this program.
 *
 * @param depth `full` also compares indexes with their tables
 * @throws KbError BACKUP_UNUSABLE, DATABASE_NEWER
 */
export function checkDatabase(file: string, depth: 'quick' | 'full'): DatabaseContents {
  let connection: Libsql.Database | undefined
  try {
    assertDatabase(file)
    connection = openReadOnly(file)
    assertOurs(connection, file)
    assertWhole(connection, depth)
    return countContents(rowCounter(connection))
  } catch (error) {
    throw error instanceof KbError ? error : unusableBackup(file, reasonOf(error), error)
  } finally {
    connection?.close()
  }
}

export function unusableBackup(file: string, reason: string, cause?: unknown): KbError {
  return new KbError(
    'BACKUP_UNUSABLE',
    `The backup ${file} cannot be used: ${reason}. Nothing was changed.`,
    { hint: 'Use a file that kb admin backup has written.', cause },
  )
}

function assertOurs(connection: Libsql.Database, file: string): void {
  const { user_version: version } = connection.prepare('pragma user_version').get() as {
    user_version: number
  }
  const names = connection.prepare("select name from sqlite_master where type = 'table'").all()
  const ours = new Set((names as { name: string }[]).map(({ name }) => name))
  if (version === 0 || !ours.has('meta') || !ours.has('sites'))
    throw unusableBackup(file, 'it is the database of another program')
  if (version <= MIGRATIONS.length) return
  throw new KbError(
    'DATABASE_NEWER',
    `The backup ${file} has schema version ${version}; this program knows up to ${MIGRATIONS.length}. Nothing was changed.`,
    { hint: 'Install the newest kb-sync.' },
  )
}

/** @throws if a page, an index or a reference is corrupt */
export function assertWhole(connection: Libsql.Database, depth: 'quick' | 'full'): void {
  const pragma = depth === 'full' ? 'integrity_check' : 'quick_check'
  const rows = connection.prepare(`pragma ${pragma}(1)`).all() as Readonly<Record<string, string>>[]
  if (rows[0]?.[pragma] !== 'ok') throw new Error(rows[0]?.[pragma] ?? 'it could not be checked')
  const dangling = connection.prepare('pragma foreign_key_check').all() as { table: string }[]
  if (dangling[0] !== undefined) throw new Error(`rows of ${dangling[0].table} refer to missing rows`)
}

/**
 * Copies the database `file` into `target`, as a consistent snapshot, even while others write to it. The copy is one
 * file without a log, flushed to disk. Only its owner can read it, since it contains personal data and hashes of keys.
 */
export function copyDatabase(file: string, target: string): void {
  rmSync(target, { force: true })
  closeSync(openSync(target, 'wx', 0o600))
  const connection = openReadOnly(file)
  try {
    connection.prepare('vacuum into ?').run(target)
  } finally {
    connection.close()
  }
  flushToDisk(target)
}

/** Opens an existing database without changing it; throws if there is none. */
export function openReadOnly(file: string): Libsql.Database {
  return new Libsql(`${pathToFileURL(file).href}?mode=ro`)
}

/** Returns once writes to a file, or to a folder's list of files, are on disk. */
export function flushToDisk(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** The size of a database's contents. */
export type DatabaseContents = ReturnType<typeof countContents>

/** @param count the number of rows of a table, which every schema version has */
export function countContents(count: (table: string) => number) {
  return {
    sites: count('sites'),
    users: count('users'),
    keys: count('api_keys'),
    categories: count('categories'),
    tags: count('tags'),
    articles: count('articles'),
  }
}

function rowCounter(connection: Libsql.Database) {
  return (table: string) =>
    (connection.prepare(`select count(*) as n from ${table}`).get() as { n: number }).n
}
