// A restore replaces all rows in one transaction of the live database instead of replacing the file: servers that have
// it open see the old state before the commit and the new one after it, and if the process is killed, the old state
// remains.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Libsql from 'libsql'
import { KbError, reasonOf } from '../../../core/errors/kb-error.ts'
import { CURRENT_TABLES } from '../tables.ts'
import { type Backup, backupSqlite, sweepLeftovers } from './backup-sqlite.ts'
import { checkDatabase, unusableBackup, copyDatabase } from './check-database.ts'
import { migrate } from './migrations.ts'
import { openConnection } from './open-sqlite.ts'

/**
 * Replaces everything in the database `file` with a backup. Writes of other processes wait until it is done.
 *
 * @returns the backup of the previous state, if there was any
 * @throws KbError BACKUP_UNUSABLE, BACKUP_UNWRITABLE, DATABASE_NEWER, DATABASE_UNUSABLE: then nothing was changed
 */
export function restoreSqlite(options: RestoreOptions): Backup | undefined {
  const { file, source, keepAs, onStep } = options
  checkDatabase(source, 'full')
  let work: string | undefined
  try {
    mkdirSync(dirname(file), { recursive: true })
    sweepLeftovers(dirname(file), `${basename(file)}-restore-`, /^(\d+)-/)
    // These backups have different names, so none of them removes the files of another one.
    if (keepAs !== undefined) sweepLeftovers(dirname(keepAs), '', /-before-restore\.db\.unfinished-(\d+)$/)
    work = mkdtempSync(`${file}-restore-${process.pid}-`)
    const copy = join(work, 'copy.db')
    prepareCopy(source, copy)
    onStep('copied')
    return replaceDatabase(options, copy)
  } catch (error) {
    throw error instanceof KbError ? error : failed(file, error)
  } finally {
    if (work !== undefined) rmSync(work, { recursive: true, force: true })
  }
}

/** Prepares a copy of the backup, which is never changed: an older one is migrated in the copy. */
function prepareCopy(source: string, copy: string): void {
  try {
    copyDatabase(source, copy)
    const connection = new Libsql(copy)
    try {
      migrate(connection, copy)
    } finally {
      connection.close()
    }
    checkDatabase(copy, 'quick')
  } catch (error) {
    throw unusableBackup(source, reasonOf(error), error)
  }
}

function failed(file: string, cause: unknown): KbError {
  return new KbError(
    'DATABASE_UNUSABLE',
    `The database ${file} could not be restored: ${reasonOf(cause)}. It was not changed.`,
    {
      hint: 'Check that it is writable, that there is enough disk space, and that no other restore is running.',
      cause,
    },
  )
}

/**
 * Replaces the content of the live database with that of the database `copy`, which is modified, and not removed.
 *
 * @returns the backup of the previous state, if one was requested
 */
function replaceDatabase(options: Omit<RestoreOptions, 'source'>, copy: string): Backup | undefined {
  const { file, defaultSite, onStep } = options
  const connection = openConnection(file)
  try {
    migrate(connection, file)
    attach(connection, copy)
    adoptSite(connection, defaultSite)
    const kept = keepAndLock(connection, options)
    onStep('locked')
    replaceContents(connection, defaultSite, (table) => onStep(`replaced ${table}`))
    connection.exec('commit')
    onStep('committed')
    return kept
  } catch (error) {
    if (connection.inTransaction) connection.exec('rollback')
    throw error
  } finally {
    connection.close()
  }
}

/** Attaches the copy. It is created again after a failure, so it needs no journal on disk and no crash safety. */
function attach(connection: Libsql.Database, copy: string): void {
  connection.prepare('attach database ? as copy').run(copy)
  connection.exec(
    'pragma copy.journal_mode = memory; pragma copy.synchronous = off; pragma foreign_keys = off',
  )
}

/**
 * Backs up the current state before it takes the lock, so that other processes do not wait for that. The backup must
 * contain every acknowledged write: if something was written in between, it is repeated under the lock.
 */
function keepAndLock(connection: Libsql.Database, { file, keepAs, onStep }: Omit<RestoreOptions, 'source'>) {
  const before = revisionOf(connection)
  const kept = keep(file, keepAs)
  onStep('kept')
  connection.exec('begin immediate')
  return revisionOf(connection) === before ? kept : keep(file, keepAs)
}

function keep(file: string, keepAs: string | undefined): Backup | undefined {
  if (keepAs === undefined) return undefined
  mkdirSync(dirname(keepAs), { recursive: true })
  return backupSqlite(file, keepAs)
}

function revisionOf(connection: Libsql.Database): number {
  const row = connection.prepare('select revision from main.meta').get() as { revision: number }
  return row.revision
}

