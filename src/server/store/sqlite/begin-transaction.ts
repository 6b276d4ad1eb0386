import type Libsql from 'libsql'
import { DatabaseBusy } from '../database-busy.ts'

/** Pauses between two tries to begin, the last one again and again. */
const PAUSES_MS: readonly number[] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50]

/**
 * Takes the write lock. While another process holds it, the thread is free: the driver's own waiting would stop reads
 * and health checks, too. `connection` must not wait by itself (`busy_timeout` 0).
 *
 * @param limitMs how long is waited in all
 * @throws DatabaseBusy when that is over
 */
export async function beginTransaction(begin: Libsql.Statement, limitMs: number): Promise<void> {
  let waitedMs = 0
  for (let tries = 0; ; tries++) {
    try {
      begin.run()
      return
    } catch (error) {
      if (!isBusy(error)) throw error
      if (waitedMs >= limitMs) throw new DatabaseBusy(limitMs, error)
    }
    const pauseMs = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] as number
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    waitedMs += pauseMs
  }
}

function isBusy(error: unknown): boolean {
  return String((error as { readonly code?: unknown }).code).startsWith('SQLITE_BUSY')
}
