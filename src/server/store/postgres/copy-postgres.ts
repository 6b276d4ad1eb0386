import { Client, type ClientConfig } from 'pg'
import { describeDatabase } from '../../../core/database-url.ts'
import type { CopyDatabase, CopyRow, CopyValue } from '../copy/copy-database.ts'
import { missingTables, newerDatabase, olderDatabase } from '../database-errors.ts'
import { connectionOptions } from './connection-options.ts'
import { explainConnection } from './open-postgres.ts'
import { migratePostgres, POSTGRES_SCHEMA_VERSION, schemaVersionOf } from './postgres-migrations.ts'

/** Maximum time of a statement, such as the one that renews the statistics of all tables. */
const STATEMENT_MS = 600_000

/**
 * Opens a PostgreSQL database to copy from. It is not changed, and all reads see its state at this moment, whatever
 * servers write later.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER, DATABASE_MISSING, USAGE
 */
export async function openPostgresSource(db: string): Promise<CopyDatabase> {
  const options = connectionOptions(db)
  const name = describeDatabase(db)
  return connect(db, options, 'begin isolation level repeatable read read only', async () => {
    const version = await schemaVersionOf(options, name)
    if (version === 0) throw missingTables(name)
    if (version > POSTGRES_SCHEMA_VERSION) throw newerDatabase(name, version, POSTGRES_SCHEMA_VERSION)
    if (version < POSTGRES_SCHEMA_VERSION) throw olderDatabase(name, version, POSTGRES_SCHEMA_VERSION)
  })
}

/**
 * Opens a PostgreSQL database to copy to, and creates its tables.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER, USAGE
 */
export async function openPostgresTarget(db: string): Promise<CopyDatabase> {
  const options = connectionOptions(db)
  return connect(db, options, 'select 1', () => migratePostgres(options, describeDatabase(db), 'copied'))
}

async function connect(
  db: string,
  options: ClientConfig,
  first: string,
  prepare: () => Promise<unknown>,
): Promise<CopyDatabase> {
  // The source waits in its transaction while the target writes.
  const client = new Client({
    ...options,
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: 0,
  })
  // The next statement fails, too.
  client.on('error', () => undefined)
  try {
    await prepare()
    await client.connect()
    await client.query(first)
    return createCopyDatabase(client)
  } catch (error) {
    await client.end().catch(() => undefined)
    throw explainConnection(db, error)
  }
}

function createCopyDatabase(client: Client): CopyDatabase {
  const query: CopyDatabase['query'] = async (text, values = []) => {
    const { rows } = await client.query<CopyValue[]>({ text, values: [...values], rowMode: 'array' })
    return rows
  }
  const typesOf = createTypes(query)
  return {
    statements: {
      begin: 'begin',
      readRevision: 'select coalesce(max(revision), 0), coalesce(max(changes_since), 0) from sites',
      writeRevision: 'update sites set revision = $1, changes_since = $2',
    },
    query,
    hasTable: async (table) =>
      (await query('select 1 where to_regclass($1) is not null', [table])).length > 0,
    columnsOf: async (table) => [...(await typesOf(table)).keys()],
    async insert(table, columns, rows) {
      const { values, from } = unnest(columns, await typesOf(table))
      const sql = `insert into ${table} (${columns.join()}) overriding system value select ${values.join()} from ${from}`
      await client.query(sql, toArrays(columns, rows))
    },
    async update(table, columns, rows) {
      const { values, from } = unnest(columns, await typesOf(table))
      const [key, ...others] = columns.map((column, index) => `${column} = ${values[index]}`)
      const sql = `update ${table} set ${others.join()} from ${from} where ${table}.${key}`
      await client.query(sql, toArrays(columns, rows))
    },
    async settle(tables) {
      for (const [table, column] of (await query(IDENTITY_COLUMNS)) as [string, string][]) {
        if (!tables.includes(table)) continue
        // Numbers of deleted articles must not be reused while their postings exist.
        const used = table === 'article_words' ? `union all select ${column} from removed_words` : ''
        const last = `select max(${column}) as number from (select ${column} from ${table} ${used}) as used`
        const set = `select setval(pg_get_serial_sequence($1, $2), number) from (${last}) as last where number is not null`
        await query(set, [table, column])
      }
      await query(`analyze ${tables.join()}`)
    },
    close: () => client.end(),
  }
}

type ColumnTypes = ReadonlyMap<string, string>

/** Returns the types of the columns of a table, in the order of their names. Looks up each table once. */
function createTypes(query: CopyDatabase['query']): (table: string) => Promise<ColumnTypes> {
  const types = new Map<string, Promise<ColumnTypes>>()
  return (table) => {
    const known =
      types.get(table) ?? query(COLUMNS, [table]).then((rows) => new Map(rows as [string, string][]))
    types.set(table, known)
    return known
  }
}

/** Passes rows as one array for each column, so that a statement is the same for any number of them. */
function unnest(columns: readonly string[], types: ColumnTypes) {
  const typed = columns.map((column) => types.get(column) ?? 'text')
  const arrays = typed.map((type, index) => `$${index + 1}::${type === 'tsvector' ? 'text' : type}[]`)
  return {
    values: columns.map((column, index) => `new.${column}::${typed[index]}`),
    from: `unnest(${arrays.join()}) as new (${columns.join()})`,
  }
}

function toArrays(columns: readonly string[], rows: readonly CopyRow[]): (CopyValue | undefined)[][] {
  return columns.map((_, index) => rows.map((row) => row[index]))
}

const COLUMNS = `select attname::text, format_type(atttypid, atttypmod) from pg_attribute
  where attrelid = to_regclass($1) and attnum > 0 and not attisdropped order by attname`

const IDENTITY_COLUMNS = `select table_name::text, column_name::text from information_schema.columns
  where table_schema = current_schema() and is_identity = 'YES'`
