import { setImmediate as turn } from 'node:timers/promises'
import type Libsql from 'libsql'
import { assertOpen } from './assert-open.ts'
import { createIdSource } from '../id-source.ts'
import type { PreparedQuery, SqlValue } from '../prepared-query.ts'
import type { Session } from '../session.ts'

type Arguments = Readonly<Record<string, SqlValue>>
type Statement = Libsql.Statement
type Query = PreparedQuery<never, unknown>

export interface SqliteSession extends Session {
  /** Rows changed since the session was made; tells a transaction whether it has anything to commit. */
  changedRows(): number
  /** From now on, the event loop turns after a statement whenever it has not done so for a while. */
  beginSlices(): void
  /** Lets the event loop turn if it has not done so for a while. */
  endSlice(): Promise<void>
}

/** How long statements may run before the event loop turns: an article may have thousands of links, a row for each. */
const SLICE_MS = 20

/** A session on an open SQLite connection; statements are prepared once and kept. */
export function createSqliteSession(connection: Libsql.Database): SqliteSession {
  // One for each way of asking: libsql answers a `get` after an `all` of the same statement with the arguments of the
  // latter.
  const statements = {
    first: new Map<Query, Statement>(),
    all: new Map<Query, Statement>(),
    run: new Map<Query, Statement>(),
  }
  let changed = 0
  let sliceEndMs = Number.POSITIVE_INFINITY

  function statementOf<Args extends Arguments, Row>(
    query: PreparedQuery<Args, Row>,
    way: keyof typeof statements,
  ): Statement {
    assertOpen(connection)
    let statement = statements[way].get(query)
    if (statement === undefined) {
      statement = connection.prepare(query.sql())
      statements[way].set(query, statement)
    }
    return statement
  }

  function beginSlices(): void {
    sliceEndMs = performance.now() + SLICE_MS
  }

  async function endSlice(): Promise<void> {
    await turn()
    beginSlices()
  }

  return {
    changedRows: () => changed,
    beginSlices,
    endSlice: async () => {
      if (performance.now() > sliceEndMs) await endSlice()
    },
    newId: createIdSource(),
    async first<Args extends Arguments, Row>(query: PreparedQuery<Args, Row>, args: Args) {
      return statementOf(query, 'first').get(query.bind(args)) as Row | undefined
    },
    async all<Args extends Arguments, Row>(query: PreparedQuery<Args, Row>, args: Args) {
      return statementOf(query, 'all').all(query.bind(args)) as Row[]
    },
    async run<Args extends Arguments>(query: PreparedQuery<Args, unknown>, args: Args) {
      const { changes } = statementOf(query, 'run').run(query.bind(args))
      changed += changes
      if (performance.now() > sliceEndMs) await endSlice()
      return changes
    },
  }
}
