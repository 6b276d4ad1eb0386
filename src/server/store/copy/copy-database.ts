export type CopyValue = string | number | Uint8Array | null

/** The values of the requested columns, in their order. */
export type CopyRow = readonly CopyValue[]

/** One of the two databases of a copy, on its own connection. Covers all that differs between SQLite and PostgreSQL. */
export interface CopyDatabase {
  readonly statements: {
    /** Begins a transaction of writes. */
    readonly begin: string
    /** Returns one row: the highest revision, and the revision up to which deletions are no longer known. */
    readonly readRevision: string
    /** Stores both (its arguments) for all sites. */
    readonly writeRevision: string
  }
  /** Runs a statement, whose placeholders are $1, $2, …, each used once. */
  query(sql: string, values?: readonly CopyValue[]): Promise<readonly CopyRow[]>
  hasTable(table: string): Promise<boolean>
  /** Names of the columns, sorted. */
  columnsOf(table: string): Promise<readonly string[]>
  insert(table: string, columns: readonly string[], rows: readonly CopyRow[]): Promise<void>
  /** Sets the other columns of the rows whose first column has the given value. */
  update(table: string, columns: readonly string[], rows: readonly CopyRow[]): Promise<void>
  /** After all rows were inserted into `tables`: sets the counters of row numbers, and updates statistics. */
  settle(tables: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** Table in a target that stores the progress until the copy is complete. No server opens a database that has it. */
export const PROGRESS_TABLE = 'kb_copy'
