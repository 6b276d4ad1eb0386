import { isRecord } from './is-record.ts'

/**
 * Returns the code of an error of Node.js or a driver, such as `ENOENT`; undefined if there is none. The error may come
 * from another context of V8, where it is not an instance of `Error`.
 */
export function errorCodeOf(error: unknown): string | undefined {
  return isRecord(error) && typeof error['code'] === 'string' ? error['code'] : undefined
}
