import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import Libsql from 'libsql'

/**
 * Copies the database `file` into `target`, as it was at one moment, even while others write to it. The copy is one
 * file without a log beside it, on disk, and for its owner only: it holds personal data and hashes of keys.
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
  flush(target)
}

/** Opens a database that is not changed; throws where there is none. */
export function openReadOnly(file: string): Libsql.Database {
  return new Libsql(`${pathToFileURL(file).href}?mode=ro`)
}

/** Resolves once what was written to a file, or to the list of a folder's files, is on disk. */
export function flush(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
