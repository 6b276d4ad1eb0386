import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import Libsql from 'libsql'

/** A connection that closes locks the database while its log is folded into the file. */
const LOCKED_MS = 2000

/**
 * The change counter of a SQLite database, or undefined where there is no such file or it cannot be read. It rises
 * with every transaction that changed anything, whichever process made it.
 *
 * Loads nothing but the driver: a sync that has nothing to do asks this and no more.
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
    // Whatever is wrong with the file is reported by the one who opens it next.
    return undefined
  }
}
