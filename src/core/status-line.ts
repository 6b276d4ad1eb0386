import { STATUS_CODES } from 'node:http'

/** Formats a status as `404 Not Found`. */
export function statusLine(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd()
}
