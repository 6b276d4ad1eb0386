import type Libsql from 'libsql'
import { assertOpen } from './assert-open.ts'
import type { PreparedQuery, SqlValue } from '../prepared-query.ts'
import type { Session } from '../session.ts'

type Arguments = Readonly<Record<string, SqlValue>>
type Statement = Libsql.Statement

export interface SqliteSession extends Session {
  /** Rows changed since the session was made; tells a transaction whether it has anything to commit. */
  changedRows(): number
}

/** A session on an open SQLite connection; statements are prepared once and kept. */
export function createSqliteSession(connection: Libsql.Database): SqliteSession {
  const statements = new Map<PreparedQuery<never, unknown>, Statement>()
  let changed = 0

  function statementOf<Args extends Arguments, Row>(query: PreparedQuery<Args, Row>): Statement {
    assertOpen(connection)
    let statement = statements.get(query)
    if (statement === undefined) {
      statement = connection.prepare(query.sql())
      statements.set(query, statement)
    }
    return statement
  }

  return {
    changedRows: () => changed,
    async first<Args extends Arguments, Row>(query: PreparedQuery<Args, Row>, args: Args) {
      return statementOf(query).get(query.bind(args)) as Row | undefined
    },
    async all<Args extends Arguments, Row>(query: PreparedQuery<Args, Row>, args: Args) {
      return statementOf(query).all(query.bind(args)) as Row[]
    },
    async run<Args extends Arguments>(query: PreparedQuery<Args, unknown>, args: Args) {
      const { changes } = statementOf(query).run(query.bind(args))
      changed += changes
      return changes
    },
  }
}
