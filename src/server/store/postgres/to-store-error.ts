import { DatabaseError } from 'pg'
import { DatabaseBusy, DatabaseUnavailable } from '../database-errors.ts'
import { LOCK_MS } from './connection-options.ts'

/**
 * SQLSTATEs (PostgreSQL manual, appendix A) of a server that closed the connection, accepts none now, has become a
 * standby, or took too long.
 */
const UNAVAILABLE = /^(?:08...|57P0[1-5]|53300|25P0[34]|25006|57014)$/

/** Lock timeout or deadlock: nothing was changed. */
const BUSY = /^(?:55P03|40P01)$/

/** Converts the driver's error to the store's. Others, such as a violated constraint, stay unchanged. */
export function toStoreError(error: unknown): unknown {
  // Without a state, the error is from the network or the driver.
  const state = error instanceof DatabaseError ? error.code : undefined
  if (state === undefined || UNAVAILABLE.test(state)) return new DatabaseUnavailable('unchanged', error)
  return BUSY.test(state) ? new DatabaseBusy(LOCK_MS, error) : error
}
