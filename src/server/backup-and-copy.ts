// Backup, restore and copy of the server's database, for its operator.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { realPath } from '../core/paths.ts'
import { describeDatabase, isDatabaseUrl } from '../core/database-url.ts'
import { KbError } from '../core/errors/kb-error.ts'
import { copyContents, type CopyOptions, type CopyResult } from './store/copy/copy-contents.ts'
import { DEFAULT_SITE } from './store/ensure-default-site.ts'
import { type Backup, backupSqlite } from './store/sqlite/backup-sqlite.ts'
import { checkDatabase, countContents, type DatabaseContents } from './store/sqlite/check-database.ts'
import { type RestoreStep, restoreSqlite } from './store/sqlite/restore-sqlite.ts'

export { countContents }
export type { Backup, DatabaseContents }

/**
 * Writes a backup of `db` to `target`, and replaces a file of that name.
 *
 * @throws KbError DATABASE_MISSING, BACKUP_UNWRITABLE, USAGE
 */
export function backUp(db: string, target: string): Backup {
  assertFile(db)
  assertExists(db)
  assertApart(db, target)
  return backupSqlite(db, target)
}

/**
 * Checks that a backup is complete, and counts its contents.
 *
 * @throws KbError BACKUP_UNUSABLE, DATABASE_NEWER
 */
export function inspectBackup(file: string): DatabaseContents {
  return checkDatabase(file, 'full')
}

/**
 * Replaces the content of `db` with a backup. The previous state is stored in the folder `backups` beside it.
 *
 * @param onStep called after each step
 * @throws KbError BACKUP_UNUSABLE, BACKUP_UNWRITABLE, DATABASE_NEWER, DATABASE_UNUSABLE, USAGE: nothing was changed
 */
export function restoreDatabase(
  db: string,
  source: string,
  now: string,
  onStep: (step: RestoreStep) => void = () => undefined,
): { readonly kept: Backup | undefined } {
  assertApart(db, source)
  const existed = existsSync(db)
  const name = `${now.replaceAll(':', '-')}-before-restore.db`
  const keepAs = existed ? join(dirname(db), 'backups', name) : undefined
  return { kept: restoreSqlite({ file: db, source, keepAs, defaultSite: DEFAULT_SITE, onStep }) }
}

/**
 * Copies everything in a database into an empty one, see `copyContents`.
 *
 * @throws KbError DATABASE_MISSING, and those of `copyContents`
 */
export async function copyToDatabase(options: CopyOptions): Promise<CopyResult> {
  assertExists(options.from)
  return copyContents(options)
}

/**
 * Rejects PostgreSQL: backups and restores support only SQLite files.
 *
 * @throws KbError USAGE
 */
export function assertFile(db: string): void {
  if (!isDatabaseUrl(db)) return
  throw new KbError('USAGE', `${describeDatabase(db)} is a PostgreSQL database. Nothing was changed.`, {
    hint: 'Use its own tools: pg_dump --format=custom writes a backup, pg_restore --clean reads it back.',
  })
}

/** @throws KbError DATABASE_MISSING */
export function assertExists(db: string): void {
  if (isDatabaseUrl(db) || existsSync(db)) return
  throw new KbError('DATABASE_MISSING', `There is no database ${db}.`, {
    hint: 'Start kb serve once, run kb sync, or name the file with --db.',
  })
}

/** Rejects a backup or restore of a database onto itself, under any name, or onto its log. */
function assertApart(db: string, other: string): void {
  const own = realPath(db)
  if (![own, `${own}-wal`, `${own}-shm`].includes(realPath(other))) return
  throw new KbError('USAGE', `${other} belongs to the database itself. Nothing was changed.`, {
    hint: 'Use another file.',
  })
}
