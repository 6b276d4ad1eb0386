import { KbError } from '../../core/errors/kb-error.ts'

/** Another process held the write lock for longer than a write waits. Nothing was changed; a retry may help. */
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

/** What became of a write whose database could not be reached. */
type WriteFate = 'unchanged' | 'unknown' | 'repeatable'

const FATES: Readonly<Record<WriteFate, { readonly words: string; readonly hint: string }>> = {
  unchanged: { words: 'Nothing was changed.', hint: 'Try again in a moment.' },
  unknown: {
    words: 'The change may or may not have been written.',
    hint: 'Check whether it was written before you send it again.',
  },
  repeatable: {
    words: 'The change may or may not have been written.',
    hint: 'Send it again with the same key: nothing is written twice.',
  },
}

/** The database server does not respond, or has closed the connection. A retry may help if nothing was changed. */
export class DatabaseUnavailable extends KbError {
  readonly fate: WriteFate

  constructor(fate: WriteFate, cause: unknown) {
    const { words, hint } = FATES[fate]
    super('DATABASE_UNAVAILABLE', `The database server does not respond. ${words}`, { hint, cause })
    this.fate = fate
  }
}

/** @param known the latest schema version that this program supports */
export function newerDatabase(name: string, version: number, known: number): KbError {
  return new KbError(
    'DATABASE_NEWER',
    `The database ${name} has schema version ${version}; this program knows up to ${known}. Nothing was changed.`,
    { hint: 'Install the newest kb-sync, or name another database.' },
  )
}

export function foreignDatabase(name: string, noun: 'file' | 'database'): KbError {
  return new KbError(
    'DATABASE_UNUSABLE',
    `The database ${name} contains the tables of another program. Nothing was changed.`,
    { hint: `Use a new ${noun}, or one that kb-sync created.` },
  )
}

/** @param needed the version that this program needs */
export function olderDatabase(name: string, version: number, needed: number): KbError {
  return new KbError(
    'DATABASE_UNUSABLE',
    `The database ${name} has schema version ${version}; a copy needs version ${needed}. Nothing was changed.`,
    {
      hint: 'Run kb admin sites list with --db and this database once, which migrates it, and copy it then.',
    },
  )
}

export function missingTables(name: string): KbError {
  return new KbError('DATABASE_MISSING', `The database ${name} has no tables of kb-sync.`, {
    hint: 'Name another database with --from.',
  })
}

export function unfinishedCopy(name: string): KbError {
  return new KbError('DATABASE_UNUSABLE', `The database ${name} contains an unfinished copy.`, {
    hint: 'Run kb admin copy again, which continues it. To start over, remove the file, or create the database again.',
  })
}
