// Writes of one site run one after another, in any process, because each transaction first locks the row of its site.
// So a write may read, decide and write, as on SQLite: which slugs are taken, which draft belongs to which article,
// whether a category would become its own ancestor, how many articles there are.
//
// The site's row also stores its revision and its number of articles. They are raised under that lock, which is held
// until the commit, so that revisions rise in the order of commits: a client that reads revision R sees all changes up
// to R. A sequence would not guarantee that, since a transaction could take a number and commit after one with a later
// number.
//
// A row that every transaction locks would be slow if each write was one, because a commit waits for the disk. As on
// SQLite, writes that arrive while others wait for the lock or the disk share the next transaction: the more there are,
// the more share it. Writes of different sites do not wait for each other.
//
// Latency remains: no other transaction writes to the site while one waits for a response. So connections are
// pipelined: independent statements are sent together, the commit with the last of them. Creates that wait together are
// also sent together, in statements of many rows.
//
// If a connection breaks during a commit, the client does not learn whether it took place. So the site's row also lists
// the names of its last transactions, and a process finds its own there once it holds the lock again. `pg_xact_status`
// cannot replace them: after a crash, PostgreSQL assigns the number of a lost transaction to another one.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { DatabaseError, type Pool, type PoolClient } from 'pg'
import { DatabaseUnavailable } from '../database-errors.ts'
import {
  type GroupedWrite,
  itemWrite,
  type NewWrite,
  runWrites,
  singleWrite,
  ALL_SITES,
  defineQuery,
  NO_SITE,
  type ItemsWork,
  type Session,
  type WriteScope,
} from '../query.ts'
import { LOCK_MS } from './connection-options.ts'
import { createPostgresSession, type PostgresSession, type Statements } from './postgres-session.ts'
import { toStoreError } from './to-store-error.ts'

/** Maximum size of a group, which limits how long its first write waits for the last. */
const GROUP_LIMIT = 256

/** Key of the advisory lock that writes of single sites share, and that a write of all sites takes exclusively. */
const SITES_LOCK = 7_528_661

/** Key for writes of no site. They change the same rows in any order, and could deadlock. */
const NO_SITE_LOCK = 7_528_662

/** Number of transaction names in a site's row, and the length of each name. */
const NAMED = 32
const NAME_LENGTH = 8

/** Pause between attempts to find out what became of a commit. */
const FATE_PAUSE_MS = 50

/**
 * A statement must see everything committed before it, not only what was committed before the transaction waited for
 * its lock: that requires "read committed", and the default of a database may differ.
 */
const BEGIN = 'begin isolation level read committed read write'

interface SiteWritesOptions {
  readonly pool: Pool
  readonly statements: Statements
  readonly newId: () => string
  /** Called after each commit that raised a revision, before its writes resolve. */
  readonly onCommit: (changedRows: number) => void
  /** Called after each commit that raised none. */
  readonly onOwnCommit: (changedRows: number) => void
}

/** Groups the writes of each site into transactions. */
export class SiteWrites {
  readonly #options: SiteWritesOptions
  readonly #queues = new Map<WriteScope, GroupedWrite[]>()
  readonly #running = new Map<WriteScope, Promise<void>>()
  #isClosing = false
  #isClosed = false
  /** Number of transactions of this process that have raised a revision. */
  raised = 0

  constructor(options: SiteWritesOptions) {
    this.#options = options
  }

  async write<Value>(
    scope: WriteScope,
    work: (session: Session) => Promise<Value>,
    effect: Pick<GroupedWrite, 'raisesRevision'>,
  ): Promise<Value> {
    return this.#enqueue<Value>(scope, singleWrite(work, effect))
  }

  async writeItem<Item, Value>(siteId: string, work: ItemsWork<Item, Value>, item: Item): Promise<Value> {
    return this.#enqueue<Value>(siteId, itemWrite(siteId, work, item))
  }

