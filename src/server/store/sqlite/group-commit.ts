// A commit costs one fsync, however much is in it. Writes that arrive while the event loop turns once share a
// transaction; each has a savepoint of its own, so that one that fails takes nothing of the others with it.
import type Libsql from 'libsql'
import { assertOpen } from './assert-open.ts'
import type { Session } from '../session.ts'
import type { SqliteSession } from './sqlite-session.ts'

/** Bounds how long the first write of a group waits for the last. */
const GROUP_LIMIT = 256

interface PendingWrite {
  readonly work: (session: Session) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

type Settle = () => void

export interface GroupCommit {
  write<Value>(work: (session: Session) => Promise<Value>): Promise<Value>
  /** How often this connection has raised the revision. */
  raised(): number
  /** Resolves when every write handed in so far is settled. */
  drained(): Promise<void>
}

/** Gathers writes to `connection` into transactions; every transaction that changed a row raises the revision. */
export function createGroupCommit(connection: Libsql.Database, session: SqliteSession): GroupCommit {
  const queue: PendingWrite[] = []
  const begin = connection.prepare('begin immediate')
  const commit = connection.prepare('commit')
  const savepoint = connection.prepare('savepoint one_write')
  const release = connection.prepare('release one_write')
  const raiseRevision = connection.prepare('update meta set revision = revision + 1')
  let running: Promise<void> | undefined
  let raisedCount = 0

  async function write<Value>(work: (session: Session) => Promise<Value>): Promise<Value> {
    assertOpen(connection)
    return new Promise<Value>((resolve, reject) => {
      queue.push({ work, resolve: resolve as (value: unknown) => void, reject })
      running ??= drain()
    })
  }

  async function drain(): Promise<void> {
    do {
      await new Promise((resolve) => setImmediate(resolve))
      await commitGroup(queue.splice(0, GROUP_LIMIT))
    } while (queue.length > 0)
    running = undefined
  }

  async function commitGroup(group: readonly PendingWrite[]): Promise<void> {
    try {
      const before = session.changedRows()
      begin.run()
      const settlements: Settle[] = []
      for (const pending of group) settlements.push(await runWithinSavepoint(pending))
      const raises = session.changedRows() > before
      if (raises) raiseRevision.run()
      commit.run()
      if (raises) raisedCount++
      for (const settle of settlements) settle()
    } catch (error) {
      if (connection.inTransaction) connection.exec('rollback')
      for (const pending of group) pending.reject(error)
    }
  }

  async function runWithinSavepoint(pending: PendingWrite): Promise<Settle> {
    savepoint.run()
    try {
      const value = await pending.work(session)
      release.run()
      return () => pending.resolve(value)
    } catch (error) {
      connection.exec('rollback to one_write; release one_write')
      return () => pending.reject(error)
    }
  }

  return { write, raised: () => raisedCount, drained: async () => running }
}
