import type { StoreQuery, QueryArguments } from './query.ts'

/** One connection to a database, as the query code sees it; the same over SQLite and PostgreSQL. */
export interface Session {
  first<Args extends QueryArguments, Row>(query: StoreQuery<Args, Row>, args: Args): Promise<Row | undefined>
  all<Args extends QueryArguments, Row>(query: StoreQuery<Args, Row>, args: Args): Promise<Row[]>
  /** An id for a new row: UUIDv7, greater than all that were made before. */
  newId(): string
  /** Number of rows changed. */
  run<Args extends QueryArguments>(query: StoreQuery<Args, unknown>, args: Args): Promise<number>
}

/** What a store needs of its database: committed reads, and writes that are durable when their promise resolves. */
export interface Database {
  readonly reader: Session
  /** Differs from its last value when anything was committed since, by whichever process; must cost next to nothing. */
  changeMark(): number
  /**
   * Runs `work` alone inside a transaction and resolves with its value once that is on disk. When `work` throws, what
   * it changed is undone and its error is passed on. `work` may run a second time, so it touches the session alone.
   *
   * @throws DatabaseBusy when another process does not let go of the lock: then nothing was changed
   */
  write<Value>(work: (session: Session) => Promise<Value>): Promise<Value>
  /** The same for the server's own notes, such as results of link checks: they do not raise the revision. */
  writeAside<Value>(work: (session: Session) => Promise<Value>): Promise<Value>
  /** How often this process has raised the revision: what it rose beyond that was others' doing. */
  ownRevisions(): number
  /** @throws where what is written would be lost: the database is gone, was replaced, or may only be read */
  assertInPlace(): void
  close(): Promise<void>
}
