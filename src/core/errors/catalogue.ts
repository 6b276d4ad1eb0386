import { EXIT, type ExitCode } from './exit-codes.ts'

// Defines an error by its exit code and a line for the guide that says when it occurs.
const exitsWith = (exit: ExitCode) => (summary: string) => ({ exit, summary })
const usage = exitsWith(EXIT.usage)
const failed = exitsWith(EXIT.failed)
const target = exitsWith(EXIT.target)

/** Every external failure that kb-sync reports. A test checks that the guide documents each one. */
export const ERRORS = {
  USAGE: usage('A command, flag or argument is wrong.'),
  CONFIG_INVALID: usage('kb.config.ts has an unknown key or a wrong value.'),
  CONFIG_UNREADABLE: usage('kb.config.ts is missing or could not be loaded.'),
  ENVIRONMENT_INVALID: usage('An environment variable has a wrong value.'),
  PROJECT_EXISTS: usage('The folder for kb init is already a project.'),
  PROJECT_UNNAMED: usage('The project has no name, which a remote target requires to identify its articles.'),
  TARGET_UNKNOWN: usage('--target does not name a target of the configuration.'),
  CONTENT_UNREADABLE: usage('There is no project here, or its content folder could not be read.'),
  TAXONOMY_INVALID: failed('The taxonomy files have errors, so kb serve did not start.'),
  CONTENT_CHANGED: failed('A content file was changed while the command was running.'),
  TARGET_UNREACHABLE: target('The target did not respond.'),
  TARGET_REFUSED: target('The target did not accept the API key.'),
  TARGET_FAILED: target('The target responded with an error.'),
  TARGET_REDIRECTED: target('The target responded with a redirect, which kb-sync never follows.'),
  TARGET_ANSWER_INVALID: target('The response does not have the documented structure.'),
  TARGET_DIFFERENT: failed(
    'Too many known articles are missing: this looks like a different knowledge base.',
  ),
  DATABASE_UNUSABLE: target('The database could not be opened or written.'),
  DATABASE_NEWER: target('The database was written by a newer kb-sync.'),
  DATABASE_BUSY: target('Another process kept the database locked for too long.'),
  DATABASE_UNAVAILABLE: target('The database server does not respond.'),
  DATABASE_MISSING: usage('There is no database to administer.'),
  ITEM_UNKNOWN: usage('A site, user, key, language, category or tag does not exist.'),
  ITEM_EXISTS: failed('A name, slug or language already exists.'),
  ITEM_IN_USE: failed('An item cannot be removed or changed while others depend on it.'),
  NOT_CONFIRMED: usage('A destructive command was not confirmed.'),
  BACKUP_UNUSABLE: failed('The backup is missing, damaged or not a database of kb-sync.'),
  BACKUP_UNWRITABLE: failed('The backup could not be written.'),
  COPY_REFUSED: failed('The target of a copy is not empty, or another process copies to it.'),
  COPY_OUTDATED: failed(
    'An unfinished copy was begun from another database, or the source has changed since.',
  ),
  COPY_DIFFERENT: failed('A complete copy differs from its source.'),
  BASELINE_INVALID: usage('The baseline of a check or report is missing, damaged or of another version.'),
  PLAN_INVALID: usage('The file is not a saved plan, is damaged, or is of another version.'),
  PLAN_ELSEWHERE: usage('The saved plan is for another project or target.'),
  SHARD_UNSUPPORTED: usage('The target does not allow several jobs at once.'),
  PLAN_OUTDATED: failed('Files or the target have changed since the plan was saved.'),
  ASSETS_NOT_COPIED: failed('Files could not be copied to the folder for publishing.'),
  PLAN_UNWRITABLE: failed('The plan could not be written.'),
  PORT_UNAVAILABLE: usage('The server cannot listen on this host and port.'),
  WATCH_FAILED: failed('The files cannot be watched for changes.'),
  FILES_UNWRITABLE: failed('A file of the project could not be written.'),
  WORKSPACE_UNWRITABLE: failed('The .kb folder could not be written.'),
  LOCKED: failed('Another kb process is syncing this project.'),
  INTERRUPTED: failed('The run was interrupted before it was complete.'),
}

export type ErrorCode = keyof typeof ERRORS
