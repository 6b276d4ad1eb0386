// Copies a whole database into an empty one. It processes the tables in the order of their keys, in transactions that
// also store the progress, so that an interrupted copy continues. All data of the source is from one moment.
//
// The rows of a table have a digest that does not depend on their order or on the database: the sum of the SHA-256 of
// each. The digest of the rows read so far is stored with the progress. A copy that continues computes it again, so
// that it never mixes two states of a source, and a complete copy is compared with it.
import { createHash } from 'node:crypto'
import { describeDatabase, isDatabaseUrl } from '../../../core/database-url.ts'
import { KbError, reasonOf } from '../../../core/errors/kb-error.ts'
import { openSqliteSource, openSqliteTarget } from '../sqlite/copy-sqlite.ts'
import { MIGRATIONS } from '../sqlite/migrations.ts'
import { type CopyDatabase, type CopyRow, type CopyValue, PROGRESS_TABLE } from './copy-database.ts'

interface CopiedTable {
  readonly table: string
  /** Columns or expressions that together are unique and never null. */
  readonly key: readonly string[]
  /** A long column, for which few rows are read at a time. */
  readonly long?: string
  /** Columns that reference rows of the same table. They are set when all rows are present. */
  readonly references?: readonly string[]
  /** Rows written by triggers, which are replaced by those of the source. */
  readonly isTriggered?: true
}

/** The tables, ordered so that rows reference only earlier ones. */
export const COPIED_TABLES: readonly CopiedTable[] = [
  { table: 'sites', key: ['id'] },
  { table: 'users', key: ['id'] },
  { table: 'api_keys', key: ['hash'] },
  { table: 'revoked_keys', key: ['hash'] },
  { table: 'languages', key: ['site_id', 'code'] },
  {
    table: 'categories',
    key: ['id'],
    long: 'long_description',
    references: ['parent_id', 'language_parent'],
  },
  { table: 'tags', key: ['id'], long: 'long_description', references: ['language_parent'] },
  { table: 'articles', key: ['id'], long: 'content', references: ['article_parent', 'language_parent'] },
  { table: 'article_categories', key: ['id'] },
  { table: 'article_tags', key: ['id'] },
  { table: 'article_redirects', key: ['site_id', 'slug', 'language'] },
  { table: 'category_redirects', key: ['site_id', 'slug', 'language'] },
  { table: 'tag_redirects', key: ['site_id', 'slug', 'language'] },
  { table: 'idempotency_keys', key: ['site_id', 'user_id', 'key'] },
  { table: 'article_sources', key: ['article_id'] },
  { table: 'link_targets', key: ['id'], long: 'target' },
  { table: 'links', key: ['number'], long: 'url' },
  { table: 'files', key: ['id'] },
  { table: 'file_chunks', key: ['file_id', 'position'], long: 'data' },
  { table: 'file_uses', key: ['site_id', 'name', 'coalesce(article_id, category_id, tag_id)'] },
  { table: 'unindexed_articles', key: ['article_id'] },
  { table: 'article_words', key: ['number'], long: 'cast(entries as text)' },
  { table: 'word_blocks', key: ['id'] },
  { table: 'word_postings', key: ['block_id', 'stem'], long: 'postings' },
  { table: 'word_stems', key: ['stem'] },
  { table: 'removed_words', key: ['number'], long: 'entries' },
  { table: 'article_changes', key: ['article_id'], isTriggered: true },
]

/** Columns that exist only in PostgreSQL, see `readRevision`. */
export const NOT_COPIED: Readonly<Record<string, readonly string[]>> = {
  sites: ['revision', 'changes_since', 'recent_writes'],
}

/** Maximum number of rows in memory, and of characters or bytes in their long columns. */
const ROWS_AT_ONCE = 500
const LENGTH_AT_ONCE = 4_000_000

interface CopyStep extends CopiedTable {
  readonly kind: 'insert' | 'refer'
}

const STEPS = COPIED_TABLES.flatMap((table): CopyStep[] => [
  { ...table, kind: 'insert' },
  ...(table.references === undefined ? [] : [{ ...table, kind: 'refer' } as const]),
])

