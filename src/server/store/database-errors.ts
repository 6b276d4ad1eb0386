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

/** What is known of a write whose database could not be reached. */
type Fate = 'unchanged' | 'unknown'

const FATES: Readonly<Record<Fate, string>> = {
  unchanged: 'Nothing was changed.',
  unknown: 'The change may or may not have been written.',
}

/** The database server does not respond, or has closed the connection. A retry may help. */
export class DatabaseUnavailable extends KbError {
  constructor(fate: Fate, cause: unknown) {
    super('DATABASE_UNAVAILABLE', `The database server does not respond. ${FATES[fate]}`, {
      hint: 'Try again in a moment.',
      cause,
    })
  }
}
