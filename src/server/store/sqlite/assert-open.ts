import type Libsql from 'libsql'

/** Throws when `connection` was closed: the native driver does not throw then, it aborts the whole process. */
export function assertOpen(connection: Libsql.Database): void {
  if (!connection.open) throw new Error('The database is closed')
}