/** The number of copied rows of a table, and their digest in hexadecimal. */
export interface CopiedRows {
  readonly rows: number
  readonly digest: string
}

type CopiedRowsByTable = Readonly<Record<string, CopiedRows>>

interface CopyState {
  /** Version of the schema when the copy began. */
  readonly version: number
  /** Index of the current step. */
  readonly step: number
  /** Key of the last copied row; null before the first. */
  readonly after: readonly CopyValue[] | null
  readonly tables: CopiedRowsByTable
}

export interface CopyOptions {
  /** SQLite files, or URLs of PostgreSQL databases. */
  readonly from: string
  readonly to: string
  readonly onProgress: (phase: 'copy' | 'verify', done: number, total: number) => void
}

export interface CopyResult {
  readonly tables: CopiedRowsByTable
  /** True if an interrupted copy was continued. */
  readonly isContinued: boolean
}

/**
 * Copies everything in a database into an empty one, and compares both. Until it is done, servers may use the source,
 * but not the target. Run it again after an interruption.
 *
 * @throws KbError COPY_REFUSED, COPY_OUTDATED, COPY_DIFFERENT, DATABASE_UNUSABLE, DATABASE_NEWER, DATABASE_MISSING,
 *   USAGE
 */
export async function copyContents(options: CopyOptions): Promise<CopyResult> {
  const { from, to } = options
  const source = await (isDatabaseUrl(from)
    ? import('../postgres/copy-postgres.ts').then(({ openPostgresSource }) => openPostgresSource(from))
    : openSqliteSource(from))
  try {
    const target = await (isDatabaseUrl(to)
      ? import('../postgres/copy-postgres.ts').then(({ openPostgresTarget }) => openPostgresTarget(to))
      : openSqliteTarget(to))
    try {
      return await new ContentsCopy(source, target, options).run()
    } finally {
      await target.close()
    }
  } catch (error) {
    throw error instanceof KbError ? error : interrupted(to, error)
  } finally {
    await source.close()
  }
}

class ContentsCopy {
  readonly #source: CopyDatabase
  readonly #target: CopyDatabase
  readonly #options: CopyOptions
  /** Columns by table, in the order in which they are read. */
  readonly #columns = new Map<string, readonly string[]>()

  constructor(source: CopyDatabase, target: CopyDatabase, options: CopyOptions) {
    this.#source = source
    this.#target = target
    this.#options = options
  }

