import type Libsql from 'libsql'
import { KbError } from '../../../core/errors/kb-error.ts'
import type { CopyDatabase, CopyRow, CopyValue } from '../copy/copy-database.ts'
import { olderDatabase } from '../database-errors.ts'
import { openReadOnly } from './check-database.ts'
import { inspectDatabase } from './inspect-database.ts'
import { assertNoCopy, migrate, MIGRATIONS } from './migrations.ts'
import { openConnection, unusable } from './open-sqlite.ts'

/**
 * Opens a SQLite file to copy from. It is not changed, and all reads see its state at this moment, whatever servers
 * write later.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER
 */
export async function openSqliteSource(file: string): Promise<CopyDatabase> {
  inspectDatabase(file)
  return open(file, openReadOnly, (connection) => {
    assertNoCopy(connection, file)
    const { user_version: version } = connection.prepare('pragma user_version').get() as {
      user_version: number
    }
    if (version < MIGRATIONS.length) throw olderDatabase(file, version, MIGRATIONS.length)
    connection.exec('begin; select revision from meta')
  })
}

/**
 * Opens a SQLite file to copy to, and creates it if it is missing.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER
 */
export async function openSqliteTarget(file: string): Promise<CopyDatabase> {
  return open(file, openConnection, (connection) => migrate(connection, file, 'copied'))
}

function open(
  file: string,
  connect: (file: string) => Libsql.Database,
  prepare: (connection: Libsql.Database) => void,
): CopyDatabase {
  let connection: Libsql.Database | undefined
  try {
    connection = connect(file)
    prepare(connection)
    return createCopyDatabase(connection)
  } catch (error) {
    connection?.close()
    throw error instanceof KbError ? error : unusable(file, error)
  }
}

function createCopyDatabase(connection: Libsql.Database): CopyDatabase {
  const prepared = new Map<string, Libsql.Statement>()
  function run(sql: string, values: readonly CopyValue[] = []): readonly CopyRow[] {
    const known = prepared.get(sql) ?? connection.prepare(sql.replaceAll('$', '?'))
    prepared.set(sql, known)
    if (known.reader) return known.raw(true).all(values) as CopyRow[]
    known.run(values)
    return []
  }
  const named = (columns: readonly string[], from = 1) =>
    columns.map((column, index) => `${column} = $${index + from}`)
  return {
    statements: {
      begin: 'begin immediate',
      readRevision: 'select revision, changes_since from meta',
      writeRevision: 'update meta set revision = $1, changes_since = $2',
    },
    query: async (sql, values) => run(sql, values),
    hasTable: async (table) => run('select 1 from sqlite_master where name = $1', [table]).length > 0,
    columnsOf: async (table) =>
      run('select name from pragma_table_info($1) order by name', [table]).map(([name]) => String(name)),
    async insert(table, columns, rows) {
      const sql = `insert into ${table} (${columns.join()}) values (${columns.map((_, index) => `$${index + 1}`).join()})`
      for (const row of rows) run(sql, row)
    },
    async update(table, columns, rows) {
      const [key = '', ...others] = columns
      const sql = `update ${table} set ${named(others, 2).join()} where ${named([key]).join()}`
      for (const row of rows) run(sql, row)
    },
    // The next row numbers are derived from the rows, and queries determine their indexes by their order.
    settle: async () => undefined,
    async close() {
      connection.close()
    },
  }
}