  #enqueue<Value>(scope: WriteScope, write: NewWrite): Promise<Value> {
    if (this.#isClosed) throw new Error('The database is closed')
    return new Promise<Value>((resolve, reject) => {
      const queue = this.#queues.get(scope) ?? []
      this.#queues.set(scope, queue)
      queue.push({ ...write, resolve: resolve as (value: unknown) => void, reject })
      if (!this.#running.has(scope)) this.#running.set(scope, this.#drain(scope, queue))
    })
  }

  /** Resolves when every write is settled. Further writes are rejected. */
  async close(): Promise<void> {
    this.#isClosing = true
    // Another write may have arrived since.
    while (this.#running.size > 0) await Promise.all(this.#running.values())
    this.#isClosed = true
  }

  async #drain(scope: WriteScope, queue: GroupedWrite[]): Promise<void> {
    do {
      await new Promise((resolve) => setImmediate(resolve))
      await this.#commitNext(scope, queue)
    } while (queue.length > 0)
    this.#queues.delete(scope)
    this.#running.delete(scope)
  }

  /** Takes the next writes from `queue` and commits them together; if one of them throws, each by itself. */
  async #commitNext(scope: WriteScope, queue: GroupedWrite[]): Promise<void> {
    let group: GroupedWrite[] = []
    for (let tries = 1; ; tries++) {
      const transaction = new Transaction(this.#options, scope)
      try {
        await transaction.begin()
        // Includes writes that arrived while it waited for the lock.
        if (group.length === 0) group = queue.splice(0, GROUP_LIMIT)
        await transaction.commit(group)
        return this.#settle(group, transaction)
      } catch (error) {
        await transaction.abandon(error)
        const isLost = error instanceof DatabaseUnavailable
        const fate =
          isLost && transaction.isCommitting ? await this.#findFate(scope, transaction, queue) : 'undone'
        if (fate === 'committed') return this.#settle(group, transaction)
        // Nothing was changed, and a new connection may succeed.
        if (isLost && fate === 'undone' && tries === 1) continue
        if (!isLost && group.length > 1) return this.#commitEach(scope, group)
        const reason = fate === 'unknown' ? new DatabaseUnavailable('unknown', error) : error
        for (const { reject } of group.length > 0 ? group : queue.splice(0)) reject(reason)
        return
      }
    }
  }

  #settle(group: readonly GroupedWrite[], transaction: Transaction): void {
    if (transaction.isChange) {
      this.raised++
      this.#options.onCommit(transaction.changedRows())
    } else this.#options.onOwnCommit(transaction.changedRows())
    group.forEach(({ resolve }, index) => resolve(transaction.values[index]))
  }

  /** Waits while the database restarts, and rejects the writes in `queue` until then. */
  async #findFate(scope: WriteScope, lost: Transaction, queue: GroupedWrite[]): Promise<CommitFate> {
    for (const endMs = performance.now() + LOCK_MS; ; await pause(FATE_PAUSE_MS)) {
      const next = new Transaction(this.#options, scope)
      try {
        await next.begin()
        await next.abandon(undefined)
        return next.fateOf(lost)
      } catch (error) {
        await next.abandon(error)
        for (const { reject } of queue.splice(0)) reject(error)
        const mayWait = error instanceof DatabaseUnavailable && !this.#isClosing
        if (!mayWait || performance.now() > endMs) return 'unknown'
      }
    }
  }

  async #commitEach(scope: WriteScope, group: readonly GroupedWrite[]): Promise<void> {
    for (const write of group) await this.#commitNext(scope, [write])
  }
}

/** What became of a transaction whose commit was sent. */
type CommitFate = 'committed' | 'undone' | 'unknown'

/** A transaction with an exclusive scope. Throws errors of the store, and of the writes. */
class Transaction {
  readonly #options: SiteWritesOptions
  readonly #scope: WriteScope
  #connection: PoolClient | undefined
  #session: PostgresSession | undefined
  readonly #name = randomBytes((NAME_LENGTH * 3) / 4).toString('base64url')
  /** The row of its site, as it was before. */
  #site: { readonly revision: number; readonly recent_writes: string } | undefined
  /** True if it raised a revision. */
  isChange = false
  /** The results of its writes. */
  values: readonly unknown[] = []
  /** True if the commit was sent. If it fails then, it is unknown whether it took place. */
  isCommitting = false

