import { KbError } from '../../core/errors/kb-error.ts'

/** Another process holds the write lock for longer than a write waits. Nothing was changed; a retry may help. */
export class DatabaseBusy extends KbError {
  constructor(waitedMs: number, cause: unknown) {
    const seconds = Math.ceil(waitedMs / 1000)
    super(
      'DATABASE_BUSY',
      `Another process has been writing to the database for ${seconds} seconds. Nothing was changed.`,
      { hint: 'Try again in a moment.', cause },
    )
  }
}
