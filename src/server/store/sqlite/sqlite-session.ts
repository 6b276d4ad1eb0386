import { setImmediate as turn } from 'node:timers/promises'
import type Libsql from 'libsql'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { createIdSource } from '../id-source.ts'
import {
  compileQuery,
  type CompiledQuery,
  type StoreQuery,
  type QueryArguments,
  type Session,
  type SqlDialect,
} from '../query.ts'
import type { Tables } from '../tables.ts'

type AnyQuery = StoreQuery<never, unknown>

export interface SqliteSession extends Session {
  /** Number of rows changed by the session, so that a transaction knows whether to commit. */
  changedRows(): number
  /** From now on, statements yield to the event loop at intervals. */
  beginSlices(): void
  /** Yields to the event loop if the last time was some time ago. */
  endSlice(): Promise<void>
}

interface PreparedQuery extends CompiledQuery {
  readonly statement: Libsql.Statement
}

/**
 * Maximum time of statements before they yield to the event loop. An article may have thousands of links, each a row.
 */
const SLICE_MS = 20

/** kysely creates the SQL, which sessions execute, so that a statement is prepared only once. */
export const SQLITE_BUILDER = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

const DIALECT: SqlDialect = { jsonElements: 'json_each' }

/** Creates a session on an open SQLite connection. It caches prepared statements. */
export function createSqliteSession(connection: Libsql.Database): SqliteSession {
  // One for each method: after `all`, libsql runs `get` of the same statement with the arguments of `all`.
  const prepared = {
    first: new Map<AnyQuery, PreparedQuery>(),
    all: new Map<AnyQuery, PreparedQuery>(),
    run: new Map<AnyQuery, PreparedQuery>(),
  }
  let changed = 0
  let sliceEndMs = Number.POSITIVE_INFINITY

  function prepare<Args extends QueryArguments>(
    query: StoreQuery<Args, unknown>,
    way: keyof typeof prepared,
  ) {
    assertOpen(connection)
    let known = prepared[way].get(query)
    if (known === undefined) {
      const compiled = compileQuery(SQLITE_BUILDER, query, DIALECT)
      known = { ...compiled, statement: connection.prepare(compiled.sql) }
      prepared[way].set(query, known)
    }
    return known
  }

  function beginSlices(): void {
    sliceEndMs = performance.now() + SLICE_MS
  }

  async function endSlice(): Promise<void> {
    await turn()
    beginSlices()
  }

  async function run<Args extends QueryArguments>(query: StoreQuery<Args, unknown>, args: Args) {
    const { statement, bind } = prepare(query, 'run')
    const { changes } = statement.run(bind(args))
    changed += changes
    if (performance.now() > sliceEndMs) await endSlice()
    return changes
  }

  return {
    changedRows: () => changed,
    beginSlices,
    endSlice: async () => {
      if (performance.now() > sliceEndMs) await endSlice()
    },
    newId: createIdSource(),
    async first<Args extends QueryArguments, Row>(query: StoreQuery<Args, Row>, args: Args) {
      const { statement, bind } = prepare(query, 'first')
      return statement.get(bind(args)) as Row | undefined
    },
    async all<Args extends QueryArguments, Row>(query: StoreQuery<Args, Row>, args: Args) {
      const { statement, bind } = prepare(query, 'all')
      return statement.all(bind(args)) as Row[]
    },
    run,
    send: async (query, args) => void (await run(query, args)),
  }
}

/** Throws if `connection` is closed: the native driver would abort the whole process. */
export function assertOpen(connection: Libsql.Database): void {
  if (!connection.open) throw new Error('The database is closed')
}
