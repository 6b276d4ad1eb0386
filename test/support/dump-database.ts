import { pathToFileURL } from 'node:url'
import Libsql from 'libsql'

/** All rows of a SQLite database by table, in the order of their text; the revision aside, which rises with all else. */
export function dumpDatabase(file: string): Record<string, readonly string[]> {
  const connection = new Libsql(`${pathToFileURL(file).href}?mode=ro`)
  try {
    const tables = connection
      .prepare("select name from sqlite_master where type = 'table' and name <> 'meta' order by name")
      .all() as { name: string }[]
    return Object.fromEntries(
      tables.map(({ name }) => {
        const rows = connection.prepare(`select * from "${name}"`).all()
        return [name, rows.map((row) => JSON.stringify(row)).toSorted()]
      }),
    )
  } finally {
    connection.close()
  }
}