  constructor(options: SiteWritesOptions, scope: WriteScope) {
    this.#options = options
    this.#scope = scope
  }

  /** Locks the scope. */
  async begin(): Promise<void> {
    const { pool, statements, newId } = this.#options
    const connection = await pool.connect().catch(rethrow)
    this.#connection = connection
    const session = createPostgresSession(connection, statements, newId)
    this.#session = session
    const lock = this.#scope === ALL_SITES ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared'
    const own = this.#scope === NO_SITE ? `, pg_advisory_xact_lock(${NO_SITE_LOCK})` : ''
    const [, site] = await Promise.all([
      connection.query(`${BEGIN}; select ${lock}(${SITES_LOCK})${own}`).catch(rethrow),
      typeof this.#scope === 'string' ? session.first(lockSite, { siteId: this.#scope }) : undefined,
    ])
    this.#site = site
  }

  /** Returns what became of an earlier transaction of the same scope, which is over because this one holds the lock. */
  fateOf(earlier: Transaction): CommitFate {
    if (earlier.changedRows() === 0) return 'undone'
    if (!earlier.isChange || this.#site === undefined || earlier.#site === undefined) return 'unknown'
    if (this.#site.recent_writes.includes(earlier.#name)) return 'committed'
    return this.#site.revision - earlier.#site.revision > NAMED ? 'unknown' : 'undone'
  }

  /** Resolves once the writes are on disk. */
  async commit(group: readonly GroupedWrite[]): Promise<void> {
    const connection = this.#connection
    const session = this.#session
    if (connection === undefined || session === undefined) throw new Error('The transaction was not begun')
    const { values, isChange } = await runWrites(session, group).catch(async (error: unknown) => {
      // A statement that was sent without waiting is the cause of the later failure.
      await session.sent()
      throw error
    })
    this.isChange = isChange
    this.values = values
    this.isCommitting = true
    const committing = Promise.all([
      this.isChange ? this.#raise(session) : undefined,
      connection.query('commit').catch(rethrow),
    ])
    committing.catch(() => undefined)
    await session.sent().catch((error: unknown) => {
      // If the server rejected it, or closed the connection during it, it is not committed.
      if (isOfServer(error)) this.isCommitting = false
      throw error
    })
    const [, result] = await committing
    // PostgreSQL responds with this, without an error, if an earlier statement failed and its error was not passed on.
    if (result.command === 'ROLLBACK') throw new Error('The database undid the transaction')
    this.#connection = undefined
    connection.release()
  }

  changedRows(): number {
    return this.#session?.changedRows() ?? 0
  }

  #raise(session: Session): Promise<number> {
    if (this.#scope === NO_SITE) throw new Error('A write of no site has no revision')
    return this.#scope === ALL_SITES
      ? session.run(raiseAll, {})
      : session.run(raiseRevision, { siteId: this.#scope, name: this.#name })
  }

  /** Rolls back its changes. A broken connection is removed from the pool. */
  async abandon(error: unknown): Promise<void> {
    const connection = this.#connection
    this.#connection = undefined
    if (error instanceof DatabaseUnavailable) return connection?.release(true)
    await connection?.query('rollback').then(
      () => connection.release(),
      () => connection.release(true),
    )
  }
}

function isOfServer(error: unknown): boolean {
  return [error, (error as Error).cause].some((each) => each instanceof DatabaseError)
}

function rethrow(error: unknown): never {
  throw toStoreError(error)
}

const lockSite = defineQuery((db, is: { siteId: string }) =>
  db.selectFrom('sites').select(['revision', 'recent_writes']).where('id', '=', is.siteId).forNoKeyUpdate(),
)

const raiseRevision = defineQuery((db, is: { siteId: string; name: string }) =>
  db
    .updateTable('sites')
    .set((eb) => ({
      revision: eb('revision', '+', 1),
      recent_writes: sql<string>`right(recent_writes || ${is.name}, ${sql.lit(NAMED * NAME_LENGTH)})`,
    }))
    .where('id', '=', is.siteId),
)

const raiseAll = defineQuery((db) =>
  db.updateTable('sites').set((eb) => ({ revision: eb('revision', '+', 1) })),
)