  async run(): Promise<CopyResult> {
    let total = 0
    for (const { table } of COPIED_TABLES) {
      const columns = await this.#source.columnsOf(table)
      this.#columns.set(
        table,
        columns.filter((column) => NOT_COPIED[table]?.includes(column) !== true),
      )
      total += Number((await this.#source.query(`select count(*) from ${table}`))[0]?.[0])
    }
    let state = await this.#readState()
    const isContinued = state !== undefined
    state ??= await this.#begin()
    await this.#assertSameSource(state)
    while (state.step < STEPS.length) {
      state = await this.#copyRows(state)
      this.#options.onProgress('copy', rowsIn(state.tables), total)
    }
    await this.#finish(state)
    return { tables: state.tables, isContinued }
  }

  async #readState(): Promise<CopyState | undefined> {
    if (!(await this.#target.hasTable(PROGRESS_TABLE))) return undefined
    const [row] = await this.#target.query(`select state from ${PROGRESS_TABLE}`)
    return JSON.parse(String(row?.[0])) as CopyState
  }

  async #begin(): Promise<CopyState> {
    const target = this.#target
    const state: CopyState = { version: MIGRATIONS.length, step: 0, after: null, tables: {} }
    await inTransaction(target, async () => {
      for (const { table } of COPIED_TABLES) {
        const found = await target.query(`select 1 from ${table} limit 1`)
        if (found.length > 0) throw notEmpty(this.#options.to, table)
      }
      await target.query(`create table ${PROGRESS_TABLE} (state text not null)`)
      await target.query(`insert into ${PROGRESS_TABLE} values ($1)`, [JSON.stringify(state)])
    })
    return state
  }

  /** Compares the copied rows with the current ones of the source. */
  async #assertSameSource({ version, tables }: CopyState): Promise<void> {
    if (version !== MIGRATIONS.length) throw outdated(this.#options)
    for (const [table, { rows, digest }] of Object.entries(tables)) {
      const now = await this.#digest(this.#source, table, rows)
      if (now.rows !== rows || now.digest !== digest) throw outdated(this.#options)
    }
  }

  /** Copies the next rows of a step, and stores the progress with them. @returns the new state, after the commit */
  async #copyRows(state: CopyState): Promise<CopyState> {
    const step = STEPS[state.step] as CopyStep
    const { table, kind, references = [], isTriggered } = step
    const columns = kind === 'refer' ? ['id', ...references] : (this.#columns.get(table) ?? [])
    const { rows, after } = await readRows(this.#source, step, columns, state.after, ROWS_AT_ONCE)
    const before = state.tables[table] ?? NO_ROWS
    const tables = kind === 'refer' ? state.tables : { ...state.tables, [table]: addRows(before, rows) }
    const next: CopyState =
      after === null ? { ...state, step: state.step + 1, after, tables } : { ...state, after, tables }
    await inTransaction(this.#target, async () => {
      if (isTriggered && state.after === null) await this.#target.query(`delete from ${table}`)
      if (rows.length > 0 && kind === 'refer') await this.#target.update(table, columns, rows)
      if (rows.length > 0 && kind === 'insert') await this.#insert(table, columns, rows, references)
      await this.#replaceState(state, next)
    })
    return next
  }

  async #insert(
    table: string,
    columns: readonly string[],
    rows: readonly CopyRow[],
    references: readonly string[],
  ): Promise<void> {
    const isInserted = columns.map((column) => !references.includes(column))
    await this.#target.insert(
      table,
      columns.filter((_, index) => isInserted[index]),
      rows.map((row) => row.filter((_, index) => isInserted[index])),
    )
  }

  /** Stores the progress. Fails if another process continues the same copy. */
  async #replaceState(before: CopyState, after: CopyState): Promise<void> {
    const values = [JSON.stringify(after), JSON.stringify(before)]
    const sql = `update ${PROGRESS_TABLE} set state = $1 where state = $2 returning 1`
    if ((await this.#target.query(sql, values)).length === 0) throw copiedTwice(this.#options.to)
  }

  async #finish({ tables }: CopyState): Promise<void> {
    const target = this.#target
    const [revision = []] = await this.#source.query(this.#source.statements.readRevision)
    await target.query(target.statements.writeRevision, revision)
    await target.settle(COPIED_TABLES.map(({ table }) => table))
    await this.#verify(tables)
    await target.query(`drop table ${PROGRESS_TABLE}`)
  }

  async #verify(tables: CopiedRowsByTable): Promise<void> {
    const total = rowsIn(tables)
    let done = 0
    for (const [table, { rows, digest }] of Object.entries(tables)) {
      const found = await this.#digest(this.#target, table, Number.POSITIVE_INFINITY)
      if (found.rows !== rows || found.digest !== digest) throw different(this.#options.to, table)
      done += rows
      this.#options.onProgress('verify', done, total)
    }
  }

  /** Counts the first `limit` rows of a table, with their digest. */
  async #digest(database: CopyDatabase, table: string, limit: number): Promise<CopiedRows> {
    const step = STEPS.find((each) => each.table === table) as CopyStep
    let found = NO_ROWS
    let last: CopyState['after'] = null
    while (found.rows < limit) {
      const most = Math.min(ROWS_AT_ONCE, limit - found.rows)
      const { rows, after } = await readRows(database, step, this.#columns.get(table) ?? [], last, most)
      found = addRows(found, rows)
      if (after === null) break
      last = after
    }
    return found
  }
}

/** Reads the next rows of a step. `after` is the key of the last row, or null. */
async function readRows(
  database: CopyDatabase,
  { table, kind, key, long, references = [] }: CopyStep,
  columns: readonly string[],
  after: CopyState['after'],
  most: number,
): Promise<{ readonly rows: readonly CopyRow[]; readonly after: CopyState['after'] }> {
  const conditions = [
    ...(after === null ? [] : [`(${key.join()}) > (${key.map((_, index) => `$${index + 1}`).join()})`]),
    ...(kind === 'insert' ? [] : [`(${references.map((column) => `${column} is not null`).join(' or ')})`]),
  ]
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  const rest = `from ${table} ${where} order by ${key.join()}`
  const values = after ?? []
  let limit = most
  if (kind === 'insert' && long !== undefined)
    limit = countFitting(await database.query(`select length(${long}) ${rest} limit ${most}`, values))
  const read = [...key, ...columns.map((column) => (column === WORDS ? `cast(${WORDS} as text)` : column))]
  const found = await database.query(`select ${read.join()} ${rest} limit ${limit}`, values)
  const words = columns.indexOf(WORDS)
  return {
    after: found.at(-1)?.slice(0, key.length) ?? null,
    rows: found.map((row) =>
      row.slice(key.length).map((value, index) => (index === words ? sortWords(String(value)) : value)),
    ),
  }
}

/** The column whose words PostgreSQL sorts and quotes. */
const WORDS = 'entries'

function sortWords(entries: string): string {
  return entries.replaceAll("'", '').split(' ').toSorted().join(' ')
}

function countFitting(lengths: readonly CopyRow[]): number {
  let sum = 0
  const tooMany = lengths.findIndex(([length]) => (sum += Number(length)) > LENGTH_AT_ONCE)
  return tooMany === -1 ? Math.max(1, lengths.length) : Math.max(1, tooMany)
}

async function inTransaction(database: CopyDatabase, work: () => Promise<void>): Promise<void> {
  await database.query(database.statements.begin)
  try {
    await work()
    await database.query('commit')
  } catch (error) {
    await database.query('rollback').catch(() => undefined)
    throw error
  }
}

const DIGESTS = 1n << 256n

const NO_ROWS: CopiedRows = { rows: 0, digest: toHex(0n) }

function addRows({ rows, digest }: CopiedRows, added: readonly CopyRow[]): CopiedRows {
  const sum = added.reduce((total, row) => total + digestRow(row), BigInt(`0x${digest}`))
  return { rows: rows + added.length, digest: toHex(sum % DIGESTS) }
}

function toHex(digest: bigint): string {
  return digest.toString(16).padStart(64, '0')
}

/** Digests a row. Each value has its type and length, so that no two rows have the same bytes. */
function digestRow(row: CopyRow): bigint {
  const hash = createHash('sha256')
  for (const value of row) {
    const bytes = typeof value === 'object' ? (value ?? '') : String(value)
    const kind = value === null ? 'null' : typeof value
    hash.update(`${kind} ${bytes.length} `).update(bytes)
  }
  return BigInt(`0x${hash.digest('hex')}`)
}

function rowsIn(tables: CopiedRowsByTable): number {
  return Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)
}

