import Libsql from 'libsql'
import { setTimeout as sleep } from 'node:timers/promises'
import { readText } from '../rows/server-requests.mjs'

/** Whoever has to send it must have broken. */
const LONGEST_MS = 30_000

/**
 * Waits until an article has a text in it, as a reader of the server at `url` gets it. The server is asked only when its
 * database was written to: what is measured shares this machine, and must not be slowed by the looking.
 */
export function createReadableCheck(url, databaseFile) {
  const database = new Libsql(databaseFile)
  const statement = database.prepare('pragma data_version')
  const version = () => statement.get().data_version
  return {
    async untilReadable(id, text) {
      const deadline = performance.now() + LONGEST_MS
      for (let seen = version(); ; seen = version()) {
        const body = await readText(url, `/api/v2/articles/${id}`)
        if (body.includes(text)) return
        while (version() === seen) {
          if (performance.now() > deadline)
            throw new Error(`${text} was not to be read within ${LONGEST_MS} ms`)
          await sleep(1)
        }
      }
    },
    close: () => database.close(),
  }
}
