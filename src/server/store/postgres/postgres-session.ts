import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Pool, PoolClient, QueryResultRow } from 'pg'
import {
  compileQuery,
  type CompiledQuery,
  type QueryArguments,
  type Session,
  type SqlDialect,
  type StoreQuery,
} from '../query.ts'
import type { Tables } from '../tables.ts'
import { toStoreError } from './to-store-error.ts'

interface NamedQuery extends CompiledQuery {
  /** Each connection prepares the statement of a name once. */
  readonly name: string
}

/** Returns the statement of a query, compiled once for all connections. */
export type Statements = (query: StoreQuery<never, unknown>) => NamedQuery

/** kysely creates the SQL, which sessions execute, so that it is compiled only once. */
const POSTGRES_BUILDER = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

const DIALECT: SqlDialect = { jsonElements: 'json_array_elements', textKey: 'kb_digest' }

export function createStatements(): Statements {
  const known = new Map<StoreQuery<never, unknown>, NamedQuery>()
  return (query) => {
    let named = known.get(query)
    if (named === undefined) {
      const compiled = compileQuery(POSTGRES_BUILDER, query, DIALECT)
      named = { ...compiled, name: `kb${known.size}` }
      known.set(query, named)
    }
    return named
  }
}

export interface PostgresSession extends Session {
  /** Number of rows changed by the session, so that a transaction knows whether it changed any. */
  changedRows(): number
  /** Resolves when everything that was sent is executed. @throws the error of the first that failed */
  sent(): Promise<unknown>
}

/** Creates a session on a connection, or on a pool for single reads. Throws errors of the store. */
export function createPostgresSession(
  connection: Pool | PoolClient,
  statements: Statements,
  newId: () => string,
): PostgresSession {
  let changed = 0
  const sent: Promise<void>[] = []

  async function query<Args extends QueryArguments, Row>(asked: StoreQuery<Args, Row>, args: Args) {
    const { name, sql, bind } = statements(asked)
    const values = bind(args).map(withoutNul)
    try {
      return await connection.query<Row & QueryResultRow>({ name, text: sql, values })
    } catch (error) {
      throw toStoreError(error)
    }
  }

  return {
    changedRows: () => changed,
    newId,
    first: async (asked, args) => (await query(asked, args)).rows[0],
    all: async (asked, args) => (await query(asked, args)).rows,
    async run(asked, args) {
      const { rowCount } = await query(asked, args)
      changed += rowCount ?? 0
      return rowCount ?? 0
    },
    async send(asked, args) {
      // Known later are only further rows: while the next write counts its own, the number must not decrease.
      changed++
      const running = query(asked, args).then(({ rowCount }) => void (changed += (rowCount || 1) - 1))
      // `sent` throws its error.
      running.catch(() => undefined)
      sent.push(running)
    },
    sent: () => Promise.all(sent),
  }
}

/**
 * PostgreSQL rejects U+0000 in an argument. Requests that would store it are rejected earlier, so it occurs only in a
 * text to look up, which then finds nothing.
 */
function withoutNul<Value>(value: Value): Value | string {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{fffd}') : value
}