const START_OVER = 'remove the file, or create the database again, and copy it once more'

function notEmpty(to: string, table: string): KbError {
  return new KbError(
    'COPY_REFUSED',
    `The database ${describeDatabase(to)} is not empty: its table ${table} has rows. Nothing was changed.`,
    { hint: 'Name a new file, or a new database.' },
  )
}

function copiedTwice(to: string): KbError {
  return new KbError('COPY_REFUSED', `Another process is copying to ${describeDatabase(to)}.`, {
    hint: 'Let it finish.',
  })
}

function outdated({ from, to }: CopyOptions): KbError {
  return new KbError(
    'COPY_OUTDATED',
    `${describeDatabase(to)} contains an unfinished copy of another database, or of ${describeDatabase(from)} before it was changed. Nothing was changed.`,
    { hint: `Stop the servers that write to ${describeDatabase(from)}, ${START_OVER}.` },
  )
}

function different(to: string, table: string): KbError {
  return new KbError(
    'COPY_DIFFERENT',
    `The table ${table} in ${describeDatabase(to)} differs from that of the source. No server opens the copy.`,
    { hint: `Something else has written to it: ${START_OVER}.` },
  )
}

function interrupted(to: string, cause: unknown): KbError {
  return new KbError(
    'DATABASE_UNUSABLE',
    `The copy to ${describeDatabase(to)} was interrupted: ${reasonOf(cause)}.`,
    { hint: 'Run the command again, which continues it.', cause },
  )
}
