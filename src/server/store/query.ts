// Queries are written with kysely's builder, for either database, and compiled once, with placeholders for the
// arguments: building and compiling takes longer than SQLite needs to run one.
import type { Compilable, Kysely } from 'kysely'
import type { Tables } from './tables.ts'

type SqlValue = string | number | Uint8Array | null

export type QueryArguments = Readonly<Record<string, SqlValue>>

/** An article, a category or a tag of a site. */
export type ItemKey = { readonly siteId: string; readonly id: string }

/** SQL that differs between the databases and that kysely does not cover. */
export interface SqlDialect {
  /** The function that returns a row for each element of a JSON array, in its column `value`. */
  readonly jsonElements: 'json_each' | 'json_array_elements'
  /** The function that indexes apply to long texts; undefined if they contain the texts themselves. */
  readonly textKey?: 'kb_digest'
}

/** A query to compile: `args` has a placeholder for each argument of a call. */
export type StoreQuery<Args extends QueryArguments, Row> = (
  db: Kysely<Tables>,
  args: Args,
  dialect: SqlDialect,
) => Compilable<Row>

export type CompiledQuery = ReturnType<typeof compileQuery>

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const PLACEHOLDERS: unknown = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })

/** Returns its argument, for type inference. */
export function defineQuery<Args extends QueryArguments, Row = unknown>(
  build: StoreQuery<Args, Row>,
): StoreQuery<Args, Row> {
  return build
}

/** Picks columns from a row of placeholders, a proxy without keys. */
export function pickColumns<Row, Name extends keyof Row>(row: Row, names: readonly Name[]): Pick<Row, Name> {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>
}

/** Numbers of rows in a statement. PostgreSQL prepares one for each of these sizes. */
const INSERT_SIZES = [64, 32, 16, 8, 4, 2, 1]

/** Inserts any number of rows into a table, with as few statements as possible. */
export function defineInsert<Row extends QueryArguments>(
  table: keyof Tables,
  columns: readonly (keyof Row & string)[],
): (session: Session, rows: readonly Row[]) => Promise<void> {
  // Numbers as names: hundreds of others would be slow to bind.
  const queries = INSERT_SIZES.map((size) => ({
    size,
    insert: defineQuery((db, values: QueryArguments) =>
      db
        .insertInto(table)
        .values(
          Array.from({ length: size }, (_, index) =>
            Object.fromEntries(
              columns.map((column, position) => [column, values[index * columns.length + position]]),
            ),
          ) as never,
        ),
    ),
  }))
  return async (session, rows) => {
    const running: Promise<void>[] = []
    let start = 0
    for (const { size, insert } of queries) {
      for (; rows.length - start >= size; start += size) {
        const values: Record<string, SqlValue> = {}
        let count = 0
        for (const row of rows.slice(start, start + size))
          for (const column of columns) values[count++] = row[column] as SqlValue
        running.push(session.send(insert, values))
      }
    }
    await Promise.all(running)
  }
}

export function compileQuery(db: Kysely<Tables>, query: StoreQuery<never, unknown>, dialect: SqlDialect) {
  const { sql, parameters } = query(db, PLACEHOLDERS as never, dialect).compile()
  return {
    sql,
    /** Returns the values of a call, in the order of the placeholders. */
    bind: (args: QueryArguments) => parameters.map((value) => valueOf(value, args)),
  }
}

function valueOf(parameter: unknown, args: QueryArguments): SqlValue {
  const value = parameter instanceof Placeholder ? args[parameter.name] : parameter
  // The native driver aborts the process for any other type.
  const isText = typeof value === 'string' || typeof value === 'number'
  if (isText || value === null || value instanceof Uint8Array) return value
  throw new TypeError(`A query argument must be a string, a number, bytes or null, not ${typeof value}`)
}

/**
 * A database connection for queries, identical for SQLite and PostgreSQL. Statements run in the order of their calls,
 * and a call need not wait for the previous one: on PostgreSQL, waiting costs a round trip.
 */
export interface Session {
  first<Args extends QueryArguments, Row>(query: StoreQuery<Args, Row>, args: Args): Promise<Row | undefined>
  all<Args extends QueryArguments, Row>(query: StoreQuery<Args, Row>, args: Args): Promise<Row[]>
  /** An id for a new row: UUIDv7, greater than all previous ones. */
  newId(): string
  /** Number of rows changed. */
  run<Args extends QueryArguments>(query: StoreQuery<Args, unknown>, args: Args): Promise<number>
  /**
   * Changes rows without waiting if that costs a round trip, for statements whose result decides nothing. If one fails,
   * so does its transaction.
   */
  send<Args extends QueryArguments>(query: StoreQuery<Args, unknown>, args: Args): Promise<void>
}

