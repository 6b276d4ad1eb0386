import type { FailureStatus } from '../../contract/wire-error.ts'

/** A request that is refused: thrown by whatever part finds out, answered in one place. `message` goes to the client. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: FailureStatus
  readonly headers: Readonly<Record<string, string>>

  constructor(status: FailureStatus, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}
