import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import Libsql from 'libsql'

/** A closing connection locks the database during its checkpoint. */
const LOCKED_MS = 2000

/**
 * Returns the revision of a SQLite database; undefined if the file is missing or unreadable. Every transaction of any
 * process that changes something increments it.
 * Loads only the driver, since a sync without changes needs nothing else.
 */
export function readRevision(dbFile: string): number | undefined {
  if (!existsSync(dbFile)) return undefined
  try {
    const connection = new Libsql(`${pathToFileURL(dbFile).href}?mode=ro`)
    try {
      connection.exec(`pragma busy_timeout = ${LOCKED_MS}`)
      const row = connection.prepare('select revision from meta').get() as { revision: number } | undefined
      return row?.revision
    } finally {
      connection.close()
    }
  } catch {
    // Opening the file later reports the problem.
    return undefined
  }
}