/** The scope of a write that may change any site, or the list of sites. */
export const ALL_SITES = Symbol('all sites')

/** The scope of a write that no other one depends on, so that it waits for none. */
export const NO_SITE = Symbol('no site')

/** The id of the only site whose rows a write reads and changes; or all sites, or none. */
export type WriteScope = string | typeof ALL_SITES | typeof NO_SITE

/** Writes several items of a site. Returns a value for each, as if they were written one after another. */
export type ItemsWork<Item, Value> = (
  session: Session,
  siteId: string,
  items: readonly Item[],
) => Promise<readonly Value[]>

/** The database of a store: committed reads, and writes that are durable when their promise resolves. */
export interface Database {
  readonly reader: Session
  readonly schemaVersion: number
  /** Changes after any commit, and soon after a commit of another process. Must cost almost nothing. */
  changeMark(): number
  /** The same, but has certainly changed once any process has acknowledged a write; undefined if that needs a query. */
  exactMark(): number | undefined
  /** Increases with every transaction that changes a site, except those without revision. */
  revision(siteId: string): Promise<number>
  /** The revision up to which deletions of articles are no longer known. */
  changesSince(siteId: string): Promise<number>
  /**
   * Runs `work` in a transaction and resolves with its value once it is on disk. Writes of one site run one after
   * another, in any process, so that `work` may read, decide and write. If it throws, its changes are rolled back and
   * the error is passed on. `work` may run twice, so it must have no other effects.
   *
   * @throws DatabaseBusy if another process holds the lock, DatabaseUnavailable
   */
  write<Value>(scope: WriteScope, work: (session: Session) => Promise<Value>): Promise<Value>
  /** Like `write`, for one item. Items that wait together may reach `work` together. */
  writeItem<Item, Value>(siteId: string, work: ItemsWork<Item, Value>, item: Item): Promise<Value>
  /** Like `write`, for the server's own data, such as results of link checks. Does not raise the revision. */
  writeWithoutRevision<Value>(scope: WriteScope, work: (session: Session) => Promise<Value>): Promise<Value>
  /** Number of times that this process has raised the revision. Any further increase is from other processes. */
  ownRevisions(): number
  /** Writes without making a change. @throws if a write would fail, or be lost */
  assertWritable(): Promise<void>
  close(): Promise<void>
}

// Writes that wait together share a transaction, on either database.

export interface GroupedWrite {
  /** Must change only the session: it is repeated if its group is rolled back. */
  readonly run: (session: Session, items: readonly unknown[]) => Promise<readonly unknown[]>
  readonly item: unknown
  /** Consecutive writes of the same kind and site run together. */
  readonly kind: unknown
  readonly siteId: string | undefined
  /** True if its changes raise the revision. */
  readonly raisesRevision: boolean
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** A write that waits for its group. */
export type NewWrite = Omit<GroupedWrite, 'resolve' | 'reject'>

export function singleWrite(
  work: (session: Session) => Promise<unknown>,
  { raisesRevision }: Pick<GroupedWrite, 'raisesRevision'>,
): NewWrite {
  const run = async (session: Session) => [await work(session)]
  return { run, item: undefined, kind: run, siteId: undefined, raisesRevision }
}

export function itemWrite<Item, Value>(siteId: string, work: ItemsWork<Item, Value>, item: Item): NewWrite {
  const run: GroupedWrite['run'] = (session, items) => work(session, siteId, items as readonly Item[])
  return { run, item, kind: work, siteId, raisesRevision: true }
}

/** Runs the writes of a transaction. Returns their values, and whether the revision rises. */
export async function runWrites(
  session: Session & { readonly changedRows: () => number },
  group: readonly GroupedWrite[],
): Promise<{ readonly values: readonly unknown[]; readonly isChange: boolean }> {
  const values: unknown[] = []
  let isChange = false
  for (const writes of groupByKind(group)) {
    const [{ run, raisesRevision }] = writes
    const before = session.changedRows()
    const items = writes.map(({ item }) => item)
    values.push(...(await run(session, items)))
    isChange ||= raisesRevision && session.changedRows() > before
  }
  return { values, isChange }
}

function groupByKind(group: readonly GroupedWrite[]): [GroupedWrite, ...GroupedWrite[]][] {
  const lists: [GroupedWrite, ...GroupedWrite[]][] = []
  for (const write of group) {
    const last = lists.at(-1)
    const isAlike = last !== undefined && last[0].kind === write.kind && last[0].siteId === write.siteId
    if (isAlike) last.push(write)
    else lists.push([write])
  }
  return lists
}