/**
 * The steps of a restore: the backup was `copied` and checked, the current state was `kept`, the database was `locked`,
 * each table was `replaced`, and everything was `committed`.
 */
export type RestoreStep = 'copied' | 'kept' | 'locked' | `replaced ${string}` | 'committed'

interface RestoreOptions {
  /** The live database; created if missing. */
  readonly file: string
  /** The backup to restore. */
  readonly source: string
  /** File for the backup of the current data; undefined for none. */
  readonly keepAs: string | undefined
  /** Name of the site that keeps its id. */
  readonly defaultSite: string
  /** Called after every step. */
  readonly onStep: (step: RestoreStep) => void
}

/** Merged, never replaced: a key revoked on either side stays revoked, after any number of restores. */
const REVOKED = 'revoked_keys'

const CHANGES = 'article_changes'

const REMOVED_WORDS = 'removed_words'

/**
 * Replaces the content of `main` with that of the attached database `copy`, which is modified. Call it in a transaction
 * with foreign keys off. Both have the same schema. The default site keeps its id, since running servers use it, and
 * revoked keys stay revoked. The revision is higher than both previous ones, so that the new state is never mistaken
 * for an earlier one, and no changes since earlier revisions are known.
 *
 * @param onTable called after each table
 */
function replaceContents(connection: Libsql.Database, defaultSite: string, onTable: (table: string) => void) {
  adoptSite(connection, defaultSite)
  uniteRevoked(connection)
  connection.exec(`
    update copy.meta set revision = max(revision, (select revision from main.meta)) + 1 where id = 1;
    update copy.meta set changes_since = revision where id = 1;
  `)
  // Triggers change these tables while the others are replaced.
  const last = [REMOVED_WORDS, CHANGES]
  const others = tablesOf(connection).filter((name) => ![REVOKED, ...last, ...CURRENT_TABLES].includes(name))
  for (const table of [...others, ...last]) {
    replaceTable(connection, table)
    onTable(table)
  }
  for (const table of CURRENT_TABLES.filter((name) => columnsOf(connection, name).includes('"site_id"')))
    connection.exec(`delete from main."${table}" where site_id not in (select id from main.sites)`)
}

/** Sets the id of the site `name` in `copy` to that in `main`. */
function adoptSite(connection: Libsql.Database, name: string): void {
  const find = (schema: 'main' | 'copy') =>
    (
      connection.prepare(`select id from ${schema}.sites where name = ?`).get(name) as
        | { id: string }
        | undefined
    )?.id
  const [live, restored] = [find('main'), find('copy')]
  if (live === undefined || restored === undefined || live === restored) return
  for (const table of tablesOf(connection)) {
    const column = table === 'sites' ? 'id' : 'site_id'
    if (!columnsOf(connection, table).includes(`"${column}"`)) continue
    connection.prepare(`update copy."${table}" set ${column} = ? where ${column} = ?`).run(live, restored)
  }
  adoptTargets(connection, live, restored)
}

/** Adapts the targets of relative links, which contain the site, too (see link-target.ts). */
function adoptTargets(connection: Libsql.Database, live: string, restored: string): void {
  const [before, after] = [`article:${restored}:`, `article:${live}:`]
  connection
    .prepare('update copy.link_targets set target = ? || substr(target, ?) where substr(target, 1, ?) = ?')
    .run(after, before.length + 1, before.length, before)
}

function uniteRevoked(connection: Libsql.Database): void {
  connection.exec(`
    insert or ignore into main.${REVOKED}
      select hash, revoked_at from main.api_keys where revoked_at is not null
      union all select hash, revoked_at from copy.api_keys where revoked_at is not null
      union all select hash, revoked_at from copy.${REVOKED};
    update copy.api_keys set revoked_at =
        (select known.revoked_at from main.${REVOKED} as known where known.hash = api_keys.hash)
      where revoked_at is null and hash in (select hash from main.${REVOKED});
  `)
}

function replaceTable(connection: Libsql.Database, table: string): void {
  const columns = columnsOf(connection, table).join(', ')
  connection.exec(
    `delete from main."${table}"; insert into main."${table}" (${columns}) select ${columns} from copy."${table}"`,
  )
}

function tablesOf(connection: Libsql.Database): string[] {
  const rows = connection
    .prepare(
      "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'",
    )
    .all()
  return (rows as { name: string }[]).map(({ name }) => name)
}

function columnsOf(connection: Libsql.Database, table: string): string[] {
  const rows = connection.prepare('select name from pragma_table_info(?)').all(table)
  return (rows as { name: string }[]).map(({ name }) => `"${name}"`)
}
