// A commit costs one fsync, whatever its size. So writes share a transaction if they arrive in consecutive turns of the
// event loop, or while another process holds the lock. If one of them throws, the transaction is rolled back and each
// runs in its own.
import type Libsql from 'libsql'
import { DatabaseBusy } from '../database-errors.ts'
import {
  type GroupedWrite,
  itemWrite,
  type NewWrite,
  runWrites,
  singleWrite,
  type ItemsWork,
  type Session,
} from '../query.ts'
import type { SqliteSession } from './sqlite-session.ts'
import { errorCodeOf } from '../../../core/error-code.ts'

/** Maximum size of a group, which limits how long its first write waits for the last. */
const GROUP_LIMIT = 256

/** Number of turns without another write after which a group is complete. A request needs some to read its body. */
const IDLE_TURNS = 3

/** Maximum time that a write waits for others that may share its transaction. */
const GATHER_MS = 20

/** Maximum time that writes wait for those of another process. */
const BUSY_LIMIT_MS = 10_000

/**
 * Groups writes to `connection` into transactions. Each transaction that changed a row increments the revision, except
 * for writes that do not count. If another process holds the lock, all waiting writes fail with DatabaseBusy.
 */
export class GroupCommit {
  readonly #connection: Libsql.Database
  readonly #session: SqliteSession
  readonly #busyLimitMs: number
  readonly #queue: GroupedWrite[] = []
  readonly #begin: Libsql.Statement
  readonly #commit: Libsql.Statement
  readonly #raiseRevision: Libsql.Statement
  #running: Promise<void> | undefined
  #isClosed = false
  /** Number of times that this connection has raised the revision. */
  raised = 0

  constructor(connection: Libsql.Database, session: SqliteSession, busyLimitMs: number = BUSY_LIMIT_MS) {
    this.#connection = connection
    this.#session = session
    this.#busyLimitMs = busyLimitMs
    this.#begin = connection.prepare('begin immediate')
    this.#commit = connection.prepare('commit')
    this.#raiseRevision = connection.prepare('update meta set revision = revision + 1')
  }

  write<Value>(
    work: (session: Session) => Promise<Value>,
    effect: Pick<GroupedWrite, 'raisesRevision'>,
  ): Promise<Value> {
    return this.#enqueue<Value>(singleWrite(work, effect))
  }

  /** Items of one kind that wait together reach `work` together. */
  writeItem<Item, Value>(siteId: string, work: ItemsWork<Item, Value>, item: Item): Promise<Value> {
    return this.#enqueue<Value>(itemWrite(siteId, work, item))
  }

  async #enqueue<Value>(write: NewWrite): Promise<Value> {
    if (this.#isClosed) throw new Error('The database is closed')
    return new Promise<Value>((resolve, reject) => {
      this.#queue.push({ ...write, resolve: resolve as (value: unknown) => void, reject })
      this.#running ??= this.#drain()
    })
  }

  /** Resolves when every write is settled. Further writes are rejected, and the connection may be closed. */
  async close(): Promise<void> {
    // Another write may have arrived since.
    while (this.#running !== undefined) await this.#running
    this.#isClosed = true
  }

  async #drain(): Promise<void> {
    do {
      await this.#gather()
      if (await this.#lockFor(this.#queue)) await this.#commitGroup(this.#queue.splice(0, GROUP_LIMIT))
    } while (this.#queue.length > 0)
    this.#running = undefined
  }

  /** Waits while turns of the event loop bring further writes: the server reads one body in a turn. */
  async #gather(): Promise<void> {
    const endMs = performance.now() + GATHER_MS
    let idle = 0
    while (idle < IDLE_TURNS && this.#queue.length < GROUP_LIMIT && performance.now() < endMs) {
      const known = this.#queue.length
      await new Promise((resolve) => setImmediate(resolve))
      idle = this.#queue.length > known ? 0 : idle + 1
    }
  }

  /** @returns true if a transaction was started; otherwise all of `waiting` are rejected and removed */
  async #lockFor(waiting: GroupedWrite[]): Promise<boolean> {
    try {
      await beginTransaction(this.#begin, this.#busyLimitMs)
      return true
    } catch (error) {
      for (const { reject } of waiting.splice(0)) reject(error)
      return false
    }
  }

  async #commitGroup(group: readonly GroupedWrite[]): Promise<void> {
    let hasWriteThrown = false
    try {
      const values = await this.#runTogether(group, () => (hasWriteThrown = true))
      group.forEach(({ resolve }, index) => resolve(values[index]))
    } catch (error) {
      if (this.#connection.inTransaction) this.#connection.exec('rollback')
      if (hasWriteThrown && group.length > 1) await this.#commitEach([...group])
      // If the transaction itself failed, such as on a full disk, each single write would fail as well.
      else for (const { reject } of group) reject(error)
    }
  }

  async #commitEach(group: GroupedWrite[]): Promise<void> {
    while (group.length > 0) {
      if (await this.#lockFor(group)) await this.#commitGroup(group.splice(0, 1))
    }
  }

  async #runTogether(group: readonly GroupedWrite[], onBreak: () => void): Promise<readonly unknown[]> {
    const session = this.#session
    session.beginSlices()
    const { values, isChange } = await runWrites(session, group).catch((error: unknown) => {
      onBreak()
      throw error
    })
    if (isChange) this.#raiseRevision.run()
    // Other requests are answered first, because the checkpoint may take as long again.
    await session.endSlice()
    this.#commit.run()
    if (isChange) this.raised++
    return values
  }
}

/** Pauses between attempts to begin; the last one repeats. */
const PAUSES_MS: readonly number[] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50]

/**
 * Takes the write lock. Waits without blocking the thread, unlike the driver, which would delay reads and health
 * checks. `connection` must not wait by itself (`busy_timeout` 0).
 *
 * @param limitMs maximum time to wait
 * @throws DatabaseBusy after that
 */
async function beginTransaction(begin: Libsql.Statement, limitMs: number): Promise<void> {
  let waitedMs = 0
  for (let tries = 0; ; tries++) {
    try {
      begin.run()
      return
    } catch (error) {
      if (errorCodeOf(error)?.startsWith('SQLITE_BUSY') !== true) throw error
      if (waitedMs >= limitMs) throw new DatabaseBusy(limitMs, error)
    }
    const pauseMs = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] as number
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    waitedMs += pauseMs
  }
}
