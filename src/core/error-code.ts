import { isRecord } from './is-record.ts'

/**
 * Returns the code of an error of Node.js or a driver, such as `ENOENT`; undefined if there is none. The error may come
 * from another context of V8, where it is not an instance of `Error`.
 */
export function errorCodeOf(error: unknown): string | undefined {
  return isRecord(error) && typeof error['code'] === 'string' ? error['code'] : undefined
}

/** Of the system, SQLite and PostgreSQL. */
const OUT_OF_SPACE: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'SQLITE_FULL',
  'SQLITE_IOERR_SHMSIZE',
  '53100',
])

/** True if a disk or a quota is full. */
export function isOutOfSpace(error: unknown): boolean {
  return OUT_OF_SPACE.has(errorCodeOf(error))
}
