import type { FailureStatus } from '../../api/contract/wire-error.ts'
import { DatabaseBusy } from '../store/database-busy.ts'

/** A request that is refused: thrown by whatever part finds out, answered in one place. `message` goes to the client. */
export class HttpError extends Error {
  override readonly name = 'Refusal'
  readonly status: FailureStatus
  readonly headers: Readonly<Record<string, string>>

  constructor(status: FailureStatus, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

/** What the client learns of `error`; undefined where it is a fault of the server. */
export function httpErrorOf(error: unknown): HttpError | undefined {
  if (error instanceof DatabaseBusy) return new HttpError(503, error.message, { 'Retry-After': '1' })
  return error instanceof HttpError ? error : undefined
}
