import { EXIT, type ExitCode } from './exit-codes.ts'

interface ErrorEntry {
  readonly exit: ExitCode
  /** One line for the guide: when this error occurs. */
  readonly summary: string
}

/** Every external failure that kb-sync reports. The guide documents each one; a test keeps both in step. */
export const ERRORS = {
  USAGE: { exit: EXIT.usage, summary: 'A command, flag or argument is wrong.' },
  CONFIG_INVALID: { exit: EXIT.usage, summary: 'kb.config.ts has an unknown key or a wrong value.' },
  CONFIG_UNREADABLE: { exit: EXIT.usage, summary: 'kb.config.ts is missing or could not be loaded.' },
  ENVIRONMENT_INVALID: { exit: EXIT.usage, summary: 'An environment variable has a wrong value.' },
  PROJECT_EXISTS: { exit: EXIT.usage, summary: 'The folder for kb init is already a project.' },
  PROJECT_UNNAMED: {
    exit: EXIT.usage,
    summary: 'The project has no name, which a remote target requires to identify its articles.',
  },
  TARGET_UNKNOWN: { exit: EXIT.usage, summary: '--target does not name a target of the configuration.' },
  CONTENT_UNREADABLE: { exit: EXIT.failed, summary: 'The content folder is missing or could not be read.' },
  CONTENT_CHANGED: {
    exit: EXIT.failed,
    summary: 'A content file was changed while the command was running.',
  },
  TARGET_UNREACHABLE: { exit: EXIT.target, summary: 'The target did not respond.' },
  TARGET_REFUSED: { exit: EXIT.target, summary: 'The target did not accept the API key.' },
  TARGET_FAILED: { exit: EXIT.target, summary: 'The target responded with an error.' },
  TARGET_REDIRECTED: {
    exit: EXIT.target,
    summary: 'The target responded with a redirect, which kb-sync never follows.',
  },
  TARGET_ANSWER_INVALID: {
    exit: EXIT.target,
    summary: 'The response does not have the documented structure.',
  },
  TARGET_DIFFERENT: {
    exit: EXIT.failed,
    summary: 'Too many known articles are missing: this looks like a different knowledge base.',
  },
  DATABASE_UNUSABLE: { exit: EXIT.target, summary: 'The database could not be opened or written.' },
  DATABASE_NEWER: { exit: EXIT.target, summary: 'The database was written by a newer kb-sync.' },
  DATABASE_BUSY: { exit: EXIT.target, summary: 'Another process kept the database locked for too long.' },
  DATABASE_UNAVAILABLE: { exit: EXIT.target, summary: 'The database server does not respond.' },
  DATABASE_MISSING: { exit: EXIT.usage, summary: 'There is no database to administer.' },
  ITEM_UNKNOWN: { exit: EXIT.usage, summary: 'A site, user, key, language, category or tag does not exist.' },
  ITEM_EXISTS: { exit: EXIT.failed, summary: 'A name, slug or language already exists.' },
  ITEM_IN_USE: {
    exit: EXIT.failed,
    summary: 'An item cannot be removed or changed while others depend on it.',
  },
  NOT_CONFIRMED: { exit: EXIT.usage, summary: 'A destructive command was not confirmed.' },
  BACKUP_UNUSABLE: {
    exit: EXIT.failed,
    summary: 'The backup is missing, damaged or not a database of kb-sync.',
  },
  BACKUP_UNWRITABLE: { exit: EXIT.failed, summary: 'The backup could not be written.' },
  COPY_REFUSED: {
    exit: EXIT.failed,
    summary: 'The target of a copy is not empty, or another process copies to it.',
  },
  COPY_OUTDATED: {
    exit: EXIT.failed,
    summary: 'An unfinished copy was begun from another database, or the source has changed since.',
  },
  COPY_DIFFERENT: { exit: EXIT.failed, summary: 'A complete copy differs from its source.' },
  BASELINE_INVALID: {
    exit: EXIT.usage,
    summary: 'The baseline of a check or report is missing, damaged or of another version.',
  },
  PLAN_INVALID: {
    exit: EXIT.usage,
    summary: 'The file is not a saved plan, is damaged, or is of another version.',
  },
  PLAN_ELSEWHERE: { exit: EXIT.usage, summary: 'The saved plan is for another project or target.' },
  SHARD_UNSUPPORTED: { exit: EXIT.usage, summary: 'The target does not allow several jobs at once.' },
  PLAN_OUTDATED: { exit: EXIT.failed, summary: 'Files or the target have changed since the plan was saved.' },
  ASSETS_NOT_COPIED: {
    exit: EXIT.failed,
    summary: 'Files could not be copied to the folder for publishing.',
  },
  PLAN_UNWRITABLE: { exit: EXIT.failed, summary: 'The plan could not be written.' },
  PORT_UNAVAILABLE: { exit: EXIT.usage, summary: 'The server cannot listen on this host and port.' },
  WATCH_FAILED: { exit: EXIT.failed, summary: 'The files cannot be watched for changes.' },
  FILES_UNWRITABLE: { exit: EXIT.failed, summary: 'A file of the project could not be written.' },
  WORKSPACE_UNWRITABLE: { exit: EXIT.failed, summary: 'The .kb folder could not be written.' },
  LOCKED: { exit: EXIT.failed, summary: 'Another kb process is syncing this project.' },
  INTERRUPTED: { exit: EXIT.failed, summary: 'The run was interrupted before it was complete.' },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS
