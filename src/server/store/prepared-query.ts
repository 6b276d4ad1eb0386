// Queries are written once with kysely's builder and compiled once per store: building and compiling one at every
// call costs more than SQLite needs to run it. Placeholders stand where the arguments of a call will go.
import type { Compilable } from 'kysely'

export type SqlValue = string | number | null

type Arguments = Readonly<Record<string, SqlValue>>

export interface PreparedQuery<Args extends Arguments, Row> {
  readonly sql: () => string
  /** The values of one call, in the order in which the SQL wants them. */
  readonly bind: (args: Args) => SqlValue[]
  /** Only carries the type of a result row. */
  readonly row?: Row
}

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * Prepares a query: `build` receives an object whose members stand for the later arguments.
 *
 * Compiled at first use, so that opening a store does not pay for queries it never runs.
 */
export function prepareQuery<Args extends Arguments, Row = unknown>(
  build: (args: Args) => Compilable<Row>,
): PreparedQuery<Args, Row> {
  let compiled: { sql: string; parameters: readonly unknown[] } | undefined
  const compile = () => (compiled ??= build(placeholders as Args).compile())
  return {
    sql: () => compile().sql,
    bind: (args) => compile().parameters.map((value) => valueOf(value, args)),
  }
}

const placeholders: unknown = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })

function valueOf(parameter: unknown, args: Arguments): SqlValue {
  const value = parameter instanceof Placeholder ? args[parameter.name] : parameter
  // The native driver aborts the whole process when it is handed anything else.
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value
  throw new TypeError(`A query argument must be a string, a number or null, not ${typeof value}`)
}
